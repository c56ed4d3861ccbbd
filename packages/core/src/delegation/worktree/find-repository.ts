import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { topOf } from '../../trust/repository-state.js';
import { Failure, systemErrorCode } from '../../util/failure.js';
import { isWithin } from '../../util/paths-below.js';
import { runGit, type GitPlace } from './run-git.js';

/** A work tree and where git keeps what belongs to it. All canonical. */
export interface Repository {
  readonly top: string;
  /** Of this work tree alone. */
  readonly gitDir: string;
  /** What all of its work trees share. */
  readonly commonDir: string;
}

const LARGEST_POINTER = 8192;
const NO_ISOLATION = 'Hand the work on without a worktree of its own, or work in one repository.';

/** The repository that a folder is in. `folder`: canonical. @throws Failure `worktree_impossible` */
export function findRepository(folder: string): Repository {
  const top = topOf(folder);
  if (top === undefined)
    throw impossible(
      `${folder} is in no work tree of git (a bare repository has none). Hand the work on without isolation.`,
    );
  try {
    const gitDir = gitDirOf(top);
    return { top, gitDir, commonDir: commonDirOf(gitDir) };
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw impossible(`${join(top, '.git')} cannot be read (${systemErrorCode(thrown) ?? 'unknown error'}).`);
  }
}

/** The work tree of which all of these folders are part, canonical. @throws Failure `worktree_impossible` */
export function repositoryOf(folders: readonly string[]): Repository {
  const [first, ...rest] = folders;
  if (first === undefined) throw impossible('there is no workspace folder.');
  const repository = findRepository(first);
  const other = rest.find((folder) => !isWithin(folder, repository.top));
  if (other !== undefined)
    throw impossible(`the workspace has a folder outside the repository ${repository.top}: ${other}. ${NO_ISOLATION}`);
  return repository;
}

/** The commit that is checked out. @throws Failure `worktree_impossible`; the signal's reason */
export async function headOf(git: GitPlace, signal: AbortSignal): Promise<string> {
  const { code, stdout, stderr } = await runGit(
    git,
    ['rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}'],
    signal,
  );
  const commit = stdout.toString('latin1').trim();
  if (code === 0 && /^[0-9a-f]{40,64}$/.test(commit)) return commit;
  if (code === null) throw impossible(`${stderr || 'git was ended'}.`);
  throw impossible(
    `the repository ${git.workTree} has no commit yet, or its HEAD cannot be read. Commit something first. (${firstLine(stderr)})`,
  );
}

function gitDirOf(top: string): string {
  const marker = join(top, '.git');
  const info = lstatSync(marker);
  if (info.isDirectory()) return realpathSync.native(marker);
  if (!info.isFile() || info.size > LARGEST_POINTER) throw impossible(`${marker} is neither a folder nor a file.`);
  const path = gitDirIn(readFileSync(marker, 'utf8'));
  if (path === undefined) throw impossible(`${marker} names no folder.`);
  return realpathSync.native(resolve(top, path));
}

/** What the text of a `.git` file names. As git has it, all but its last line ends are part of the path. */
export function gitDirIn(text: string): string | undefined {
  return /^gitdir: (.+?)[\r\n]*$/s.exec(text)?.[1];
}

function commonDirOf(gitDir: string): string {
  try {
    return realpathSync.native(
      resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').replace(/[\r\n]+$/, '')),
    );
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return gitDir;
    throw thrown;
  }
}

export function impossible(why: string, cause?: unknown): Failure {
  const message = `The agent cannot get a worktree of its own: ${why}`;
  return new Failure('worktree_impossible', message, cause === undefined ? undefined : { cause });
}

export function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300);
}
