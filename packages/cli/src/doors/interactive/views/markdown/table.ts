import { blanks, displayWidth, joinSafe, padToWidth, safeText, splitLines, wrapSafe, type Safe } from '@tenon/core';
import type { Look } from '../block.js';
import { sign } from '../paint.js';

export interface Table {
  readonly head: readonly Safe[];
  readonly rows: readonly (readonly Safe[])[];
  readonly align: readonly ('left' | 'right' | 'center' | null)[];
}

/** Narrower columns of a table that must be wrapped are not read any more. */
const NARROWEST = 8;
const SEPARATOR_WIDTH = 3;

/** A table as wide as it must be; where even wrapped cells do not fit, each row as lines of `name: value`. */
export function renderTable(table: Table, look: Look): Safe[] {
  const count = table.head.length;
  const natural = table.head.map((_, column) =>
    Math.max(1, ...[table.head, ...table.rows].map((row) => widthOf(row[column] ?? safeText``))),
  );
  const room = look.columns - SEPARATOR_WIDTH * (count - 1);
  const least = natural.reduce((sum, width) => sum + Math.min(width, NARROWEST), 0);
  if (least > room) return renderAsPairs(table, look);
  const widths = fitWidths(natural, room);
  const bar = look.theme.paint('border', sign(look, safeText`│`, safeText`|`));
  const draw = (row: readonly Safe[]): Safe[] => drawRow(row, widths, table.align, bar);
  const head = draw(table.head.map((cell) => look.theme.paint('strong', cell)));
  const line = sign(look, safeText`─`, safeText`-`);
  const cross = sign(look, safeText`─┼─`, safeText`-+-`);
  const rule = joinSafe(
    widths.map((width) =>
      joinSafe(
        Array.from({ length: width }, () => line),
        safeText``,
      ),
    ),
    cross,
  );
  return [...head, look.theme.paint('border', rule), ...table.rows.flatMap(draw)];
}

/** The widest columns give first. */
function fitWidths(natural: readonly number[], room: number): number[] {
  const total = natural.reduce((sum, width) => sum + width, 0);
  if (total <= room) return [...natural];
  // The greatest limit under which all of them fit.
  let limit = NARROWEST;
  const used = (most: number): number => natural.reduce((sum, width) => sum + Math.min(width, most), 0);
  while (used(limit + 1) <= room) limit += 1;
  let rest = room - used(limit);
  return natural.map((width) => {
    if (width <= limit) return width;
    const more = rest > 0 ? 1 : 0;
    rest -= more;
    return limit + more;
  });
}

function drawRow(row: readonly Safe[], widths: readonly number[], align: Table['align'], bar: Safe): Safe[] {
  const cells = widths.map((width, column) => wrapSafe(row[column] ?? safeText``, width));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) => {
    const parts = widths.map((width, column) =>
      aligned(cells[column]?.[index] ?? safeText``, width, align[column] ?? null),
    );
    return joinSafe(parts, safeText` ${bar} `);
  });
}

function aligned(text: Safe, width: number, align: Table['align'][number]): Safe {
  if (align !== 'right' && align !== 'center') return padToWidth(text, width);
  const free = Math.max(0, width - displayWidth(text));
  const before = align === 'right' ? free : Math.floor(free / 2);
  return safeText`${blanks(before)}${text}${blanks(free - before)}`;
}

function widthOf(cell: Safe): number {
  return Math.max(0, ...splitLines(cell).map(displayWidth));
}

function renderAsPairs({ head, rows }: Table, look: Look): Safe[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [safeText``]),
    ...head.flatMap((name, column) => {
      const label = look.theme.paint('strong', name);
      return wrapSafe(safeText`${label}: ${row[column] ?? safeText``}`, look.columns, { rest: safeText`  ` });
    }),
  ]);
}
