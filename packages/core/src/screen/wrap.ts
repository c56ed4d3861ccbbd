import { cells, displayWidth, type Cell } from './cells.js';
import { joinSafe, safeText, sliceSafe, splitLines, type Safe } from './safe-text.js';
import { activeLooks, type ActiveLooks } from './active-looks.js';

export interface WrapOptions {
  /** Stands before the first line; it takes columns of it. */
  readonly first?: Safe;
  /** Stands before every other line. Default: as many blanks as `first` is wide. */
  readonly rest?: Safe;
}

const PLAIN = /^[\x20-\x7e]*$/;
/** A tab as wide as this: what stands behind it must not depend on where the line is broken. */
const TAB = safeText`    `;

/**
 * Text as lines of at most so many columns (in a single one a wide character takes two all the same), broken between words where that is possible, else between characters. A look that is on at a break
 * goes off at the end of the line and on again with the next. Blanks at a break are dropped; those at the beginning of a
 * line of the text stay.
 */
export function wrapSafe(text: Safe, columns: number, options: WrapOptions = {}): Safe[] {
  const first = options.first ?? safeText``;
  const firstWidth = displayWidth(first);
  const rest = options.rest ?? (' '.repeat(firstWidth) as Safe);
  const restWidth = displayWidth(rest);
  const lines: Safe[] = [];
  for (const line of splitLines(text)) {
    const isFirst = lines.length === 0;
    const later = Math.max(1, columns - restWidth);
    const room = isFirst ? Math.max(1, columns - firstWidth) : later;
    for (const part of wrapLine(withoutTabs(line), room, later))
      lines.push(safeText`${lines.length === 0 ? first : rest}${part}`);
  }
  return lines;
}

/** The columns `[from, to)` of a line, looks as they are there; a wide character that is cut through is left out. */
export function sliceColumns(line: Safe, from: number, to: number): Safe {
  const looks = activeLooks();
  const parts: Safe[] = [];
  let column = 0;
  for (const cell of cells(line)) {
    const part = sliceSafe(line, cell.at, cell.at + cell.text.length);
    if (cell.isCode) {
      looks.read(cell.text);
      if (column >= from && column < to && parts.length > 0) parts.push(part);
      continue;
    }
    if (column >= from && column + cell.width <= to) {
      if (parts.length === 0) parts.push(looks.on());
      parts.push(part);
    }
    column += cell.width;
    if (column >= to) break;
  }
  return parts.length === 0 ? safeText`` : joinSafe([...parts, looks.off()], safeText``);
}

function withoutTabs(line: Safe): Safe {
  return line.includes('\t') ? joinSafe(line.split('\t') as Safe[], TAB) : line;
}

function wrapLine(line: Safe, first: number, later: number): Safe[] {
  const lines: Safe[] = [];
  // An indent that leaves no room for words is made smaller.
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  let at = Math.max(0, indent - Math.floor(first / 2));
  let looks = safeText``;
  for (;;) {
    const isFirst = lines.length === 0 && !line.startsWith('\u001b');
    const { part, found } = breakAhead({ line, at, looks }, lines.length === 0 ? first : later, isFirst);
    if (found === undefined) return [...lines, part];
    lines.push(safeText`${sliceSafe(part, 0, found.end)}${found.looks.off()}`);
    at += found.next - looks.length;
    if (at >= line.length) return lines;
    looks = found.looks.on();
  }
}

/** Code units that are looked at for a column: many characters and codes take several. */
const UNITS_A_COLUMN = 8;
/** What stands so near to the end of a part may look different with what follows it. */
const PART_EDGE = 64;

/** What is left of a line, with the looks that are on there. */
interface Rest {
  readonly line: Safe;
  readonly at: number;
  readonly looks: Safe;
}

/** The break in as little of the rest as shows it: a long line takes time for its length, not for its square. */
function breakAhead({ line, at, looks }: Rest, room: number, isFirst: boolean): { part: Safe; found?: Break } {
  for (let size = room * UNITS_A_COLUMN + 4 * PART_EDGE; ; size *= 4) {
    const part = safeText`${looks}${sliceSafe(line, at, at + size)}`;
    const isAll = at + size >= line.length;
    const found = findBreak(part, room, isFirst);
    if (found !== undefined && (isAll || found.next < part.length - PART_EDGE)) return { part, found };
    if (isAll) return { part };
  }
}

/** Where a line is broken: it ends before `end`, the next one begins at `next`. */
interface Break {
  readonly end: number;
  readonly next: number;
  /** Those that are on there. */
  readonly looks: ActiveLooks;
}

/** Undefined where all of it fits. `isFirst`: blanks at the beginning are an indent, which is no place for a break. */
function findBreak(line: Safe, room: number, isFirst: boolean): Break | undefined {
  if (line.length <= room && PLAIN.test(line)) return undefined;
  const looks = activeLooks();
  let used = 0;
  let hasWord = !isFirst;
  let last: Break | undefined;
  for (const cell of cells(line)) {
    const here: Break = { end: cell.at, next: cell.at, looks };
    if (cell.isCode) {
      looks.read(cell.text);
    } else if (cell.text === ' ') {
      // Blanks may stand beyond the end: they are dropped there.
      if (hasWord && used > 0) last = behindBlank(last, cell, looks);
      used += 1;
    } else {
      const isBehindBlank = last?.next === cell.at;
      if (used > 0 && used + cell.width > room) {
        if (last !== undefined && (isBehindBlank || used > room || !isBreakable(cell))) return last;
        return here;
      }
      if (hasWord && used > 0 && !isBehindBlank && isBreakable(cell)) last = { ...here, looks: looks.copy() };
      hasWord = true;
      used += cell.width;
    }
  }
  return used > room && last?.next === line.length ? last : undefined;
}

function behindBlank(last: Break | undefined, cell: Cell, looks: ActiveLooks): Break {
  const next = cell.at + 1;
  return last?.next === cell.at ? { ...last, next } : { end: cell.at, next, looks: looks.copy() };
}

/** Chinese, Japanese and emoji may be broken before; not before what ends a sentence. */
function isBreakable(cell: Cell): boolean {
  return cell.width === 2 && !/^[\u3001\u3002\uff01\uff09\uff0c\uff1a\uff1b\uff1f\u300d\u300f\u3011]/u.test(cell.text);
}
