import { displayWidth, joinSafe, makeSafe, safeText, truncateToWidth, type Safe } from '@tenon/core';
import type { Frame, Size } from '../screen/panel.js';
import type { Theme } from '../themes/theme.js';
import type { ShownOffers } from './complete/completion-list.js';
import { drawOffers, MOST_ROWS } from './complete/draw-offers.js';
import type { Editor } from './text/editor.js';
import type { Position } from './text/text-buffer.js';
import type { ShownRow, Viewport } from './text/viewport.js';

/** Of the screen's rows, for the text that is typed. */
const SHARE = 0.4;
const MOST_QUEUED = 3;
const NARROWEST_MARKED = 8;
const NOTHING = safeText``;

/** What there is to draw. */
export interface ComposerState {
  readonly editor: Editor;
  readonly viewport: Viewport;
  readonly isShell: boolean;
  readonly queued: readonly string[];
  /** Shown dimly behind the text. Unclean. */
  readonly hint: string | undefined;
  readonly offers: ShownOffers | undefined;
  /** Set while earlier prompts are looked through. */
  readonly search: SearchState | undefined;
}

export interface SearchState {
  readonly query: string;
  readonly isFailed: boolean;
  /** In the text that is shown, as units from its beginning. */
  readonly matches: readonly { readonly from: number; readonly to: number }[];
}

export interface ComposerLook {
  readonly theme: Theme;
  readonly unicode: boolean;
}

/** The messages that wait, the text with its cursor, and what can be chosen. */
export function drawComposer(state: ComposerState, size: Size, look: ComposerLook): Frame {
  const { columns, rows } = size;
  const mark = columns >= NARROWEST_MARKED ? 2 : 0;
  const { editor, viewport, search } = state;
  // One cell stays for the cursor behind a full row.
  editor.layout.columns = Math.max(1, columns - mark - 1);
  const height = Math.max(1, Math.floor(rows * SHARE));
  const matches = matchesIn(state);
  const shown = viewport.rows(editor.buffer, editor.layout, editor.cursor, height);
  const text = shown.map((row, index) => {
    const isFirst = row.line === 0 && row.row === 0;
    const head = mark === 0 ? NOTHING : isFirst || index === 0 ? drawMark(state, look, isFirst) : safeText`  `;
    const line = truncateToWidth(safeText`${head}${drawRow(editor, row, matches, look)}`, columns);
    return index === shown.length - 1 ? withHint(line, state.hint, columns, look) : line;
  });
  const queue = drawQueue(state.queued, { columns, rows: Math.max(0, rows - text.length) }, look);
  const left = rows - queue.length - text.length;
  const offers = drawList(state, { columns, rows: left }, look);
  const lines = [...queue, ...text, ...offers.lines];
  if (search !== undefined && offers.cursor !== undefined)
    return { lines, cursor: { row: queue.length + text.length, column: offers.cursor } };
  return { lines, cursor: cursorIn(state, shown, { above: queue.length, mark, columns }) };
}

function drawMark({ isShell, search }: ComposerState, { theme, unicode }: ComposerLook, isFirst: boolean): Safe {
  // Above the first row that can be seen there is more.
  if (!isFirst) return theme.paint('dim', unicode ? safeText`↑ ` : safeText`^ `);
  if (isShell) return theme.paint('warning', safeText`! `);
  return theme.paint(search === undefined ? 'accent' : 'dim', unicode ? safeText`› ` : safeText`> `);
}

function withHint(line: Safe, hint: string | undefined, columns: number, { theme }: ComposerLook): Safe {
  const room = columns - displayWidth(line);
  if (hint === undefined || hint === '' || room < 2) return line;
  return safeText`${line}${theme.paint('dim', truncateToWidth(makeSafe(hint, { maxLength: columns }), room))}`;
}

interface Match {
  readonly from: Position;
  readonly to: Position;
}

function matchesIn({ editor, search }: ComposerState): readonly Match[] {
  return (search?.matches ?? []).map(({ from, to }) => ({ from: editor.place(from), to: editor.place(to) }));
}

function drawRow(
  { cells, buffer, layout }: Editor,
  row: ShownRow,
  matches: readonly Match[],
  { theme }: ComposerLook,
): Safe {
  const text = buffer.line(row.line);
  const draw = (from: number, to: number): Safe =>
    cells.draw(text, from, to, { columns: layout.columns, paintMark: (label) => theme.paint('accent', label) });
  const parts: Safe[] = [];
  let at = row.from;
  for (const { from, to } of matches) {
    if (from.line > row.line || to.line < row.line) continue;
    const start = from.line < row.line ? 0 : cells.graphemes.borderAt(text, from.column);
    const end = to.line > row.line ? text.length : cells.graphemes.borderAt(text, to.column);
    const [a, b] = [Math.max(at, start), Math.min(row.to, end)];
    if (a >= b) continue;
    parts.push(draw(at, a), theme.paint('selected', draw(a, b)));
    at = b;
  }
  parts.push(draw(at, row.to));
  return joinSafe(parts, NOTHING);
}

function drawQueue(queued: readonly string[], { columns, rows }: Size, { theme }: ComposerLook): readonly Safe[] {
  const height = Math.min(MOST_QUEUED, queued.length, rows);
  if (height < 1) return [];
  const seen = queued.slice(-height);
  const before = queued.length - seen.length;
  return seen.map((text, index) => {
    const more = index === 0 && before > 0 ? safeText`waiting (and ${before} before): ` : safeText`waiting: `;
    const words = makeSafe(text.trim(), { maxLength: columns });
    return theme.paint('dim', truncateToWidth(safeText`${more}${words}`, columns));
  });
}

function drawList(
  { offers, search }: ComposerState,
  { columns, rows }: Size,
  { theme, unicode }: ComposerLook,
): { readonly lines: readonly Safe[]; readonly cursor?: number } {
  if (rows < 1) return { lines: [] };
  if (search === undefined) {
    if (offers === undefined) return { lines: [] };
    return { lines: drawOffers(offers, { columns, rows: Math.min(rows, MOST_ROWS), theme, unicode }) };
  }
  const label = search.isFailed ? safeText`nothing earlier: ` : safeText`earlier prompt: `;
  const words = makeSafe(search.query, { maxLength: columns });
  const line = truncateToWidth(safeText`${label}${words}`, Math.max(1, columns - 1));
  return { lines: [theme.paint(search.isFailed ? 'warning' : 'dim', line)], cursor: displayWidth(line) };
}

function cursorIn(
  { editor }: ComposerState,
  shown: readonly ShownRow[],
  { above, mark, columns }: { readonly above: number; readonly mark: number; readonly columns: number },
): { readonly row: number; readonly column: number } {
  const { line, column } = editor.cursor;
  const text = editor.buffer.line(line);
  const at = editor.layout.rows(text).rowOf(column);
  const index = shown.findIndex((row) => row.line === line && row.row === at);
  const width = editor.cells.widthOf(text, shown[index]?.from ?? 0, column);
  return { row: above + Math.max(0, index), column: Math.min(columns - 1, mark + width) };
}
