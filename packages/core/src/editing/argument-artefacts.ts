import { mayBeMeantEscaped } from './escape-doubts.js';
import { lineNumberIn, stripLineNumbers, strippings, type StrippedLines } from './line-numbers.js';
import { isWholeWords } from './match-text.js';
import { hasLine } from './text-lines.js';

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
  return strippings(oldText).map((old) => numberReading(oldText, old, newText));
}

function numberReading(sentOld: string, old: StrippedLines, newText: string): Artefact {
  const numbered = stripLineNumbers(newText, old.separator);
  // Data may begin with numbers as well: then the new text has lines that the old one has behind its numbers.
  const isPlain = numbered === undefined || sharesLine(old.text, newText);
  const isListing = numbered !== undefined && goesOn(old, numbered);
  const stray = numbered === undefined ? lineNumberIn(newText, old.separator) : isPlain === isListing ? 1 : undefined;
  let line: { readonly text: string; readonly start: number } | undefined;
  let data: { readonly text: string; readonly found: boolean } | undefined;
  const accepts = (text: string, start: number): boolean => {
    if (old.separator === 'arrow') return true;
    // What the file has with its numbers, or has fewer lines than, is no listing of it.
    if (data?.text !== text) {
      const isBeyond = startOfLine(text, old.first + old.count - 1) > text.length;
      data = { text, found: isBeyond || sharesLine(text, sentOld) };
    }
    if (data.found) return false;
    if (old.count > 1) return true;
    if (line?.text !== text) line = { text, start: startOfLine(text, old.first) };
    const feed = text.indexOf('\n', line.start);
    return start >= line.start && (feed === -1 || start <= feed);
  };
  const reading: Artefact = {
    tier: 'line-numbers',
    meant: { oldText: old.text, newText: isPlain ? newText : numbered.text },
    wholeLines: true,
    sameIndentation: isPlain && old.separator !== 'arrow',
    accepts,
  };
  if (stray === undefined) return reading;
  const detail =
    numbered === undefined
      ? 'Some lines of the new text begin with the line number of a listing, and others do not.'
      : 'The old text has the line numbers of a listing; whether the numbers in the new text are such or part of its lines is not clear.';
  return { ...reading, refusal: { detail, line: stray } };
}

/** Whether the numbers of the new text are those of the listing that the old one is from, some left out or put in. */
function goesOn(old: StrippedLines, { numbers }: StrippedLines): boolean {
  const last = old.first + Math.max(old.count, numbers.length);
  return numbers.every(
    (number, index) =>
      number >= (numbers[index - 1] ?? old.first) && number <= last && (numbers[0] ?? 0) < old.first + old.count,
  );
}

/** Whether a text has one of the lines of another. */
function sharesLine(text: string, other: string): boolean {
  return other.split('\n').some((line) => line.trim() !== '' && hasLine(text, line.trim()));
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
      readings.push(escapeReading(oldText, newText, escaping, all));
    }
  }
  return readings;
}

function escapeReading(sentOld: string, newText: string, escaping: Escaping, all: Escaping): Artefact {
  const oldText = unescape(sentOld, escaping);
  const renewed = unescape(newText, escaping);
  const alien = [...tokensIn(newText, all)].some((token) => !escaping.plain.has(token));
  const reading: Artefact = {
    tier: 'escapes',
    meant: { oldText, newText: renewed },
    wholeLines: false,
    accepts: isWholeWords,
  };
  if (!alien && escape(renewed, escaping) === newText) {
    const unescaped = { oldText, sent: newText, plain: renewed, undone: escaping.plain };
    if (isAlike(sentOld, newText, escaping) && !mayBeMeantEscaped(unescaped)) return reading;
  }
  // A new text without any escapes is plain as it is.
  if (tokensIn(newText, all).size === 0) return { ...reading, meant: { oldText, newText } };
  const detail = 'The old text is escaped once too often; the new text is not escaped in the same way.';
  return { ...reading, refusal: { detail, line: 1 } };
}

/** Whether the two have an escape in common, or the new text has none: one without it may be plain. */
function isAlike(oldText: string, newText: string, escaping: Escaping): boolean {
  const old = tokensIn(oldText, escaping);
  const renewed = tokensIn(newText, escaping);
  return renewed.size === 0 || [...renewed].some((token) => old.has(token));
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
