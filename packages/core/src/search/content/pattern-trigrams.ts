import type { SearchPattern } from '../engines/search-pattern.js';
import { classPart, escapePart, type Parsed } from './pattern-atoms.js';
import {
  ANY_TEXT,
  NO_TEXT,
  anyOf,
  inSequence,
  literalPart,
  partQuery,
  repeated,
  type PatternPart,
  type TrigramQuery,
} from './trigram-query.js';

const MAX_PATTERN = 10_000;
const MAX_DEPTH = 60;
const MAX_COUNTED = 40;

/**
 * What every text must hold in which ripgrep finds the pattern; undefined when nothing is certain. It reads only what
 * means the same (or more) in both of ripgrep's engines, since a pattern that one refuses goes to the other.
 */
export function patternTrigrams(search: SearchPattern): TrigramQuery | undefined {
  const { pattern } = search;
  if (pattern.length > MAX_PATTERN) return undefined;
  // Without `multiline` a line break is an error, or a way to write several patterns.
  if (!search.multiline && /[\r\n]/u.test(pattern)) return undefined;
  if (search.fixedStrings) {
    return partQuery(
      inSequence(Array.from({ length: pattern.length }, (_, at) => literalPart(pattern.charCodeAt(at)))),
    );
  }
  const whole = alternation(pattern, 0, 0);
  return whole === undefined || whole.end < pattern.length ? undefined : partQuery(whole.part);
}

/** Up to the `)` that ends it, or the end. Undefined here and below: not understood, so nothing is certain. */
function alternation(pattern: string, from: number, depth: number): Parsed | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const branches: PatternPart[] = [];
  let at = from;
  for (;;) {
    const branch = sequence(pattern, at, depth);
    if (branch === undefined) return undefined;
    branches.push(branch.part);
    at = branch.end;
    if (pattern[at] !== '|') break;
    at += 1;
  }
  return { part: branches.length === 1 ? (branches[0] ?? ANY_TEXT) : anyOf(branches), end: at };
}

function sequence(pattern: string, from: number, depth: number): Parsed | undefined {
  const parts: PatternPart[] = [];
  let at = from;
  while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
    const flags = /^\(\?[imsuU]*-?[imsuU]+\)/u.exec(pattern.slice(at, at + 16));
    if (flags !== null) {
      at += flags[0].length;
      if (quantifierAt(pattern, at) !== 'none') return undefined;
      continue;
    }
    const item = atom(pattern, at, depth);
    const whole = item === undefined ? undefined : quantified(pattern, item);
    if (whole === undefined) return undefined;
    parts.push(whole.part);
    at = whole.end;
  }
  return { part: inSequence(parts), end: at };
}

function atom(pattern: string, at: number, depth: number): Parsed | undefined {
  switch (pattern.charAt(at)) {
    case '(':
      return group(pattern, at, depth);
    case '[':
      return classPart(pattern, at);
    case '\\':
      return escapePart(pattern, at);
    case '.':
      return { part: ANY_TEXT, end: at + 1 };
    case '^':
    case '$':
      return { part: NO_TEXT, end: at + 1 };
    case '{':
      // One engine takes it for itself, the other refuses it.
      return quantifierAt(pattern, at) === 'none' ? { part: ANY_TEXT, end: at + 1 } : undefined;
    case '*':
    case '+':
    case '?':
      return undefined;
    default:
      return { part: literalPart(pattern.charCodeAt(at)), end: at + 1 };
  }
}

const PLAIN_GROUP = /^\((?:\?(?:P?<[A-Za-z_]\w*>|>|[imsuU]*(?:-[imsuU]+)?:))?/u;
const LOOK_AROUND = /^\(\?<?[=!]/u;

function group(pattern: string, at: number, depth: number): Parsed | undefined {
  const head = pattern.slice(at, at + 200);
  const looked = LOOK_AROUND.exec(head);
  const opened = looked ?? PLAIN_GROUP.exec(head);
  const start = at + (opened?.[0].length ?? 0);
  // After a bare `(`: verbs, conditions, recursion, comments, flags of which nothing is known here.
  if (opened === null || (opened[0] === '(' && (pattern[start] === '?' || pattern[start] === '*'))) return undefined;
  const inner = alternation(pattern, start, depth + 1);
  if (inner === undefined || pattern[inner.end] !== ')') return undefined;
  // What is looked for around a match need not be there (`(?!`), or is found elsewhere.
  return { part: looked === null ? inner.part : ANY_TEXT, end: inner.end + 1 };
}

/** The item with all quantifiers after it; `a++` repeats a repetition in one engine and never gives back in the other. */
function quantified(pattern: string, item: Parsed): Parsed | undefined {
  let { part, end } = item;
  for (;;) {
    const quantifier = quantifierAt(pattern, end);
    if (quantifier === 'none') return { part, end };
    if (quantifier === 'unclear') return undefined;
    part = repeated(part, quantifier.min, quantifier.max);
    end += quantifier.length;
    if (pattern[end] === '?') end += 1;
  }
}

interface Quantifier {
  readonly min: number;
  readonly max: number;
  readonly length: number;
}

function quantifierAt(pattern: string, at: number): Quantifier | 'none' | 'unclear' {
  switch (pattern.charAt(at)) {
    case '*':
      return { min: 0, max: Infinity, length: 1 };
    case '+':
      return { min: 1, max: Infinity, length: 1 };
    case '?':
      return { min: 0, max: 1, length: 1 };
    case '{':
      return countedAt(pattern.slice(at, at + MAX_COUNTED));
    default:
      return 'none';
  }
}

function countedAt(text: string): Quantifier | 'none' | 'unclear' {
  const strict = /^\{(\d{1,6})(,(\d{0,6}))?\}/u.exec(text);
  // Whether `{ 2 }` and `{,2}` count depends on the engine and its version.
  if (strict === null) return /^\{[\d\s,]*\}/u.test(text) || /^\{[\d\s,]{39}/u.test(text) ? 'unclear' : 'none';
  const [whole, first = '', rest, last = ''] = strict;
  const min = Number(first);
  const max = rest === undefined ? min : last === '' ? Infinity : Number(last);
  return { min, max, length: whole.length };
}
