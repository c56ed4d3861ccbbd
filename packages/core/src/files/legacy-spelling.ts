/**
 * What words hardly ever look like in the languages of an encoding: read in the wrong one, letters stand where the
 * spelling has no place for them.
 */

/** A pattern that matches where one of these does; each may be given several spellings at once. */
function anyOf(flags: string, ...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'), flags);
}

/** Letters of Western languages where none of them has them, but others have the letters of the same bytes. */
export const MISPLACED_WESTERN = anyOf(
  'giu',
  // Icelandic words begin with þ and never with ð; Turkish has ş and ğ anywhere.
  '(?<=\\p{L})þ|^ð',
  // Portuguese has õ before e, Estonian before i and u; Hungarian has ő anywhere.
  'õ(?![eiu])',
  // Portuguese has ã before a vowel, before z and at the end; Romanian has ă anywhere.
  'ã(?![oeiz]|s?$)|[aou]ã(?!o)',
  // Spanish has ñ before a vowel; Polish has ń at the end and before consonants.
  'ñ(?![aeiouáéíóú]|$)|(?<=[^aeiou])ñ$|(?<=\\p{L}{2})ñ$',
  // Italian has these at the end; Czech has ě and ů anywhere.
  '[ìù](?!$)',
  // No vowel stands before these; Polish has ć and ś there.
  '(?<=[aeiouy])[æœ]|œ(?=$|[lkzbpg])|æ(?=[aiou])',
  // No other vowel follows è, but for i in Catalan, and few words begin with it; Czech has č everywhere.
  'è(?=[aeouáíéó]|i(?!x))|(?<=a)è|^è(?=[bcdghjklnvwy]|t(?!i))',
  // Danish has ø before few vowels; Czech has ř before all.
  'ø(?=[aioué])|ø(?=e(?!$|[nrt]))',
  // Polish has ę after i, and words with ęp.
  '(?<=i)ê(?!n)|ê(?=pn)',
  // German in a code page of DOS has ß there.
  '(?<=a)á|á(?=e[nr]?$)',
  // Only short Icelandic words end with ý; Turkish has ı there and often twice, and words with İs and İz.
  '(?<=\\p{L}{3})ý$|ý(?=.*ý)|(?<=ý.*)ý|^ý(?=st|z|n)',
);

/** The same for Central European ones. */
export const MISPLACED_CENTRAL = anyOf(
  'giu',
  // Slovak l is soft before these without a mark; in ISO-8859-2 the byte is ž.
  'ľ(?=[ieéíyá])',
  // Turkish has ş there.
  'ţ(?=[lmkdtbn])|iţ$',
  // Turkish has ı and İ there.
  '[cy]ý|^ý',
  // No word is one of these alone: signs of other encodings are.
  '^[ąćčďęłĺľńňŕřşśšťţźżž]$',
);

const VOWEL = '[аеёиоуыэюяіїє]';
const CONSONANT = '[бвгджзйклмнпрстфхцчшщ]';
const TWO_CYRILLIC =
  'да|не|на|по|за|то|но|же|ли|бы|до|из|от|со|во|ко|ни|он|мы|вы|ты|их|ей|им|её|ее|ею|об|та|те|ту|ой|ну|уж|юг|це|ні|що|як|бо|чи|ви|ми|їм|її|їх|зі|із|ще|де|ти|се|си|са|го|му|ги|че|ок|км|мм|см|др|кб|мб|гб|мс|тд|тп|пр|рф|ип|ук|ас|бд|ос|пк';

/** Words in lower case. */
export const ODD_CYRILLIC = anyOf(
  'u',
  // As few letters as only some words have; no vowel; a letter thrice.
  `^[^авикосуяжбіїйєзэцё]$|^(?!${TWO_CYRILLIC})..$|^[^аеёиоуыэюяіїєъ]{3,}$|(.)\\1\\1`,
  // ъ, ь, ы and й have their places.
  `^[ыь]|^ъ(?![гп])|${VOWEL}[ьъ]|[ьъ][ьъаыэу]|ъ[ий]|ъ$|[^аеёиоуыэюяіїєґ]й|й[аеуиыэюя]|[гкхжшщч]ы|[чщ]я|[жш]ю`,
  // Too many of a kind.
  `(?!.{1,3}ств)${CONSONANT}{5}|^(?![вс])${CONSONANT}{4}|${VOWEL}{4}`,
  // How words begin and end.
  '^щ[^аеиоуюіьёъя]|^ц[^аеиоувыіяєїьъ]|[пфктшсхцчщ][бдгзж]$',
  `(?!кст|нкт|стр|ств|нтр|ктр|льт|ндр|рст|нск|рск|мск|лст|лтр|ртв|рхн)${CONSONANT}{3}$`,
);

const TWO_GREEK = 'να|θα|με|σε|το|τα|τη|οι|ως|αν|δε|μη|ας|ον|εν|εκ|γη';

/** Words in lower case: ς stands at the end and σ never does, few consonants do, and of some syllables one has an accent. */
export const ODD_GREEK = anyOf(
  'u',
  'ς\\p{L}|[βγδζθκλμπστφχ]$|(.)\\1\\1',
  `^[^ήοηω]$|^(?!${TWO_GREEK}|.[άέήίόύώ]|[άέήίόύώ].)..$|^[βγδζθκλμνξπρστφχψς]+$`,
  '[άέήίόύώΐΰ].*[άέήίόύώΐΰ]',
  '^[^άέήίόύώΐΰ]*[αεηιοωϊυ][^άέήίόύώΐΰαεηιουωϊϋ]+[αεηιουωϊϋ][^άέήίόύώΐΰ]*$',
);

const TWO_HEBREW =
  'לא|כן|אם|או|זה|של|על|את|גם|כי|אל|עם|אז|כל|שם|יש|רק|בו|לו|לי|מי|מה|פה|כך|הם|הן|אך|דף|קו|זו|בן|יד|גב|הר|יו';

/** Some letters have a form for the end of a word, and only that stands there. */
export const ODD_HEBREW = anyOf('u', '[ךםןףץ]\\p{L}|[כמנצ]$', `(.)\\1\\1|^.$|^(?!${TWO_HEBREW})..$`);

const TWO_ARABIC = 'من|في|لا|ما|لم|لن|أن|إن|أو|هو|هي|كل|قد|عن|بل|إذ|ذا|كي|يا|هم|تم|أي|به|له|مع|رد|صح';

/** Some letters only end a word, others never begin one. */
export const ODD_ARABIC = anyOf('u', '[ةى]\\p{L}|^[ئؤءةى]|ـ|ا[أإآا]|إ$|^إ.$', `(.)\\1\\1|^[^و]$|^(?!${TWO_ARABIC})..$`);

/** Vowels that are written before their consonant, what stands above and below it, and what follows. */
export const THAI_SYLLABLES = new RegExp(
  '^(?!.*(.)\\1\\1)(?:' +
    '[กขคงจชดตถทนบปผพมยรลวสหอ]{2,3}|' +
    '(?=.*[ะ-ฺเ-ไ็-๎อว])(?:[เแโใไ]?[กขคฆ-ฮ](?:[ัิ-ู็][่-๋]?|[ิุ]?์|[่-๋]?[ะาำ]?)[ฯๆ]?)+' +
    ')$',
  'u',
);

/** Signs of sound and length and small letters stand after what they may stand after, and no word has a letter thrice. */
export const HALF_WIDTH_WORD = new RegExp(
  '^｢?(?!.*(.)\\1\\1)(?=.{2})(?!ﾝ)(?:' +
    '[ｦｱ-ﾝ](?:(?<=[ｳｶ-ﾄﾊ-ﾎ])ﾞ|(?<=[ﾊ-ﾎ])ﾟ)?' +
    '(?:(?<=[ﾌｸﾂｳ]ﾞ?)[ｧｫ]|(?<=[ﾃﾌｳﾄ]ﾞ?)[ｨｩ]|(?<=[ｼﾁﾌｳ]ﾞ?)ｪ|(?<=[ｷｼﾁﾆﾋﾐﾘﾃﾌ][ﾞﾟ]?)[ｬｭｮ])?' +
    'ｰ?(?:ｯ(?=[ｶ-ﾄﾊ-ﾎ]))?' +
    ')+[｣､｡･]?$',
  'u',
);
