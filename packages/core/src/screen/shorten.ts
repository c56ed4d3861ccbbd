import { safeText, splitLines, type Safe, type Untrusted } from './safe-text.js';
import { truncateToWidth } from './width.js';

/** Lines with the middle left out, and how many: head and tail are always shown. */
export function shortenLines(lines: readonly Safe[], most: number): Safe[] {
  if (lines.length <= most) return [...lines];
  const tail = Math.floor((most - 1) / 2);
  const head = most - 1 - tail;
  const missing = lines.length - head - tail;
  return [...lines.slice(0, head), safeText`… ${missing} lines not shown …`, ...(tail === 0 ? [] : lines.slice(-tail))];
}

/** Characters of either end of a line that are shown. */
const LINE_END = 500;

/** One line with its middle left out, and how much: a long line must not hide what stands at its end. Still untrusted. */
export function cutLine(line: Untrusted): Untrusted {
  const missing = line.length - 2 * LINE_END;
  if (missing <= 0) return line;
  return `${line.slice(0, LINE_END)}… [${missing} characters not shown] …${line.slice(-LINE_END)}`;
}

/** `shortenLines` for one text of several lines. With `columns`, those of a terminal, no line is wider either. */
export function shortenText(text: Safe, most: number, columns = Infinity): Safe[] {
  return shortenLines(splitLines(text), most).map((line) => truncateToWidth(line, columns));
}
