import { alignLines } from './align-lines.js';
import { lineEndingAt } from './line-endings.js';

/**
 * `trailing-space`: lines equal but for white space at their ends. `indentation`: besides, all lines are indented
 * by the same other amount.
 */
export type LineWindowTier = 'trailing-space' | 'indentation';

export interface LineWindowMatch {
  readonly start: number;
  readonly end: number;
  /** What to write there: lines that the edit does not change stay as the file has them. */
  readonly text: string;
}

export interface LineWindowRequest {
  readonly text: string;
  readonly oldText: string;
  readonly newText: string;
  readonly tier: LineWindowTier;
}

interface FileLine {
  readonly start: number;
  /** Before the line ending. */
  readonly end: number;
  /** After the line ending. */
  readonly next: number;
}

const INDENTATION = /^[ \t]*/;

/** Every run of whole lines that matches `oldText` at the tier, in order. Blank targets match nothing. */
export function findLineWindows(request: LineWindowRequest): LineWindowMatch[] {
  const target = targetLines(request.oldText);
  const wanted = target.lines.map(withoutTrailing);
  const anchor = wanted.findIndex((line) => line !== '');
  if (anchor === -1) return [];
  const lines = splitFile(request.text);
  const loose = request.tier === 'indentation';
  const normalise = (line: string): string =>
    loose ? withoutIndentation(withoutTrailing(line)) : withoutTrailing(line);
  const keys = wanted.map(normalise);
  const file = lines.map(({ start, end }) => normalise(request.text.slice(start, end)));
  const matches: LineWindowMatch[] = [];
  for (let first = 0; first + keys.length <= file.length; first += 1) {
    if (file[first + anchor] !== keys[anchor]) continue;
    if (!keys.every((key, index) => file[first + index] === key)) continue;
    const window = lines.slice(first, first + keys.length);
    const match = writeWindow(request, target, window);
    if (match !== undefined) matches.push(match);
  }
  return matches;
}

interface Target {
  readonly lines: readonly string[];
  /** The target includes the line ending of its last line. */
  readonly closed: boolean;
}

function targetLines(text: string): Target {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const closed = lines.length > 1 && lines.at(-1) === '';
  return { lines: closed ? lines.slice(0, -1) : lines, closed };
}

function splitFile(text: string): FileLine[] {
  const lines: FileLine[] = [];
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start);
    const next = feed === -1 ? text.length : feed + 1;
    const end = feed === -1 ? next : feed - (text[feed - 1] === '\r' && feed > start ? 1 : 0);
    lines.push({ start, end, next });
    start = next;
  }
  return lines;
}

function writeWindow(
  { text, newText, tier }: LineWindowRequest,
  target: Target,
  window: readonly FileLine[],
): LineWindowMatch | undefined {
  const [first] = window;
  const last = window.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const originals = window.map(({ start, end }) => text.slice(start, end));
  const reindent = tier === 'indentation' ? indentationShift(target.lines, originals) : (line: string) => line;
  if (reindent === undefined) return undefined;
  const replacement = targetLines(newText);
  const lines = replacement.lines.map(reindent);
  const ending = lineEndingAt(text, first.start, last.end) ?? '\n';
  const kept = alignLines(target.lines, replacement.lines);
  const endsOpen = last.next === last.end;
  const pieces: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === undefined) return undefined;
    const original = window[kept[index] ?? -1];
    const isLast = index === lines.length - 1;
    const close =
      original === undefined || original.next === original.end ? ending : text.slice(original.end, original.next);
    pieces.push(original === undefined ? line : text.slice(original.start, original.end), isLast ? '' : close);
  }
  const body = pieces.join('');
  if (!target.closed) {
    return { start: first.start, end: last.end, text: replacement.closed ? body + ending : body };
  }
  // A target that closes its last line deletes that line whole when the new text is empty.
  const close = replacement.closed && !endsOpen ? text.slice(last.end, last.next) : '';
  return { start: first.start, end: last.next, text: newText === '' ? '' : body + close };
}

/**
 * How to re-indent a new line when the old lines stand in the file with another common indentation; undefined
 * when they do not differ by one shift. A new line outside the common indentation cannot be shifted.
 */
function indentationShift(
  wanted: readonly string[],
  originals: readonly string[],
): ((line: string) => string | undefined) | undefined {
  const from = commonIndentation(wanted);
  const to = commonIndentation(originals);
  const uniform = wanted.every((line, index) => {
    if (line.trim() === '') return true;
    return indentationOf(line).slice(from.length) === indentationOf(originals[index] ?? '').slice(to.length);
  });
  if (!uniform) return undefined;
  return (line) => {
    if (line.trim() === '') return line;
    return line.startsWith(from) ? to + line.slice(from.length) : undefined;
  };
}

/** White space that an editor or a model drops at the end of a line. A loop: a pattern would take quadratic time on long runs of blanks. */
function withoutTrailing(line: string): string {
  let end = line.length;
  while (end > 0 && ' \t\r'.includes(line[end - 1] ?? '')) end -= 1;
  return line.slice(0, end);
}

function withoutIndentation(line: string): string {
  return line.slice(indentationOf(line).length);
}

function commonIndentation(lines: readonly string[]): string {
  let common: string | undefined;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const own = indentationOf(line);
    if (common === undefined) common = own;
    while (!own.startsWith(common)) common = common.slice(0, -1);
  }
  return common ?? '';
}

function indentationOf(line: string): string {
  return INDENTATION.exec(line)?.[0] ?? '';
}
