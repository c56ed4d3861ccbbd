import { displayWidth, makeSafe, safeText, truncateToWidth, type Safe } from '@tenon/core';
import type { Frame, Size } from '../screen/panel.js';
import type { Theme } from '../themes/theme.js';

/** A key and what it does, for the person. */
export type Hint = readonly [key: Safe, does: Safe];

/** The upper edge of a panel, with its title. */
export function titleRow(theme: Theme, title: Safe, columns: number): Safe {
  const cut = truncateToWidth(title, Math.max(0, columns - 6));
  const left = columns - displayWidth(cut) - 4;
  const line = makeSafe('─'.repeat(Math.max(0, left)));
  return truncateToWidth(
    safeText`${theme.paint('border', safeText`──`)} ${theme.paint('heading', cut)} ${theme.paint('border', line)}`,
    columns,
  );
}

/** Items side by side, as many in a row as fit; one that is too wide is cut. */
export function flow(items: readonly Safe[], gap: Safe, columns: number): readonly Safe[] {
  const rows: Safe[] = [];
  let row: Safe | undefined;
  for (const item of items) {
    const fitted = truncateToWidth(item, columns);
    const longer: Safe | undefined = row === undefined ? fitted : safeText`${row}${gap}${fitted}`;
    if (row !== undefined && displayWidth(longer) > columns) {
      rows.push(row);
      row = fitted;
    } else row = longer;
  }
  return row === undefined ? rows : [...rows, row];
}

/** What the keys do, at the bottom of a panel. */
export function hintRows(theme: Theme, hints: readonly Hint[], columns: number): readonly Safe[] {
  const items = hints.map(([key, does]) => safeText`${theme.paint('accent', key)} ${theme.paint('dim', does)}`);
  return flow(items, theme.paint('dim', safeText` · `), columns);
}

/** A frame of at most so many rows. Of too many the last stay: what can be done is said there. */
export function frameOf(rows: readonly Safe[], size: Size, cursor?: Frame['cursor']): Frame {
  const over = Math.max(0, rows.length - size.rows);
  const lines = rows.slice(over).map((row) => truncateToWidth(row, size.columns));
  if (cursor === undefined || cursor.row < over) return { lines };
  return { lines, cursor: { row: cursor.row - over, column: Math.min(cursor.column, size.columns - 1) } };
}

/** True for the key that types this letter, whatever the case. Pasted text presses no keys. */
export function isLetter(name: string, text: string, letter: string): boolean {
  return name !== 'paste' && (text === '' ? name : text).toLowerCase() === letter;
}

/** Keys that move between answers, while the others scroll, and where there is nothing to scroll. */
export const SIDEWAYS: Readonly<Record<string, number>> = { left: -1, right: 1 };
export const ANY_WAY: Readonly<Record<string, number>> = { ...SIDEWAYS, up: -1, down: 1 };

/** Answers side by side, each with its key; the one that Enter takes stands out without colours as well. */
export function choiceRows(
  theme: Theme,
  choices: readonly { readonly key: string; readonly label: string }[],
  marked: string,
  columns: number,
): readonly Safe[] {
  const items = choices.map(({ key, label }) => {
    const text = safeText`[${makeSafe(key)}] ${makeSafe(label)}`;
    return key === marked ? theme.paint('selected', safeText`›${text}`) : safeText` ${text}`;
  });
  return flow(items, safeText`  `, columns);
}
