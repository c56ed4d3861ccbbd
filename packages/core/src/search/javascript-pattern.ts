import { errorMessage } from '../util/failure.js';
import { invalidPattern } from './pattern-problem.js';

/**
 * A pattern in ripgrep's dialect as a JavaScript one: leading `(?i)` flags, `(?P<name>…)`, `\A`, `\z`,
 * `\<`, `\>`, `\x{…}`, POSIX classes, Unicode `\w` and `\d`, and escapes that mean nothing to JavaScript.
 * Case-insensitive unless it begins with `(?-i)`.
 * @throws Failure `invalid_pattern`
 */
export function toJavaScriptRegExp(pattern: string): RegExp {
  const { body, ignoreCase, dotAll } = readLeadingFlags(pattern);
  const flags = `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}`;
  try {
    return new RegExp(translate(body), `${flags}u`);
  } catch {
    try {
      // Without `u`, JavaScript takes a lone brace for itself, as PCRE2 does.
      return new RegExp(body, flags);
    } catch (thrown) {
      const reason = errorMessage(thrown).replace(/^Invalid regular expression: (?:\/.*\/[a-z]*: )?/s, '');
      throw invalidPattern(pattern, reason, undefined);
    }
  }
}

function readLeadingFlags(pattern: string): { body: string; ignoreCase: boolean; dotAll: boolean } {
  let body = pattern;
  let ignoreCase = true;
  let dotAll = false;
  // `m` means nothing here: every line is searched by itself.
  for (
    let match = /^\(\?([imsu]*)(?:-([imsu]+))?\)/.exec(body);
    match !== null;
    match = /^\(\?([imsu]*)(?:-([imsu]+))?\)/.exec(body)
  ) {
    const [whole, on = '', off = ''] = match;
    if (on === '' && off === '') break;
    if (on.includes('i')) ignoreCase = true;
    if (off.includes('i')) ignoreCase = false;
    if (on.includes('s')) dotAll = true;
    if (off.includes('s')) dotAll = false;
    body = body.slice(whole.length);
  }
  return { body, ignoreCase, dotAll };
}

const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d';

/** Escapes that JavaScript lacks or reads differently, outside a set. */
const OUTSIDE: Readonly<Record<string, string>> = {
  A: '^',
  z: '$',
  Z: '$',
  '<': '\\b(?=\\w)',
  '>': '\\b(?<=\\w)',
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  h: '[ \\t]',
  a: '\\x07',
};
const INSIDE: Readonly<Record<string, string>> = { w: WORD, d: '\\p{Nd}', D: '\\P{Nd}', h: ' \\t', a: '\\x07' };

const POSIX: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9a-fA-F',
};

function translate(pattern: string): string {
  let out = '';
  let inSet = false;
  for (let index = 0; index < pattern.length;) {
    const rest = pattern.slice(index, index + 40);
    const [piece, length] = nextPiece(rest, inSet);
    if (!inSet && piece.startsWith('[') && rest.startsWith('[')) {
      inSet = true;
      // A bracket in the first place stands for itself.
      const start = /^\[\^?\]?/.exec(rest)?.[0] ?? '[';
      out += start.endsWith(']') ? `${start.slice(0, -1)}\\]` : start;
      index += start.length;
      continue;
    }
    if (inSet && rest.startsWith(']')) inSet = false;
    out += piece;
    index += length;
  }
  return out;
}

/** The next token translated, and how much of the pattern it took. */
function nextPiece(rest: string, inSet: boolean): [string, number] {
  const code = /^\\x\{([0-9a-fA-F]{1,6})\}/.exec(rest);
  if (code !== null) return [`\\u{${code[1]}}`, code[0].length];
  if (rest.startsWith('\\')) {
    const character = Array.from(rest.slice(1))[0] ?? '';
    const known = inSet ? INSIDE[character] : OUTSIDE[character];
    return [known ?? keepOrUnescape(character, inSet), 1 + character.length];
  }
  const posix = inSet ? /^\[:([a-z]+):\]/.exec(rest) : null;
  const set = posix === null ? undefined : POSIX[posix[1] ?? ''];
  if (posix !== null && set !== undefined) return [set, posix[0].length];
  if (inSet && rest.startsWith('[')) return ['\\[', 1];
  if (!inSet && rest.startsWith('(?P<')) return ['(?<', 4];
  return [rest.charAt(0), 1];
}

function keepOrUnescape(character: string, inSet: boolean): string {
  if (/[A-Za-z0-9]/.test(character) || /[\\^$.*+?()[\]{}|/]/.test(character) || (inSet && character === '-'))
    return `\\${character}`;
  return character === '' ? '\\' : character;
}
