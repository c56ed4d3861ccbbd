import { shownText } from '../../../util/shown-text.js';
import { toShownLine, type ShownLine } from '../../report/shown-line.js';

/** A record beyond this is not held whole: it stands for one line of about this many bytes. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;
/** What is kept of the beginning of such a record. */
const HEAD_BYTES = 16 * 1024;
/** What is kept behind its text, where line number and place of the first occurrence are. */
const TAIL_BYTES = 512;
/** Quotes within a text are escaped, so this cannot be part of one. */
const TEXT_END = '},"line_number":';

/** A record of ripgrep's `--json` stream that is too long to hold: its beginning, and the numbers behind the text. */
export class LongRecord {
  #head = Buffer.alloc(0);
  #window = Buffer.alloc(0);
  #tail: string | undefined;
  #size = 0;

  add(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#head.length < HEAD_BYTES)
      this.#head = Buffer.concat([this.#head, piece.subarray(0, HEAD_BYTES - this.#head.length)]);
    if (this.#tail !== undefined) return;
    const joined = Buffer.concat([this.#window, piece]);
    const at = joined.indexOf(TEXT_END);
    if (at !== -1 && joined.length - at >= TAIL_BYTES) {
      this.#tail = joined.toString('utf8', at, at + TAIL_BYTES);
      this.#window = Buffer.alloc(0);
      return;
    }
    // A copy: the piece stands in memory that would be held as a whole.
    this.#window = Buffer.from(joined.subarray(at === -1 ? Math.max(0, joined.length - TEXT_END.length) : at));
  }

  finish(): { readonly isMatch: boolean; readonly line: ShownLine } {
    const head = this.#head.toString('utf8').replace(/\uFFFD+$/, '');
    const tail = this.#tail ?? this.#window.toString('utf8');
    const line = Number(/"line_number":(\d+)/.exec(tail)?.[1] ?? 0);
    const start = /"start":(\d+)/.exec(tail)?.[1];
    const text = shownText(textIn(head));
    const isMatch = head.startsWith('{"type":"match"');
    const shown = { line, ...beginningOf(text, this.#size) };
    return { isMatch, line: isMatch ? { ...shown, column: Number(start ?? 0) + 1 } : shown };
  }
}

/** The beginning of a line, of whose end nothing is known. */
function beginningOf(text: string, size: number): Pick<ShownLine, 'text' | 'cutBefore' | 'cutAfter'> {
  const { text: shown } = toShownLine({ line: 0, text, start: 0, length: text.length, column: 1 });
  return { text: shown, cutBefore: 0, cutAfter: Math.max(0, size - shown.length) };
}

/** The text that a cut record begins with. */
function textIn(head: string): string {
  const bytes = /"lines":\{"bytes":"([A-Za-z0-9+/]*)/.exec(head)?.[1];
  if (bytes !== undefined) return Buffer.from(bytes, 'base64').toString('utf8');
  const raw = /"lines":\{"text":"((?:[^"\\]|\\.)*)/.exec(head)?.[1] ?? '';
  for (let cut = 0; cut <= 6; cut++) {
    try {
      return String(JSON.parse(`"${raw.slice(0, raw.length - cut)}"`));
    } catch {
      // Cut within an escape: one character less.
    }
  }
  return '';
}
