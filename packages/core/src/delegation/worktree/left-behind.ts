import { existsSync } from 'node:fs';
import { isAlive } from '../../journal/process-mark.js';
import type { ToolRuntime } from '../../runtime.js';
import { shellWord } from '../../util/shell-word.js';
import { readBegun } from './begun-files.js';
import { findChanges } from './find-changes.js';
import { planReturn } from './plan-return.js';
import { excludesFileOf, findGit } from './run-git.js';
import {
  placesOf,
  readRecords,
  removePassing,
  removeWorktree,
  writeRecord,
  type WorktreeFolders,
  type WorktreeRecord,
} from './worktree-record.js';

/** After so long a worktree whose owner cannot be asked for (the machine was started anew) counts as left. */
const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_NAMED = 5;

/**
 * Deals with worktrees of processes that ended in the middle: those in which nothing was changed are removed, of others the
 * person is told, once. Sentences for people, oldest first. Never rejects.
 */
export async function tendLeftBehind(config: ToolRuntime, folders: WorktreeFolders): Promise<string[]> {
  const told: string[] = [];
  await removePassing(folders);
  for (const record of await readRecords(folders)) {
    try {
      const text = isLeft(record) ? await tend(config, folders, record) : undefined;
      if (text !== undefined) told.push(text);
    } catch {
      // What cannot be done waits for the next start.
    }
  }
  return told;
}

function isLeft({ owner, time, state }: WorktreeRecord): boolean {
  const alive = isAlive(owner);
  if (alive !== undefined) return !alive || state === 'kept';
  return state === 'kept' || state === 'going' || !(Date.now() - Date.parse(time) < DAY_MS);
}

async function tend(
  config: ToolRuntime,
  folders: WorktreeFolders,
  record: WorktreeRecord,
): Promise<string | undefined> {
  const { state, tree, told } = record;
  // Somebody removed it, as they were told to.
  const isGone = !existsSync(tree);
  if (state === 'going' || state === 'making' || isGone) {
    await removeWorktree(folders, record);
    return undefined;
  }
  if (told) return undefined;
  const names = await changedNames(config, folders, record);
  if (names?.length === 0) {
    await removeWorktree(folders, record);
    return undefined;
  }
  await writeRecord(folders, { ...record, state: 'kept', told: true });
  return sentence(record, names);
}

/** Undefined when it cannot be known. */
async function changedNames(
  config: ToolRuntime,
  folders: WorktreeFolders,
  { id, tree, gitDir, from }: WorktreeRecord,
): Promise<string[] | undefined> {
  const begun = await readBegun(placesOf(folders, id).begun);
  const searchPath = config.getChildEnvironment()['PATH'] ?? '';
  const program = findGit(searchPath, [...config.getWorkspaceContext().getDirectories(), config.getTempDir(), tree]);
  if (begun === undefined || program === undefined) return undefined;
  const git = { program, gitDir, workTree: tree, searchPath, excludesFile: excludesFileOf(config, from) };
  try {
    const found = await findChanges(git, begun, new AbortController().signal);
    const gate = config.getWorkspaceGate();
    const { files, problems } = await planReturn({ found, tree, from, gate, baseOf: async () => undefined });
    // The workspace has all of it: it was taken over, and Tenon ended before it could remove the worktree.
    if (files.length === 0 && problems.length === 0) return [];
    return [...found.changes.map(({ path }) => path), ...found.strange];
  } catch {
    return undefined;
  }
}

function sentence({ agent, description, tree }: WorktreeRecord, names: readonly string[] | undefined): string {
  const who = `An agent of an earlier session (${agent}, ${JSON.stringify(description.slice(0, 80))})`;
  const more = (names?.length ?? 0) > MOST_NAMED ? ` and ${(names?.length ?? 0) - MOST_NAMED} more` : '';
  const what =
    names === undefined ? 'may have left changes' : `left changes (${names.slice(0, MOST_NAMED).join(', ')}${more})`;
  const at = shellWord(tree);
  return `${who} ${what} in its worktree ${tree}. Look at them with git -C ${at} status; remove it with git worktree remove --force ${at}.`;
}
