import {
  approvalView,
  blanks,
  makeSafe,
  safeText,
  sliceSafe,
  splitLines,
  wrapSafe,
  type ApprovalRequest,
  type Safe,
} from '@tenon/core';
import type { Size } from '../screen/panel.js';
import type { Theme } from '../themes/theme.js';
import type { Choice } from './approval-choices.js';
import { planLines } from './plan-lines.js';
import type { LineSource } from './viewport.js';

/** Of the command, diff or text, in a terminal with few and with many rows. */
const FEWEST_LINES = 5;
const MOST_LINES = 60;
/** Rows that the rest of a question takes, about. */
const OTHER_ROWS = 16;

/** What a person reads before they decide, wrapped row by row as it comes into sight. */
export class ApprovalBody {
  readonly #request: ApprovalRequest;
  #whole: { readonly colour: boolean; readonly text: Safe } | undefined;
  #made: { readonly key: string; readonly isShortened: boolean; readonly source: LineSource } | undefined;

  constructor(request: ApprovalRequest) {
    this.#request = request;
  }

  /** `isWhole`: nothing is left out. */
  lines(size: Size, theme: Theme, isWhole: boolean): { readonly source: LineSource; readonly isShortened: boolean } {
    const colour = theme.name !== 'no-colour';
    const maxLines = Math.min(MOST_LINES, Math.max(FEWEST_LINES, size.rows - OTHER_ROWS));
    const key = `${size.columns} ${maxLines} ${String(colour)} ${String(isWhole)}`;
    if (this.#made?.key === key) return this.#made;
    const { details } = this.#request;
    if (details.type === 'plan' && !isWhole) {
      const rows = planLines(this.#request, details.plan, { columns: size.columns, theme });
      // Markdown that is drawn leaves out what it is written with.
      this.#made = { key, isShortened: true, source: rowSource(rows) };
      return this.#made;
    }
    if (this.#whole?.colour !== colour)
      this.#whole = { colour, text: approvalView(this.#request, { colour, whole: true }) };
    const whole = this.#whole.text;
    const short = approvalView(this.#request, { colour, maxLines });
    const source = wrappedLines(splitLines(isWhole ? whole : short), size.columns);
    this.#made = { key, isShortened: whole !== short, source };
    return this.#made;
  }
}

/** The rules that an "always" would save, and for how long. */
export function ruleLines(request: ApprovalRequest, choice: Choice, columns: number): LineSource {
  const rules = (choice.isGeneral === true ? request.generalRules : request.alwaysRules) ?? [];
  const isProject = choice.outcome === 'proceed_always_project';
  const head = isProject
    ? safeText`This is saved for this project, and holds in later sessions until it is revoked:`
    : safeText`This holds until the session ends, and is not saved:`;
  const more = choice.isGeneral === true ? [safeText`It covers more than the call that is asked about.`] : [];
  return wrappedLines([head, ...rules.map((rule) => safeText`  allow ${makeSafe(rule)}`), ...more], columns);
}

/** Lines that fit as they are. */
export function rowSource(rows: readonly Safe[]): LineSource {
  return { count: Math.max(1, rows.length), rowsOf: (index) => [rows[index] ?? safeText``] };
}

/**
 * Lines that are wrapped as they come into sight. A row that goes on is marked, so that no line can be made to end in what
 * looks like a line of its own; words of a server keep their bar.
 */
export function wrappedLines(lines: readonly Safe[], columns: number): LineSource {
  const wrapped = new Map<number, readonly Safe[]>();
  return {
    count: Math.max(1, lines.length),
    rowsOf(index) {
      const known = wrapped.get(index);
      if (known !== undefined) return known;
      const rows = wrapMarked(lines[index] ?? safeText``, columns);
      wrapped.set(index, rows);
      return rows;
    },
  };
}

export function wrapMarked(line: Safe, columns: number): readonly Safe[] {
  const bar = safeText`│ `;
  if (line.startsWith(bar)) return wrapSafe(sliceSafe(line, bar.length), columns, { first: bar, rest: bar });
  const indent = /^(?:\u001b\[[\d;]*m)*( *)/.exec(line)?.[1]?.length ?? 0;
  return wrapSafe(line, columns, { rest: safeText`${blanks(Math.min(indent, Math.floor(columns / 4)))}↪ ` });
}
