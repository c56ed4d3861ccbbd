import { groupDigits } from '../../util/group-digits.js';
import { bytesOf, count, pathOnOneLine } from './search-text.js';
import type { ShownLine } from './shown-line.js';

/** What one page shows of one file. */
export interface PagedFile {
  readonly path: string;
  /** Matches in the whole file. */
  readonly total: number;
  /** Matches before those of the page. */
  readonly first: number;
  /** The page's matches; none when the file changed meanwhile, or its lines could not be read. */
  readonly matches: number;
  /** Why they could not. */
  readonly failure?: string | undefined;
  readonly lines: readonly ShownLine[];
}

export interface Context {
  readonly before: number;
  readonly after: number;
}

/** A file as text: its path, its lines, and which of its matches these are unless they are all. */
export interface FileBlock {
  readonly text: string;
  /** The matching lines in it. */
  readonly matches: readonly ShownLine[];
}

/** The lines with no more around each match than that. */
export function withContext(lines: readonly ShownLine[], { before, after }: Context): ShownLine[] {
  const matching = lines.filter(isMatch).map(({ line }) => line);
  let next = 0;
  return lines.filter(({ line }) => {
    while (next < matching.length && (matching[next] ?? 0) < line) next++;
    const nearBelow = (matching[next] ?? Number.POSITIVE_INFINITY) - line;
    const nearAbove = line - (matching[next - 1] ?? Number.NEGATIVE_INFINITY);
    return nearBelow <= before || nearAbove <= after;
  });
}

interface WrittenLine {
  readonly text: string;
  /** Of UTF-8. */
  readonly bytes: number;
}

/** Lines as they are shown, written and measured once each: until one rendering fits, most are in many. */
export class WrittenLines {
  readonly #written = new Map<ShownLine, WrittenLine>();

  of(line: ShownLine): WrittenLine {
    let written = this.#written.get(line);
    if (written === undefined) {
      const text = lineOf(line);
      written = { text, bytes: bytesOf(text) };
      this.#written.set(line, written);
    }
    return written;
  }
}

/** All lines of the file; `gaps`: `--` stands where lines are left out between two. */
export function renderFile(file: PagedFile, gaps: boolean, written = new WrittenLines()): FileBlock {
  return blockOf(file, { lines: file.lines, gaps, matches: file.matches }, written);
}

/** Like `renderFile` for lines without context, but no more lines than fit in `bytes`; one at least. */
export function renderFileWithin(
  file: PagedFile,
  bytes: number,
  multiline: boolean,
  written = new WrittenLines(),
): FileBlock {
  let left = bytes;
  let kept = 0;
  for (const line of file.lines) {
    left -= written.of(line).bytes + 1;
    if (left < 0 && kept > 0) break;
    kept++;
  }
  if (kept === file.lines.length) return renderFile(file, multiline, written);
  const matches = multiline ? undefined : kept;
  return blockOf(file, { lines: file.lines.slice(0, kept), gaps: multiline, matches }, written);
}

interface ShownPart {
  readonly lines: readonly ShownLine[];
  readonly gaps: boolean;
  /** How many the lines hold; undefined when it cannot be said. */
  readonly matches: number | undefined;
}

function blockOf(file: PagedFile, { lines, gaps, matches }: ShownPart, written: WrittenLines): FileBlock {
  const parts = [pathOnOneLine(file.path)];
  let previous: number | undefined;
  for (const line of lines) {
    if (gaps && previous !== undefined && line.line > previous + 1) parts.push('--');
    parts.push(written.of(line).text);
    previous = line.line;
  }
  const extent = extentOf(file, matches);
  if (extent !== '') parts.push(extent);
  return { text: parts.join('\n'), matches: lines.filter(isMatch) };
}

function extentOf(file: PagedFile, matches: number | undefined): string {
  if (file.matches === 0 && file.failure !== undefined) return `[its lines could not be read: ${file.failure}]`;
  if (file.matches === 0) return '[changed while it was searched, or gone: search again]';
  if (matches === undefined) return `[first lines of ${rangeOf(file, file.matches)}]`;
  return matches === file.total ? '' : `[${rangeOf(file, matches)}]`;
}

function rangeOf({ first, total }: PagedFile, matches: number): string {
  const range =
    matches === 1
      ? `match ${groupDigits(first + 1)}`
      : `matches ${groupDigits(first + 1)}-${groupDigits(first + matches)}`;
  return `${range} of ${groupDigits(total)} in this file`;
}

/** `12: text`, `13- text around it`; a cut line says where its first match stands. */
function lineOf({ line, column, text, cutBefore, cutAfter }: ShownLine): string {
  const mark = column === undefined ? '-' : ':';
  if (cutBefore === 0 && cutAfter === 0) return `${line}${mark} ${text}`;
  const length = cutBefore + text.length + cutAfter;
  const place =
    column === undefined
      ? count(length, 'character')
      : `match at column ${groupDigits(column)} of ${groupDigits(length)}`;
  return `${line}${mark} ${cutBefore > 0 ? '…' : ''}${text}${cutAfter > 0 ? '…' : ''} [long line cut; ${place}]`;
}

function isMatch({ column }: ShownLine): boolean {
  return column !== undefined;
}
