import {
  HALF_WIDTH_WORD,
  MISPLACED_CENTRAL,
  MISPLACED_WESTERN,
  ODD_ARABIC,
  ODD_CYRILLIC,
  ODD_GREEK,
  ODD_HEBREW,
  THAI_SYLLABLES,
} from './legacy-spelling.js';

/** Letters beyond ASCII that the texts of a language are written with, in lower case. */
type Alphabets = readonly string[];

interface Reading {
  /** A name that iconv-lite knows. */
  readonly encoding: string;
  /** So much likelier than windows-1252 it has to be, on a scale of 0 to 1: nothing else is as common. */
  readonly handicap: number;
}

/** `hasBoxes`: the lines and blocks of frames are characters of it, and usual. */
export interface LatinReading extends Reading {
  readonly kind: 'latin';
  readonly hasBoxes?: boolean;
  readonly alphabets: Alphabets;
  /** Letters of these alphabets in places where their languages hardly ever have them. */
  readonly misplaced?: RegExp;
}

/** Letters other than Latin ones, in words of their own. */
export interface OtherReading extends Reading {
  readonly kind: 'other-alphabet';
  /** Its letters, and what each counts for. */
  readonly letters: ReadonlyMap<string, number>;
  /** Words in lower case that its languages hardly ever have. */
  readonly odd: RegExp;
  readonly hasBoxes?: boolean;
}

export interface ThaiReading extends Reading {
  readonly kind: 'thai';
  /** A whole run of its characters. */
  readonly syllables: RegExp;
  readonly common: string;
}

export interface EastAsianReading extends Reading {
  readonly kind: 'east-asian';
  readonly usual: RegExp;
  readonly common: string;
  /** A run of half-width katakana, where the encoding has them. */
  readonly halfWidth?: RegExp;
}

/** One way to read the bytes of a file that is not UTF-8. */
export type LegacyReading = LatinReading | OtherReading | ThaiReading | EastAsianReading;

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
  'äõöü',
];

const CENTRAL: Alphabets = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţșț'];

const TURKISH: Alphabets = ['çğıöşüâîiİ'];

const BALTIC: Alphabets = ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž'];

const RARE_LETTER = 0.6;
/** Four letters of five in ordinary text are of the common ones. */
const CYRILLIC = letters(/[\u0400-\u045f\u0490\u0491]/u, 'оеаинтсрвлкмдпуяызьбгчіъйшщ');
const GREEK = letters(/[\u0386\u0388-\u03ce]/u, 'αάοόιίεέτσςνηήυύρπκμλωώδγ');
const HEBREW = letters(/[\u05d0-\u05ea]/u, 'אבדהוילמםנןקרשתחץ');
const ARABIC = letters(/[\u0621-\u064a]/u, 'ابتةدرسعفكلمنهويأح');
const COMMON_THAI = 'กขคงจชดตทนบปพมยรลวสหอะัาำิีืุูเแโใไ็่้์ผถ';

/** Letters that are frequent in ordinary text, and words of comments in programs. */
const COMMON_JAPANESE =
  '日一人大年本中国出来上生自分者行時会社学間見地方法合数字文名前後入力処理設定変更確認取得追加削除作成使用必要表示実開始終了初期化保存読込書値型関定義例外返戻参照引配列検索判用次下内部対象情報画面通信場全';
const COMMON_SIMPLIFIED =
  '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经开打文件初始化配置参数检查测试数据如果返回否则当前获取设置删除添加创建函类型使编码字符存读写请类接口名称路径错误信息系统程序运行加载更新处理列表值空等于或者是没无需要本机器其它码看点进着都还把那里给让被从与及每全部新旧长度小第号结束组编消用户密务异常变量循环索保存界区线进束对象属性事窗口按钮目版标题颜色图像间日期址端连网络启停止输入输单选择确认计算总和比较转换释放内记录志';
const COMMON_TRADITIONAL =
  '的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得經開打文件檔案初始化設參數檢查測試資料如果回傳否則目前取得設定刪除新增建立函類型使編碼字元存讀寫請介名稱路徑錯誤訊息系統程式執行載入更處理列表值空等或者沒無需本機器其它看點進著都還把那裡給讓被從與及每全部舊長度小啟第號結束組編用戶密碼異常變量迴圈搜尋儲畫區線對象屬性事窗口按鈕目版本標題顏色圖像間日期址端連網路停止輸入出單選擇確認計算總和比較轉換釋放內記錄陣列暫時別';
const COMMON_KOREAN =
  '이다는에의가을를하고한지로서기어사자정시인은도수니리대전해일부그나제스있아여장원보과들주구것유비상용안선동공중만파열없습요면성오식행트름데터값문록저생추음적변화환설입출력함호경우때및류처초화길작끝확삭배열번호예외임클갱신검색저버퍼객체속창목컬퓨터네워크연결쓰추복메모';

const HAN = /\p{Script=Han}/u;
const KANA_OR_HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const HANGUL = /\p{Script=Hangul}/u;

function letters(all: RegExp, common: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (let code = 0x80; code < 0x800; code++) {
    const letter = String.fromCharCode(code);
    if (all.test(letter)) weights.set(letter, common.includes(letter.toLowerCase()) ? 1 : RARE_LETTER);
  }
  return weights;
}

function latin(encoding: string, handicap: number, alphabets: Alphabets): LatinReading {
  return { encoding, handicap, kind: 'latin', alphabets };
}

function western(encoding: string, handicap: number): LatinReading {
  return { ...latin(encoding, handicap, WESTERN), misplaced: MISPLACED_WESTERN };
}

function central(encoding: string, handicap: number): LatinReading {
  return { ...latin(encoding, handicap, CENTRAL), misplaced: MISPLACED_CENTRAL };
}

function cyrillic(encoding: string, handicap: number): OtherReading {
  return { encoding, handicap, kind: 'other-alphabet', letters: CYRILLIC, odd: ODD_CYRILLIC };
}

function greek(encoding: string): OtherReading {
  return { encoding, handicap: 0.05, kind: 'other-alphabet', letters: GREEK, odd: ODD_GREEK };
}

function arabic(encoding: string, handicap: number): OtherReading {
  return { encoding, handicap, kind: 'other-alphabet', letters: ARABIC, odd: ODD_ARABIC };
}

function dos<Kind extends LatinReading | OtherReading>(reading: Kind): Kind {
  return { ...reading, hasBoxes: true };
}

function eastAsian(encoding: string, usual: RegExp, common: string): EastAsianReading {
  return { encoding, handicap: 0.05, kind: 'east-asian', usual, common };
}

const HEBREW_READING: OtherReading = {
  encoding: 'windows-1255',
  handicap: 0.1,
  kind: 'other-alphabet',
  letters: HEBREW,
  odd: ODD_HEBREW,
};

/** Almost any run of bytes of other scripts that are written without spaces is some Thai letters: a larger handicap. */
const THAI_READING: ThaiReading = {
  encoding: 'windows-874',
  handicap: 0.15,
  kind: 'thai',
  syllables: THAI_SYLLABLES,
  common: COMMON_THAI,
};

/** In order of preference where two are as likely. */
export const ALPHABETIC_READINGS: readonly LegacyReading[] = [
  western('windows-1252', 0),
  central('windows-1250', 0.05),
  central('iso-8859-2', 0.05),
  latin('windows-1254', 0.05, TURKISH),
  cyrillic('windows-1251', 0.05),
  cyrillic('koi8-r', 0.05),
  cyrillic('koi8-u', 0.05),
  greek('windows-1253'),
  greek('iso-8859-7'),
  HEBREW_READING,
  THAI_READING,
  arabic('windows-1256', 0.05),
  arabic('iso-8859-6', 0.1),
  latin('windows-1257', 0.1, BALTIC),
  dos(western('cp850', 0.2)),
  dos(western('cp437', 0.2)),
  dos(central('cp852', 0.2)),
  dos(cyrillic('ibm866', 0.2)),
  cyrillic('iso-8859-5', 0.2),
];

export const EAST_ASIAN_READINGS: readonly LegacyReading[] = [
  { ...eastAsian('shift_jis', KANA_OR_HAN, COMMON_JAPANESE), halfWidth: HALF_WIDTH_WORD },
  { ...eastAsian('euc-jp', KANA_OR_HAN, COMMON_JAPANESE), halfWidth: HALF_WIDTH_WORD },
  eastAsian('gb18030', HAN, COMMON_SIMPLIFIED),
  eastAsian('big5', HAN, COMMON_TRADITIONAL),
  eastAsian('euc-kr', HANGUL, COMMON_KOREAN),
];
