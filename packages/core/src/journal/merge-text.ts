import { isAscii, isUtf8 } from 'node:buffer';
import type { ChangeObject } from 'diff';
import { splitLines } from '../files/diff-lines.js';

/** Numbers of lines of the file as it is now, from 1, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export type MergeResult =
  | { readonly kind: 'merged'; readonly bytes: Buffer }
  /** Both sides changed these lines, or lines right beside them, in different ways. */
  | { readonly kind: 'conflict'; readonly lines: readonly LineRange[] }
  /** Not all of them text of one encoding, or too much to compare. */
  | { readonly kind: 'impossible'; readonly reason: string };

export interface MergeInput {
  /** What both sides began with. */
  readonly base: Buffer;
  /** One side: the file as it is now. */
  readonly ours: Buffer;
  /** The other side. */
  readonly theirs: Buffer;
}

/** After this long two versions count as too different to merge. */
const DIFF_TIMEOUT_MS = 1_000;
const UTF16_MARKS: readonly (readonly [Buffer, 'utf-16le' | 'utf-16be'])[] = [
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
];

/**
 * Merges line by line, with the line endings as they are. Lines that only one side changed become that side's; where
 * both changed the same lines, or lines next to each other, they must have come to the same.
 */
export async function mergeText({ base, ours, theirs }: MergeInput): Promise<MergeResult> {
  const form = commonForm([base, ours, theirs]);
  if (typeof form === 'object') return { kind: 'impossible', reason: form.reason };
  const [baseLines, ourLines, theirLines] = [base, ours, theirs].map((bytes) => splitLines(decode(bytes, form)));
  if (baseLines === undefined || ourLines === undefined || theirLines === undefined) throw new Error('three versions');
  const { diffArrays } = await import('diff');
  const options = { timeout: DIFF_TIMEOUT_MS };
  const ourHunks = hunksOf(diffArrays(baseLines, ourLines, options));
  const theirHunks = hunksOf(diffArrays(baseLines, theirLines, options));
  if (ourHunks === undefined || theirHunks === undefined)
    return { kind: 'impossible', reason: 'the versions are too different to be merged' };
  // Pieces, since a call takes only so many lines as arguments.
  const merged: (readonly string[])[] = [];
  const conflicts: LineRange[] = [];
  let at = 0;
  for (const cluster of clustersOf(ourHunks, theirHunks)) {
    merged.push(baseLines.slice(at, cluster.start));
    at = cluster.end;
    const mine = sideOf(cluster, cluster.ours, baseLines);
    const other = sideOf(cluster, cluster.theirs, baseLines);
    if (cluster.theirs.length === 0 || sameLines(mine, other)) merged.push(mine);
    else if (cluster.ours.length === 0) merged.push(other);
    else {
      // What was agreed on so far differs from ours in length, so the place in ours is counted by hunks.
      const first = 1 + cluster.start + shiftBefore(ourHunks, cluster.start);
      conflicts.push({ first, last: first + Math.max(mine.length, 1) - 1 });
    }
  }
  if (conflicts.length > 0) return { kind: 'conflict', lines: conflicts };
  merged.push(baseLines.slice(at));
  return { kind: 'merged', bytes: encode(merged.flat().join(''), form) };
}

type Form = 'bytes' | 'utf-16le' | 'utf-16be';

/**
 * Lines of any encoding whose line feed is one byte can be merged as bytes, so long as all versions have the same
 * encoding: all UTF-8, or none of them beyond ASCII.
 */
function commonForm(versions: readonly Buffer[]): Form | { readonly reason: string } {
  for (const [mark, form] of UTF16_MARKS) {
    const marked = versions.filter((bytes) => bytes.subarray(0, 2).equals(mark) && bytes.length % 2 === 0);
    if (marked.length === versions.length) return form;
    if (marked.length > 0) return { reason: 'its encoding changed' };
  }
  if (versions.some((bytes) => bytes.includes(0))) return { reason: 'it is not a text file' };
  if (versions.every((bytes) => isUtf8(bytes))) return 'bytes';
  const oneEncoding = versions.every((bytes) => isAscii(bytes) || !isUtf8(bytes));
  return oneEncoding ? 'bytes' : { reason: 'its encoding changed' };
}

function decode(bytes: Buffer, form: Form): string {
  if (form === 'bytes') return bytes.toString('latin1');
  return form === 'utf-16le' ? bytes.toString('utf16le') : Buffer.from(bytes).swap16().toString('utf16le');
}

function encode(text: string, form: Form): Buffer {
  if (form === 'bytes') return Buffer.from(text, 'latin1');
  const bytes = Buffer.from(text, 'utf16le');
  return form === 'utf-16le' ? bytes : bytes.swap16();
}

/** Lines `start` to `end` of the base, the end not included, became these. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

function hunksOf(parts: readonly ChangeObject<string[]>[] | undefined): Hunk[] | undefined {
  if (parts === undefined) return undefined;
  const hunks: { start: number; end: number; lines: string[] }[] = [];
  let at = 0;
  let open: { start: number; end: number; lines: string[] } | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      at += value.length;
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = { start: at, end: at, lines: [] };
      hunks.push(open);
    }
    if (added) open.lines = open.lines.concat(value);
    else {
      at += value.length;
      open.end = at;
    }
  }
  return hunks;
}

interface Cluster {
  readonly start: number;
  end: number;
  readonly ours: Hunk[];
  readonly theirs: Hunk[];
}

/** Hunks of both sides that overlap or touch belong together. */
function clustersOf(ours: readonly Hunk[], theirs: readonly Hunk[]): Cluster[] {
  const clusters: Cluster[] = [];
  const all = [...ours.map((hunk) => ({ hunk, mine: true })), ...theirs.map((hunk) => ({ hunk, mine: false }))];
  for (const { hunk, mine } of all.sort((a, b) => a.hunk.start - b.hunk.start)) {
    let cluster = clusters.at(-1);
    if (cluster === undefined || hunk.start > cluster.end) {
      cluster = { start: hunk.start, end: hunk.end, ours: [], theirs: [] };
      clusters.push(cluster);
    }
    cluster.end = Math.max(cluster.end, hunk.end);
    (mine ? cluster.ours : cluster.theirs).push(hunk);
  }
  return clusters;
}

/** What one side made of the lines of a cluster. */
function sideOf({ start, end }: Cluster, hunks: readonly Hunk[], base: readonly string[]): string[] {
  const pieces: (readonly string[])[] = [];
  let at = start;
  for (const hunk of hunks) {
    pieces.push(base.slice(at, hunk.start), hunk.lines);
    at = hunk.end;
  }
  return [...pieces, base.slice(at, end)].flat();
}

function shiftBefore(hunks: readonly Hunk[], start: number): number {
  return hunks
    .filter((hunk) => hunk.end < start || (hunk.end === start && hunk.start < start))
    .reduce((sum, hunk) => sum + hunk.lines.length - (hunk.end - hunk.start), 0);
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
