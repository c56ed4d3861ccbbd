import { Failure } from '../../util/failure.js';
import { setAt } from './plain-sets.js';

/** Why a line break in a pattern is refused where lines are searched one by one. */
export const LINE_BREAK_REFUSED = '\\n stands in no line';

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
  const advice = reason === LINE_BREAK_REFUSED ? 'Set multiline=true to search across lines.' : adviceFor(pattern);
  return new Failure('invalid_pattern', `Invalid regular expression: ${simple?.reason ?? reason}${pointer}\n${advice}`);
}

function adviceFor(pattern: string): string {
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
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === '\\') {
      if (index === pattern.length - 1) return { reason: 'the backslash at the end escapes nothing', offset: index };
      index++;
    } else if (character === '[') {
      const set = setAt(pattern, index);
      if (set === undefined) return { reason: 'unclosed character class', offset: index };
      index = set.end - 1;
    } else if (character === '(') open.push(index);
    else if (character === ')' && open.pop() === undefined) return { reason: 'unopened group', offset: index };
  }
  const unclosed = open.pop();
  return unclosed === undefined ? undefined : { reason: 'unclosed group', offset: unclosed };
}
