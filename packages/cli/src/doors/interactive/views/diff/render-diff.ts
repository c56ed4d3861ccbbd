import { joinSafe, makeSafe, padToWidth, safeText, truncateToWidth, wrapSafe, type Safe } from '@tenon/core';
import type { Look } from '../block.js';
import type { Highlighter } from '../markdown/highlighter.js';
import { languageOfFile } from '../markdown/languages.js';
import { NOTHING, paintLine, sign } from '../paint.js';
import { diffRows, type DiffCell, type DiffRow } from './diff-rows.js';

/** `auto`: side by side where the terminal is wide enough. */
export type DiffLayout = 'auto' | 'unified' | 'side-by-side';

export interface DiffDrawing {
  readonly look: Look;
  readonly highlighter: Highlighter;
  readonly layout: DiffLayout;
  /** For the language. */
  readonly fileName: string;
  /** Rows to show; the middle of a longer diff is counted, not shown. */
  readonly mostRows: number;
}

const WIDE_ENOUGH = 110;
const SIGNS = { added: safeText`+`, removed: safeText`-`, same: safeText` ` } as const;

/** A unified diff with line numbers, changed words and, where nothing changed, the colours of the language. */
export function renderDiff(diff: string, drawing: DiffDrawing): Safe[] {
  const rows = diffRows(diff, drawing.mostRows);
  const digits = String(Math.max(1, ...rows.map(largestNumber))).length;
  const { layout, look } = drawing;
  const isSplit = layout === 'side-by-side' || (layout === 'auto' && look.columns >= WIDE_ENOUGH);
  return isSplit ? splitView(rows, digits, drawing) : unifiedView(rows, digits, drawing);
}

function largestNumber(row: DiffRow): number {
  return row.kind === 'lines' ? Math.max(row.before?.number ?? 0, row.after?.number ?? 0) : 0;
}

function unifiedView(rows: readonly DiffRow[], digits: number, drawing: DiffDrawing): Safe[] {
  const lines: Safe[] = [];
  const draw = (cell: DiffCell | undefined): void => {
    if (cell !== undefined) lines.push(...drawCell(cell, digits, drawing.look.columns, drawing));
  };
  for (let at = 0; at < rows.length;) {
    const row = rows[at];
    if (row === undefined) break;
    if (row.kind !== 'lines') {
      lines.push(...aside(row, drawing.look));
      at += 1;
    } else if (row.before?.kind === 'same') {
      draw(row.after);
      at += 1;
    } else {
      // All that went stands above all that came.
      const end = rows.findIndex((one, index) => index > at && !isChange(one));
      const changed = rows.slice(at, end === -1 ? rows.length : end).filter(isChange);
      for (const { before } of changed) draw(before);
      for (const { after } of changed) draw(after);
      at += changed.length;
    }
  }
  return lines;
}

function isChange(row: DiffRow): row is Extract<DiffRow, { kind: 'lines' }> {
  return row.kind === 'lines' && row.before?.kind !== 'same';
}

function splitView(rows: readonly DiffRow[], digits: number, drawing: DiffDrawing): Safe[] {
  const { look } = drawing;
  const bar = look.theme.paint('border', sign(look, safeText`│`, safeText`|`));
  const half = Math.max(1, Math.floor((look.columns - 3) / 2));
  return rows.flatMap((row) => {
    if (row.kind !== 'lines') return aside(row, look);
    const left = row.before === undefined ? [] : drawCell(row.before, digits, half, drawing);
    const right = row.after === undefined ? [] : drawCell(row.after, digits, half, drawing);
    return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
      return safeText`${padToWidth(left[index] ?? NOTHING, half)} ${bar} ${right[index] ?? NOTHING}`;
    });
  });
}

function aside(row: Extract<DiffRow, { kind: 'note' | 'gap' }>, look: Look): Safe[] {
  if (row.kind === 'gap') return [look.theme.paint('dim', sign(look, safeText`  ⋮`, safeText`  ...`))];
  return wrapSafe(paintLine(look.theme, 'dim', row.text), look.columns);
}

function drawCell(cell: DiffCell, digits: number, columns: number, drawing: DiffDrawing): Safe[] {
  const { theme } = drawing.look;
  const number = theme.paint('dim', makeSafe(String(cell.number).padStart(digits)));
  const mark = cell.kind === 'same' ? SIGNS.same : theme.paint(cell.kind, SIGNS[cell.kind]);
  const first = safeText`${number} ${mark} `;
  const content = contentOf(cell, drawing);
  // Opened, all of it can be read.
  if (!drawing.look.isOpen) return [truncateToWidth(safeText`${first}${content}`, columns)];
  return wrapSafe(content, columns, { first });
}

function contentOf({ kind, parts }: DiffCell, { look, highlighter, fileName }: DiffDrawing): Safe {
  // Several lines only for the tabs: the text has none.
  const safe = (text: string): Safe =>
    makeSafe(text.replaceAll('\t', '    ').replaceAll('\n', ' '), { multiline: true });
  if (kind === 'same') return highlighter.paint(safe(parts[0]?.text ?? ''), languageOfFile(fileName), look.theme);
  const word = kind === 'added' ? 'addedWord' : 'removedWord';
  return joinSafe(
    parts.map((part) => look.theme.paint(part.isChanged ? word : kind, safe(part.text))),
    NOTHING,
  );
}
