import { isPaged, type Rendering } from '../search/report/choose-rendering.js';
import { MAX_OFFSET, pageOf, type PagePart } from '../search/report/page-of.js';
import { countsOf, filesAt, type NotSearched, type SearchOutcome } from '../search/report/search-outcome.js';
import type { ShownLine } from '../search/report/shown-line.js';
import type { GrepScope } from './grep-flow.js';
import type { Counted } from './grep-memory.js';
import type { GrepMode, GrepRequest } from './grep-params.js';
import { showableAmong } from './grep-shown-files.js';
import type { LeftOutByRule } from './left-out.js';

/** A file of the page; `matches` are the matching lines that are shown. */
export interface GrepFile {
  readonly path: string;
  readonly mtimeMs: number;
  readonly matches: readonly ShownLine[];
  readonly total: number;
}

/** `data` of a result. */
export interface GrepData {
  readonly pattern: string;
  readonly mode: GrepMode;
  readonly offset: number;
  readonly engine: SearchOutcome['engine'];
  /** Matches, and files that have some; a lower bound when `stopped` is set, or some files failed. */
  readonly total: number;
  readonly fileCount: number;
  readonly stopped?: 'time-limit';
  readonly searchedFiles: number;
  readonly notSearched: NotSearched;
  /** What rules kept from being searched, by rule; absent when nothing was. */
  readonly leftOutByRules?: readonly LeftOutByRule[];
  /** The offset of the next page, when there is one. */
  readonly next?: number;
  /** How much of the page fitted into the answer; absent when there is nothing to show. */
  readonly step?: Rendering['step'];
  readonly files: readonly GrepFile[];
}

/** The part of an outcome that one answer is about. */
export interface GrepPage {
  readonly counted: Counted;
  readonly parts: readonly PagePart[];
}

/** The page that was asked for, without files that the gate refuses. */
export function pageFor(counted: Counted, { config, request }: Pick<GrepScope, 'config' | 'request'>): GrepPage {
  const gate = config.getWorkspaceGate();
  let { outcome } = counted;
  for (;;) {
    const parts = partsOf(outcome, request);
    const wanted = filesAt(outcome.files, placesOf(parts)).map(({ path }) => path);
    const showable = showableAmong(gate, wanted);
    const refused = new Set(wanted.filter((path) => !showable.has(path)));
    if (refused.size === 0) return { counted: { ...counted, outcome }, parts };
    const allowed = Array.from(outcome.files).filter(({ path }) => !refused.has(path));
    outcome = { ...outcome, files: allowed, total: allowed.reduce((sum, { matches }) => sum + matches, 0) };
  }
}

/** What is on the page of what was found. */
export function partsOf({ files }: SearchOutcome, { mode, offset, limit }: GrepRequest): PagePart[] {
  const counts = countsOf(files);
  if (mode === 'content') return pageOf(counts, offset, limit);
  return Array.from(counts.subarray(offset, offset + limit), (matches, at) => ({
    index: offset + at,
    first: 0,
    matches,
  }));
}

export function dataOf(
  { pattern, mode, offset }: GrepRequest,
  page: GrepPage,
  rendering: Rendering | undefined,
): GrepData {
  const { leftOut } = page.counted;
  const { files, stopped, engine, total, searchedFiles, notSearched } = page.counted.outcome;
  const listed = filesAt(files, placesOf(page.parts));
  const isCut = rendering?.pageSize !== undefined;
  const shown = isCut ? listed.filter(({ path }) => rendering.lines.has(path)) : listed;
  const next = offset + (rendering?.pageSize ?? sizeOf(page, mode));
  const all = mode === 'content' ? total : files.length;
  return {
    pattern: pattern.pattern,
    mode,
    offset,
    engine,
    total,
    fileCount: files.length,
    ...(stopped !== undefined && { stopped }),
    searchedFiles,
    notSearched,
    ...(leftOut.counts.length > 0 && { leftOutByRules: leftOut.counts }),
    ...(rendering !== undefined && isPaged(rendering.step, mode) && next < all && next <= MAX_OFFSET && { next }),
    ...(rendering !== undefined && { step: rendering.step }),
    files: shown.map(({ path, mtimeMs, matches }) => {
      return {
        path,
        mtimeMs,
        matches: rendering?.lines.get(path) ?? [],
        total: matches,
      };
    }),
  };
}

/** Of the files of a page, in all that were found. */
export function placesOf(parts: readonly PagePart[]): number[] {
  return parts.map(({ index }) => index);
}

/** Matches on the page where lines are shown, files elsewhere. */
export function sizeOf({ parts }: GrepPage, mode: GrepMode): number {
  return mode === 'content' ? parts.reduce((sum, { matches }) => sum + matches, 0) : parts.length;
}
