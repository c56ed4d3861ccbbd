import { alignLines } from './align-lines.js';
import { stripLineNumbers } from './line-numbers.js';
import { isComment, readOmission } from './omission-line.js';
import { flatLines } from './text-lines.js';
import { hunksOf } from './write-match.js';

/** What of a new text must not get into a file. */
export interface Omission {
  readonly reason: 'omission' | 'line-numbers';
  /** One sentence. */
  readonly detail: string;
  /** In the new text, 1-based. */
  readonly line: number;
}

const MAX_QUOTED = 80;

/**
 * A placeholder for code that was left out, or line numbers copied from a listing, that the new text would bring into
 * the file. Lines that stand in the old text or in the file already are no matter.
 * `oldText`: what the new text replaces, empty when it is a whole file. `fileText`: the file as it is.
 */
export function findOmission(newText: string, oldText: string, fileText = ''): Omission | undefined {
  const lines = flatLines(newText);
  return placeholderIn(lines, oldText, fileText) ?? numbersIn(newText, lines, [oldText, fileText]);
}

function placeholderIn(lines: readonly string[], oldText: string, fileText: string): Omission | undefined {
  let swallowed: ReadonlySet<number> | undefined;
  for (const [index, line] of lines.entries()) {
    const omission = readOmission(line);
    if (omission === undefined) continue;
    const said = line.trim();
    if (omission.kind !== 'words') {
      swallowed ??= swallowing(oldText, lines, fileText);
      if (!swallowed.has(index)) continue;
    } else if (hasLine(oldText, said) || hasLine(fileText, said)) continue;
    const quoted = said.length > MAX_QUOTED ? `${said.slice(0, MAX_QUOTED)}…` : said;
    return {
      reason: 'omission',
      detail: `The new text has a placeholder for code that is left out (\`${quoted}\`); write out the real lines.`,
      line: index + 1,
    };
  }
  return undefined;
}

/** Whether a text has a line that is this one but for white space at its ends. */
export function hasLine(text: string, trimmed: string): boolean {
  for (let at = text.indexOf(trimmed); at !== -1; at = text.indexOf(trimmed, at + trimmed.length)) {
    const start = text.lastIndexOf('\n', at - 1) + 1;
    const feed = text.indexOf('\n', at);
    if (text.slice(start, feed === -1 ? text.length : feed).trim() === trimmed) return true;
  }
  return false;
}

/**
 * New lines of dots, or of words that may be meant otherwise, that come in place of old lines: they stand for what was
 * there. Bare dots are code in some languages, such as the empty body of Python.
 */
function swallowing(oldText: string, lines: readonly string[], fileText: string): ReadonlySet<number> {
  const oldLines = flatLines(oldText).map((line) => line.trim());
  const newLines = lines.map((line) => line.trim());
  const kept = alignLines(oldLines, newLines);
  const found = new Set<number>();
  for (const { oldFrom, oldTo, newFrom, newTo } of hunksOf(kept, oldLines.length)) {
    const gone = oldLines.slice(oldFrom, oldTo).filter((line) => line !== '');
    if (gone.length === 0) continue;
    const come = newLines.slice(newFrom, newTo).filter((line) => line !== '' && readOmission(line) === undefined);
    const shrinks = gone.length > come.length && gone.some((line) => !isComment(line));
    for (let index = newFrom; index < newTo; index += 1) {
      const omission = readOmission(newLines[index] ?? '');
      if (omission === undefined || omission.kind === 'words') continue;
      const swallows = omission.kind === 'weak' ? shrinks : !mayBeMeant(newLines, index, fileText, omission.comment);
      if (swallows) found.add(index);
    }
  }
  return found;
}

/** Whether dots may be code or prose: in the example of a document, and if they are bare under a colon, in a list of
 * parameters, or in no language with braces. */
function mayBeMeant(lines: readonly string[], index: number, fileText: string, comment: boolean): boolean {
  const fences = lines.slice(0, index).filter((line) => FENCE.test(line)).length;
  if (fences % 2 === 1) return true;
  if (comment || lines[index] === '…') return false;
  const above = lines.slice(0, index).findLast((line) => line !== '') ?? '';
  const below = lines.slice(index + 1).find((line) => line !== '') ?? '';
  // The parameters of C that are not named.
  if (/[,(]$/.test(above) && below.startsWith(')')) return true;
  if (/[,[{]$/.test(above)) return false;
  const sample = fileText
    .slice(0, SAMPLED_CHARS)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const braced = sample.filter((line) => /[;{}]\s*$/.test(line)).length;
  const hasBraces = braced * 4 >= sample.length;
  // The body of Python; in a language with braces a label stands there.
  return above.endsWith(':') ? !(hasBraces && LABEL.test(above)) : !hasBraces;
}

const FENCE = /^(?:`{3,}|~{3,})/;
const LABEL = /^(?:case\b.*|default *|\w+ *):$/;
const SAMPLED_CHARS = 100_000;

/** Numbers before every line, or before some that follow each other, as a listing has them. */
function numbersIn(newText: string, lines: readonly string[], known: readonly string[]): Omission | undefined {
  const whole = stripLineNumbers(newText);
  const plain = whole === undefined ? numberedRun(lines) : { line: 1, lines: flatLines(whole.text) };
  if (plain === undefined) return undefined;
  const first = (lines[plain.line - 1] ?? '').trim();
  if (known.some((text) => hasLine(text, first))) return undefined;
  // Data may begin with numbers too; a listing shows what is in the file, or has the arrow of the read tool.
  const arrow =
    /^ *\d+→/.test(lines[plain.line - 1] ?? '') && plain.lines.filter((line) => line.trim() !== '').length > 1;
  const listed = plain.lines.some((line) => line.trim().length > 2 && known.some((text) => hasLine(text, line.trim())));
  if (!arrow && !listed) return undefined;
  const detail = 'The new text has the line numbers of a listing before its lines; send the lines without them.';
  return { reason: 'line-numbers', detail, line: plain.line };
}

/** Two lines or more with consecutive numbers and the arrow of the read tool. */
function numberedRun(lines: readonly string[]): { line: number; lines: readonly string[] } | undefined {
  const numberOf = (line: string | undefined): number => Number(/^ *(\d{1,9})→/.exec(line ?? '')?.[1] ?? Number.NaN);
  const index = lines.findIndex((line, at) => numberOf(line) + 1 === numberOf(lines[at + 1]));
  if (index === -1) return undefined;
  const run = lines.slice(index, index + 2).map((line) => line.replace(/^ *\d+→/, ''));
  return { line: index + 1, lines: run };
}
