import { displayWidth, joinSafe, makeSafe, safeText, truncateToWidth, type Safe } from '@tenon/core';
import { Graphemes } from './graphemes.js';
import type { Pastes } from './pastes.js';

/** How one character is drawn. */
interface Cell {
  readonly shown: Safe;
  readonly width: number;
  readonly isMark: boolean;
}

/** Characters whose look is remembered. */
const MOST_KNOWN = 5_000;
/** Longer runs of blanks `makeSafe` would count, not show. */
const RUN = 40;
const TAB = makeSafe('    ');
const NOTHING = safeText``;

/** How characters of a text look on a terminal: what would do something there, or be invisible, is written out. */
export class Cells {
  readonly graphemes = new Graphemes();
  readonly #pastes: Pastes;
  readonly #known = new Map<string, Cell>();

  constructor(pastes: Pastes) {
    this.#pastes = pastes;
  }

  /** In cells, of the character that stands between two borders. */
  width(text: string, from: number, to: number): number {
    return isPlain(text, from, to) ? 1 : this.#cell(text.slice(from, to)).width;
  }

  /** Of all characters between two borders. */
  widthOf(text: string, from: number, to: number): number {
    let width = 0;
    for (let at = from; at < to;) {
      const next = this.graphemes.next(text, at);
      width += this.width(text, at, next);
      at = next;
    }
    return width;
  }

  /** What stands between two borders, no character of it wider than the columns. `paintMark`: for pasted texts. */
  draw(text: string, from: number, to: number, look: DrawLook): Safe {
    const parts: Safe[] = [];
    for (let at = from; at < to;) {
      const run = plainEnd(text, at, to);
      if (run > at) {
        parts.push(makeSafe(text.slice(at, run)));
        at = run;
        continue;
      }
      const next = this.graphemes.next(text, at);
      const { shown, width, isMark } = this.#cell(text.slice(at, next));
      const fitted = width > look.columns ? truncateToWidth(shown, look.columns) : shown;
      parts.push(isMark ? look.paintMark(fitted) : fitted);
      at = next;
    }
    return joinSafe(parts, NOTHING);
  }

  /** What is remembered of marks that mean something else now. */
  forget(): void {
    this.#known.clear();
  }

  #cell(grapheme: string): Cell {
    const known = this.#known.get(grapheme);
    if (known !== undefined) return known;
    const mark = this.#pastes.label(grapheme);
    const shown = mark ?? (grapheme === '\t' ? TAB : makeSafe(grapheme));
    const cell = { shown, width: displayWidth(shown), isMark: mark !== undefined };
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(grapheme, cell);
    return cell;
  }
}

export interface DrawLook {
  readonly columns: number;
  readonly paintMark: (mark: Safe) => Safe;
}

function isPlain(text: string, from: number, to: number): boolean {
  const code = text.charCodeAt(from);
  return to === from + 1 && code >= 0x20 && code < 0x7f;
}

/** The end of the printable ASCII characters from a place on that combine with nothing. */
function plainEnd(text: string, from: number, to: number): number {
  let at = from;
  const end = Math.min(to, from + RUN);
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code >= 0x7f) break;
    at += 1;
  }
  // The last one before something else may be a part of it.
  return at < to && at > from && (text.charCodeAt(at) < 0x20 || text.charCodeAt(at) >= 0x7f) ? at - 1 : at;
}
