import { stat } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { heldFile } from './byte-source.js';
import { guessLegacy, guessLegacyOfFile, LegacyGuesses } from './guess-legacy.js';
import { decodeBytes } from './text-codec.js';

/** Ordinary sentences, and sources with no more than a comment beyond ASCII. */
const TEXTS: readonly (readonly [encoding: string, text: string])[] = [
  [
    'windows-1252',
    'Les élèves français ont déjà reçu leurs bulletins à la fin de l’année, où l’été était très chaud.\n',
  ],
  ['windows-1252', '// Vérifie que la clé est présente\nconst key = get();\n'],
  ['windows-1252', '// déjà vu\nint main() { return 0; }\n'],
  ['windows-1252', '// café\nint main() { return 0; }\n'],
  ['windows-1252', 'Le cœur de l’œuvre coûte 50 € à Noël, dès août.\n'],
  [
    'windows-1252',
    'Die Straße führt über die Brücke; größere Änderungen müssen überprüft werden. Schöne Grüße aus Österreich!\n',
  ],
  ['windows-1252', '/* Prüft, ob die Größe stimmt */\nfunction check(a, b) { return a > b; }\n'],
  ['windows-1252', '# für alle\nprint(1)\n'],
  ['windows-1252', 'x = 1 # Straße\n'],
  ['windows-1252', 'ÄÖÜ MÜSSEN GROß SEIN\n'],
  ['windows-1252', 'El niño comió mañana en el jardín; ¿cuándo vendrá la señora? ¡Qué día más bonito en España!\n'],
  ['windows-1252', '// función de inicialización\nint init();\n'],
  ['windows-1252', '// año\nint y;\n'],
  ['windows-1252', 'A opção não está disponível; as informações são inválidas e o usuário precisa de permissões.\n'],
  ['windows-1252', '// Não há configuração\nx()\n'],
  ['windows-1252', '// opções e versões\nx()\n'],
  ['windows-1252', 'Perché la città è così bella? Più tardi andrò all’università, però non lunedì.\n'],
  ['windows-1252', '// perché\nx()\n'],
  ['windows-1252', 'Det är så många frågor på svenska; hör av dig när du får lösningen.\n'],
  ['windows-1252', 'Vi har fået nye ønsker på vejen til København; blåbærgrød er også godt.\n'],
  ['windows-1252', '# prøv på nytt\nx\n'],
  ['windows-1252', 'Tämä on hyvä päivä, sillä työ on tehty ja järjestelmä käynnistyy.\n'],
  ['windows-1252', 'Það er ekki hægt að opna þessa skrá; reyndu aftur síðar, þú getur það.\n'],
  ['windows-1252', 'De coördinatie van de geïnteresseerde financiële partijen is één geheel.\n'],
  [
    'windows-1252',
    'La informació és aquí; la col·lecció està disponible també a Barcelona, però més tard serà així.\n',
  ],
  ['windows-1254', 'değişken\n'],
  ['windows-1250', 'őrült\n'],
  ['windows-1252', 'ações\n'],
  ['windows-1252', 'He said “hello” – and left… It’s done.\n'],
  ['windows-1252', 'It’s done.\n'],
  ['windows-1252', '/* © 2004 Jean Dupont */\nint x;\n'],
  ['windows-1252', 'temp = 20; // 20 °C ± 5 µm\n'],
  ['windows-1252', 'Authors: José Martínez, Jürgen Müller, Søren Kierkegård, François\n'],
  ['windows-1252', '// by Håkon Wium Lie and Børre\n'],
  ['windows-1252', 'ä\nö\nü\n'],
  ['windows-1252', 'name;city\nMüller;Köln\nPeña;A Coruña\nBjörk;Reykjavík\n'],
  ['iso-8859-2', 'Zażółć gęślą jaźń. Proszę sprawdzić, czy plik został poprawnie otwarty, ponieważ wystąpił błąd.\n'],
  ['windows-1250', 'Zażółć gęślą jaźń. Proszę sprawdzić, czy plik został poprawnie otwarty, ponieważ wystąpił błąd.\n'],
  ['windows-1250', '// sprawdź, czy ścieżka istnieje\nx();\n'],
  ['iso-8859-2', '// sprawdź, czy ścieżka istnieje\nx();\n'],
  [
    'windows-1250',
    'Příliš žluťoučký kůň úpěl ďábelské ódy. Soubor nelze otevřít, protože již neexistuje; zkuste to později.\n',
  ],
  [
    'iso-8859-2',
    'Příliš žluťoučký kůň úpěl ďábelské ódy. Soubor nelze otevřít, protože již neexistuje; zkuste to později.\n',
  ],
  ['windows-1250', '// načte soubor a ověří příponu\nx();\n'],
  ['windows-1250', 'Az árvíztűrő tükörfúrógép hibás; kérjük, ellenőrizze a beállításokat és próbálja újra később.\n'],
  ['windows-1251', 'Привет, мир. Это обычный текст на русском языке, который нужно прочитать.\n'],
  ['windows-1251', '// Проверка файла\nint x;\n'],
  ['windows-1251', '// тест\nint x;\n'],
  ['koi8-r', 'Привет, мир. Это обычный текст на русском языке, который нужно прочитать.\n'],
  ['koi8-r', '// Проверка файла\nint x;\n'],
  ['windows-1251', 'function f() {\n  // возвращает длину строки\n  return s.length; // если пусто, то ноль\n}\n'],
  ['windows-1251', 'Файлът не може да бъде отворен, защото не съществува. Опитайте отново.\n'],
  ['windows-1253', 'Καλημέρα κόσμε. Το αρχείο δεν μπορεί να ανοίξει επειδή δεν υπάρχει.\n'],
  ['windows-1253', '// έλεγχος αρχείου\nint x;\n'],
  ['shift_jis', '日本語のテキストファイルです。文字コードを正しく判定する必要があります。\n'],
  ['shift_jis', '// ファイルを開く\nint x;\n'],
  ['shift_jis', '// 初期化処理\nint x;\n'],
  ['euc-jp', '日本語のテキストファイルです。文字コードを正しく判定する必要があります。\n'],
  ['euc-jp', '// ファイルを開く\nint x;\n'],
  ['gb18030', '这是一个用来测试编码检测的中文文本文件，请检查文件是否存在。\n'],
  ['gb18030', '// 打开文件\nint x;\n'],
  ['gb18030', '// 初始化配置参数\nint x;\n'],
  ['big5', '這是一個用來測試編碼偵測的中文文字檔案，請檢查檔案是否存在。\n'],
  ['big5', '// 開啟檔案\nint x;\n'],
  ['euc-kr', '안녕하세요. 이것은 한국어로 된 텍스트 파일입니다. 파일을 열 수 없습니다.\n'],
  ['euc-kr', '// 파일 열기\nint x;\n'],
  ['windows-1254', 'Dosya açılamadı çünkü bulunamıyor; lütfen daha sonra yeniden deneyin, şifre yanlış değil.\n'],
  ['windows-1252', '1º lugar, 2ª vez, Nº 5, µm\n'],
  ['windows-1252', 'ÉTÉ À NOËL, CAFÉ’S\n'],
  ['windows-1252', '„Größe“ ist nicht »übrig«\n'],
  ['windows-1252', 'VERSION FRANÇAISE DÉJÀ PRÊTE\n'],
  ['windows-1252', 'ö\n'],
  ['windows-1252', '// Zoë\n'],
  ['windows-1252', '// à\nint x;\n'],
  ['windows-1252', '// où est-il\n'],
  ['windows-1252', '// Ångström\n'],
  ['windows-1252', 'echo "señor";\n'],
  ['windows-1252', '// coração\n'],
  ['windows-1252', '# façade\n'],
  ['windows-1252', 'maçã\n'],
  ['windows-1252', 'naïve approach\n'],
  ['windows-1252', 'résumé\n'],
  ['windows-1252', 'la valeur créée\n'],
  ['windows-1252', 'price: £5\n'],
  ['windows-1252', 'see §5\n'],
  ['windows-1252', 'a ± b\n'],
  ['windows-1252', '800×600\n'],
  ['windows-1252', '• one\n• two\n'],
  ['windows-1252', '// käyttäjää ei löydy\n'],
  ['windows-1252', '// smörgåsbord på ön\n'],
  ['windows-1252', 'Århus, Øresund, Ærø\n'],
  ['windows-1252', 'Curaçao, São Tomé, Côte d’Ivoire, Åland, Réunion, Saint-Barthélemy\n'],
  ['windows-1252', '100 €\n'],
  ['windows-1252', 'a\u00a0b\n'],
  ['windows-1250', 'Datoteke ni mogoče odpreti, ker še ne obstaja; poskusite znova, že čez minuto.\n'],
  ['windows-1250', 'Fişierul nu poate fi deschis deoarece nu există; încercaţi din nou mai târziu şi verificaţi.\n'],
  ['windows-1250', 'Súbor sa nedá otvoriť, pretože neexistuje; skúste to znova neskôr, ďakujeme.\n'],
  ['windows-1251', 'Файл не може бути відкритий, оскільки він не існує. Спробуйте ще раз.\n'],
  ['windows-1251', '// ВНИМАНИЕ: не удалять\n'],
  ['windows-1251', '// да\n'],
  ['koi8-r', '// тест\nint x;\n'],
  ['koi8-r', 'function f() {\n  // возвращает длину строки\n  return s.length; // если пусто, то ноль\n}\n'],
  ['ibm866', 'Файл не найден. Проверьте путь и повторите попытку.\n'],
  ['iso-8859-7', 'Καλημέρα κόσμε. Το αρχείο δεν μπορεί να ανοίξει επειδή δεν υπάρχει.\n'],
  ['shift_jis', '/* 設定ファイルを読み込む。失敗した場合はエラーを返す。 */\nint load(const char *path);\n'],
  ['shift_jis', '// エラー処理\n'],
  ['shift_jis', '// 文字列の長さ\n'],
  ['euc-jp', '/* 設定ファイルを読み込む。失敗した場合はエラーを返す。 */\n'],
  ['euc-jp', '// 文字列の長さ\n'],
  ['gb18030', '/* 读取配置文件，失败时返回错误码。 */\nint load(const char *path);\n'],
  ['gb18030', '// 错误处理\n'],
  ['gb18030', 'printf("你好，世界\\n");\n'],
  ['gb18030', '// 用户名\n'],
  ['gb18030', '北京市朝阳区的居民委员会昨天下午举行了一次重要会议，讨论如何改善社区环境和交通状况。\n'],
  ['big5', '/* 讀取設定檔，失敗時傳回錯誤碼。 */\nint load(const char *path);\n'],
  ['big5', '// 錯誤處理\n'],
  ['big5', 'printf("你好，世界\\n");\n'],
  ['big5', '台北市政府昨天下午舉行了一次重要會議，討論如何改善社區環境與交通狀況。\n'],
  ['euc-kr', '/* 설정 파일을 읽는다. 실패하면 오류 코드를 반환한다. */\n'],
  ['euc-kr', '// 오류 처리\n'],
  ['euc-kr', 'printf("안녕하세요\\n");\n'],
  ['euc-kr', '서울시는 어제 오후 중요한 회의를 열고 지역 환경과 교통 상황을 개선하는 방법을 논의했다.\n'],
];

/** Short texts that are easily taken for others: the letters, signs or lines of the same bytes elsewhere. */
const EASILY_MISTAKEN: readonly (readonly [encoding: string, text: string])[] = [
  ['windows-1252', '“quoted” — naïve\n'],
  ['windows-1252', '‘naïve’ approach… “fast”\n'],
  ['windows-1252', 'café ¶\n'],
  ['windows-1252', '§ 5 ¶ 3\n'],
  ['windows-1252', '3 × 4 ÷ 2\n'],
  ['windows-1252', '¥100\n'],
  ['windows-1252', '¢50\n'],
  ['windows-1252', 'Å, ø & È\n'],
  ['windows-1252', '// João, ênfase e maçãs\n'],
  ['windows-1252', '// poème, Suède, père\n'],
  ['windows-1252', '// træ, knæ, øer\n'],
  ['windows-1252', '// kõik võib\n'],
  ['windows-1252', '// þið nýtt við\n'],
  ['cp850', '// café\n'],
  ['cp850', '/* vérifie que la clé est présente */\n'],
  ['cp850', '/* Größe der Einträge prüfen */\n'],
  ['cp850', 'echo La contraseña es válida según la configuración\n'],
  ['cp850', 'prøv på nytt, størrelsen er ændret\n'],
  ['cp437', '┌──────┐\n│ menu │\n└──────┘\n'],
  ['cp437', '╔════════╗\n║ Übung  ║\n╚════════╝\n'],
  ['cp437', 'echo ────────── done\n'],
  ['cp852', 'Użytkownik nie został znaleziony, sprawdź ścieżkę\n'],
  ['ibm866', '╔══════════╗\n║ Загрузка ║\n╚══════════╝\n'],
  ['windows-1250', '// jeśli\n'],
  ['windows-1250', '// następna wartość\n'],
  ['windows-1250', '// Gdańsk\n'],
  ['windows-1250', '// číslo\n'],
  ['windows-1250', '// korisničko ime već postoji\n'],
  ['windows-1250', '// următorul\n'],
  ['iso-8859-2', '// uživatel\n'],
  ['iso-8859-2', '// jeśli są\n'],
  ['windows-1254', '// kullanıcı\n'],
  ['windows-1254', '// başla ve bitiş\n'],
  ['windows-1251', '// файл\n'],
  ['windows-1251', '// ВНИМАНИЕ\n'],
  ['windows-1251', '// съобщение\n'],
  ['koi8-u', '// перевірка, чи є файл\n'],
  ['windows-1253', '// έλεγχος\n'],
  ['windows-1253', '// τιμή\n'],
  ['windows-1255', '// קובץ\n'],
  ['windows-1255', '// לא\n'],
  ['windows-1255', '// מחזיר את אורך השורה\n'],
  ['iso-8859-8', '// שגיאה בקריאת הקובץ\n'],
  ['windows-1256', '// البرنامج\n'],
  ['windows-1256', '// الملف غير موجود\n'],
  ['windows-1256', '// لا تحذف هذا\n'],
  ['iso-8859-6', '// خطأ في قراءة الملف التالي\n'],
  ['windows-874', '// ไฟล์\n'],
  ['windows-874', '// ชื่อผู้ใช้และรหัสผ่าน\n'],
  ['tis-620', '// ตรวจสอบ\n'],
  ['windows-1257', '// Grąžina eilutės ilgį, jei reikšmė tuščia\n'],
  ['windows-1257', '// Pārbauda, vai vērtība nav tukša; kļūda šeit\n'],
  ['shift_jis', '// ﾃｽﾄ ﾃﾞｰﾀ\n'],
  ['shift_jis', '// ﾌｧｲﾙ ｵｰﾌﾟﾝ ｴﾗｰ\n'],
  ['shift_jis', '// ﾊﾟﾗﾒｰﾀを読む\n'],
  ['euc-jp', '// ﾃｽﾄ ﾃﾞｰﾀ\n'],
  ['gb18030', '// 密码\n'],
  ['euc-kr', '// 오류 검색\n'],
];

describe('guessLegacy', () => {
  it.each([...TEXTS, ...EASILY_MISTAKEN])('reads %s: %j', async (encoding, text) => {
    const bytes = iconv.encode(text, encoding, { addBOM: false });
    const guessed = await guessLegacy(bytes);
    // Where two encodings have the same bytes for a text, either is right.
    expect(await decodeBytes(bytes, guessed), guessed).toBe(text);
    if (encoding === 'windows-1252') expect(guessed).toBe(encoding);
  });

  it('finds a comment anywhere in a large file', async () => {
    const filler = 'const value = compute(1, 2);\n'.repeat(2000);
    const bytes = iconv.encode(`// déjà vu\n${filler}// naïve approach\n${filler}`, 'windows-1252');
    expect(await guessLegacy(bytes)).toBe('windows-1252');
  });

  it('takes UTF-8 with few bad bytes for UTF-8, and Latin text with a pair that looks like UTF-8 for Latin text', async () => {
    const stray = Buffer.concat([Buffer.from('größer für müde Bären\n'), Buffer.from([0xe9, 0x0a])]);
    expect(await guessLegacy(stray)).toBe('utf-8');
    const latin = iconv.encode('CAFÉ’S été déjà né\n', 'windows-1252');
    expect(await guessLegacy(latin)).toBe('windows-1252');
  });

  it('takes what has bytes that windows-1252 has not for ISO-8859-1, in which nothing is lost', async () => {
    const bytes = Buffer.concat([iconv.encode('déjà vu, été\n', 'windows-1252'), Buffer.from([0x81, 0x0a])]);
    expect(await guessLegacy(bytes)).toBe('iso-8859-1');
  });
});

describe('guessLegacyOfFile', () => {
  it('judges a file as all of its bytes would be, and not what is UTF-8', async () => {
    const { signal } = new AbortController();
    const filler = Buffer.from('plain text that says nothing\n'.repeat(40_000));
    const lines: readonly (readonly Buffer[])[] = [
      [Buffer.from('größer – schön\n'.repeat(9)), filler, Buffer.from('d\xe9j\xe0 vu\n', 'latin1')],
      [filler, Buffer.from('d\xe9j\xe0 vu\n'.repeat(9), 'latin1'), filler, Buffer.from('größer\n')],
      [filler, iconv.encode('Ошибка чтения файла\n', 'koi8-r'), filler],
    ];
    for (const parts of lines) {
      const bytes = Buffer.concat(parts);
      const file = heldFile(bytes, await stat('.'));
      expect(await guessLegacyOfFile(file, signal)).toBe(await guessLegacy(bytes));
    }
    const sound = Buffer.concat([filler, Buffer.from('größer\n')]);
    expect(await guessLegacyOfFile(heldFile(sound, await stat('.')), signal)).toBeUndefined();
  });
});

it('what was guessed before is guessed again where it is remembered', async () => {
  const guesses = new LegacyGuesses();
  const samples = TEXTS.slice(0, 60).map(([encoding, text]) => iconv.encode(text, encoding));
  // Its sample is that of a text before; what lies behind it says that it is not Western.
  const long = Buffer.from('\xe9t\xe9 d\xe9j\xe0 vu\n'.repeat(2_000), 'latin1');
  samples.push(long, Buffer.concat([long, Buffer.from([0x81])]));
  const alone: string[] = [];
  for (const bytes of samples) alone.push(await guessLegacy(bytes));
  expect(alone.slice(-2)).toEqual(['windows-1252', 'iso-8859-1']);
  for (const times of [1, 2]) {
    const remembered: string[] = [];
    for (const bytes of samples) remembered.push(await guessLegacy(bytes, guesses));
    expect([times, remembered]).toEqual([times, alone]);
  }
});
