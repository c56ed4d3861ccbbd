/** `getUserByID2`, `get_user-by id`: get, user, by, id, 2. Signs of languages that are written without blanks are a word each. */
export function wordsOf(text: string): string[] {
  const signs = text.replaceAll(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}/gu, ' $& ');
  const apart = signs.split(BORDER).join(' ').toLowerCase();
  return apart.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Between two words that are written as one. */
const BORDER = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

const BLANK = 32;

/** Writes fields of text as words, quickly: most are plain, and there may be millions of characters. */
export class WordText {
  #bytes = Buffer.allocUnsafe(16_384);

  /** Words as of `wordsOf`, a blank on either side of each, one field after the other; `starts`: where all but the first begin. */
  of(fields: readonly string[]): { readonly text: string; readonly starts: readonly number[] } {
    const starts: number[] = [];
    let room = 2 * fields.length;
    for (const field of fields) room += 2 * field.length;
    if (room > this.#bytes.length) this.#bytes = Buffer.allocUnsafe(room);
    let end = 0;
    for (let at = 0; at < fields.length; at += 1) {
      if (at > 0) starts.push(end);
      end = this.#write(fields[at] ?? '', end);
      if (end === -1) return inAnyScript(fields);
    }
    return { text: this.#bytes.toString('latin1', 0, end), starts };
  }

  /** Where the field ends; -1 when it is not plain. */
  #write(field: string, start: number): number {
    const bytes = this.#bytes;
    let end = start;
    let before = OTHER;
    bytes[end++] = BLANK;
    for (let at = 0; at < field.length; at += 1) {
      const code = field.charCodeAt(at);
      if (code > 127) return -1;
      const kind = KINDS[code] ?? OTHER;
      const isBorder =
        kind !== before && !(before === UPPER && kind === LOWER)
          ? before !== OTHER
          : kind === UPPER && KINDS[field.charCodeAt(at + 1)] === LOWER;
      if (isBorder && bytes[end - 1] !== BLANK) bytes[end++] = BLANK;
      if (kind !== OTHER) bytes[end++] = kind === UPPER ? code + 32 : code;
      before = kind;
    }
    if (bytes[end - 1] !== BLANK) bytes[end++] = BLANK;
    return end;
  }
}

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

/** Of each plain character. */
const KINDS: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
});

function inAnyScript(fields: readonly string[]): { readonly text: string; readonly starts: readonly number[] } {
  const starts: number[] = [];
  let text = '';
  for (const [at, field] of fields.entries()) {
    if (at > 0) starts.push(text.length);
    const words = wordsOf(field);
    text += words.length === 0 ? ' ' : ` ${words.join(' ')} `;
  }
  return { text, starts };
}
