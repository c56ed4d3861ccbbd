import { statSync } from 'node:fs';
import type { ReadFilter } from '../effects/withheld.js';
import type { FileStatter } from './content/file-stamps.js';
import type { GlobSet } from './globs/glob-set.js';
import type { NewestFiles } from './newest-files.js';
import { prefixOf } from './paths.js';
import { sieve } from './sieve-names.js';
import { absoluteBelow, withSeparator } from '../util/paths-below.js';
import { Pause } from './tree/pause.js';
import { isUnnamable, systemPath } from '../files/escaped-bytes.js';
import type { TreeIndex } from './tree/tree-index.js';
import type { WalkCounts } from './tree/walked-folder.js';

export interface FindFilesRequest {
  readonly index: { readonly tree: Pick<TreeIndex, 'walk'>; readonly statter: Pick<FileStatter, 'begin'> };
  /** A held folder. */
  readonly folder: { readonly path: string; readonly workingDirectory: string };
  readonly roots: readonly string[];
  /** Made for the folder. */
  readonly globs: GlobSet;
  /** May a link be shown: does it lead to a place that may be touched? */
  readonly allowsLink: (path: string) => boolean;
  /** What rules keep from being read is not found; `counts` has nothing of it. */
  readonly allowed?: ReadFilter | undefined;
  readonly counts: WalkCounts;
  readonly signal: AbortSignal;
}

/** Matches that are not shown. */
export interface UnshownMatches {
  /** Files that could not be looked at: gone, or in a folder that only tells names. */
  readonly unseen: number;
  /** Links, to whatever, that are not followed, for their path is no UTF-8. */
  readonly unnamableLinks: number;
}

/**
 * Adds every file below the folder that matches, with its time of change. Links to folders are not followed; a link
 * to a file counts as that file. @throws the signal's reason
 */
export async function findFiles(request: FindFilesRequest, newest: NewestFiles): Promise<UnshownMatches> {
  const { index, folder, globs, signal, roots, counts, allowed } = request;
  const job = index.statter.begin(folder.path, globs.judge('').isAll ? newest.keep : undefined);
  const links: string[] = [];
  let matches = 0;
  try {
    const pause = new Pause(signal);
    const enter = entering(globs, allowed);
    for await (const batch of index.tree.walk({ folder, roots, signal, counts, enter })) {
      for (const walked of batch) {
        const open = allowed?.files(walked.folder, walked.names) ?? walked.names;
        counts.files -= walked.names.length - open.length;
        const verdict = globs.judge(walked.folder);
        if (verdict.isNone) continue;
        const prefix = prefixOf(walked.folder);
        const sieved = verdict.isAll ? open : sieve(open, { test: verdict.matches, pause });
        const files = sieved instanceof Promise ? await sieved : sieved;
        matches += files.length;
        job.add(prefix, files);
        if (walked.links.length > 0)
          for (const name of await sieve(walked.links, { test: verdict.matches, pause })) links.push(prefix + name);
        if (pause.isDue()) await pause.take();
      }
    }
    // While others still look at files.
    const unnamableLinks = await addLinks(links, request, newest);
    const before = newest.total;
    await job.collect(newest, signal);
    return { unseen: matches - (newest.total - before), unnamableLinks };
  } catch (thrown) {
    job.cancel();
    throw thrown;
  }
}

function entering(globs: GlobSet, allowed: ReadFilter | undefined): (folder: string) => boolean {
  // Rules first: what is left out must not depend on what a glob says of its name.
  return (path) => allowed?.entersFolder(path) !== false && globs.enters(path);
}

/** Resolves to the number of those that are not followed for their name. */
async function addLinks(
  links: readonly string[],
  { folder, allowsLink, allowed, signal }: FindFilesRequest,
  newest: NewestFiles,
): Promise<number> {
  let unnamable = 0;
  const pause = new Pause(signal);
  const base = withSeparator(folder.path);
  for (const link of links) {
    if (pause.isDue()) await pause.take();
    // Whether it may be followed is judged by its path as text.
    if (isUnnamable(base + link)) {
      if (allowed?.allowsLink(link) !== false) unnamable += 1;
      continue;
    }
    const mtimeMs = mtimeOfFile(absoluteBelow(folder.workingDirectory, link));
    if (mtimeMs === undefined || !allowsLink(base + link)) continue;
    if (allowed?.allowsLink(link) !== false) newest.add(mtimeMs, base, link);
  }
  return unnamable;
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
  /** The same with brackets that stand for themselves. */
  readonly literalGlobs?: GlobSet | undefined;
  /** The same in the folders below. */
  readonly deeperGlobs?: GlobSet | undefined;
  /** The same from any folder on. */
  readonly elsewhereGlobs?: GlobSet | undefined;
  /** `performance.now()` at which the looking ends. */
  readonly deadline: number;
}

/** What would have been found otherwise. */
export interface FindHints {
  /** Files that would match at any depth and in any case. */
  looseMatches: number;
  literalMatches: number;
  deeperMatches: number;
  /** Files that would match from some folder on; looked for where nothing else was found. */
  elsewhereMatches: number;
  /** Files that match, but are ignored by `.gitignore`. */
  ignoredMatches: number;
  /** There may be more. */
  isCutShort: boolean;
  /** The same of `elsewhereMatches`. */
  isElsewhereCutShort: boolean;
}

export function newFindHints(): FindHints {
  return {
    looseMatches: 0,
    literalMatches: 0,
    deeperMatches: 0,
    elsewhereMatches: 0,
    ignoredMatches: 0,
    isCutShort: false,
    isElsewhereCutShort: false,
  };
}

/** Asked when nothing matched: walks once more, with fewer rules, as long as there is time. */
export async function findHints(request: HintRequest, hints: FindHints): Promise<void> {
  const { globs, looseGlobs, literalGlobs, deeperGlobs, elsewhereGlobs } = request;
  const near = await countMatches(request, [looseGlobs, literalGlobs, deeperGlobs], true);
  const [loose = 0, literal = 0, deeper = 0] = near.matches;
  hints.looseMatches += loose;
  hints.literalMatches += literal;
  hints.deeperMatches += deeper;
  const hidden = await countMatches(request, [globs], false);
  const [ignored = 0] = hidden.matches;
  hints.ignoredMatches += ignored;
  hints.isCutShort ||= near.isCutShort || hidden.isCutShort;
  // That goes through all folders.
  if (elsewhereGlobs === undefined || loose + literal + deeper + ignored > 0) return;
  const far = await countMatches(request, [elsewhereGlobs], true);
  const [elsewhere = 0] = far.matches;
  hints.elsewhereMatches += elsewhere;
  hints.isElsewhereCutShort ||= far.isCutShort;
}

/** For each of the sets, in one walk. */
async function countMatches(
  { index, folder, roots, signal, deadline, allowed }: HintRequest,
  sets: readonly (GlobSet | undefined)[],
  respectGitIgnore: boolean,
): Promise<{ readonly matches: readonly number[]; readonly isCutShort: boolean }> {
  const matches = sets.map(() => 0);
  const silent = allowed?.silent;
  const pause = new Pause(signal);
  const enters = sets.filter((globs) => globs !== undefined).map((globs) => entering(globs, silent));
  const enter = (path: string): boolean => enters.some((each) => each(path));
  for await (const batch of index.tree.walk({ folder, roots, signal, enter, respectGitIgnore })) {
    for (const walked of batch) {
      const files = silent?.files(walked.folder, walked.names) ?? walked.names;
      for (const [at, globs] of sets.entries())
        if (globs !== undefined) {
          const { isNone, isAll, matches: test } = globs.judge(walked.folder);
          const passed = isAll ? files : isNone ? [] : await sieve(files, { test, pause, deadline });
          matches[at] = (matches[at] ?? 0) + passed.length;
        }
      if (performance.now() > deadline) return { matches, isCutShort: true };
    }
  }
  return { matches, isCutShort: false };
}
