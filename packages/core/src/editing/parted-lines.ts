import { findLineWindows } from './line-windows.js';
import { flatLines, indentationOf, withoutIndentation, withoutTrailing, type TextLines } from './text-lines.js';

export interface PartedRequest {
  readonly text: string;
  readonly lines: TextLines;
  readonly oldText: string;
  readonly newText: string;
  /** Returns true if whole words begin and end at these places of the text. */
  readonly isWhole: (start: number, end: number) => boolean;
}

export interface PartedMatch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Finds lines with another indentation whose first line lacks its beginning or whose last lacks its end. Undefined if there are several
 * such places, or if the indentation of the new lines is not certain.
 */
export function findParted(request: PartedRequest): PartedMatch | undefined {
  const old = flatLines(request.oldText);
  const renewed = flatLines(request.newText);
  if (
    old.length < 2 ||
    old.length > MAX_LINES ||
    renewed.slice(1).every(isBlank) ||
    old.every((line, index) => index === 0 || isBlank(line))
  )
    return undefined;
  const [first, second] = placesOf(request, old);
  if (first === undefined || second !== undefined) return undefined;
  const { lines } = request;
  const last = old.length - 1;
  const cut = isBlank(old[last])
    ? ''
    : withoutIndentation(lines.textOf(first + last)).slice(withoutIndentation(old[last] ?? '').length);
  // The rest of the last line stays, whatever comes before it.
  const [oldText, newText] = [old, renewed].map((all) => all.slice(1).join('\n') + cut);
  const { start: begin, end, next } = lines.at(first);
  const [head = ''] = old;
  const start = begin + withoutTrailing(lines.textOf(first)).length - withoutTrailing(head).length;
  const [newHead = ''] = renewed;
  const rest = findLineWindows({
    ...request,
    oldText: oldText ?? '',
    newText: newText ?? '',
    tier: 'indentation',
  }).find((window) => window.start === next);
  if (rest?.text === undefined) return undefined;
  const written = newHead === head ? request.text.slice(start, end) : newHead;
  if (!rest.text.endsWith(cut)) return undefined;
  const tail = rest.text.slice(0, rest.text.length - cut.length);
  return { start, end: rest.end - cut.length, text: written + request.text.slice(end, next) + tail };
}

/** The most lines that are compared, to bound the cost. */
const MAX_LINES = 100;

/** Returns the first lines of all matching places. The first line must end so, the last begin so, and the lines between be equal. */
function placesOf({ lines, isWhole }: PartedRequest, old: readonly string[]): number[] {
  const isClosed = old.at(-1) === '';
  const content = isClosed ? old.slice(0, -1) : old;
  const wanted = content.map((line) => withoutTrailing(withoutIndentation(line)));
  const head = withoutTrailing(content[0] ?? '');
  const isThere = (line: string, index: number): boolean => {
    const whole = withoutTrailing(withoutIndentation(line));
    if (index === 0) return head.trim() !== '' && withoutTrailing(line).endsWith(head);
    if (index < wanted.length - 1 || isClosed || wanted[index] === '') return whole === wanted[index];
    return withoutIndentation(line).startsWith(withoutIndentation(content[index] ?? ''));
  };
  const found: number[] = [];
  for (let first = 0; first + content.length <= lines.count && found.length < 2; first += 1) {
    if (!isThere(lines.textOf(first), 0) || !wanted.every((_, index) => isThere(lines.textOf(first + index), index)))
      continue;
    const [top, bottom] = [lines.at(first), lines.at(first + content.length - 1)];
    const from = top.start + withoutTrailing(lines.textOf(first)).length - head.length;
    const indentation = indentationOf(lines.textOf(first + content.length - 1)).length;
    if (isWhole(from, bottom.start + indentation + (wanted.at(-1)?.length ?? 0))) found.push(first);
  }
  return found;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}
