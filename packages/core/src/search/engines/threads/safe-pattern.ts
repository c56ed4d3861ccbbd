import type { SearchPattern } from '../search-pattern.js';

/**
 * A pattern for which JavaScript surely finds what ripgrep finds, and does not lose itself in trying: what it tries from one
 * place is bounded, but for what it repeats without end.
 */
export interface SafePattern {
  /** The parts that it repeats without end, as they stand in the pattern. */
  readonly greedy: readonly string[];
  /** At most so many bytes of UTF-8 are matched by all else. */
  readonly otherBytes: number;
}

const MAX_PATTERN = 500;
const MAX_DEPTH = 10;
/** ripgrep refuses what grows too large by counting. */
const MAX_COUNT = 100;
/** Of one character. */
const MAX_BYTES = 4;

/** What was met in a part of the pattern. */
interface Part {
  readonly end: number;
  readonly hasAlternatives: boolean;
  readonly hasQuantifier: boolean;
  /** As in `SafePattern`. */
  readonly greedy: readonly string[];
  readonly otherBytes: number;
  /** Matches a place and no text. */
  readonly isAssertion: boolean;
}

/**
 * Characters that stand for themselves, case or not: ASCII; beyond it the scripts whose cases both engines fold alike
 * (Latin, Greek, Cyrillic) and those without case (Hebrew, Arabic, the Indic scripts, East Asia).
 */
const TEXT = /^[\t -~\u00a1-\u017e\u0386-\u03ce\u0400-\u052f\u05d0-\u06ff\u0900-\u0dff\u3000-\u9fff\uac00-\ud7a3]*$/u;
const LITERAL = /[^\\^$.|?*+()[\]{}]/uy;
const ESCAPED = /\\(?:[sSdDwWt]|[!-/:;=?@[-`{-~])/uy;
const ASSERTION = /\^|\$|\\[bB]/uy;
/** Of a set only members that mean the same everywhere; a hyphen in its last place, and ranges within one alphabet. */
const SET =
  /\[\^?(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|[A-Za-z0-9_ !"#$%'()*+,./:;<=>?@`{|}]|\\[sdwt]|\\[!-/:;=?@[-`{-~])+-?\]/uy;
const QUANTIFIER = /(?:([*+?])|\{(\d{1,3})(?:(,)(\d{0,3}))?\})\??/uy;

/** Undefined for anything that is not plainly understood. */
export function safePattern({ pattern, fixedStrings, multiline }: SearchPattern): SafePattern | undefined {
  if (multiline || pattern === '' || pattern.length > MAX_PATTERN || !TEXT.test(pattern)) return undefined;
  if (fixedStrings) return { greedy: [], otherBytes: MAX_BYTES * pattern.length };
  const whole = alternatives(pattern, pattern.startsWith('(?i)') ? 4 : 0, 0);
  if (whole === undefined || whole.end < pattern.length) return undefined;
  return { greedy: whole.greedy, otherBytes: whole.otherBytes };
}

function alternatives(pattern: string, from: number, depth: number): Part | undefined {
  if (depth > MAX_DEPTH) return undefined;
  let whole = sequence(pattern, from, depth);
  while (whole !== undefined && pattern[whole.end] === '|') {
    const next = sequence(pattern, whole.end + 1, depth);
    whole = next === undefined ? undefined : { ...both(whole, next), hasAlternatives: true };
  }
  return whole;
}

/** One branch, which is not empty. */
function sequence(pattern: string, from: number, depth: number): Part | undefined {
  let whole: Part | undefined;
  for (let at = from; at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')'; at = whole.end) {
    const part = quantified(pattern, at, atom(pattern, at, depth));
    if (part === undefined) return undefined;
    whole = whole === undefined ? part : both(whole, part);
  }
  return whole;
}

function both(one: Part, next: Part): Part {
  return {
    end: next.end,
    hasAlternatives: one.hasAlternatives || next.hasAlternatives,
    hasQuantifier: one.hasQuantifier || next.hasQuantifier,
    greedy: [...one.greedy, ...next.greedy],
    otherBytes: one.otherBytes + next.otherBytes,
    isAssertion: one.isAssertion && next.isAssertion,
  };
}

function atom(pattern: string, at: number, depth: number): Part | undefined {
  const simple = {
    hasAlternatives: false,
    hasQuantifier: false,
    greedy: [],
    otherBytes: MAX_BYTES,
    isAssertion: false,
  };
  if (pattern[at] === '(') return group(pattern, at, depth);
  if (pattern[at] === '.') return { ...simple, end: at + 1 };
  const place = lengthAt(ASSERTION, pattern, at);
  if (place > 0) return { ...simple, end: at + place, otherBytes: 0, isAssertion: true };
  const length = lengthAt(LITERAL, pattern, at) || lengthAt(ESCAPED, pattern, at) || setLength(pattern, at);
  return length === 0 ? undefined : { ...simple, end: at + length };
}

function group(pattern: string, at: number, depth: number): Part | undefined {
  const start = pattern.startsWith('(?:', at) ? at + 3 : at + 1;
  const inner = alternatives(pattern, start, depth + 1);
  return inner === undefined || pattern[inner.end] !== ')' ? undefined : { ...inner, end: inner.end + 1 };
}

/** Ranges must go upwards. */
function setLength(pattern: string, at: number): number {
  const length = lengthAt(SET, pattern, at);
  const ranges = pattern.slice(at, at + length).match(/[a-z0-9]-[a-z0-9]/giu) ?? [];
  return ranges.every((range) => range.charAt(0) <= range.charAt(2)) ? length : 0;
}

/** With the quantifier behind it, if there is one; repeated repetitions are where engines differ and lose themselves. */
function quantified(pattern: string, at: number, part: Part | undefined): Part | undefined {
  if (part === undefined) return undefined;
  QUANTIFIER.lastIndex = part.end;
  const match = QUANTIFIER.exec(pattern);
  if (match === null) return part;
  const [whole, sign, least, comma, most] = match;
  const end = part.end + whole.length;
  const [from, to] = [Number(least ?? 0), most === undefined || most === '' ? Infinity : Number(most)];
  const isUnbounded = sign === undefined ? comma !== undefined && to === Infinity : sign !== '?';
  const isCounted = sign === undefined;
  if (part.isAssertion || lengthAt(QUANTIFIER, pattern, end) > 0) return undefined;
  if (isCounted && (from > MAX_COUNT || (comma !== undefined && to < from) || (to > MAX_COUNT && to !== Infinity)))
    return undefined;
  const isManifold = part.hasQuantifier || part.hasAlternatives;
  if (isManifold && (isUnbounded || isCounted)) return undefined;
  if (isUnbounded) return { ...part, end, hasQuantifier: true, greedy: [pattern.slice(at, part.end)], otherBytes: 0 };
  return { ...part, end, hasQuantifier: true, otherBytes: part.otherBytes * (isCounted ? to : 1) };
}

function lengthAt(expression: RegExp, pattern: string, at: number): number {
  expression.lastIndex = at;
  return expression.exec(pattern)?.[0].length ?? 0;
}
