import { foldCharacters } from './fold-characters.js';
import { indentationOf } from './text-lines.js';

/** The lines that an anchor speaks of, 0-based: itself, and the block below it up to `end`, which is past the last. */
export interface AnchoredBlock {
  readonly anchor: number;
  readonly end: number;
}

export type AnchorSearch =
  | { readonly found: 'blocks'; readonly blocks: readonly AnchoredBlock[] }
  /** `index`: which of the anchors is nowhere. */
  | { readonly found: 'none'; readonly index: number };

const MIN_PART = 3;

/** Where the innermost anchor stands: each of them is looked for in the blocks of the one before, else below them. */
export function findAnchors(lines: readonly string[], anchors: readonly string[]): AnchorSearch {
  let blocks: AnchoredBlock[] = [{ anchor: -1, end: lines.length }];
  if (anchors.length === 0) return { found: 'blocks', blocks };
  const plain = lines.map(plainLine);
  for (const [index, anchor] of anchors.entries()) {
    const within = blocks.flatMap((block) => occurrences(plain, anchor, block));
    const first = Math.min(...blocks.map((block) => block.anchor));
    const found = within.length > 0 ? within : occurrences(plain, anchor, { anchor: first, end: lines.length });
    if (found.length === 0) return { found: 'none', index };
    blocks = [...new Set(found)].map((at) => ({ anchor: at, end: endOfBlock(lines, at) }));
  }
  return { found: 'blocks', blocks };
}

/** White space and look-alikes aside. */
function plainLine(line: string): string {
  return foldCharacters(line).trim().replace(/\s+/g, ' ');
}

/** Lines that are the anchor; where there are none, those that begin with it, then those that hold it. */
function occurrences(plain: readonly string[], anchor: string, { anchor: after, end }: AnchoredBlock): number[] {
  const wanted = plainLine(anchor);
  const tests: ((line: string) => boolean)[] = [
    (line) => line === wanted,
    (line) =>
      wanted.length >= MIN_PART &&
      line.startsWith(wanted) &&
      !/^\w\w/.test(wanted.slice(-1) + line.slice(wanted.length)),
    (line) => wanted.length >= MIN_PART && line.includes(wanted),
  ];
  for (const test of tests) {
    const found: number[] = [];
    for (let at = after + 1; at < end; at += 1) if (test(plain[at] ?? '')) found.push(at);
    if (found.length > 0) return found;
  }
  return [];
}

/** Past the lines below `at` that are indented deeper than it, with the brackets that open and close them. */
export function endOfBlock(lines: readonly string[], at: number): number {
  const depth = indentationOf(lines[at] ?? '').length;
  let end = at + 1;
  let isFirst = true;
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '') continue;
    const own = indentationOf(line).length;
    const bracket = own === depth && (isFirst ? /^\s*[{([)\]}]/ : /^\s*[)\]}]/).test(line);
    if (own <= depth && !bracket) break;
    isFirst = false;
    end = index + 1;
  }
  return end;
}
