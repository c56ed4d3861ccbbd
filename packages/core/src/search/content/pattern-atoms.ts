import { ANY_TEXT, NO_TEXT, anyOf, foldedCharacter, literalPart, type PatternPart } from './trigram-query.js';

/** A piece of a pattern and where it ends. */
export interface Parsed {
  readonly part: PatternPart;
  readonly end: number;
}

/** More characters than that in a class are as good as any. */
const MAX_CLASS = 8;

/** An escape outside of a class. Undefined: not understood. */
export function escapePart(pattern: string, at: number): Parsed | undefined {
  const rest = pattern.slice(at, at + 120);
  const coded = codedCharacter(rest);
  if (coded !== undefined) return { part: literalPart(coded.code), end: at + coded.length };
  const set = characterSet(rest);
  if (set !== undefined) return { part: ANY_TEXT, end: at + set };
  // `\b{start}` is one thing in one engine and two in the other.
  const anchor = /^\\[bBAzZGK](?!\{)/u.exec(rest);
  if (anchor !== null) return { part: NO_TEXT, end: at + anchor[0].length };
  // A reference to a group, or an octal number.
  const digits = /^\\\d+/u.exec(rest);
  if (digits !== null) return { part: ANY_TEXT, end: at + digits[0].length };
  // Ends of words in one engine, themselves in the other.
  if (/^\\[<>]/u.test(rest)) return { part: ANY_TEXT, end: at + 2 };
  return undefined;
}

/**
 * A class, when it is a plain list. Classes in classes, set operators and a `]` that might be a member are not
 * understood.
 */
export function classPart(pattern: string, at: number): Parsed | undefined {
  const negated = pattern[at + 1] === '^';
  const members: number[] = [];
  let isSmall = !negated;
  let position = at + (negated ? 2 : 1);
  const start = position;
  while (pattern[position] !== ']') {
    const member = classMember(pattern, position);
    if (member === undefined) return undefined;
    position += member.length;
    if (member.codes === undefined) isSmall = false;
    else members.push(...member.codes);
  }
  if (position === start) return undefined;
  const folded = new Set(members.map(foldedCharacter));
  if (!isSmall || folded.size > MAX_CLASS || folded.has(undefined)) return { part: ANY_TEXT, end: position + 1 };
  return { part: anyOf(members.map(literalPart)), end: position + 1 };
}

interface ClassMember {
  readonly length: number;
  /** Undefined: many. */
  readonly codes: readonly number[] | undefined;
}

function classMember(pattern: string, at: number): ClassMember | undefined {
  const rest = pattern.slice(at, at + 120);
  const named = /^\[:\^?[a-z]+:\]/u.exec(rest);
  if (named !== null) return { length: named[0].length, codes: undefined };
  const set = characterSet(rest);
  if (set !== undefined) return { length: set, codes: undefined };
  const first = classCharacter(rest);
  if (first === undefined || /^(?:&&|--|~~)/u.test(rest)) return undefined;
  const after = rest.slice(first.length);
  if (!after.startsWith('-') || after.startsWith('-]')) return { length: first.length, codes: [first.code] };
  const last = classCharacter(after.slice(1));
  if (last === undefined || after.startsWith('--')) return undefined;
  const size = last.code - first.code + 1;
  return {
    length: first.length + 1 + last.length,
    codes: size < 1 || size > 2 * MAX_CLASS ? undefined : Array.from({ length: size }, (_, add) => first.code + add),
  };
}

interface CodedCharacter {
  readonly code: number;
  readonly length: number;
}

function classCharacter(rest: string): CodedCharacter | undefined {
  const [first] = rest;
  if (first === undefined || first === '[' || first === ']' || first === '^') return undefined;
  return first === '\\' ? codedCharacter(rest) : { code: first.codePointAt(0) ?? 0, length: first.length };
}

/** `\d`, `\pL` and their like: how long. */
function characterSet(rest: string): number | undefined {
  return /^\\(?:[dDwWsSX]|[pP](?:\{[^{}]*\}|[A-Z]))/u.exec(rest)?.[0].length;
}

const CONTROLS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

/** An escape that means one character in both engines. */
function codedCharacter(rest: string): CodedCharacter | undefined {
  const number =
    /^\\(?:x([\da-fA-F]{2})|x\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\}|U([\da-fA-F]{8}))/u;
  const coded = number.exec(rest);
  if (coded !== null) {
    const digits = coded.slice(1).find((group) => group !== undefined) ?? '';
    return { code: Number.parseInt(digits, 16), length: coded[0].length };
  }
  const second = rest[1] ?? '';
  const control = CONTROLS[second];
  if (control !== undefined) return { code: control, length: 2 };
  return /^\\[!-/:;=?@[-`{-~ ]/u.test(rest) ? { code: second.charCodeAt(0), length: 2 } : undefined;
}
