import { takeCharacterEscape, takeClassEscape, takePosix } from './pattern-classes.js';
import {
  complement,
  PatternProblem,
  skipBlank,
  takeCharacter,
  takeText,
  type PatternReader,
} from './pattern-reader.js';

const OPERATORS = ['&&', '--', '~~'] as const;

/** A set in brackets, the opening one just before the reader's place, as JavaScript writes it with the flag `v`. */
export function readSet(reader: PatternReader): string {
  const start = reader.at - 1;
  const negated = takeText(reader, '^');
  let left = '';
  let operator: (typeof OPERATORS)[number] | undefined;
  let items = readLeadingLiterals(reader);
  for (;;) {
    if (reader.at >= reader.pattern.length) throw new PatternProblem('unclosed character class', start);
    if (takeText(reader, ']')) break;
    const found = OPERATORS.find((candidate) => takeText(reader, candidate));
    if (found === undefined) {
      items += readItem(reader);
      continue;
    }
    left = combine(left, operator, items);
    operator = found;
    items = '';
  }
  const whole = combine(left, operator, items);
  return negated ? complement(whole) : whole;
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
  const escaped = takeCharacterEscape(reader);
  if (escaped !== undefined) return escaped;
  if (takeText(reader, '\\b')) return 8;
  if (reader.pattern[start] === '\\') throw new PatternProblem('this escape is not supported in a set', start);
  const code = takeCharacter(reader).codePointAt(0);
  if (code === undefined) throw new PatternProblem('unclosed character class', start);
  return code;
}

/** A character by its number, so that it means nothing but itself, in a set or outside of one. */
export function member(code: number): string {
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
