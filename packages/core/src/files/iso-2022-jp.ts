import iconv from 'iconv-lite';

/**
 * ISO-2022-JP (RFC 1468): escape sequences say which set the bytes behind them belong to, and each line begins in ASCII.
 * JIS X 0201's Latin set counts as ASCII.
 */
type CharacterSet = 'ascii' | 'kanji' | 'kana';

const ESCAPE = 0x1b;
const LINE_FEED = 0x0a;
const FIRST_GRAPHIC = 0x21;
const LAST_GRAPHIC = 0x7e;
const GRAPHICS = LAST_GRAPHIC - FIRST_GRAPHIC + 1;
/** Half-width katakana in Unicode. */
const FIRST_KANA = 0xff61;
const LAST_KANA = 0xff9f;
const BEYOND_ASCII = /[\x80-\xff]/g;
const NO_CHARACTER = '\ufffd';

const SETS: ReadonlyMap<string, CharacterSet> = new Map([
  ['$@', 'kanji'],
  ['$B', 'kanji'],
  ['(B', 'ascii'],
  ['(J', 'ascii'],
  ['(I', 'kana'],
]);
const SEQUENCES: Readonly<Record<CharacterSet, string>> = { ascii: '\x1b(B', kanji: '\x1b$B', kana: '\x1b(I' };

/** The characters of JIS X 0208, row by row. */
const KANJI: readonly string[] = kanji();

/** Decodes bytes that come piece by piece, wherever they are cut. What is no character becomes U+FFFD. */
export class JisDecoder {
  #set: CharacterSet = 'ascii';
  /** A sequence or a character that is cut. */
  #rest = Buffer.alloc(0);

  write(piece: Uint8Array): string {
    return this.#decode(Buffer.concat([this.#rest, piece]), false);
  }

  end(): string {
    return this.#decode(this.#rest, true);
  }

  #decode(bytes: Buffer, isEnd: boolean): string {
    const parts: string[] = [];
    let at = 0;
    while (at < bytes.length) {
      const length = this.#set === 'ascii' ? lengthOfAscii(bytes, at) : 0;
      if (length > 0) parts.push(bytes.toString('latin1', at, at + length).replaceAll(BEYOND_ASCII, NO_CHARACTER));
      at += length;
      if (at === bytes.length) break;
      const next = this.#lengthAt(bytes, at);
      if (at + next > bytes.length && !isEnd) break;
      parts.push(this.#take(bytes.subarray(at, at + next)));
      at += next;
    }
    this.#rest = Buffer.from(bytes.subarray(at));
    return parts.join('');
  }

  /** Of the sequence or character there; one byte for what may be neither. */
  #lengthAt(bytes: Buffer, at: number): number {
    if (bytes[at] === ESCAPE) {
      const sequence = bytes.toString('latin1', at + 1, at + 3);
      return Array.from(SETS.keys()).some((known) => known.startsWith(sequence)) ? 3 : 1;
    }
    if (this.#set !== 'kanji' || !isGraphic(bytes[at])) return 1;
    return at + 1 === bytes.length || isGraphic(bytes[at + 1]) ? 2 : 1;
  }

  #take(bytes: Buffer): string {
    const [first = 0, second] = bytes;
    if (first === ESCAPE) {
      this.#set = SETS.get(bytes.toString('latin1', 1)) ?? this.#set;
      return bytes.length === 3 ? '' : bytes.toString('latin1');
    }
    if (first === LINE_FEED) this.#set = 'ascii';
    if (!isGraphic(first)) return first < 0x80 ? String.fromCharCode(first) : NO_CHARACTER;
    if (this.#set === 'kana') {
      const code = FIRST_KANA + first - FIRST_GRAPHIC;
      return code <= LAST_KANA ? String.fromCharCode(code) : NO_CHARACTER;
    }
    if (second === undefined) return NO_CHARACTER;
    return KANJI[(first - FIRST_GRAPHIC) * GRAPHICS + second - FIRST_GRAPHIC] ?? NO_CHARACTER;
  }
}

/** A text in the spelling that nearly all such files have. What ISO-2022-JP has not becomes `?`. */
export function encodeJis(text: string): Buffer {
  // Of a character that stands there twice the first place counts, which is set last.
  const places = new Map(KANJI.map((character, place): [string, number] => [character, place]).reverse());
  places.delete(NO_CHARACTER);
  const parts: string[] = [];
  let current: CharacterSet = 'ascii';
  const put = (set: CharacterSet, ...codes: readonly number[]): void => {
    if (set !== current) parts.push(SEQUENCES[set]);
    current = set;
    parts.push(String.fromCharCode(...codes));
  };
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const place = places.get(character);
    if (code < 0x80) put('ascii', code);
    else if (code >= FIRST_KANA && code <= LAST_KANA) put('kana', code - FIRST_KANA + FIRST_GRAPHIC);
    else if (place === undefined) put('ascii', 0x3f);
    else put('kanji', FIRST_GRAPHIC + Math.floor(place / GRAPHICS), FIRST_GRAPHIC + (place % GRAPHICS));
  }
  if (current !== 'ascii') parts.push(SEQUENCES.ascii);
  return Buffer.from(parts.join(''), 'latin1');
}

/** EUC-JP has them in the same order, each byte with its highest bit set. */
function kanji(): string[] {
  const bytes = Array.from({ length: GRAPHICS * GRAPHICS }, (_, place) => [
    0x80 + FIRST_GRAPHIC + Math.floor(place / GRAPHICS),
    0x80 + FIRST_GRAPHIC + (place % GRAPHICS),
    LINE_FEED,
  ]);
  const characters = iconv.decode(Buffer.from(bytes.flat()), 'euc-jp').split('\n');
  return characters.slice(0, -1).map((character) => (character.includes(NO_CHARACTER) ? NO_CHARACTER : character));
}

/** Up to the next sequence. */
function lengthOfAscii(bytes: Buffer, at: number): number {
  const escape = bytes.indexOf(ESCAPE, at);
  return (escape === -1 ? bytes.length : escape) - at;
}

function isGraphic(byte: number | undefined): boolean {
  return byte !== undefined && byte >= FIRST_GRAPHIC && byte <= LAST_GRAPHIC;
}
