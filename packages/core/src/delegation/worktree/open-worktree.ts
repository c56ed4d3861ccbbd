import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ToolRuntime } from '../../runtime.js';
import { sleep } from '../../util/abort.js';
import { Failure, systemErrorCode } from '../../util/failure.js';
import { isWithin } from '../../util/paths-below.js';
import { makeFolders } from '../../session/make-folders.js';
import { begunText } from './begun-files.js';
import { chooseFiles, type ChosenFiles } from './choose-files.js';
import { copyFiles } from './copy-files.js';
import { firstLine, gitDirIn, headOf, impossible, repositoryOf, type Repository } from './find-repository.js';
import { listFiles } from './list-files.js';
import { excludesFileOf, findGit, runGit, type GitPlace } from './run-git.js';
import {
  beginRecord,
  newRecord,
  placesOf,
  removeWorktree,
  worktreeFolders,
  writeRecord,
  type RecordPlaces,
  type WorktreeFolders,
  type WorktreeRecord,
} from './worktree-record.js';
import { Worktree } from './worktree.js';
import type { WorktreeSource, WorktreeUser } from './worktree-types.js';

export { Worktree } from './worktree.js';

/**
 * Makes a work tree of its own for an agent, below the same repository: the commit that is checked out, and on it all that
 * the workspace holds now and git does not ignore. No program that the repository names is started for it.
 * @throws Failure `worktree_impossible`, `worktree_too_large`, `worktree_not_made`, `no_space_left`: nothing is left of it;
 * the signal's reason
 */
export async function openWorktree(source: WorktreeSource, user: WorktreeUser, signal: AbortSignal): Promise<Worktree> {
  const { config } = source;
  const roots = config.getWorkspaceContext().getDirectories();
  const repository = repositoryOf(roots);
  const folders = worktreeFolders(realpathSync.native(source.tenonHome), source.folders.base);
  if (isWithin(folders.trees, repository.top))
    throw impossible(
      `it would lie in the project itself (${folders.trees}). Keep TENON_HOME out of ${repository.top}.`,
    );
  const git = gitFor(config, repository, roots);
  const head = await headOf(git, signal);
  const id = `tenon-${user.agentId.replace(/[^\w-]/g, '-')}-${randomBytes(4).toString('hex')}`;
  const { agent, description } = user;
  const record = newRecord({
    id,
    agent,
    description,
    from: repository.top,
    tree: join(folders.trees, id),
    gitDir: join(repository.commonDir, 'worktrees', id),
  });
  return make({ source, folders, repository, git, head, roots, record }, user, signal);
}

interface Making {
  readonly source: WorktreeSource;
  readonly folders: WorktreeFolders;
  readonly repository: Repository;
  readonly git: GitPlace;
  readonly head: string;
  readonly roots: readonly string[];
  readonly record: WorktreeRecord;
}

async function make(making: Making, user: WorktreeUser, signal: AbortSignal): Promise<Worktree> {
  const { source, folders, repository, git, roots } = making;
  let { record } = making;
  const places = placesOf(folders, record.id);
  try {
    makeFolder(folders.records);
    // First: who is killed behind it leaves nothing that the next start does not know of.
    await beginRecord(folders, record);
    makeTree(record.tree);
    await addWorktree(making, signal);
    const own: GitPlace = { ...git, gitDir: record.gitDir, workTree: record.tree };
    await takeIndex(repository, own, signal);
    const listed = chooseFiles(source.config, repository.top, await listFiles(git, signal));
    const begun = await copyFiles({ from: repository.top, to: record.tree, listed, baseFolder: places.base }, signal);
    const ownRoots = roots.map((root) => join(record.tree, relative(repository.top, root)));
    refuseUnlessThere(ownRoots, roots);
    writeFileSync(places.begun, begunText(begun), { mode: 0o600 });
    record = { ...record, state: 'working' };
    await writeRecord(folders, record);
    return new Worktree({
      source,
      user,
      folders,
      record,
      git: own,
      begun,
      roots: ownRoots,
      journalDir: join(places.folder, 'journal'),
      searchDir: join(places.folder, 'search'),
      note: noteOf({ roots, ownRoots, listed }),
      baseOf: (file) => baseOf(file, own, places),
    });
  } catch (thrown) {
    await removeWorktree(folders, record).catch(() => undefined);
    signal.throwIfAborted();
    throw madeFailure(thrown);
  }
}

function gitFor(config: ToolRuntime, { gitDir, top }: Repository, roots: readonly string[]): GitPlace {
  const searchPath = config.getChildEnvironment()['PATH'] ?? '';
  const program = findGit(searchPath, [...roots, top, config.getTempDir()]);
  if (program === undefined) throw impossible('git is not installed, or not in the PATH.');
  return { program, gitDir, workTree: top, searchPath, excludesFile: excludesFileOf(config, top) };
}

function makeFolder(folder: string): void {
  const problem = makeFolders(folder);
  if (problem !== undefined) throw impossible(`${problem}.`);
}

/** Git takes an empty folder. With the last worktree of a project its folder goes: another session may be at that just now. */
function makeTree(tree: string): void {
  if (makeFolders(tree) !== undefined) makeFolder(tree);
}

/** Git looks at all that there are, and stumbles over one that another process is just adding or removing. */
const KEPT_TREE = /\/worktrees\/[^/]+\//;
const TRIES = 5;
const PAUSE_MS = 100;

async function addWorktree({ git, head, record }: Making, signal: AbortSignal): Promise<void> {
  const words = ['worktree', 'add', '--quiet', '--no-checkout', '--detach', record.tree, head];
  let { code, stderr } = await runGit(git, words, signal);
  for (let tries = 1; code !== 0 && tries < TRIES && KEPT_TREE.test(stderr); tries++) {
    await sleep(tries * PAUSE_MS, signal);
    makeTree(record.tree);
    ({ code, stderr } = await runGit(git, words, signal));
  }
  if (code !== 0) throw impossible(`git cannot add it: ${firstLine(stderr) || 'it failed'}.`);
  const pointer = gitDirIn(await readFile(join(record.tree, '.git'), 'utf8')) ?? '';
  if (pointer === '' || realpathSync.native(pointer) !== record.gitDir)
    throw impossible(`git keeps it in an unknown place (${firstLine(pointer)}).`);
}

/** What is staged there is staged here; where that is kept in several files, nothing is. */
async function takeIndex(from: Repository, own: GitPlace, signal: AbortSignal): Promise<void> {
  const index = join(from.gitDir, 'index');
  const isSplit = readdirSync(from.gitDir).some((name) => name.startsWith('sharedindex.'));
  if (existsSync(index) && !isSplit) return copyFileSync(index, join(own.gitDir, 'index'));
  const { code, stderr } = await runGit(own, ['read-tree', 'HEAD'], signal);
  if (code !== 0) throw impossible(`git cannot read the commit: ${firstLine(stderr)}.`);
}

function refuseUnlessThere(ownRoots: readonly string[], roots: readonly string[]): void {
  const missing = ownRoots.findIndex((root) => !existsSync(root));
  if (missing === -1) return;
  throw impossible(`git ignores ${roots[missing]}, or it is empty, so that the agent would find nothing in it.`);
}

interface NoteParts {
  readonly roots: readonly string[];
  readonly ownRoots: readonly string[];
  readonly listed: ChosenFiles;
}

const MOST_NAMED = 5;

/** What the agent has to know of the place that it works in. */
function noteOf({ roots, ownRoots, listed }: NoteParts): string {
  const [root = '', ownRoot = ''] = [roots[0], ownRoots[0]];
  const without = [...listed.modules, ...listed.repositories];
  const more = without.length > MOST_NAMED ? ', …' : '';
  const repositories =
    without.length === 0
      ? ''
      : ` Nor is what lies in other repositories below it: ${without.slice(0, MOST_NAMED).join(', ')}${more}.`;
  const { withheld } = listed;
  const kept = withheld === 0 ? '' : ` Nor is what rules keep from being read (files: ${withheld}).`;
  return [
    `You work in a git worktree of your own: ${ownRoot}. It is a copy of ${root} as it was when you began, with what is not committed; a path below ${root} that you are told of is, for you, the same path below ${ownRoot}.`,
    `What git ignores (installed dependencies, build output) is not in it.${repositories}${kept}`,
    `When you have ended, the files that you changed are put before the user as one change of ${root}. You need not commit, and must not copy anything there yourself. What git ignores is not taken over.`,
  ].join('\n');
}

/** A file's bytes as the worktree began with it. */
async function baseOf(
  { base, hash }: Parameters<Worktree['baseOf']>[0],
  git: GitPlace,
  places: RecordPlaces,
): Promise<Buffer | undefined> {
  if (base === 'none') return undefined;
  if (base === 'kept') return readFile(join(places.base, hash)).catch(() => undefined);
  const { code, stdout } = await runGit(git, ['cat-file', 'blob', base.object], new AbortController().signal);
  return code === 0 ? stdout : undefined;
}

function madeFailure(thrown: unknown): unknown {
  if (thrown instanceof Failure) return thrown;
  const code = systemErrorCode(thrown);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Failure('no_space_left', `The disk has no room for a worktree of the agent's own (${code}).`);
  const message = `No worktree of the agent's own could be made (${code ?? String(thrown)}). Hand the work on without isolation.`;
  return new Failure('worktree_not_made', message, { cause: thrown });
}
