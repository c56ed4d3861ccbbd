import { changedWords, diffLines, type DiffLine, type WordPart } from '@tenon/core';

/** A line of a file in a diff. All text is untrusted. */
export interface DiffCell {
  readonly number: number;
  readonly kind: 'added' | 'removed' | 'same';
  readonly parts: readonly WordPart[];
}

/** A row of a diff: what stood there before and what stands there now; or a line about the diff itself. */
export type DiffRow =
  | { readonly kind: 'lines'; readonly before: DiffCell | undefined; readonly after: DiffCell | undefined }
  | { readonly kind: 'note' | 'gap'; readonly text: string };

/** A row before its words are compared, which takes the most time. */
type RawRow = { readonly before?: DiffLine | undefined; readonly after?: DiffLine | undefined } | DiffLine;

/**
 * A unified diff as rows in which the lines that took one another's place stand side by side, word by word compared. Of
 * more than `most` rows the middle is left out and counted.
 */
export function diffRows(diff: string, most = Infinity): DiffRow[] {
  const rows = pairedRows(diff);
  if (rows.length <= most) return rows.flatMap(finishedRow);
  const tail = Math.floor((most - 1) / 2);
  const head = most - 1 - tail;
  const left: DiffRow = { kind: 'note', text: `… ${linesIn(rows.slice(head, rows.length - tail))} lines not shown …` };
  const shown = (part: readonly RawRow[], from: number): DiffRow[] =>
    part.flatMap((row, index) => finishedRow(row, from + index));
  return [...shown(rows.slice(0, head), 0), left, ...shown(rows.slice(-tail), head)];
}

function linesIn(rows: readonly RawRow[]): number {
  return rows.reduce((sum, row) => {
    if ('kind' in row) return sum + 1;
    return sum + (row.before === undefined ? 0 : 1) + (row.after === undefined ? 0 : 1);
  }, 0);
}

function pairedRows(diff: string): RawRow[] {
  const rows: RawRow[] = [];
  const removed: DiffLine[] = [];
  const added: DiffLine[] = [];
  const settle = (): void => {
    const count = Math.max(removed.length, added.length);
    for (let index = 0; index < count; index += 1) rows.push({ before: removed[index], after: added[index] });
    removed.length = 0;
    added.length = 0;
  };
  for (const line of diffLines(diff)) {
    if (line.kind === 'removed') removed.push(line);
    else if (line.kind === 'added') added.push(line);
    else {
      settle();
      rows.push(line);
    }
  }
  settle();
  return rows;
}

function finishedRow(row: RawRow, index: number): DiffRow[] {
  return 'kind' in row ? otherRow(row, index === 0) : [changedRow(row.before, row.after)];
}

function changedRow(before: DiffLine | undefined, after: DiffLine | undefined): DiffRow {
  const words =
    before === undefined || after === undefined ? undefined : changedWords(before.text.slice(1), after.text.slice(1));
  return {
    kind: 'lines',
    before: before && cell('removed', before.before, before.text, words?.before),
    after: after && cell('added', after.after, after.text, words?.after),
  };
}

function otherRow(line: DiffLine, isFirst: boolean): DiffRow[] {
  if (line.kind === 'same') {
    const before = cell('same', line.before, line.text);
    return [{ kind: 'lines', before, after: cell('same', line.after, line.text) }];
  }
  // Where the lines are is told by their numbers.
  if (line.kind === 'hunk') return isFirst ? [] : [{ kind: 'gap', text: '' }];
  return [{ kind: 'note', text: line.text }];
}

function cell(kind: DiffCell['kind'], number = 0, text: string, words?: readonly WordPart[]): DiffCell {
  return { number, kind, parts: words ?? [{ text: text.slice(1), isChanged: false }] };
}
