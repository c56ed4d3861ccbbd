import type { Position, TextBuffer } from './text-buffer.js';
import type { Layout } from './wrap.js';

/** A row of the text as it is shown: units `from` to `to` of a line. */
export interface ShownRow {
  readonly line: number;
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

/** What of a text can be seen. It moves as little as it must for the cursor to be in it. */
export class Viewport {
  #line = 0;
  #row = 0;

  /** At most `height` rows, the cursor's among them; as many as there are. */
  rows(buffer: TextBuffer, layout: Layout, cursor: Position, height: number): readonly ShownRow[] {
    const at = layout.rows(buffer.line(cursor.line)).rowOf(cursor.column);
    const isAbove = cursor.line < this.#line || (cursor.line === this.#line && at < this.#row);
    if (isAbove) [this.#line, this.#row] = [cursor.line, at];
    // Narrower or shorter than before: the row may be none any more.
    else if (layout.rows(buffer.line(this.#line)).start(this.#row) === undefined) this.#row = 0;
    let shown = downFrom(buffer, layout, { line: this.#line, row: this.#row }, height);
    const hasCursor = shown.some(({ line, row }) => line === cursor.line && row === at);
    const bottom = hasCursor ? shown.at(-1) : { line: cursor.line, row: at };
    // Nothing stays empty below the text while there is more above it.
    if (!hasCursor || shown.length < height) shown = upFrom(buffer, layout, bottom ?? { line: 0, row: 0 }, height);
    const [top] = shown;
    if (top !== undefined) [this.#line, this.#row] = [top.line, top.row];
    return shown;
  }
}

interface Place {
  readonly line: number;
  readonly row: number;
}

function downFrom(buffer: TextBuffer, layout: Layout, { line, row }: Place, height: number): ShownRow[] {
  const shown: ShownRow[] = [];
  for (let at = line, first = row; at < buffer.lines.length && shown.length < height; at += 1, first = 0) {
    const rows = layout.rows(buffer.line(at));
    for (let below = first; shown.length < height; below += 1) {
      const from = rows.start(below);
      if (from === undefined) break;
      shown.push({ line: at, row: below, from, to: rows.end(below) });
    }
  }
  return shown;
}

function upFrom(buffer: TextBuffer, layout: Layout, { line, row }: Place, height: number): ShownRow[] {
  const shown: ShownRow[] = [];
  for (let at = line, last = row; at >= 0 && shown.length < height; at -= 1, last = Infinity) {
    const rows = layout.rows(buffer.line(at));
    for (let above = Math.min(last, last === Infinity ? rows.last : last); above >= 0; above -= 1) {
      if (shown.length === height) break;
      shown.push({ line: at, row: above, from: rows.start(above) ?? 0, to: rows.end(above) });
    }
  }
  return shown.toReversed();
}
