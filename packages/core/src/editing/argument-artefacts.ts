import { lineNumberIn, stripLineNumbers, strippings, type StrippedLines } from './line-numbers.js';
import { isWholeWords } from './match-text.js';

/** One reading of the two texts as damaged on their way: escaped once too often, or copied with line numbers. */
export interface Artefact {
  readonly tier: 'escapes' | 'line-numbers';
  readonly meant: { readonly oldText: string; readonly newText: string };
  readonly wholeLines: boolean;
  /** The new text was not damaged in the same way, so that nothing follows from it for its indentation. */
  readonly sameIndentation?: boolean;
  readonly accepts: (text: string, start: number, end: number) => boolean;
  /** Why the new text cannot be read in the same way. */
  readonly refusal?: { readonly detail: string; readonly line: number };
}

/** Every reading under which the old text is another; those that fit the new text as well come first. */
export function undoArtefacts(oldText: string, newText: string): Artefact[] {
  const readings = [...numberReadings(oldText, newText), ...escapeReadings(oldText, newText)];
  return readings.toSorted((one, other) => Number(one.refusal !== undefined) - Number(other.refusal !== undefined));
}

function numberReadings(oldText: string, newText: string): Artefact[] {
  return strippings(oldText).map((old) => numberReading(old, newText));
}

function numberReading(old: StrippedLines, newText: string): Artefact {
  const renewed = stripLineNumbers(newText, old.separator);
  const stray = renewed === undefined ? lineNumberIn(newText, old.separator) : undefined;
  let line: { readonly text: string; readonly start: number } | undefined;
  const accepts = (text: string, start: number): boolean => {
    if (old.separator === 'arrow' || old.count > 1) return true;
    if (line?.text !== text) line = { text, start: startOfLine(text, old.first) };
    const feed = text.indexOf('\n', line.start);
    return start >= line.start && (feed === -1 || start <= feed);
  };
  const reading: Artefact = {
    tier: 'line-numbers',
    meant: { oldText: old.text, newText: renewed?.text ?? newText },
    wholeLines: true,
    sameIndentation: renewed === undefined && old.separator !== 'arrow',
    accepts,
  };
  if (stray === undefined) return reading;
  const detail = 'Some lines of the new text begin with the line number of a listing, and others do not.';
  return { ...reading, refusal: { detail, line: stray } };
}

/** `number`: 1-based; beyond all places where there is no such line. */
function startOfLine(text: string, number: number): number {
  let start = 0;
  for (let line = 1; line < number; line += 1) {
    const feed = text.indexOf('\n', start);
    if (feed === -1) return text.length + 1;
    start = feed + 1;
  }
  return start;
}

/** A way of escaping: what stands for each character. */
interface Escaping {
  readonly pattern: RegExp;
  readonly plain: ReadonlyMap<string, string>;
  readonly escaped: ReadonlyMap<string, string>;
}

const BACKSLASHED: Readonly<Record<string, string>> = {
  '\\n': '\n',
  '\\t': '\t',
  '\\r': '\r',
  '\\"': '"',
  "\\'": "'",
  '\\`': '`',
  '\\$': '$',
  '\\/': '/',
  '\\\\': '\\',
};
const JSON_LEVEL = ['\\n', '\\t', '\\r', '\\"', '\\\\'];
const CONTROL = new Set(['\\n', '\\t', '\\r']);
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&amp;': '&',
};
const MARKUP_LEVEL = ['&lt;', '&gt;', '&amp;'];

function escapeReadings(oldText: string, newText: string): Artefact[] {
  const readings: Artefact[] = [];
  for (const [table, full] of [
    [BACKSLASHED, JSON_LEVEL],
    [ENTITIES, MARKUP_LEVEL],
  ] as const) {
    const all = escapingOf(table, Object.keys(table));
    for (const tokens of levelsOf(tokensIn(oldText, all), full)) {
      const escaping = escapingOf(table, tokens);
      const meant = unescape(oldText, escaping);
      // Proof that the whole text was escaped in this way: escaped again it is what was sent.
      if (meant === oldText || escape(meant, escaping) !== oldText || !/[\p{L}\p{N}]/u.test(meant)) continue;
      readings.push(escapeReading(meant, newText, escaping, all));
    }
  }
  return readings;
}

function escapeReading(oldText: string, newText: string, escaping: Escaping, all: Escaping): Artefact {
  const renewed = unescape(newText, escaping);
  const alien = [...tokensIn(newText, all)].some((token) => !escaping.plain.has(token));
  const reading: Artefact = {
    tier: 'escapes',
    meant: { oldText, newText: renewed },
    wholeLines: false,
    accepts: isWholeWords,
  };
  if (!alien && escape(renewed, escaping) === newText) return reading;
  // A new text without any escapes is plain as it is.
  if (tokensIn(newText, all).size === 0) return { ...reading, meant: { oldText, newText } };
  const detail = 'The old text is escaped once too often; the new text is not escaped in the same way.';
  return { ...reading, refusal: { detail, line: 1 } };
}

/** The sets of escapes that may make up one level, the fullest first. */
function levelsOf(found: ReadonlySet<string>, full: readonly string[]): string[][] {
  if (found.size === 0) return [];
  const tokens = [...found];
  const isFull = tokens.some((token) => token === '\\\\' || CONTROL.has(token) || full === MARKUP_LEVEL);
  const sets = [
    ...(isFull ? [[...new Set([...full, ...tokens])]] : []),
    tokens,
    tokens.filter((token) => token !== '\\\\'),
    tokens.filter((token) => !CONTROL.has(token)),
    tokens.filter((token) => CONTROL.has(token)),
    tokens.filter((token) => token === '\\\\'),
    tokens.filter((token) => token !== '\\\\' && !CONTROL.has(token)),
  ];
  const keys = sets.map((set) => set.toSorted().join(' '));
  return sets.filter((set, index) => set.length > 0 && keys.indexOf(keys[index] ?? '') === index);
}

function escapingOf(table: Readonly<Record<string, string>>, tokens: readonly string[]): Escaping {
  const source = tokens.map((token) => token.replace(/[\\$]/g, '\\$&')).join('|');
  const plain = new Map(tokens.map((token) => [token, table[token] ?? token]));
  return {
    pattern: new RegExp(source, 'g'),
    plain,
    escaped: new Map([...plain].toReversed().map(([token, character]) => [character, token])),
  };
}

function tokensIn(text: string, { pattern }: Escaping): Set<string> {
  return new Set(text.match(pattern));
}

function unescape(text: string, { pattern, plain }: Escaping): string {
  return text.replace(pattern, (token) => plain.get(token) ?? token);
}

function escape(text: string, { escaped }: Escaping): string {
  return Array.from(text, (character) => escaped.get(character) ?? character).join('');
}
