import { isByteEscape, takeCharacterEscape } from './character-escapes.js';
import { otherThan, POSIX, takeClassEscape } from './pattern-classes.js';
import {
  enter,
  heightOf,
  leave,
  LeftToPcre2,
  member,
  PatternProblem,
  setHeight,
  skipBlank,
  take,
  takeCharacter,
  takeText,
  type PatternReader,
} from './pattern-reader.js';

const OPERATORS = ['&&', '--', '~~'] as const;

/** A set in brackets, the opening one just before the reader's place, as JavaScript writes it with the flag `v`. */
export function readSet(reader: PatternReader): string {
  const start = reader.at - 1;
  enter(reader);
  const negated = takeText(reader, '^');
  let left = '';
  let operator: (typeof OPERATORS)[number] | undefined;
  let items = readLeadingLiterals(reader);
  let [parts, height] = [items === '' ? 0 : 1, 0];
  for (;;) {
    if (reader.at >= reader.pattern.length) throw new PatternProblem('unclosed character class', start);
    if (takeText(reader, ']')) break;
    const found = OPERATORS.find((candidate) => takeText(reader, candidate));
    if (found === undefined) {
      reader.height = 0;
      items += readItem(reader);
      [parts, height] = [parts + 1, Math.max(height, reader.height)];
      continue;
    }
    left = combine(left, operator, items);
    operator = found;
    items = '';
  }
  setHeight(reader, heightOf(parts, height));
  leave(reader);
  const whole = combine(left, operator, items);
  return negated ? otherThan(reader, whole) : whole;
}

function combine(left: string, operator: (typeof OPERATORS)[number] | undefined, items: string): string {
  const right = `[${items}]`;
  if (operator === undefined) return right;
  return operator === '~~' ? `[[${left}--${right}][${right}--${left}]]` : `[${left}${operator}${right}]`;
}

/** A bracket in the first place and hyphens stand for themselves. */
function readLeadingLiterals(reader: PatternReader): string {
  skipBlank(reader);
  let literals = '';
  while (takeText(reader, '-')) {
    literals = '\\-';
    skipBlank(reader);
  }
  return literals === '' && reader.pattern[reader.at] === ']' ? readRange(reader) : literals;
}

function readItem(reader: PatternReader): string {
  skipBlank(reader);
  if (
    reader.at >= reader.pattern.length ||
    OPERATORS.some((operator) => reader.pattern.startsWith(operator, reader.at))
  )
    return '';
  const whole = takePosix(reader) ?? takeClassEscape(reader);
  if (whole !== undefined) return whole;
  if (takeText(reader, '[')) return readSet(reader);
  return reader.pattern[reader.at] === ']' ? '' : readRange(reader);
}

/** `[:alpha:]` within a set. */
function takePosix(reader: PatternReader): string | undefined {
  const start = reader.at;
  const [, caret, name = ''] = take(reader, /\[:(\^?)([a-z]+):\]/y) ?? [];
  const set = POSIX[name];
  if (set !== undefined) return caret === '^' ? otherThan(reader, `[${set}]`) : `[${set}]`;
  // What is no such class is a set within the set.
  reader.at = start;
  return undefined;
}

/** One character or a range of them. */
function readRange(reader: PatternReader): string {
  const start = reader.at;
  const from = readMember(reader);
  skipBlank(reader);
  const next = reader.pattern.slice(reader.at, reader.at + 2);
  if (!next.startsWith('-') || next === '-]' || next === '--') return member(from);
  reader.at++;
  skipBlank(reader);
  const to = readMember(reader);
  if (to < from) throw new PatternProblem('invalid character class range, the start must be <= the end', start);
  return `${member(from)}-${member(to)}`;
}

function readMember(reader: PatternReader): number {
  const start = reader.at;
  const code = takeCharacterEscape(reader) ?? takeUnescaped(reader);
  if (isByteEscape(reader, start, code)) reader.isOfBytes = true;
  else if (code > 0x7f && !reader.flags.unicode) throw new PatternProblem('Unicode not allowed here', start);
  return code;
}

function takeUnescaped(reader: PatternReader): number {
  const { at, pattern } = reader;
  const escape = /^\\[^]/.exec(pattern.slice(at, at + 2))?.[0];
  if (escape !== undefined && /\d/.test(escape)) throw new LeftToPcre2('backreferences are not supported', at);
  if (escape !== undefined) {
    const isPlace = /[bBAz<>]/.test(escape);
    throw new PatternProblem(
      isPlace ? 'invalid escape sequence found in character class' : 'unrecognized escape sequence',
      at,
    );
  }
  const code = takeCharacter(reader).codePointAt(0);
  if (code === undefined) throw new PatternProblem('unclosed character class', at);
  return code;
}
