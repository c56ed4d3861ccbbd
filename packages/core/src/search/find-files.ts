import { statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { createGlobMatcher, splitStaticFolder } from './glob-match.js';
import { walkFolders, type WalkCounts } from './walk.js';

export interface FoundFile {
  readonly path: string;
  readonly mtimeMs: number;
}

export interface FindFilesRequest {
  /** Relative to the folder. */
  readonly pattern: string;
  readonly folder: { readonly path: string; readonly workingDirectory: string };
  readonly roots: readonly string[];
  /** May a link be shown: does it lead to a place that may be touched? */
  readonly allowsLink: (path: string) => boolean;
  readonly counts: WalkCounts;
  readonly signal: AbortSignal;
}

export interface FindFilesResult {
  /** All matches, in no order. */
  readonly files: readonly FoundFile[];
  /** Files that would match at any depth and in any case; only counted while nothing matches as asked. */
  readonly looseMatches: number;
}

/** Every file below the folder that matches the pattern, with its time of change. Links to folders are not followed. */
export async function findFiles(request: FindFilesRequest): Promise<FindFilesResult> {
  const { pattern, folder, counts } = request;
  const matches = createGlobMatcher(pattern);
  const matchesLoosely = createGlobMatcher(pattern, { anyDepth: true, ignoreCase: true });
  const files: FoundFile[] = [];
  let looseMatches = 0;
  let looked = 0;
  const walk = walkFolders({
    ...request,
    links: true,
    enter: entersTowards(splitStaticFolder(pattern).folder),
    counts,
  });
  for await (const batch of walk) {
    for (const { path, relativePath, isLink } of batch) {
      if (!matches(relativePath)) {
        if (files.length === 0 && matchesLoosely(relativePath)) looseMatches++;
        continue;
      }
      // Asked synchronously (a promise costs ten times the call), but never for long.
      if (++looked % 500 === 0) await breathe(undefined, { signal: request.signal });
      const stat = statOf(`${folder.workingDirectory}/${relativePath}`);
      if (stat?.isFile() === true && (!isLink || request.allowsLink(path))) files.push({ path, mtimeMs: stat.mtimeMs });
    }
  }
  return { files, looseMatches: files.length === 0 ? looseMatches : 0 };
}

/** Enters only what lies on the way to, or below, the folder that every match is in. */
function entersTowards(target: string): (folder: string) => boolean {
  if (target === '') return () => true;
  return (folder) => folder === target || target.startsWith(`${folder}/`) || folder.startsWith(`${target}/`);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Newest first; files of the same moment by path. */
export function newestFirst(a: FoundFile, b: FoundFile): number {
  return b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/** The roots that do not lie in another root. */
export function outermostRoots(roots: readonly string[]): string[] {
  return roots.filter((root) => !roots.some((other) => other !== root && root.startsWith(join(other, '/'))));
}
