/** Letters beyond ASCII that the texts of a language are written with, in lower case. */
type Alphabets = readonly string[];

interface Reading {
  /** A name that iconv-lite knows. */
  readonly encoding: string;
  /** So much likelier than windows-1252 it has to be, on a scale of 0 to 1: nothing else is as common. */
  readonly handicap: number;
}

export interface LatinReading extends Reading {
  readonly kind: 'latin';
  readonly alphabets: Alphabets;
  /** Letters of these alphabets in places where their languages hardly ever have them. */
  readonly misplaced?: RegExp;
}

/** Letters other than Latin ones, in words of their own. */
export interface OtherReading extends Reading {
  readonly kind: 'other-alphabet';
  readonly letters: RegExp;
  readonly common: string;
}

export interface EastAsianReading extends Reading {
  readonly kind: 'east-asian';
  readonly usual: RegExp;
  readonly common: string;
}

/** One way to read the bytes of a file that is not UTF-8. */
export type LegacyReading = LatinReading | OtherReading | EastAsianReading;

const WESTERN: Alphabets = [
  'àâæçéèêëîïôœùûüÿ',
  'äöüß',
  'áéíóúüñïç',
  'áàâãçéêíóôõúü',
  'àèéìíîòóùú',
  'åäöéæø',
  'æøåéèêòóôü',
  'áðéíóúýþæö',
  'éèëïíóöüáàêç',
  'àçéèíïóòúü',
];

/** Icelandic words begin with þ, where Turkish ones have ş anywhere; Portuguese has õ before e, Hungarian ő anywhere. */
const MISPLACED_WESTERN = /(?<=\p{L})þ|õ(?!e)/giu;

const CENTRAL: Alphabets = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţșț'];

const TURKISH: Alphabets = ['çğıöşüâîiİ'];

const CYRILLIC = /[\u0400-\u045f\u0490\u0491]/u;
const GREEK = /[\u0386\u0388-\u03ce]/u;
/** Four letters of five in ordinary text are of these. */
const COMMON_CYRILLIC = 'оеаинтсрвлкмдпуяызьбгчіъ';
const COMMON_GREEK = 'αάοόιίεέτσςνηήυύρπκμλωώδγ';

/** Letters that are frequent in ordinary text, and words of comments in programs. */
const COMMON_JAPANESE =
  '日一人大年本中国出来上生自分者行時会社学間見地方法合数字文名前後入力処理設定変更確認取得追加削除作成使用必要表示実開始終了初期化保存読込書値型関定義例外返戻参照引配列検索判用次下内部対象情報画面通信場全';
const COMMON_SIMPLIFIED =
  '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经开打文件初始化配置参数检查测试数据如果返回否则当前获取设置删除添加创建函类型使编码字符存读写请类接口名称路径错误信息系统程序运行加载更新处理列表值空等于或者是没无需要本机器其它码看点进着都还把那里给让被从与及每全部新旧长度小';
const COMMON_TRADITIONAL =
  '的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得經開打文件檔案初始化設參數檢查測試資料如果回傳否則目前取得設定刪除新增建立函類型使編碼字元存讀寫請介名稱路徑錯誤訊息系統程式執行載入更處理列表值空等或者沒無需本機器其它看點進著都還把那裡給讓被從與及每全部舊長度小啟';
const COMMON_KOREAN =
  '이다는에의가을를하고한지로서기어사자정시인은도수니리대전해일부그나제스있아여장원보과들주구것유비상용안선동공중만파열없습요면성오식행트름데터값문록저생추음적변화환설입출력함호경우때및류처';

const HAN = /\p{Script=Han}/u;
const KANA_OR_HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const HANGUL = /\p{Script=Hangul}/u;

function latin(encoding: string, handicap: number, alphabets: Alphabets): LatinReading {
  return { encoding, handicap, kind: 'latin', alphabets };
}

function cyrillic(encoding: string, handicap: number): OtherReading {
  return { encoding, handicap, kind: 'other-alphabet', letters: CYRILLIC, common: COMMON_CYRILLIC };
}

function greek(encoding: string): OtherReading {
  return { encoding, handicap: 0.05, kind: 'other-alphabet', letters: GREEK, common: COMMON_GREEK };
}

function eastAsian(encoding: string, usual: RegExp, common: string): EastAsianReading {
  return { encoding, handicap: 0.05, kind: 'east-asian', usual, common };
}

/** In order of preference where two are as likely. */
export const ALPHABETIC_READINGS: readonly LegacyReading[] = [
  { ...latin('windows-1252', 0, WESTERN), misplaced: MISPLACED_WESTERN },
  latin('windows-1250', 0.05, CENTRAL),
  latin('iso-8859-2', 0.05, CENTRAL),
  latin('windows-1254', 0.05, TURKISH),
  cyrillic('windows-1251', 0.05),
  cyrillic('koi8-r', 0.05),
  cyrillic('ibm866', 0.2),
  cyrillic('iso-8859-5', 0.2),
  greek('windows-1253'),
  greek('iso-8859-7'),
];

export const EAST_ASIAN_READINGS: readonly LegacyReading[] = [
  eastAsian('shift_jis', KANA_OR_HAN, COMMON_JAPANESE),
  eastAsian('euc-jp', KANA_OR_HAN, COMMON_JAPANESE),
  eastAsian('gb18030', HAN, COMMON_SIMPLIFIED),
  eastAsian('big5', HAN, COMMON_TRADITIONAL),
  eastAsian('euc-kr', HANGUL, COMMON_KOREAN),
];
