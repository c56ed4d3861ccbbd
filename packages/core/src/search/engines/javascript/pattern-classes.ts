import {
  complement,
  isPcre2,
  leaveToMatcher,
  PatternProblem,
  skipBlank,
  take,
  takeCharacter,
  takeText,
  type PatternReader,
} from './pattern-reader.js';
import { tableOf, tableSet } from './table-property.js';

/** What stands in a set (`[…]` with flag `v`) for `\w`, as Unicode and ripgrep have it. */
const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d';
const PLAIN_WORD = '0-9A-Za-z_';
const SPACE = '\\p{White_Space}';
const PLAIN_SPACE = '\\t-\\r ';

export const POSIX: Readonly<Record<string, string>> = {
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

/** PCRE2's. */
export const PCRE2_WORD = '\\p{L}\\p{N}\\p{Mn}\\p{Pc}';
export const BLANK = '\\t\\p{Zs}\\u180e';
const BREAK = '\\n-\\r\\x85\\u2028\\u2029';

export function wordSet(reader: PatternReader): string {
  if (reader.dialect.plain || !reader.flags.unicode || reader.flags.ascii.includes('W')) return PLAIN_WORD;
  return isPcre2(reader) ? PCRE2_WORD : WORD;
}

/** The set that `\d`, `\W`, `\pL` and the like stand for, brackets included; undefined where none begins. */
export function takeClassEscape(reader: PatternReader): string | undefined {
  const { dialect, flags } = reader;
  const letter = take(reader, isPcre2(reader) ? /\\([dDwWsShHvV])/y : /\\([dDwWsS])/y)?.[1];
  if (letter === undefined) return takeProperty(reader);
  const isPlain = dialect.plain || !flags.unicode;
  const body = {
    d: isPlain || flags.ascii.includes('D') ? '0-9' : '\\p{Nd}',
    w: wordSet(reader),
    s: isPlain || flags.ascii.includes('S') ? PLAIN_SPACE : isPcre2(reader) ? `${BLANK}${BREAK}` : SPACE,
    h: BLANK,
    v: BREAK,
  };
  const lower = letter.toLowerCase() as keyof typeof body;
  if (letter === lower) return `[${body[lower]}]`;
  return otherThan(reader, `[${body[lower]}]`);
}

/** Without Unicode that would be bytes, which may be parts of characters. */
export function otherThan(reader: PatternReader, set: string): string {
  if (reader.flags.unicode) return complement(set);
  leaveToMatcher(reader);
  reader.isOfBytes = true;
  return `[[\\0-\\xff]--${set}]`;
}

/** `\pL`, `\p{Greek}`, `\P{sc=Greek}`; names in any case. */
function takeProperty(reader: PatternReader): string | undefined {
  const start = reader.at;
  const kind = take(reader, /\\([pP])/y)?.[1];
  if (kind === undefined) return undefined;
  if (isPcre2(reader)) return takePcre2Property(reader, kind === 'P', start);
  skipBlank(reader);
  const isLong = takeText(reader, '{');
  const name = isLong ? takeName(reader) : takeCharacter(reader);
  if (!reader.flags.unicode) throw new PatternProblem('Unicode not allowed here', start);
  // ripgrep 15 reads `!=` as `=`.
  const [, property, value = ''] = /^(.*?)(?:!=|[:=])(.*)$/s.exec(name) ?? [];
  const set = property === undefined ? findProperty(name) : findValue(property, value);
  if (set === undefined)
    throw new PatternProblem(`Unicode property ${VALUED.has(normal(property ?? '')) ? 'value ' : ''}not found`, start);
  return kind === 'p' ? `[${set}]` : complement(`[${set}]`);
}

function takeName(reader: PatternReader): string {
  let name = '';
  for (;;) {
    skipBlank(reader);
    if (takeText(reader, '}')) return name;
    if (reader.at >= reader.pattern.length)
      throw new PatternProblem('incomplete escape sequence, reached end of pattern prematurely', reader.at);
    name += takeCharacter(reader);
  }
}

const VALUED: ReadonlySet<string> = new Set([
  'gc',
  'sc',
  'scx',
  'generalcategory',
  'script',
  'scriptextensions',
  'blk',
  'block',
]);

function findValue(property: string, value: string): string | undefined {
  const key = normal(property);
  const table = tableOf(key);
  if (table !== undefined && !table.startsWith('b')) return tableSet(table, normal(value));
  if (!VALUED.has(key) || key.startsWith('bl')) return undefined;
  const short = key.startsWith('g') ? 'gc' : /x$|extensions$/.test(key) ? 'scx' : 'sc';
  if (short === 'gc' && CATEGORIES[normal(value)] !== undefined) return CATEGORIES[normal(value)];
  return toSet(spellings(value).map((form) => `${short}=${form}`));
}

/** In PCRE2 a script's name means all characters that are used in it. */
function takePcre2Property(reader: PatternReader, isNegated: boolean, start: number): string {
  const match = take(reader, /\{\s*(\^?)([^{}]*)\}|([A-Za-z])/y);
  if (match === undefined) throw new PatternProblem('malformed \\P or \\p sequence', start);
  const [, caret = '', long, short = ''] = match;
  const name = normal(long ?? short);
  const set = pcre2Set(name, long ?? '');
  if (set === undefined) throw new PatternProblem('unknown property after \\P or \\p', start);
  return isNegated === (caret === '^') ? `[${set}]` : complement(`[${set}]`);
}

function pcre2Set(name: string, long: string): string | undefined {
  const [, extensions, script] = /^\s*sc(?:ript)?[ _-]*(x|extensions)?\s*[=:](.*)$/is.exec(long) ?? [];
  if (script !== undefined)
    return toSet(spellings(script.trim()).map((form) => `sc${extensions === undefined ? '' : 'x'}=${form}`));
  const [, bidi = '', direction = ''] = /^(bc|bidiclass)[:=](.*)$/.exec(name) ?? [];
  if (bidi !== '') return tableSet('bc', direction);
  if (tableOf(name) === 'bidim') return tableSet('bidim', 'y');
  return (
    PCRE2_SETS[name] ??
    (/^(?:[clmnpsz][a-z]?)$/.test(name) ? toSet(spellings(name).map((form) => `gc=${form}`)) : undefined) ??
    toSet([...spellings(long).map((form) => `scx=${form}`), ...spellings(long)])
  );
}

const PCRE2_SETS: Readonly<Record<string, string>> = {
  any: '\\p{Any}',
  'l&': '\\p{LC}',
  lc: '\\p{LC}',
  xan: '\\p{L}\\p{N}',
  xsp: `${BLANK}${BREAK}`,
  xps: `${BLANK}${BREAK}`,
  xuc: '$@`\\u00a0-\\ud7ff\\u{e000}-\\u{10ffff}',
  xwd: PCRE2_WORD,
};

function normal(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

function findProperty(name: string): string | undefined {
  const known = CATEGORIES[normal(name).replace(/^is/, '')];
  return known ?? toSet([name, name.replace(/^is/i, '')].flatMap(spellings).flatMap((form) => [form, `sc=${form}`]));
}

function toSet(forms: readonly string[]): string | undefined {
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
