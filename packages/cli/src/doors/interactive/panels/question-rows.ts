import {
  joinSafe,
  makeSafe,
  safeText,
  shortenText,
  splitLines,
  truncateToWidth,
  wrapSafe,
  type AskedQuestion,
  type Safe,
} from '@tenon/core';
import { safeBlock } from '../../../ui/safe-lines.js';
import type { Theme } from '../themes/theme.js';
import { wrapMarked } from './approval-body.js';
import { answerOf, isSaid, NOTHING_SAID, type Said } from './question-state.js';

/** Of what an option would look like. */
const PREVIEW_ROWS = 16;
const NAME_COLUMNS = 16;
const BAR = safeText`│ `;

export interface QuestionDrawing {
  readonly columns: number;
  readonly theme: Theme;
}

/** Rows, and which of them the marked answer begins at. */
export interface QuestionRows {
  readonly rows: readonly Safe[];
  readonly marked: number;
}

/** Words of the model stand behind a bar, so that none of them looks like Tenon's own. */
export function askedRows(text: string, columns: number): readonly Safe[] {
  return splitLines(safeBlock(text)).flatMap((line) => wrapMarked(safeText`${BAR}${line}`, columns));
}

/** The names of all questions, that of the one that is asked in front of the eyes. */
export function nameRow(
  questions: readonly AskedQuestion[],
  said: readonly Said[],
  at: number,
  { theme, columns }: QuestionDrawing,
): Safe {
  const names = questions.map(({ header }, index) => {
    const mark = isSaid(said[index] ?? NOTHING_SAID) ? safeText`[x] ` : safeText`[ ] `;
    const name = safeText`${mark}${truncateToWidth(makeSafe(header), NAME_COLUMNS)}`;
    return index === at ? theme.paint('selected', name) : theme.paint('dim', name);
  });
  return truncateToWidth(joinSafe(names, safeText`  `), columns);
}

/** One question with its answers; the last row is for own words. */
export function questionRows(
  question: AskedQuestion,
  said: Said,
  marked: number,
  drawing: QuestionDrawing,
): QuestionRows {
  const { columns, theme } = drawing;
  const rows: Safe[] = [...askedRows(question.question, columns), safeText``];
  let at = 0;
  const box = (isChosen: boolean): Safe => {
    if (question.multiSelect) return isChosen ? safeText`[x] ` : safeText`[ ] `;
    return isChosen ? safeText`(x) ` : safeText`( ) `;
  };
  for (const [index, { label, description }] of question.options.entries()) {
    if (index === marked) at = rows.length;
    const head = safeText`${index === marked ? safeText`›` : safeText` `} ${index + 1} ${box(said.chosen.includes(index))}`;
    rows.push(...optionRows(head, label, { isMarked: index === marked, columns, theme }));
    if (description !== '') rows.push(...describedRows(description, drawing));
  }
  const own = question.options.length;
  if (own === marked) at = rows.length;
  const words = said.words === '' ? safeText`in your own words` : makeSafe(said.words, { maxLength: 200 });
  const head = safeText`${own === marked ? safeText`›` : safeText` `} ${own + 1} ${box(said.words !== '')}${words}`;
  rows.push(truncateToWidth(own === marked ? theme.paint('selected', head) : head, columns));
  const preview = question.options[marked]?.preview;
  return { rows: [...rows, ...previewRows(preview, drawing)], marked: at };
}

/** All that is about to be said. */
export function reviewRows(
  questions: readonly AskedQuestion[],
  said: readonly Said[],
  { columns, theme }: QuestionDrawing,
): readonly Safe[] {
  return questions.flatMap((question, index) => {
    const { selected = [], words } = answerOf(said[index] ?? NOTHING_SAID, question);
    const parts = [...selected, ...(words === undefined ? [] : [words])];
    const answer = parts.length === 0 ? theme.paint('dim', safeText`(no answer)`) : makeSafe(parts.join(', '));
    return [
      ...askedRows(question.question, columns),
      ...wrapSafe(answer, columns, { first: safeText`  → `, rest: safeText`    ` }),
    ];
  });
}

function optionRows(
  head: Safe,
  label: string,
  { isMarked, columns, theme }: QuestionDrawing & { readonly isMarked: boolean },
): readonly Safe[] {
  const text = makeSafe(label, { maxLength: 500 });
  const rows = wrapSafe(text, columns, { first: safeText`${head}${BAR}`, rest: safeText`        ${BAR}` });
  return isMarked ? rows.map((row) => theme.paint('selected', row)) : rows;
}

function describedRows(description: string, { columns, theme }: QuestionDrawing): readonly Safe[] {
  const margin = safeText`        ${BAR}`;
  return wrapSafe(makeSafe(description, { maxLength: 1000 }), columns, { first: margin, rest: margin }).map((row) =>
    theme.paint('dim', row),
  );
}

function previewRows(preview: string | undefined, { columns, theme }: QuestionDrawing): readonly Safe[] {
  if (preview === undefined || preview.trim() === '') return [];
  const lines = shortenText(safeBlock(preview.trimEnd()), PREVIEW_ROWS);
  const head = theme.paint('dim', safeText`What it would look like:`);
  return [safeText``, head, ...lines.map((line) => truncateToWidth(safeText`${BAR}${line}`, columns))];
}
