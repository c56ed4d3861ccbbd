import { complement, PatternProblem, take, takeText, type Dialect, type PatternReader } from './pattern-reader.js';

/** What stands in a set (`[…]` with flag `v`) for `\w`, as Unicode and ripgrep have it. */
const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d';
const PLAIN_WORD = '0-9A-Za-z_';
const SPACE = '\\p{White_Space}';
const PLAIN_SPACE = '\\t-\\r ';

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\0-\\x7f',
  blank: '\\t ',
  cntrl: '\\0-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: PLAIN_SPACE,
  upper: 'A-Z',
  word: PLAIN_WORD,
  xdigit: '0-9A-Fa-f',
};

const CATEGORIES: Readonly<Record<string, string>> = {
  any: '\\p{Any}',
  ascii: '\\0-\\x7f',
  assigned: '\\p{Assigned}',
  letter: '\\p{L}',
  mark: '\\p{M}',
  number: '\\p{N}',
  punctuation: '\\p{P}',
  symbol: '\\p{S}',
  separator: '\\p{Z}',
  other: '\\p{C}',
};

export function wordSet({ plain }: Dialect): string {
  return plain ? PLAIN_WORD : WORD;
}

/** The set that `\d`, `\W`, `\pL`, `\h` and the like stand for, brackets included; undefined where none begins. */
export function takeClassEscape(reader: PatternReader): string | undefined {
  const letter = take(reader, /\\([dDwWsShHvVN])/y)?.[1];
  if (letter === undefined) return takeProperty(reader);
  // `\v` is a character in one dialect and a class in the other.
  if (letter === 'v') return '[\\v]';
  if (letter === 'V' || letter === 'N')
    throw new PatternProblem(`\\${letter} is not supported without ripgrep`, reader.at - 2);
  const { plain } = reader.dialect;
  const body = {
    d: plain ? '0-9' : '\\p{Nd}',
    w: wordSet(reader.dialect),
    s: plain ? PLAIN_SPACE : SPACE,
    h: '\\t\\p{Zs}',
  };
  const lower = letter.toLowerCase() as keyof typeof body;
  return letter === lower ? `[${body[lower]}]` : complement(`[${body[lower]}]`);
}

/** `\pL`, `\p{Greek}`, `\p{^L}`, `\P{sc=Greek}`; names in any case. */
function takeProperty(reader: PatternReader): string | undefined {
  const start = reader.at;
  const match = take(reader, /\\([pP])(?:\{(\^?)([^{}]*)\}|([A-Za-z]))/y);
  if (match === undefined) return undefined;
  const [, kind, caret, long, short] = match;
  const name = (long ?? short ?? '').trim();
  const set = findProperty(name);
  if (set === undefined) throw new PatternProblem(`Unicode property not found: ${name}`, start);
  return (kind === 'P') === (caret === '^') ? `[${set}]` : complement(`[${set}]`);
}

function findProperty(name: string): string | undefined {
  const known = CATEGORIES[name.toLowerCase().replace(/[\s_-]/g, '')];
  if (known !== undefined) return known;
  if (name.includes('!=')) return undefined;
  const [property = '', value] = name.split(/\s*[=:]\s*/, 2);
  const forms =
    value === undefined
      ? spellings(name).flatMap((form) => [form, `sc=${form}`])
      : spellings(property).flatMap((key) => spellings(value).map((form) => `${key}=${form}`));
  const form = forms.find(isProperty);
  return form === undefined ? undefined : `\\p{${form}}`;
}

/** As it was written, and as JavaScript wants names: `Old_Italic`, `Lu`, `sc`. */
function spellings(name: string): string[] {
  const words = name.split(/[\s_-]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  return [...new Set([name, words.join('_'), name.toLowerCase(), name.toUpperCase()])];
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, 'u').unicode;
  } catch {
    return false;
  }
}

/** `[:alpha:]` within a set. */
export function takePosix(reader: PatternReader): string | undefined {
  const match = take(reader, /\[:(\^?)([a-z]+):\]/y);
  if (match === undefined) return undefined;
  const [whole, caret, name = ''] = match;
  const set = POSIX[name];
  // As ripgrep: what is no such class is a set within the set.
  if (set === undefined) {
    reader.at -= whole.length;
    return undefined;
  }
  return caret === '^' ? complement(`[${set}]`) : `[${set}]`;
}

const CONTROLS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** The character that an escape stands for; undefined where it is something else. */
export function takeCharacterEscape(reader: PatternReader): number | undefined {
  const start = reader.at;
  const hex = take(
    reader,
    /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[xuU]\{\s*([0-9A-Fa-f]{1,8})\s*\})/y,
  );
  if (hex !== undefined) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? hex[4] ?? '', 16);
    if (code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)) return code;
    throw new PatternProblem('this is not a Unicode character', start);
  }
  if (/^\\[xuU]/.test(reader.pattern.slice(start, start + 2)))
    throw new PatternProblem('invalid hexadecimal escape', start);
  const control = take(reader, /\\([aefnrtv])/y)?.[1];
  if (control !== undefined) return CONTROLS[control];
  const nul = take(reader, /\\0(?![0-9])/y);
  if (nul !== undefined) return 0;
  // Any other character of ASCII that is neither letter nor digit stands for itself.
  if (/[^0-9A-Za-z<>\u0080-\uffff]/.test(reader.pattern.charAt(start + 1)) && takeText(reader, '\\'))
    return reader.pattern.charCodeAt(reader.at++);
  return undefined;
}
