/**
 * What `\X` matches in PCRE2: characters that are seen as one, by the rules of Unicode (UAX #29). JavaScript has no properties for all
 * of them, so some are listed.
 */

const PREPENDED = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\u{110bd}\u{110cd}\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}`;
const EXTENDING = String.raw`\p{Grapheme_Extend}\p{Emoji_Modifier}`;
/** Marks with room of their own that stand apart all the same. */
const APART = String.raw`\u102b\u102c\u1038\u1062-\u1064\u1067-\u106d\u1083\u1087-\u108c\u108f\u109a-\u109c\u1a61\u1a63\u1a64\uaa7b\uaa7d\u{11720}\u{11721}`;
const SPACING = String.raw`[[\p{Mc}\u0e33\u0eb3]--[\p{Grapheme_Extend}${APART}]]`;
const CONTROL = String.raw`[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}[\p{Cn}&&\p{Default_Ignorable_Code_Point}]]--[\u200c\u200d${PREPENDED}\p{Grapheme_Extend}]]`;

/** Of Hangul: leading consonants, vowels, trailing consonants, and syllables without one of these and with it. */
const [LEADING, VOWEL, TRAILING] = [
  String.raw`[\u1100-\u115f\ua960-\ua97c]`,
  String.raw`[\u1160-\u11a7\ud7b0-\ud7c6\u{16d63}\u{16d67}-\u{16d6a}]`,
  String.raw`[\u11a8-\u11ff\ud7cb-\ud7fb]`,
];
const SYLLABLE = String.raw`[\uac00-\ud7a3]`;
const OPEN_SYLLABLE = `[${Array.from({ length: 399 }, (_, at) => String.fromCharCode(0xac00 + 28 * at)).join('')}]`;

const INDICATOR = String.raw`\p{Regional_Indicator}`;
const PICTURE = String.raw`\p{Extended_Pictographic}`;

const HANGUL = `${LEADING}*(?:(?:${OPEN_SYLLABLE}${VOWEL}*|${VOWEL}+)${TRAILING}*|${SYLLABLE}${TRAILING}*)|${LEADING}+|${TRAILING}+`;
const PICTURES = String.raw`${PICTURE}(?:[${EXTENDING}\u200d]*\u200d${PICTURE})*`;
const OTHER = String.raw`[\p{Any}--[${CONTROL}${PREPENDED}${INDICATOR}${PICTURE}]]`;
const BEHIND = String.raw`[${EXTENDING}\u200d${SPACING}]*`;

/**
 * An expression for the flag `v`. What it matched must not be given back. Unlike Unicode, PCRE2 (10.45) takes
 * any number of letters of flags together, lets nothing stand behind them, and nothing before a picture.
 */
export const GRAPHEME_CLUSTER = String.raw`(?:\r\n|${CONTROL}|[${PREPENDED}]*(?:${INDICATOR}+|(?:${HANGUL}|${OTHER})${BEHIND})|${PICTURES}${BEHIND}|[${PREPENDED}]+${BEHIND})`;
