import { displayWidth, joinSafe, makeSafe, safeText, truncateToWidth, type Safe } from '@tenon/core';
import type { TypedText } from './text-model.js';
import { clampTop, rowsInSight, START, topToShow, type LineSource, type Place } from './viewport.js';

export interface TypedViewOptions {
  readonly columns: number;
  /** Rows there are for it. */
  readonly height: number;
  /** True: a dot for each character. */
  readonly isSecret?: boolean;
}

/** What of a typed text is in sight, and where the cursor stands in it. */
export interface DrawnText {
  readonly rows: readonly Safe[];
  readonly cursor: { readonly row: number; readonly column: number };
}

interface TypedRow {
  readonly text: Safe;
  /** Index of the line, of its first character. */
  readonly start: number;
  readonly columnOf: (at: number) => number;
}

/** ASCII without a run of blanks that would be counted instead of shown. */
const PLAIN = /^[\x20-\x7e]*$/;
const MANY_BLANKS = / {41}/;
const MOST_KEPT = 400;
const TAB = 4;

/** Draws a text that is typed: hidden characters are to be seen, nothing is left out, and the cursor stays in sight. */
export class TypedView {
  #top: Place = START;
  #text = '';
  #lines: readonly string[] = [''];
  #columns = 0;
  #isSecret = false;
  readonly #kept = new Map<string, readonly TypedRow[]>();

  draw(typed: TypedText, { columns, height, isSecret = false }: TypedViewOptions): DrawnText {
    if (columns !== this.#columns || isSecret !== this.#isSecret) this.#kept.clear();
    this.#columns = columns;
    this.#isSecret = isSecret;
    if (typed.text !== this.#text) this.#lines = typed.text.split('\n');
    this.#text = typed.text;
    const source: LineSource = {
      count: this.#lines.length,
      rowsOf: (line) => this.#rowsOf(line).map(({ text }) => text),
    };
    const place = this.#placeOf(typed.at);
    const top = topToShow(source, clampTop(source, this.#top, height), place, height);
    this.#top = top;
    let above = 0;
    for (let line = top.line; line < place.line; line += 1) above += this.#rowsOf(line).length;
    return {
      rows: rowsInSight(source, top, height),
      cursor: { row: above - top.row + place.row, column: place.column },
    };
  }

  #placeOf(at: number): Place & { readonly column: number } {
    let start = 0;
    let line = 0;
    for (const text of this.#lines) {
      if (at <= start + text.length) break;
      start += text.length + 1;
      line += 1;
    }
    const inLine = at - start;
    const rows = this.#rowsOf(line);
    const found = rows.findLastIndex((row) => row.start <= inLine);
    return { line, row: Math.max(0, found), column: rows[found]?.columnOf(inLine) ?? 0 };
  }

  #rowsOf(line: number): readonly TypedRow[] {
    const text = this.#lines[line] ?? '';
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    // The last column is the cursor's, behind a row that is full.
    const rows = layoutTyped(text, Math.max(1, this.#columns - 1), this.#isSecret);
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(text, rows);
    return rows;
  }
}

function layoutTyped(line: string, width: number, isSecret: boolean): readonly TypedRow[] {
  if (!isSecret && PLAIN.test(line) && !MANY_BLANKS.test(line)) return layoutPlain(line, width);
  const rows: TypedRow[] = [];
  let cells: Safe[] = [];
  let columns = new Map<number, number>();
  let start = 0;
  let used = 0;
  const close = (next: number): void => {
    const known = columns;
    const end = used;
    rows.push({ text: joinSafe(cells, safeText``), start, columnOf: (at) => known.get(at) ?? end });
    cells = [];
    columns = new Map();
    start = next;
    used = 0;
  };
  for (const { segment, index } of new Intl.Segmenter().segment(line)) {
    const shown = truncateToWidth(isSecret ? safeText`•` : shownCell(segment, used), width);
    const own = displayWidth(shown);
    if (used > 0 && used + own > width) close(index);
    columns.set(index, used);
    cells.push(shown);
    used += own;
  }
  close(line.length);
  return rows;
}

function shownCell(segment: string, column: number): Safe {
  if (segment !== '\t') return makeSafe(segment);
  const blanks = [safeText`    `, safeText`   `, safeText`  `, safeText` `];
  return blanks[column % TAB] ?? safeText` `;
}

function layoutPlain(line: string, width: number): readonly TypedRow[] {
  const rows: TypedRow[] = [];
  for (let start = 0; start === 0 || start < line.length; start += width)
    rows.push({ text: makeSafe(line.slice(start, start + width)), start, columnOf: (at) => at - start });
  return rows;
}
