import { join, sep } from 'node:path';
import type { GitUser } from '../files/ignore-settings.js';
import type { Expectation, FolderHandle, ReadHandle, WorkspaceGate } from '../files/workspace-gate.js';
import { createGlobMatcher } from '../search/globs/glob-match.js';
import { walkFiles } from '../search/tree/walk.js';
import { newWalkCounts, type WalkCounts } from '../search/tree/walked-folder.js';
import type { JudgedPaths } from './judged-paths.js';
import type { LeftOut } from './left-out.js';
import { skipFailed, type Candidate, type Skip, type Source } from './read-many-sources.js';

/** More files than this are counted, not read. */
const MAX_FILES = 5000;

export interface CollectRequest {
  readonly sources: readonly Source[];
  readonly gate: WorkspaceGate;
  readonly judged: JudgedPaths;
  /** What rules keep from being read in folders. */
  readonly leftOut: LeftOut;
  /** Globs for the files in folders; an empty `include` means all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly counts: WalkCounts;
  /** As in `WalkOptions`. */
  readonly gitUser?: GitUser | undefined;
  readonly skip: Skip;
  readonly signal: AbortSignal;
}

/** The files to read in the order they were asked for, each once however often it was meant. */
export async function collectFiles(request: CollectRequest): Promise<Candidate[]> {
  const { sources, gate, judged, skip } = request;
  const found = new Map<string, Candidate>();
  const add = async (path: string, named: boolean, known: Expectation): Promise<void> => {
    const note = async ({ resolved, stat }: ReadHandle): Promise<void> => {
      const { path: canonical } = resolved;
      if (!found.has(canonical)) found.set(canonical, { path, canonical, named, size: stat.size });
    };
    try {
      await gate.withFile(path, note, known);
    } catch (thrown) {
      skipFailed(thrown, path, skip);
    }
  };
  const walked: string[] = [];
  const beyond = new Set<string>();
  for (const source of sources) {
    if (source.isMissing) {
      skip('not found', source.requested);
      continue;
    }
    if (source.pattern === undefined) {
      await add(source.path, true, judged.expectation(source.path));
      continue;
    }
    // What a folder leaves out is counted once, however many globs start there.
    const isRepeated = walked.some((folder) => source.path === folder || source.path.startsWith(join(folder, sep)));
    walked.push(source.path);
    const counts = isRepeated ? newWalkCounts() : request.counts;
    let matches = 0;
    for (const path of await filesBelow(source.path, source.pattern, { ...request, counts })) {
      matches += 1;
      if (found.size < MAX_FILES) await add(path, false, { expected: path });
      else if (!found.has(path)) beyond.add(path);
    }
    if (matches === 0) skip('without a file that matches', source.requested);
  }
  for (const path of beyond) skip(`beyond the first ${MAX_FILES} files`, path);
  return Array.from(found.values());
}

async function filesBelow(path: string, pattern: string, request: CollectRequest): Promise<string[]> {
  const { gate, judged, leftOut, counts, gitUser, signal } = request;
  const matches = createGlobMatcher(pattern);
  const include = request.include.map((glob) => createGlobMatcher(glob, { anyDepth: true }));
  const exclude = request.exclude.map((glob) => createGlobMatcher(glob, { anyDepth: true }));
  const list = async ({ resolved, workingDirectory }: FolderHandle): Promise<string[]> => {
    const paths: string[] = [];
    const folder = { path: resolved.path, workingDirectory };
    const allowed = leftOut.filterAt({ path: resolved.path, requested: path });
    const enter = allowed === undefined ? {} : { enter: allowed.entersFolder };
    const walk = { folder, roots: gate.roots, counts, gitUser, signal, ...enter };
    for await (const { path: file, relativePath } of walkFiles(walk)) {
      if (allowed?.allowsFile(relativePath) === false) continue;
      const isIncluded = include.length === 0 || include.some((wanted) => wanted(relativePath));
      const isExcluded = exclude.some((unwanted) => unwanted(relativePath));
      if (matches(relativePath) && isIncluded && !isExcluded) paths.push(file);
    }
    return paths;
  };
  return gate.withFolder(path, list, judged.treeExpectation(path));
}
