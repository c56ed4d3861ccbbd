import { Failure } from '../util/failure.js';

/** The error for a pattern that an engine refused: what is wrong, where, and how to search for the text itself. */
export function invalidPattern(pattern: string, reason: string, offset: number | undefined): Failure {
  const simple = findBracketProblem(pattern);
  const place = simple?.offset ?? offset;
  const pointer =
    place === undefined || /[\n\t]/.test(pattern)
      ? ''
      : `\n  ${pattern}\n  ${' '.repeat(Math.min(place, pattern.length))}^`;
  const literal = escapeLiteral(pattern);
  const advice = literal === pattern ? 'Correct the pattern.' : `To search for the text itself, escape it: ${literal}`;
  return new Failure('invalid_pattern', `Invalid regular expression: ${simple?.reason ?? reason}${pointer}\n${advice}`);
}

export function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
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
      const end = endOfSet(pattern, index);
      if (end === undefined) return { reason: 'unclosed character class', offset: index };
      index = end;
    } else if (character === '(') open.push(index);
    else if (character === ')' && open.pop() === undefined) return { reason: 'unopened group', offset: index };
  }
  const unclosed = open.pop();
  return unclosed === undefined ? undefined : { reason: 'unclosed group', offset: unclosed };
}

function endOfSet(pattern: string, start: number): number | undefined {
  let index = start + 1;
  if (pattern[index] === '^') index++;
  if (pattern[index] === ']') index++;
  for (let depth = 1; index < pattern.length; index++) {
    if (pattern[index] === '\\') index++;
    else if (pattern[index] === '[') depth++;
    else if (pattern[index] === ']' && --depth === 0) return index;
  }
  return undefined;
}
