import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { FileState, JournalEntry } from '../journal/journal-entry.js';
import { isWithin } from '../util/paths-below.js';
import { errorMessage } from '../util/failure.js';

export interface CopyRequest {
  /** Canonical: the folder that is copied. */
  readonly root: string;
  /** Where the copy is made; it does not exist yet. */
  readonly copy: string;
  readonly sessionIds: ReadonlySet<string>;
  /** The journal of the project, the first first. */
  readonly changes: readonly JournalEntry[];
  readonly content: (hash: string) => Promise<Buffer | undefined>;
}

export interface MadeCopy {
  /** Files that are in the copy as they were before the session changed them first, relative to the root. */
  readonly restored: readonly string[];
  /** What could not be had as it was, a sentence each. */
  readonly problems: readonly string[];
}

/**
 * A copy of a tree as it was before sessions changed it: as it is now, with each file that their calls changed as it was
 * before the first of these changes. What others changed since stays as it is. Links are copied as links.
 */
export async function copyTree({ root, copy, sessionIds, changes, content }: CopyRequest): Promise<MadeCopy> {
  await cp(root, copy, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
  const restored: string[] = [];
  const problems: string[] = [];
  for (const [path, before] of firstStates(changes, sessionIds)) {
    if (!isWithin(path, root)) continue;
    const name = relative(root, path);
    const problem = await restore(join(copy, name), before, content);
    if (problem === undefined) restored.push(name);
    else problems.push(`${name} is in the copy as it is now: ${problem}.`);
  }
  return { restored: restored.sort(), problems };
}

/** What each file was before the first change of the sessions. */
function firstStates(
  changes: readonly JournalEntry[],
  sessionIds: ReadonlySet<string>,
): ReadonlyMap<string, FileState> {
  const states = new Map<string, FileState>();
  for (const { call, kind, changes: all } of changes) {
    if (call?.sessionId === undefined || !sessionIds.has(call.sessionId)) continue;
    if (kind !== 'change' && kind !== 'command') continue;
    for (const { path, before } of all) if (!states.has(path)) states.set(path, before);
  }
  return states;
}

async function restore(file: string, state: FileState, content: CopyRequest['content']): Promise<string | undefined> {
  try {
    if (state.kind === 'missing') {
      await rm(file, { force: true });
      return undefined;
    }
    const bytes = await content(state.hash);
    if (bytes === undefined) return 'what it was before is no longer kept';
    await mkdir(dirname(file), { recursive: true });
    await rm(file, { force: true });
    await writeFile(file, bytes);
    await chmod(file, state.mode);
    return undefined;
  } catch (thrown) {
    return errorMessage(thrown);
  }
}
