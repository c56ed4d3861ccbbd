import { Failure } from './failure.js';

export type CharTest = (char: number) => boolean;
export type Assertion = 'start' | 'end' | 'border' | 'no-border';

/** A regular expression, read. */
export type PatternNode =
  | { readonly kind: 'char'; readonly test: CharTest }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number };

export interface PatternSyntax {
  /** In UTF-16 units. */
  readonly longest: number;
  /** The highest number in braces. */
  readonly mostRepeats: number;
}

const MAX_DEPTH = 50;

/**
 * Reads what a regular expression of JavaScript is made of; `(?i)` at its start: in any case. What takes more than following all
 * ways at once (references back, looking around) is refused, and so are classes by Unicode property.
 * @throws Failure `invalid_pattern`
 */
export function readPattern(source: string, syntax: PatternSyntax): PatternNode {
  if (source.length > syntax.longest) throw invalidPattern(source, `it is longer than ${syntax.longest} characters`);
  const ignoresCase = source.startsWith('(?i)');
  return new Parser(source, ignoresCase ? 4 : 0, { ignoresCase, mostRepeats: syntax.mostRepeats }).parse();
}

export function invalidPattern(source: string, why: string): Failure {
  return new Failure('invalid_pattern', `The pattern ${JSON.stringify(source.slice(0, 80))} cannot be used: ${why}.`);
}

const isDigit: CharTest = (char) => char >= 48 && char <= 57;
export const isWord: CharTest = (char) =>
  isDigit(char) || char === 95 || (char >= 65 && char <= 90) || (char >= 97 && char <= 122);
const isSpace: CharTest = (char) => /\s/.test(String.fromCodePoint(char));
const not =
  (test: CharTest): CharTest =>
  (char) =>
    !test(char);

const CLASSES: Readonly<Record<string, CharTest>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 };

class Parser {
  readonly #source: string;
  readonly #chars: readonly string[];
  readonly #ignoresCase: boolean;
  readonly #mostRepeats: number;
  #at: number;
  #depth = 0;

  constructor(
    source: string,
    start: number,
    { ignoresCase, mostRepeats }: { readonly ignoresCase: boolean; readonly mostRepeats: number },
  ) {
    this.#source = source;
    this.#chars = Array.from(source);
    this.#at = start;
    this.#ignoresCase = ignoresCase;
    this.#mostRepeats = mostRepeats;
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#chars.length) throw this.#fail('a ) has no (');
    return node;
  }

  #choice(): PatternNode {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.#fail('its groups are too deep');
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    this.#depth -= 1;
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    for (let char = this.#peek(); char !== undefined && char !== '|' && char !== ')'; char = this.#peek())
      parts.push(this.#repeated(this.#atom()));
    return { kind: 'sequence', parts };
  }

  #repeated(part: PatternNode): PatternNode {
    let node = part;
    for (let bounds = this.#bounds(); bounds !== undefined; bounds = this.#bounds()) {
      // Whether as much or as little as can be: the same texts match.
      this.#take('?');
      node = { kind: 'repeat', part: node, ...bounds };
    }
    return node;
  }

  #bounds(): { readonly least: number; readonly most: number } | undefined {
    if (this.#take('*')) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (this.#take('+')) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (this.#take('?')) return { least: 0, most: 1 };
    if (this.#peek() !== '{') return undefined;
    const match = /^\{(\d{1,7})(,(\d{0,7}))?\}/.exec(this.#chars.slice(this.#at, this.#at + 17).join(''));
    if (match === null) return undefined;
    this.#at += match[0].length;
    const least = Number(match[1]);
    const most = match[2] === undefined ? least : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (least > this.#mostRepeats || (Number.isFinite(most) && most > this.#mostRepeats))
      throw this.#fail(`a part repeats more than ${this.#mostRepeats} times`);
    if (most < least) throw this.#fail('the numbers in braces are the wrong way round');
    return { least, most };
  }

  #atom(): PatternNode {
    const char = this.#next();
    if (char === '(') return this.#group();
    if (char === '[') return { kind: 'char', test: this.#set() };
    if (char === '.') return { kind: 'char', test: (code) => code !== 10 };
    if (char === '^') return { kind: 'assert', what: 'start' };
    if (char === '$') return { kind: 'assert', what: 'end' };
    if (char === '*' || char === '+' || char === '?') throw this.#fail(`there is nothing before ${char} to repeat`);
    if (char !== '\\') return this.#literal(codeOf(char));
    const next = this.#peek();
    if (next === 'b' || next === 'B') {
      this.#at += 1;
      return { kind: 'assert', what: next === 'b' ? 'border' : 'no-border' };
    }
    const escaped = this.#escape();
    return typeof escaped === 'number' ? this.#literal(escaped) : { kind: 'char', test: escaped };
  }

  #group(): PatternNode {
    if (this.#take('?') && !this.#take(':')) throw this.#fail('groups other than (…) and (?:…) are not supported');
    const node = this.#choice();
    if (!this.#take(')')) throw this.#fail('a ( is not closed');
    return node;
  }

  #literal(code: number): PatternNode {
    return { kind: 'char', test: this.#folded((char) => char === code, code) };
  }

  /** In any case, when asked for: the other case of a single character. */
  #folded(test: CharTest, ...codes: readonly number[]): CharTest {
    if (!this.#ignoresCase) return test;
    const text = String.fromCodePoint(...codes);
    if (text.toLowerCase() === text.toUpperCase()) return test;
    return (char) => otherCases(char).some(test);
  }

  #escape(): number | CharTest {
    const char = this.#next();
    const set = CLASSES[char];
    if (set !== undefined) return set;
    const control = CONTROLS[char];
    if (control !== undefined) return control;
    if (char === 'x') return this.#hex(2);
    if (char === 'u') return this.#hex(4);
    if (/[\dA-Za-z]/.test(char)) throw this.#fail(`\\${char} is not supported`);
    return codeOf(char);
  }

  #hex(length: number): number {
    const digits = this.#chars.slice(this.#at, this.#at + length).join('');
    if (digits.length !== length || !/^[\da-f]+$/i.test(digits))
      throw this.#fail('a number after \\x or \\u is broken');
    this.#at += length;
    return Number.parseInt(digits, 16);
  }

  #set(): CharTest {
    const isNegated = this.#take('^');
    const tests: CharTest[] = [];
    while (!this.#take(']')) {
      const from = this.#setItem();
      if (typeof from !== 'number') {
        tests.push(from);
        continue;
      }
      const isRange = this.#peek() === '-' && this.#chars[this.#at + 1] !== ']';
      const to = isRange ? this.#rangeEnd() : from;
      if (to < from) throw this.#fail('a range in [] is the wrong way round');
      tests.push(this.#inAnyCase((char) => char >= from && char <= to));
    }
    return (char) => tests.some((test) => test(char)) !== isNegated;
  }

  #inAnyCase(test: CharTest): CharTest {
    return this.#ignoresCase ? (char) => otherCases(char).some(test) : test;
  }

  #rangeEnd(): number {
    this.#at += 1;
    const to = this.#setItem();
    if (typeof to !== 'number') throw this.#fail('a range in [] ends in a class');
    return to;
  }

  #setItem(): number | CharTest {
    const char = this.#next();
    return char === '\\' ? (this.#take('b') ? 8 : this.#escape()) : codeOf(char);
  }

  #peek(): string | undefined {
    return this.#chars[this.#at];
  }

  #next(): string {
    const char = this.#chars[this.#at];
    if (char === undefined) throw this.#fail('it ends too early');
    this.#at += 1;
    return char;
  }

  #take(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #fail(why: string): Failure {
    return invalidPattern(this.#source, why);
  }
}

export function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function otherCases(char: number): number[] {
  const text = String.fromCodePoint(char);
  return [char, ...[text.toLowerCase(), text.toUpperCase()].filter((each) => each.length === text.length).map(codeOf)];
}
