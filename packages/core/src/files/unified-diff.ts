import type { StructuredPatchHunk } from 'diff';
import { patchLine, splitLines } from './diff-lines.js';

/** Two versions of a file, with the names and labels that stand above their diff. */
export interface DiffSides {
  readonly before: string;
  readonly after: string;
  readonly oldName: string;
  readonly newName: string;
  readonly oldHeader: string | undefined;
  readonly newHeader: string | undefined;
  /** Those of `hunksBetween`, where they are at hand. */
  readonly hunks?: readonly StructuredPatchHunk[];
}

/** After this long a minimal diff is given up for a correct one that is not minimal. */
const DIFF_TIMEOUT_MS = 300;
const CONTEXT_LINES = 3;
/** Where more than this differs, a diff is not read by anyone: its first lines are shown, and how many follow. */
const MAX_COMPARED_CHARS = 1024 * 1024;
const MAX_SHOWN_LINES = 2000;
const MAX_SHOWN_CHARS = 200_000;
const STEP = 64 * 1024;

/**
 * Makes a unified diff. Costs as much as the differing middle, however long the files are. With labels, it has the head of `createPatch`
 * (S58).
 */
export async function unifiedDiff(sides: DiffSides): Promise<string> {
  const { formatPatch } = await import('diff');
  const { oldName, newName, oldHeader, newHeader } = sides;
  const names = { oldFileName: oldName, newFileName: newName, oldHeader, newHeader };
  const hunks = sides.hunks ?? (await hunksBetween(sides.before, sides.after, MAX_COMPARED_CHARS));
  const isLabelled = oldHeader !== undefined || newHeader !== undefined;
  // The `Index:` line, unlike the others, would show a name with line ends unquoted.
  const includeIndex = isLabelled && !/\p{Cc}/u.test(oldName);
  const head = { includeIndex, includeUnderline: isLabelled, includeFileHeaders: true };
  return formatPatch({ ...names, hunks: [...hunks] }, head);
}

/** Where texts differ by more than `most` characters, only their beginnings are given. Default: all is given. */
export async function hunksBetween(before: string, after: string, most = Infinity): Promise<StructuredPatchHunk[]> {
  if (before === after) return [];
  const { oldText, newText, line } = differingMiddle(before, after);
  if (oldText.length + newText.length > most) return [shifted(beginning(oldText, newText), line)];
  const { structuredPatch } = await import('diff');
  const options = { context: CONTEXT_LINES, timeout: DIFF_TIMEOUT_MS };
  const patch = structuredPatch('', '', oldText, newText, undefined, undefined, options);
  return (patch?.hunks ?? [plainHunk(oldText, newText)]).map((hunk) => shifted(hunk, line));
}

function shifted(hunk: StructuredPatchHunk, lines: number): StructuredPatchHunk {
  return { ...hunk, oldStart: hunk.oldStart + lines, newStart: hunk.newStart + lines };
}

interface Middle {
  readonly oldText: string;
  readonly newText: string;
  /** Lines before it, the same in both. */
  readonly line: number;
}

/** What is left without the lines that both share at the start and at the end, but for a little context. */
function differingMiddle(before: string, after: string): Middle {
  const shorter = Math.min(before.length, after.length);
  const same = sharedLength(shorter, (from, to) => before.slice(from, to) === after.slice(from, to));
  const head = linesBack(before, same, CONTEXT_LINES);
  const sameTail = sharedLength(
    shorter - same,
    (from, to) =>
      before.slice(before.length - to, before.length - from) === after.slice(after.length - to, after.length - from),
  );
  const oldEnd = linesOn(before, before.length - sameTail, CONTEXT_LINES);
  const newEnd = after.length - (before.length - oldEnd);
  return {
    oldText: before.slice(head, oldEnd),
    newText: after.slice(head, newEnd),
    line: countBreaks(before, 0, head),
  };
}

/** How many characters are the same, asked for in pieces. */
function sharedLength(limit: number, isSame: (from: number, to: number) => boolean): number {
  let from = 0;
  for (let step = STEP; step >= 1; step = step === 1 ? 0 : Math.ceil(step / 16)) {
    while (from + step <= limit && isSame(from, from + step)) from += step;
  }
  return from;
}

/** The start of the line that many lines before the one at a place. */
function linesBack(text: string, index: number, count: number): number {
  let at = index;
  for (let left = count; left >= 0; left -= 1) {
    const feed = at === 0 ? -1 : text.lastIndexOf('\n', at - 1);
    if (feed === -1) return 0;
    at = feed;
  }
  return at + 1;
}

/** The end, line feed included, of the line that many lines after the one at a place. */
function linesOn(text: string, index: number, count: number): number {
  // A place right after a line feed is the start of the next line, which is the first that both share.
  let at = index > 0 && text[index - 1] === '\n' ? index - 1 : index;
  for (let left = count; left >= 0; left -= 1) {
    const feed = text.indexOf('\n', at);
    if (feed === -1) return text.length;
    at = feed + 1;
  }
  return at;
}

function countBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** One hunk: all old lines, then all new ones. Both texts begin and end with what they share. */
function plainHunk(before: string, after: string): StructuredPatchHunk {
  const [oldLines, newLines] = [splitLines(before), splitLines(after)];
  const lines = [
    ...oldLines.flatMap((line) => patchLine('-', line)),
    ...newLines.flatMap((line) => patchLine('+', line)),
  ];
  return hunkOf(oldLines.length, newLines.length, lines);
}

/** The first lines of both sides, and how much is left out: counted in characters, since counting lines takes long. */
function beginning(before: string, after: string): StructuredPatchHunk {
  const [oldHead, newHead] = [headOf(before), headOf(after)];
  const [oldLines, newLines] = [splitLines(closed(oldHead, before)), splitLines(closed(newHead, after))];
  const left = before.length - oldHead.length + after.length - newHead.length;
  const lines = [
    ...oldLines.flatMap((line) => patchLine('-', line)),
    ...newLines.flatMap((line) => patchLine('+', line)),
    ...(left === 0 ? [] : [`\\ ${left} more characters are not shown`]),
  ];
  return hunkOf(oldLines.length, newLines.length, lines);
}

function hunkOf(oldLines: number, newLines: number, lines: string[]): StructuredPatchHunk {
  return { oldStart: 1, oldLines, newStart: 1, newLines, lines };
}

function headOf(text: string): string {
  let end = 0;
  for (let count = 0; count < MAX_SHOWN_LINES && end < text.length; count += 1) {
    const feed = text.indexOf('\n', end);
    end = feed === -1 ? text.length : feed + 1;
  }
  return text.slice(0, Math.min(end, MAX_SHOWN_CHARS));
}

/** A line that is cut off is no last line without a line end. */
function closed(head: string, text: string): string {
  return head.length === text.length || head.endsWith('\n') ? head : `${head}\n`;
}
