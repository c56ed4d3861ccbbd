import { partitionPoint } from '../util/partition-point.js';

/** Where a line stands in its text. */
export interface TextLine {
  readonly start: number;
  /** Before the line ending. */
  readonly end: number;
  /** After the line ending. */
  readonly next: number;
}

/** The lines of a text; what follows the last line feed is a line only when it is not empty. */
export interface TextLines {
  readonly count: number;
  readonly at: (index: number) => TextLine;
  /** Without the line ending. */
  readonly textOf: (index: number) => string;
  /** 0-based index of the line that a place lies in. */
  readonly indexAt: (place: number) => number;
}

export function indexLines(text: string): TextLines {
  const starts = lineStarts(text);
  const at = (index: number): TextLine => {
    const start = starts[index] ?? text.length;
    const next = starts[index + 1] ?? text.length;
    return { start, end: contentEnd(text, start, next), next };
  };
  const textOf = (index: number): string => {
    const { start, end } = at(index);
    return text.slice(start, end);
  };
  const indexAt = (place: number): number =>
    Math.max(0, partitionPoint(starts.length, (index) => (starts[index] ?? 0) <= place) - 1);
  return { count: starts.length, at, textOf, indexAt };
}

/** Four bytes for each line: a text may have millions of them. */
function lineStarts(text: string): Uint32Array {
  let starts = new Uint32Array(Math.max(16, text.length >> 5));
  let count = 0;
  for (let start = 0; start < text.length; count += 1) {
    if (count === starts.length) {
      const larger = new Uint32Array(2 * count);
      larger.set(starts);
      starts = larger;
    }
    starts[count] = start;
    const feed = text.indexOf('\n', start);
    start = feed === -1 ? text.length : feed + 1;
  }
  return starts.subarray(0, count);
}

/** The lines of a place in a text; the first and the last may be parts of lines, the last an empty one. */
export function linesBetween(text: string, from: number, to: number): TextLine[] {
  const lines: TextLine[] = [];
  let start = from;
  for (;;) {
    const feed = text.indexOf('\n', start);
    if (feed === -1 || feed >= to) break;
    lines.push({ start, end: contentEnd(text, start, feed + 1), next: feed + 1 });
    start = feed + 1;
  }
  lines.push({ start, end: to, next: to });
  return lines;
}

export function flatLines(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split('\n');
}

function contentEnd(text: string, start: number, next: number): number {
  if (text[next - 1] !== '\n') return next;
  return next - (text[next - 2] === '\r' && next - 2 >= start ? 2 : 1);
}

const INDENTATION = /^[ \t]*/;

export function indentationOf(line: string): string {
  return INDENTATION.exec(line)?.[0] ?? '';
}

export function withoutIndentation(line: string): string {
  return line.slice(indentationOf(line).length);
}

/** White space that an editor or a model drops at the end of a line. A loop: a pattern would take quadratic time on long runs of blanks. */
export function withoutTrailing(line: string): string {
  let end = line.length;
  while (end > 0 && ' \t\r'.includes(line[end - 1] ?? '')) end -= 1;
  return line.slice(0, end);
}

/** Returns true if a text has this line, apart from white space at its ends. */
export function hasLine(text: string, trimmed: string): boolean {
  for (let at = text.indexOf(trimmed); at !== -1; at = text.indexOf(trimmed, at + trimmed.length)) {
    const start = text.lastIndexOf('\n', at - 1) + 1;
    const feed = text.indexOf('\n', at);
    if (text.slice(start, feed === -1 ? text.length : feed).trim() === trimmed) return true;
  }
  return false;
}
