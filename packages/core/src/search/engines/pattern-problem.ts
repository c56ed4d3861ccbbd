import { Failure } from '../../util/failure.js';
import { hasQuotation, piecesOf } from './plain-sets.js';

/** Why a line break in a pattern is refused where lines are searched one by one. */
export const LINE_BREAK_REFUSED = '\\n stands in no line';

/** Why one is too large that ripgrep may well take. */
export const TOO_LARGE_FOR_JAVASCRIPT = 'JavaScript, by which this is searched, cannot compile it';

/** Why a pattern is refused in which too much stands within each other. */
export const TOO_DEEP = 'groups, sets and repetitions stand within each other more than 250 deep';

export const NO_SUCH_GROUP = 'reference to non-existent subpattern';

/** How a reason ends that holds for JavaScript alone. */
export const WITHOUT_RIPGREP = ' is not supported without ripgrep';

/** Code units shown of a long pattern on each side of the place. */
const SHOWN_AROUND = 100;

/**
 * The error for a pattern that an engine refused: what is wrong, where, and how to search for the text itself.
 * `offset`: code units before the place, where the engine knows it.
 */
export function invalidPattern(pattern: string, reason: string, offset: number | undefined): Failure {
  const simple = findBracketProblem(pattern);
  const place = simple?.offset ?? offset;
  const pointer = place === undefined ? '' : pointAt(pattern, Math.max(0, Math.min(place, pattern.length)));
  const told = simple?.reason ?? reason;
  return new Failure('invalid_pattern', `Invalid regular expression: ${told}${pointer}\n${nextStep(told, pattern)}`);
}

function nextStep(reason: string, pattern: string): string {
  if (reason === LINE_BREAK_REFUSED) return 'Set multiline=true to search across lines.';
  if (reason === TOO_DEEP) return 'Write the pattern with fewer of them, or search for a part of it.';
  if (reason.endsWith(WITHOUT_RIPGREP)) return 'Write the pattern without it, or install ripgrep.';
  const literal = escapeLiteral(pattern);
  if (literal === pattern || literal.length > 4 * SHOWN_AROUND) return 'Correct the pattern.';
  return `To search for the text itself, escape it: ${literal}`;
}

/** The error for a pattern that is right but too large to be searched for. */
export function patternTooLarge(reason: string): Failure {
  return new Failure(
    'invalid_pattern',
    `The regular expression is too large: ${reason}. Use smaller repetition counts or fewer alternatives, or search for a part of it.`,
  );
}

/** Whether PCRE2's reason counts although the default engine has one too, which does not know what was meant. */
export function isToldByPcre2(pattern: string, reason: string): boolean {
  return reason === NO_SUCH_GROUP || hasQuotation(pattern);
}

export function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The line of the pattern that holds the place, and a caret below it. */
function pointAt(pattern: string, place: number): string {
  const lineStart = pattern.lastIndexOf('\n', place - 1) + 1;
  const lineEnd = pattern.indexOf('\n', place);
  const from = Math.max(lineStart, place - SHOWN_AROUND);
  const to = Math.min(lineEnd === -1 ? pattern.length : lineEnd, place + SHOWN_AROUND);
  const cutBefore = from > lineStart ? '…' : '';
  const cutAfter = to < (lineEnd === -1 ? pattern.length : lineEnd) ? '…' : '';
  const line = `${cutBefore}${pattern.slice(from, to)}${cutAfter}`.replace(/[\t\r]/g, ' ');
  // One column for each character, as a terminal shows it.
  const column = Array.from(`${cutBefore}${pattern.slice(from, place)}`).length;
  return `\n  ${line}\n  ${' '.repeat(column)}^`;
}

/** Brackets are the usual mistake, and engines point at their own wrapping instead of the bracket. */
function findBracketProblem(pattern: string): { reason: string; offset: number } | undefined {
  const open: number[] = [];
  for (const { kind, start, end } of piecesOf(pattern)) {
    const piece = pattern[start];
    if (end > pattern.length) return { reason: 'the backslash at the end escapes nothing', offset: start };
    if (kind !== 'other') continue;
    if (end === pattern.length && /^\\[pP]$/.test(pattern.slice(start)))
      return { reason: `${pattern.slice(start)} wants the name of a Unicode property behind it`, offset: start };
    if (piece === '[') return { reason: 'unclosed character class', offset: start };
    if (piece === '(') open.push(start);
    else if (piece === ')' && open.pop() === undefined) return { reason: 'unopened group', offset: start };
  }
  const unclosed = open.pop();
  return unclosed === undefined ? undefined : { reason: 'unclosed group', offset: unclosed };
}
