import { displayWidth, type Safe } from '@tenon/core';
import type { Frame } from './panel.js';

/** What of the live part is on the terminal now, and in which of its rows the cursor is. */
export interface Drawn {
  readonly lines: readonly Safe[];
  readonly cursor: { readonly row: number; readonly column: number };
  readonly isCursorShown: boolean;
}

/** The cursor stands at the beginning of an empty row. */
export const NOTHING_DRAWN: Drawn = { lines: [], cursor: { row: 0, column: 0 }, isCursorShown: true };

export interface Painted {
  readonly bytes: string;
  readonly drawn: Drawn;
}

/** Terminals that know it show all between them at once (mode 2026); others ignore it. */
const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_LINE = '\r\u001b[2K';
/**
 * The row of the cursor and all below it. Some terminals (tmux) move into the scrollback what is cleared from the first row
 * of the screen down, so that row is cleared by itself.
 */
const CLEAR_BELOW = '\u001b[2K\u001b7\u001b[B\u001b[J\u001b8';

/**
 * The bytes that bring the terminal from `drawn` to `frame`, with `printed` above it for good: only these lines move on
 * into the scrollback. Without something printed only rows that changed are written. No line may be wider than the
 * terminal, and no frame higher. Empty where nothing changes. Pure.
 */
export function paintFrame(drawn: Drawn, printed: readonly Safe[], frame: Frame): Painted {
  const cursor = frame.cursor ?? { row: Math.max(0, frame.lines.length - 1), column: 0 };
  const next: Drawn = { lines: frame.lines, cursor, isCursorShown: frame.cursor !== undefined };
  const isSameShape = printed.length === 0 && drawn.lines.length === frame.lines.length && frame.lines.length > 0;
  const body = isSameShape ? changedRows(drawn, frame.lines) : allRows(drawn, printed, frame.lines);
  const moved = body.row === cursor.row && body.bytes === '' && drawn.cursor.column === cursor.column;
  if (moved && drawn.isCursorShown === next.isCursorShown) return { bytes: '', drawn: next };
  const place = `${vertical(cursor.row - body.row)}${toColumn(cursor.column)}`;
  const hides = drawn.isCursorShown ? HIDE_CURSOR : '';
  const shows = next.isCursorShown ? SHOW_CURSOR : '';
  return { bytes: `${BEGIN}${hides}${body.bytes}${place}${shows}${END}`, drawn: next };
}

interface Body {
  readonly bytes: string;
  /** The row in which the cursor is left. */
  readonly row: number;
}

function changedRows({ lines, cursor }: Drawn, next: readonly Safe[]): Body {
  let row = cursor.row;
  let bytes = '';
  for (const [index, line] of next.entries()) {
    if (line === lines[index]) continue;
    bytes += `${vertical(index - row)}${CLEAR_LINE}${line}`;
    row = index;
  }
  return { bytes, row };
}

function allRows({ lines, cursor }: Drawn, printed: readonly Safe[], next: readonly Safe[]): Body {
  const rows = [...printed, ...next];
  // Rows below those that are written would stay; cleared first, for behind a full row it would take its last cell.
  const clears = lines.length > Math.max(1, rows.length) ? CLEAR_BELOW : '';
  const start = `${vertical(-cursor.row)}\r${clears}`;
  const above = printed.map((line) => `${CLEAR_LINE}${line}\r\n`).join('');
  const live = next.map((line) => `${CLEAR_LINE}${line}`).join('\r\n');
  const empty = next.length === 0 ? CLEAR_LINE : '';
  return { bytes: `${start}${above}${live}${empty}`, row: Math.max(0, next.length - 1) };
}

/**
 * Takes the live part off a terminal whose width has changed: by then it has wrapped rows that are too wide for it.
 * What is printed stays.
 */
export function paintRemoval({ lines, cursor }: Drawn, columns: number): string {
  const above = lines.slice(0, cursor.row).reduce((rows, line) => rows + rowsOf(line, columns), 0);
  const own = Math.floor(Math.max(0, cursor.column - 1) / columns);
  if (lines.length === 0) return '';
  return `${vertical(-(above + own))}\r${CLEAR_BELOW}`;
}

function rowsOf(line: Safe, columns: number): number {
  return Math.max(1, Math.ceil(displayWidth(line) / columns));
}

function vertical(rows: number): string {
  if (rows === 0) return '';
  return rows > 0 ? `\u001b[${rows}B` : `\u001b[${-rows}A`;
}

function toColumn(column: number): string {
  return column === 0 ? '\r' : `\r\u001b[${column}C`;
}
