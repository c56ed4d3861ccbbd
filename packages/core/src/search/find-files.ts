import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { FileStatter } from './content/file-stamps.js';
import type { GlobSet } from './globs/glob-set.js';
import type { NewestFiles } from './newest-files.js';
import { systemPath } from './tree/system-path.js';
import type { TreeIndex } from './tree/tree-index.js';
import type { WalkCounts, WalkedFolder } from './tree/walked-folder.js';

/** Links looked at between two turns of the event loop. */
const LINKS_PER_TURN = 1000;
/** Folders judged between two looks at the clock. */
const CLOCK_EVERY = 64;
const SLICE_MS = 10;

export interface FindFilesRequest {
  readonly index: { readonly tree: Pick<TreeIndex, 'walk'>; readonly statter: Pick<FileStatter, 'begin'> };
  /** A held folder. */
  readonly folder: { readonly path: string; readonly workingDirectory: string };
  readonly roots: readonly string[];
  /** Made for the folder. */
  readonly globs: GlobSet;
  /** May a link be shown: does it lead to a place that may be touched? */
  readonly allowsLink: (path: string) => boolean;
  readonly counts: WalkCounts;
  readonly signal: AbortSignal;
}

/**
 * Adds every file below the folder that matches, with its time of change. Links to folders are not followed; a link
 * to a file counts as that file. Resolves to the number of matches that could not be looked at: gone, or in a folder
 * that only tells names. @throws the signal's reason
 */
export async function findFiles(request: FindFilesRequest, newest: NewestFiles): Promise<number> {
  const { index, folder, globs, signal, roots, counts } = request;
  const base = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  const job = index.statter.begin(folder.path, globs.judge('').isAll);
  const links: string[] = [];
  const before = newest.total;
  let matches = 0;
  try {
    let sliceEnd = performance.now() + SLICE_MS;
    let folders = 0;
    for await (const batch of index.tree.walk({ folder, roots, signal, counts, enter: (path) => globs.enters(path) })) {
      for (const walked of batch) {
        const prefix = walked.relativePath === '' ? '' : `${walked.relativePath}/`;
        const verdict = globs.judge(walked.relativePath);
        if (verdict.isNone) continue;
        const files = verdict.isAll ? walked.files : walked.files.filter(verdict.matches);
        matches += files.length;
        job.add(prefix, files);
        for (const name of walked.links) if (verdict.matches(name)) links.push(prefix + name);
        if (++folders % CLOCK_EVERY !== 0 || performance.now() < sliceEnd) continue;
        await breathe(undefined, { signal });
        sliceEnd = performance.now() + SLICE_MS;
      }
    }
    await job.collect(newest, signal);
  } catch (thrown) {
    job.cancel();
    throw thrown;
  }
  const unseen = matches - (newest.total - before);
  await addLinks(links, request, { base, newest });
  return unseen;
}

async function addLinks(
  links: readonly string[],
  { folder, allowsLink, signal }: FindFilesRequest,
  { base, newest }: { base: string; newest: NewestFiles },
): Promise<void> {
  for (const [index, link] of links.entries()) {
    if ((index + 1) % LINKS_PER_TURN === 0) await breathe(undefined, { signal });
    const mtimeMs = mtimeOfFile(`${folder.workingDirectory}/${link}`);
    if (mtimeMs !== undefined && allowsLink(base + link)) newest.add(mtimeMs, base, link);
  }
}

function mtimeOfFile(path: string): number | undefined {
  try {
    const stat = statSync(systemPath(path), { throwIfNoEntry: false });
    return stat?.isFile() === true ? stat.mtimeMs : undefined;
  } catch {
    return undefined;
  }
}

export interface HintRequest extends Omit<FindFilesRequest, 'allowsLink' | 'counts' | 'globs'> {
  /** What was asked for. */
  readonly globs: GlobSet;
  /** The same at any depth and in any case. */
  readonly looseGlobs: GlobSet;
  /** `performance.now()` at which the looking ends. */
  readonly deadline: number;
}

/** What would have been found otherwise. */
export interface FindHints {
  /** Files that would match at any depth and in any case. */
  looseMatches: number;
  /** Files that match, but are ignored by `.gitignore`. */
  ignoredMatches: number;
  /** There may be more. */
  isCutShort: boolean;
}

/** Asked when nothing matched: walks once more, with fewer rules, as long as there is time. */
export async function findHints(request: HintRequest, hints: FindHints): Promise<void> {
  const { globs, looseGlobs } = request;
  hints.looseMatches += await countMatches(request, looseGlobs, hints, true);
  hints.ignoredMatches += await countMatches(request, globs, hints, false);
}

async function countMatches(
  { index, folder, roots, signal, deadline }: HintRequest,
  globs: GlobSet,
  hints: FindHints,
  respectGitIgnore: boolean,
): Promise<number> {
  let matches = 0;
  const enter = (path: string): boolean => globs.enters(path);
  for await (const batch of index.tree.walk({ folder, roots, signal, enter, respectGitIgnore })) {
    for (const walked of batch) matches += matchesIn(walked, globs);
    if (performance.now() <= deadline) continue;
    hints.isCutShort = true;
    break;
  }
  return matches;
}

function matchesIn(walked: WalkedFolder, globs: GlobSet): number {
  const verdict = globs.judge(walked.relativePath);
  if (verdict.isNone) return 0;
  return verdict.isAll ? walked.files.length : walked.files.filter(verdict.matches).length;
}

/** The roots that do not lie in another root. */
export function outermostRoots(roots: readonly string[]): string[] {
  return roots.filter((root) => !roots.some((other) => other !== root && root.startsWith(join(other, '/'))));
}
