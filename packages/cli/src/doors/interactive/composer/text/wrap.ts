import type { Cells } from './cells.js';

/**
 * Where the row behind that which begins at `start` begins; -1 where the line ends in this one. Rows break behind blanks and
 * wide characters, and in words that are wider than a row. A row has at most `columns` cells, and one blank more where it
 * would begin the next row. Pure: what is behind a row's beginning does not depend on what is before it.
 */
export function nextRow(text: string, start: number, columns: number, cells: Cells): number {
  let width = 0;
  let breakAt = -1;
  for (let at = start; at < text.length;) {
    const end = cells.graphemes.next(text, at);
    const wide = Math.min(cells.width(text, at, end), columns);
    const isBlank = end === at + 1 && text.charCodeAt(at) === 0x20;
    if (width + wide > columns && at > start) {
      if (isBlank) return end;
      return breakAt > start ? breakAt : at;
    }
    width += wide;
    if (isBlank || wide === 2) breakAt = end;
    at = end;
  }
  return -1;
}

/** Lines that are longer are not wrapped anew for every change of them. In units. */
const LONG = 4_000;
const LONG_KEPT = 4;

/** The rows of one line, found out as far as they are asked for. */
export class Rows {
  readonly text: string;
  readonly #columns: number;
  readonly #cells: Cells;
  readonly #starts: number[];
  #isWhole = false;

  constructor(text: string, columns: number, cells: Cells, known: readonly number[] = []) {
    this.text = text;
    this.#columns = columns;
    this.#cells = cells;
    this.#starts = known.length === 0 ? [0] : [...known];
  }

  /** Where a row begins; undefined behind the last one. */
  start(row: number): number | undefined {
    while (this.#starts.length <= row && this.#extend());
    return this.#starts[row];
  }

  /** Where it ends. */
  end(row: number): number {
    return this.start(row + 1) ?? this.text.length;
  }

  /** The row in which a place is shown; at a border of two rows, the lower one. */
  rowOf(column: number): number {
    while ((this.#starts.at(-1) ?? 0) <= column && this.#extend());
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= column) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  get last(): number {
    while (this.#extend());
    return this.#starts.length - 1;
  }

  /** What of it holds for a text that is the same up to a place. */
  startsBefore(column: number): readonly number[] {
    const known = this.#starts.filter((start) => start <= column);
    // A word that became shorter may fit into the row above.
    return known.slice(0, Math.max(1, known.length - 2));
  }

  #extend(): boolean {
    if (this.#isWhole) return false;
    const next = nextRow(this.text, this.#starts.at(-1) ?? 0, this.#columns, this.#cells);
    if (next === -1) this.#isWhole = true;
    else this.#starts.push(next);
    return next !== -1;
  }
}

/** Wraps lines to a width, and remembers what would take long to find out again. */
export class Layout {
  readonly #cells: Cells;
  #columns = 80;
  #long: Rows[] = [];

  constructor(cells: Cells) {
    this.#cells = cells;
  }

  get columns(): number {
    return this.#columns;
  }

  set columns(columns: number) {
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#long = [];
  }

  forget(): void {
    this.#long = [];
  }

  rows(line: string): Rows {
    if (line.length < LONG) return new Rows(line, this.#columns, this.#cells);
    const same = this.#long.find(({ text }) => text === line) ?? this.#like(line);
    this.#long = [same, ...this.#long.filter((rows) => rows !== same)].slice(0, LONG_KEPT);
    return same;
  }

  /** Begins as the line does that is known to be most like it. */
  #like(line: string): Rows {
    let best: { readonly rows: Rows; readonly shared: number } | undefined;
    for (const rows of this.#long) {
      const shared = sharedLength(rows.text, line);
      if (shared > (best?.shared ?? 0)) best = { rows, shared };
    }
    return new Rows(line, this.#columns, this.#cells, best?.rows.startsBefore(best.shared));
  }
}

/** How long the beginning is that two texts share. Comparing slices is many times as fast as comparing units. */
function sharedLength(a: string, b: string): number {
  let [low, high] = [0, Math.min(a.length, b.length)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (a.slice(low, middle) === b.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
