import { indentationOf } from './text-lines.js';

/** The same lines as sent and as in the file, with different indentation. */
export interface LinePair {
  readonly wanted: readonly string[];
  readonly originals: readonly string[];
}

/**
 * Indents a new line as in the file; undefined if the indentation is not certain. `index`: the line in the new text; `near`: the old line
 * that it replaces or follows.
 */
export type Indenter = (line: string, index: number, near: number) => string | undefined;

/**
 * Returns how new lines are indented if the lines differ by more than one shift but are certainly the same. It covers mixed tabs and blanks
 * of one width, a deeper first line, and YAML list items at another depth. Undefined for any other difference.
 */
export function indentationMap(pair: LinePair): Indenter | undefined {
  return bySameWidth(pair) ?? byFirstLine(pair) ?? byListItems(pair);
}

const TAB_WIDTHS = [8, 4, 2, 3];

/** Uses the file's indentation of the nearest line that was sent with the same indentation. */
function bySameWidth(pair: LinePair): Indenter | undefined {
  const isSame = (width: number): boolean =>
    pairsOf(pair).every(([sent, there]) => widthOf(sent, width) === widthOf(there, width));
  if (!TAB_WIDTHS.some(isSame)) return undefined;
  return (line, _, near) => {
    const sent = indentationOf(line);
    const alike = [...pair.wanted.keys()].filter(
      (index) => !isBlank(pair.wanted[index]) && indentationOf(pair.wanted[index] ?? '') === sent,
    );
    const [nearest] = alike.toSorted((one, other) => Math.abs(one - near) - Math.abs(other - near));
    return nearest === undefined ? undefined : replaced(line, indentationOf(pair.originals[nearest] ?? ''));
  };
}

/** Corrects the first line if all others are as in the file. */
function byFirstLine(pair: LinePair): Indenter | undefined {
  const [first, ...others] = pairsOf(pair);
  if (first === undefined || others.length === 0 || isBlank(pair.wanted[0])) return undefined;
  const [sent, there] = first;
  if (!sent.startsWith(there) || sent === there || others.some(([one, other]) => one !== other)) return undefined;
  const isElsewhere = others.some(([one]) => one === sent);
  return (line, index) => {
    if (indentationOf(line) !== sent) return line;
    return index === 0 ? replaced(line, there) : isElsewhere ? line : undefined;
  };
}

const ITEM = /^\s*-(?:\s|$)/;

/** Shifts list lines by one amount and other lines by another. */
function byListItems({ wanted, originals }: LinePair): Indenter | undefined {
  let item: number | undefined;
  const shifts = { list: new Set<number>(), other: new Set<number>() };
  for (const [index, line] of wanted.entries()) {
    if (isBlank(line)) continue;
    const [depth, there] = [indentationOf(line).length, indentationOf(originals[index] ?? '').length];
    if (indentationOf(line + (originals[index] ?? '')).includes('\t')) return undefined;
    if (ITEM.test(line)) item = Math.min(item ?? depth, depth);
    else if (item !== undefined && depth <= item) item = undefined;
    shifts[item === undefined ? 'other' : 'list'].add(there - depth);
  }
  if (shifts.list.size !== 1 || shifts.other.size !== 1) return undefined;
  const known = new Map<string, string | undefined>();
  for (const [index, line] of wanted.entries()) {
    const there = indentationOf(originals[index] ?? '');
    if (isBlank(line)) continue;
    const isOther = known.has(keyOf(line)) && known.get(keyOf(line)) !== there;
    known.set(keyOf(line), isOther ? undefined : there);
  }
  return (line) => replaced(line, known.get(keyOf(line)));
}

/** Returns a key that keeps list items apart from other lines, because items may be as deep as their key. */
function keyOf(line: string): string {
  return indentationOf(line) + (ITEM.test(line) ? '-' : '');
}

function pairsOf({ wanted, originals }: LinePair): [sent: string, there: string][] {
  return wanted.flatMap((line, index): [string, string][] =>
    isBlank(line) ? [] : [[indentationOf(line), indentationOf(originals[index] ?? '')]],
  );
}

function replaced(line: string, indentation: string | undefined): string | undefined {
  return indentation === undefined ? undefined : indentation + line.slice(indentationOf(line).length);
}

function widthOf(indentation: string, tab: number): number {
  let width = 0;
  for (const sign of indentation) width = sign === '\t' ? width - (width % tab) + tab : width + 1;
  return width;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}
