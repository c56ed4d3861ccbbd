import {
  isPcre2,
  leaveToMatcher,
  PatternProblem,
  skipBlank,
  take,
  takeText,
  type PatternReader,
} from './pattern-reader.js';

const CONTROLS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9, v: 11 };
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The character that an escape stands for; undefined where it is something else. */
export function takeCharacterEscape(reader: PatternReader): number | undefined {
  const control = take(reader, isPcre2(reader) ? /\\([aefnrt])/y : /\\([afnrtv])/y)?.[1];
  if (control !== undefined) return CONTROLS[control];
  const code = isPcre2(reader) ? takePcre2Code(reader) : takeHex(reader);
  if (code !== undefined) return code;
  // Any other character of ASCII that is neither letter nor digit stands for itself; in PCRE2 those beyond ASCII too.
  const others = isPcre2(reader) ? /[^0-9A-Za-z\ud800-\udfff]/ : /[^0-9A-Za-z<>\u0080-\uffff]/;
  if (others.test(reader.pattern.charAt(reader.at + 1)) && takeText(reader, '\\'))
    return reader.pattern.charCodeAt(reader.at++);
  return undefined;
}

/** `\x41`, `\u0041`, `\U00000041`, or as many digits as one likes in braces. */
function takeHex(reader: PatternReader): number | undefined {
  const start = reader.at;
  const kind = take(reader, /\\([xuU])/y)?.[1];
  if (kind === undefined) return undefined;
  skipBlank(reader);
  const brace = reader.at;
  const isBraced = takeText(reader, '{');
  const first = reader.at;
  let digits = '';
  const most = isBraced ? Infinity : (DIGITS[kind] ?? 0);
  while (digits.length < most) {
    skipBlank(reader);
    if (isBraced && takeText(reader, '}')) break;
    const digit = take(reader, /[0-9A-Fa-f]/y)?.[0];
    if (digit === undefined) throw new PatternProblem('invalid hexadecimal digit', reader.at);
    digits += digit;
  }
  if (digits === '') throw new PatternProblem('hexadecimal literal empty', brace);
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    throw new PatternProblem('hexadecimal literal is not a Unicode scalar value', first);
  if (isByteEscape(reader, start, code)) leaveToMatcher(reader);
  return code;
}

/** Whether what was just taken from there on stands for a byte, and not for a character. */
export function isByteEscape({ pattern, at, flags, dialect }: PatternReader, start: number, code: number): boolean {
  if (flags.unicode || dialect.engine === 'pcre2' || code < 0x80) return false;
  return /^\\x[^{]+$/.test(pattern.slice(start, at));
}

/** `\0` and octal numbers, hexadecimal ones, and control characters. */
function takePcre2Code(reader: PatternReader): number | undefined {
  const start = reader.at;
  const match = take(
    reader,
    /\\(?:x\{\s*([0-9A-Fa-f]{1,8})\s*\}|x([0-9A-Fa-f]{1,2})|o\{\s*([0-7]{1,8})\s*\}|0([0-7]{0,2})|N\{U\+([0-9A-Fa-f]{1,8})\}|c([ -~]))/y,
  );
  if (match === undefined) return undefined;
  const [, braced, hex, octal, zero, named, control] = match;
  if (control !== undefined) return control.toUpperCase().charCodeAt(0) ^ 0x40;
  const digits = octal ?? zero;
  const code =
    digits === undefined ? Number.parseInt(`0${braced ?? hex ?? named ?? ''}`, 16) : Number.parseInt(`0${digits}`, 8);
  if (code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)) return code;
  throw new PatternProblem('character code point value in \\x{} or \\o{} is too large', start);
}
