import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makePrivateFolder, syncFolder, writePrivateFile } from '../../journal/durable-file.js';
import { isAlive, isProcessMark, ownMark, type ProcessMark } from '../../journal/process-mark.js';
import { isObject } from '../../util/is-object.js';
import { isWithin } from '../../util/paths-below.js';

/** What is written down of a worktree, so that it is found again should Tenon be killed. All paths absolute. */
export interface WorktreeRecord {
  readonly version: 1;
  /** A file name. */
  readonly id: string;
  /**
   * `making`: what is in it is a copy at most. `working`: an agent is at work in it. `kept`: it holds changes that were not
   * taken over. `going`: it holds nothing that is needed.
   */
  readonly state: 'making' | 'working' | 'kept' | 'going';
  /** The work tree itself. */
  readonly tree: string;
  /** What git keeps of it, in the repository. */
  readonly gitDir: string;
  /** The top of the work tree that it was made from. */
  readonly from: string;
  readonly agent: string;
  readonly description: string;
  /** ISO 8601. */
  readonly time: string;
  readonly owner: ProcessMark;
  /** Whether the person was told that it is kept. */
  readonly told: boolean;
}

/** Where worktrees are kept. */
export interface WorktreeFolders {
  /** What is written down of them: a folder of the project below Tenon's own. */
  readonly records: string;
  /** The worktrees themselves. */
  readonly trees: string;
}

/**
 * The worktrees are beside Tenon's own folder, not in it: there every file counts as one that steers the agent, and commands
 * in the sandbox see nothing of it. A folder for temporary files would not do either: what an agent has done would be gone
 * with the next start of the machine. `base`: the project's folder in Tenon's own.
 */
export function worktreeFolders(tenonHome: string, base: string): WorktreeFolders {
  return { records: join(base, 'worktrees'), trees: join(`${tenonHome}-worktrees`, basename(base)) };
}

/** What of a worktree is kept beside it. */
export interface RecordPlaces {
  readonly folder: string;
  readonly record: string;
  /** What it began with. */
  readonly begun: string;
  /** Contents that git has no object of, by their hash. */
  readonly base: string;
}

export function placesOf({ records }: WorktreeFolders, id: string): RecordPlaces {
  const folder = join(records, id);
  return { folder, record: join(folder, 'record.json'), begun: join(folder, 'files.json'), base: join(folder, 'base') };
}

/** Writes it down, for certain. */
export async function writeRecord(folders: WorktreeFolders, record: WorktreeRecord): Promise<void> {
  const { folder, record: path } = placesOf(folders, record.id);
  await makePrivateFolder(folder, true);
  const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
  await writePrivateFile({ temporary: `${path}.${process.pid}`, path, bytes, durable: true });
}

/**
 * Writes down that it is about to be made, with a folder for its base. All at once: whoever is killed meanwhile leaves nothing
 * but a folder that names the process, which the next start removes.
 */
export async function beginRecord(folders: WorktreeFolders, record: WorktreeRecord): Promise<void> {
  const { folder } = placesOf(folders, record.id);
  const making = passingFolder(folders, record.owner, record.id);
  await makePrivateFolder(join(making, 'base'), true);
  const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
  const path = join(making, 'record.json');
  await writePrivateFile({ temporary: `${path}.${process.pid}`, path, bytes, durable: true });
  await rename(making, folder);
  await syncFolder(folders.records);
}

/** Of what a process is just making or removing: no record is looked for in it. */
export function passingFolder({ records }: WorktreeFolders, owner: ProcessMark, id: string): string {
  return join(records, `.${id}.${Buffer.from(JSON.stringify(owner)).toString('base64url')}`);
}

/** Removes what processes that were killed left of records that they were making or removing. Never rejects. */
export async function removePassing({ records }: WorktreeFolders): Promise<void> {
  const names = await readdir(records).catch((): string[] => []);
  for (const name of names.filter((each) => each.startsWith('.'))) {
    const owner = ownerIn(name);
    const path = join(records, name);
    if (owner !== undefined && isAlive(owner) === false) await removeAll(path).catch(() => undefined);
  }
}

function ownerIn(name: string): ProcessMark | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(name.slice(name.lastIndexOf('.') + 1), 'base64url').toString('utf8'));
    return isProcessMark(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Those that can be believed, oldest first. */
export async function readRecords(folders: WorktreeFolders): Promise<WorktreeRecord[]> {
  const names = await readdir(folders.records).catch((): string[] => []);
  const records: WorktreeRecord[] = [];
  for (const id of names.sort()) {
    try {
      const value: unknown = JSON.parse(await readFile(placesOf(folders, id).record, 'utf8'));
      if (isRecord(value, id, folders)) records.push(value);
    } catch {
      // Just being made, or removed by another.
    }
  }
  return records.sort((one, other) => (one.time < other.time ? -1 : 1));
}

const STATES: ReadonlySet<unknown> = new Set(['making', 'working', 'kept', 'going']);

/** What is removed by it must be Tenon's. */
function isRecord(value: unknown, id: string, { trees }: WorktreeFolders): value is WorktreeRecord {
  if (!isObject(value) || value['version'] !== 1 || value['id'] !== id || !STATES.has(value['state'])) return false;
  const { tree, gitDir, from, agent, description, time, owner, told } = value;
  const isText = [tree, gitDir, from, agent, description, time].every((each) => typeof each === 'string');
  if (!isText || typeof told !== 'boolean' || !isProcessMark(owner)) return false;
  return tree === join(trees, id) && isGitDirOf(String(gitDir), id);
}

/** Git's own folder for it is named as it is; another is not touched. */
function isGitDirOf(gitDir: string, id: string): boolean {
  return basename(gitDir) === id && basename(dirname(gitDir)) === 'worktrees';
}

/** Removes a worktree with all that is known of it; nothing in it is needed. What cannot be removed waits for the next start. */
export async function removeWorktree(folders: WorktreeFolders, record: WorktreeRecord): Promise<void> {
  const { tree, gitDir, id } = record;
  if (!isWithin(tree, folders.trees) || !isGitDirOf(gitDir, id)) return;
  await writeRecord(folders, { ...record, state: 'going' });
  // No link is followed by either.
  for (const path of [tree, gitDir]) await removeAll(path);
  const { folder } = placesOf(folders, id);
  const going = passingFolder(folders, ownMark(), id);
  await rename(folder, going).catch(() => undefined);
  for (const path of [folder, going]) await removeAll(path);
  // With the last of the project; where there are others, it stays.
  await rmdir(folders.trees).catch(() => undefined);
}

/** @throws the system's error when it is there still */
async function removeAll(path: string): Promise<void> {
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    // Some programs let nobody write into the folders that they make.
    await remove().catch(async () => {
      await openFolders(path);
      await remove();
    });
  } catch (thrown) {
    if (existsSync(path)) throw thrown;
  }
}

/** Lets what is in them be removed. No link is followed. */
async function openFolders(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(join(path, entry.name));
}

export function newRecord(
  parts: Omit<WorktreeRecord, 'version' | 'state' | 'time' | 'owner' | 'told'>,
): WorktreeRecord {
  return {
    version: 1,
    state: 'making',
    time: new Date().toISOString(),
    owner: ownMark(),
    told: false,
    ...parts,
  };
}
