import type { Safe } from '@tenon/core';

/** Lines, however many, each in as many rows as it takes. Rows of a line are asked for when it comes into sight. */
export interface LineSource {
  /** At least 1. */
  readonly count: number;
  /** At least one row. */
  readonly rowsOf: (line: number) => readonly Safe[];
}

/** A row of a line; both from 0. */
export interface Place {
  readonly line: number;
  readonly row: number;
}

export const START: Place = { line: 0, row: 0 };

export function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.row < other.row);
}

/** The place so many rows further on; negative: back. It stays within the lines. */
export function placeAfter(source: LineSource, place: Place, rows: number): Place {
  let { line, row } = within(source, place);
  for (let left = rows; left > 0;) {
    const inLine = source.rowsOf(line).length - 1 - row;
    if (left <= inLine) return { line, row: row + left };
    if (line === source.count - 1) return { line, row: row + inLine };
    left -= inLine + 1;
    line += 1;
    row = 0;
  }
  for (let left = -rows; left > 0;) {
    if (left <= row) return { line, row: row - left };
    if (line === 0) return START;
    left -= row + 1;
    line -= 1;
    row = source.rowsOf(line).length - 1;
  }
  return { line, row };
}

/** Where the window begins whose last row is the last of all. */
export function lastTop(source: LineSource, height: number): Place {
  const line = source.count - 1;
  return placeAfter(source, { line, row: source.rowsOf(line).length - 1 }, 1 - Math.max(1, height));
}

/** The nearest top that leaves no row of the window empty. */
export function clampTop(source: LineSource, top: Place, height: number): Place {
  const last = lastTop(source, height);
  return isBefore(last, top) ? last : within(source, top);
}

/** The nearest top with which the place is in the window. */
export function topToShow(source: LineSource, top: Place, place: Place, height: number): Place {
  if (isBefore(place, top)) return place;
  const earliest = placeAfter(source, place, 1 - Math.max(1, height));
  return isBefore(top, earliest) ? earliest : top;
}

/** The rows that are in sight, at most `height`. */
export function rowsInSight(source: LineSource, top: Place, height: number): readonly Safe[] {
  const rows: Safe[] = [];
  for (let { line, row } = top; line < source.count && rows.length < height; line += 1, row = 0)
    rows.push(...source.rowsOf(line).slice(row, row + height - rows.length));
  return rows;
}

/** A place that was, after the lines were broken anew. */
function within(source: LineSource, place: Place): Place {
  const line = Math.min(Math.max(place.line, 0), source.count - 1);
  return { line, row: Math.min(Math.max(place.row, 0), source.rowsOf(line).length - 1) };
}

/** Where keys that scroll lead to; undefined for other keys. */
export function scrollKey(source: LineSource, top: Place, height: number, name: string): Place | undefined {
  const page = Math.max(1, height - 1);
  const by = { up: -1, down: 1, pageUp: -page, pageDown: page }[name];
  if (by !== undefined) return clampTop(source, placeAfter(source, top, by), height);
  if (name === 'home') return START;
  return name === 'end' ? lastTop(source, height) : undefined;
}
