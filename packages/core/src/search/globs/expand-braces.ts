import { Failure } from '../../util/failure.js';

/** More alternatives than this are not a file pattern but a load. */
const MAX_ALTERNATIVES = 1000;
/** Characters of all alternatives, and of what was looked at to find them. */
const MAX_CHARACTERS = 100_000;

/**
 * The alternatives of `{a,b}`, `{1..3}`, `{01..10}` and `{1..9..2}`, nested ones too; braces without either are text. Escaped characters,
 * sets (`[{]`) and groups (`!(*.{js,ts})`, where alternatives mean something else) stay as they are.
 * @throws Failure `invalid_pattern`
 */
export function expandBraces(pattern: string): string[] {
  const results: string[] = [];
  // The rest of a pattern is expanded once for each alternative: depth first, with a list instead of recursion.
  const pending: { readonly done: string; readonly rest: string }[] = [{ done: '', rest: pattern }];
  let characters = 0;
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { done, rest } = item;
    characters += done.length + rest.length;
    const brace = findBrace(rest);
    if (brace === undefined) results.push(done + rest);
    else {
      const before = done + rest.slice(0, brace.start);
      const after = rest.slice(brace.end);
      for (const choice of brace.choices.toReversed()) pending.push({ done: before, rest: choice + after });
    }
    if (results.length + pending.length > MAX_ALTERNATIVES || characters > MAX_CHARACTERS) {
      throw new Failure(
        'invalid_pattern',
        `The pattern stands for too many alternatives (at most ${MAX_ALTERNATIVES} are possible): ${shortened(pattern)}. Use fewer braces, or * in their place.`,
      );
    }
  }
  return results;
}

function shortened(pattern: string): string {
  return pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern;
}

interface Brace {
  readonly start: number;
  readonly end: number;
  readonly choices: readonly string[];
}

/** The first brace that has something to choose from. One pass, whatever stands in the text. */
function findBrace(text: string): Brace | undefined {
  const open: { start: number; commas: number[] }[] = [];
  let first: Brace | undefined;
  for (let index = 0; index < text.length; index = skipOpaque(text, index)) {
    const character = text[index];
    if (character === '{') open.push({ start: index, commas: [] });
    else if (character === ',') open.at(-1)?.commas.push(index);
    else if (character === '}') {
      const { start, commas } = open.pop() ?? { start: -1, commas: [] };
      if (start === -1) continue;
      const choices = choicesOf(text, { start, commas, end: index });
      // An outer brace ends later, but begins earlier than what was found in it.
      if (choices.length > 0 && (first === undefined || start < first.start))
        first = { start, end: index + 1, choices };
      if (first !== undefined && open.length === 0) return first;
    }
  }
  return first;
}

/** The index after this character, or after all of an escape, a set or a group that begins here. */
export function skipOpaque(text: string, index: number): number {
  if (text[index] === '\\') return index + 2;
  if (text[index] === '[') return endOfSet(text, index) ?? index + 1;
  if (isGroupStart(text, index)) return endOfGroup(text, index) ?? index + 1;
  return index + 1;
}

function endOfSet(text: string, start: number): number | undefined {
  const negated = text[start + 1] === '!' || text[start + 1] === '^';
  const body = start + (negated ? 2 : 1);
  if (!text.includes(']', body + 1)) return undefined;
  for (let index = body; index < text.length; index += lengthInSet(text, index)) {
    if (text[index] === '/') return undefined;
    if (text[index] === ']' && index > body) return index + 1;
  }
  return undefined;
}

/** Of an escaped character, a class such as `[:alpha:]`, or any other character. */
function lengthInSet(text: string, index: number): number {
  if (text[index] === '\\') return 2;
  return text[index + 1] === ':' ? (/^\[:\w+:\]/.exec(text.slice(index, index + 12))?.[0].length ?? 1) : 1;
}

/** `app/(auth)/x` names a folder: only `@(…)`, `!(…)`, `+(…)`, `*(…)` and `?(…)` are groups. */
export function isGroupStart(text: string, index: number): boolean {
  return text[index + 1] === '(' && /[@!+*?]/.test(text[index] ?? '');
}

/** The index after the `)` of the group; undefined when it is not closed within its segment. */
export function endOfGroup(text: string, start: number): number | undefined {
  if (!text.includes(')', start)) return undefined;
  let depth = 0;
  for (let index = start; index < text.length; index += text[index] === '\\' ? 2 : 1) {
    if (text[index] === '/') return undefined;
    if (text[index] === '(') depth += 1;
    else if (text[index] === ')') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function choicesOf(text: string, brace: { start: number; commas: readonly number[]; end: number }): string[] {
  const { start, commas, end } = brace;
  if (commas.length === 0) return rangeOf(text.slice(start + 1, end));
  const cuts = [start, ...commas, end];
  return cuts.slice(1).map((cut, index) => text.slice((cuts[index] ?? start) + 1, cut));
}

/** `1..10`, `a..f`, in both directions, also in steps (`1..9..2`) and with zeros before the numbers (`01..10`), as bash has it. */
function rangeOf(text: string): string[] {
  const [, from, to, by = '1'] = /^(-?\d{1,6}|[a-zA-Z])\.\.(-?\d{1,6}|[a-zA-Z])(?:\.\.(-?\d{1,6}))?$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return [];
  const isNumber = /\d/.test(from);
  if (isNumber !== /\d/.test(to)) return [];
  const [low, high] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const step = Math.abs(Number(by)) || 1;
  // One more than allowed is enough to be refused.
  const amount = Math.min(Math.floor(Math.abs(high - low) / step), MAX_ALTERNATIVES) + 1;
  const values = Array.from({ length: amount }, (_, index) => low + index * (high < low ? -step : step));
  const width = [from, to].some((end) => /^-?0\d/.test(end)) ? Math.max(from.length, to.length) : 0;
  return values.map((value) => (isNumber ? padded(value, width) : String.fromCharCode(value)));
}

/** The sign counts as one of the characters. */
function padded(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
}
