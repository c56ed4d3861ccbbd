import { cells, displayWidth } from './cells.js';
import { safeText, sliceSafe, type Safe } from './safe-text.js';

export { displayWidth } from './cells.js';

/** The line cut to at most `width` columns, with `…` where something is missing. Colours that were on go off again. */
export function truncateToWidth(line: Safe, width: number): Safe {
  if (displayWidth(line) <= width) return line;
  if (width < 1) return safeText``;
  let used = 0;
  let end = 0;
  let codes = safeText``;
  let isCut = false;
  for (const { text, at, width: columns, isCode } of cells(line)) {
    if (isCode) {
      // Everything up to the cut is taken as it is; behind it only the codes count.
      if (isCut) codes = safeText`${codes}${sliceSafe(line, at, at + text.length)}`;
      else end = at + text.length;
      continue;
    }
    isCut ||= used + columns > width - 1;
    if (isCut) continue;
    used += columns;
    end = at + text.length;
  }
  return safeText`${sliceSafe(line, 0, end)}…${codes}`;
}

/** Blanks behind a line up to so many columns; one that is wider stays as it is. */
export function padToWidth(line: Safe, columns: number): Safe {
  return safeText`${line}${blanks(columns - displayWidth(line))}`;
}

/** So many blanks; none for less than one. */
export function blanks(count: number): Safe {
  return ' '.repeat(Math.max(0, count)) as Safe;
}
