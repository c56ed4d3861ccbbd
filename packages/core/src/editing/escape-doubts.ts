/** What a new text is once its escapes are undone, and what it was before. */
export interface Unescaped {
  readonly oldText: string;
  readonly sent: string;
  readonly plain: string;
  /** Of the sent text, each with its escaped character: those that were undone. */
  readonly undone: ReadonlyMap<string, string>;
}

const FENCES = /"""|'''/g;
/** An apostrophe within a word is no quote. */
const APOSTROPHE = /(?<=\p{L})'(?=\p{L})/gu;
const QUOTES = ['"', "'", '`'];
/** A character by its number. */
const CODE = /\\(?:u[\da-fA-F]{4}|u\{|x[\da-fA-F]{2})/;
/** In markup, signs that stand there as entities. */
const TAG = /<\/[a-zA-Z]|\/>|<!|<[a-zA-Z][\w-]*\s+[\w:-]+=/;
const LOOSE = /<(?![a-zA-Z/!?>=])|(?<!&)&(?!&|#?\w+;)/;
/** Escapes that are no part of any level that can be undone, and the drive of a path. */
const OTHER_ESCAPE = /(?:^|[^\\])(?:\\\\)*(?:\\[^nrt"'`$/\\\s]|[A-Za-z]:\\[nrt])/;

/**
 * Whether something that was undone may have been meant as an escape: a line break, tab or quote within a literal, which
 * it would break, or what stands beside escapes that were not escaped themselves.
 */
export function mayBeMeantEscaped({ oldText, sent, plain, undone }: Unescaped): boolean {
  const used = [...undone].filter(([token]) => sent.includes(token)).map(([, character]) => character);
  const isBackslashed = [...undone.keys()].some((token) => token.startsWith('\\'));
  if (isBackslashed && used.length > 0 && CODE.test(sent) && !CODE.test(oldText)) return true;
  if (!isBackslashed && TAG.test(oldText) && LOOSE.test(plain) && !LOOSE.test(oldText)) return true;
  const lines = plain.split('\n');
  if (used.some((character) => QUOTES.includes(character) && opensMore(character, oldText, lines))) return true;
  if (!used.some((character) => /\s/.test(character))) return false;
  return (OTHER_ESCAPE.test(sent) && !OTHER_ESCAPE.test(oldText)) || breaksLiteral(oldText, lines);
}

/** A quote too many on a line, where the old text has whole pairs of it. */
function opensMore(quote: string, oldText: string, lines: readonly string[]): boolean {
  const before = oldText.split(quote).length - 1;
  return before > 0 && before % 2 === 0 && lines.some((line) => line.split(quote).length % 2 === 0);
}

function breaksLiteral(oldText: string, lines: readonly string[]): boolean {
  const oldLines = oldText.split('\n');
  const known = new Set(oldLines);
  const isNew = (index: number): boolean => !known.has(lines[index] ?? '');
  const isBreak = (all: readonly string[], index: number): boolean => isBroken(all[index] ?? '', all[index + 1] ?? '');
  // A literal that has several lines already may have others.
  const isLong = oldLines.some((_, index) => isBreak(oldLines, index));
  return lines.some(
    (line, index) =>
      (!isLong && (isNew(index) || isNew(index + 1)) && isBreak(lines, index)) ||
      (isNew(index) && hasTabInLiteral(line)),
  );
}

/** Whether a literal that is opened on one line is closed on the next. */
function isBroken(line: string, next: string): boolean {
  return QUOTES.some((quote) => count(line, quote) % 2 === 1 && count(next, quote) % 2 === 1);
}

function hasTabInLiteral(line: string): boolean {
  for (let at = line.indexOf('\t'); at !== -1; at = line.indexOf('\t', at + 1)) {
    if (QUOTES.some((quote) => count(line.slice(0, at), quote) % 2 === 1 && count(line.slice(at), quote) % 2 === 1))
      return true;
  }
  return false;
}

function count(line: string, quote: string): number {
  return line.replace(FENCES, '').replace(APOSTROPHE, '').split(quote).length - 1;
}
