import { decodeEscaped, isUnnamable } from '../../files/escaped-bytes.js';
import { firstLine, impossible } from './find-repository.js';
import { runGit, type GitPlace } from './run-git.js';

/** What git knows of a work tree, by paths relative to its top, with `/`. */
export interface ListedFiles {
  /** Path → name of the object that the index has for it; empty for one in a conflict. */
  readonly tracked: ReadonlyMap<string, string>;
  /** Neither tracked nor ignored. */
  readonly untracked: readonly string[];
  /** Submodules. */
  readonly modules: readonly string[];
  /** Other repositories below it, of which git knows nothing. */
  readonly repositories: readonly string[];
  /** Files whose names are no UTF-8, so that no tool can be given them; see `escaped-bytes.ts`. */
  readonly unnamable: readonly string[];
}

const LINK = '160000';

/** @throws Failure `worktree_impossible`; the signal's reason */
export async function listFiles(git: GitPlace, signal: AbortSignal): Promise<ListedFiles> {
  const index = namesIn(await ask(git, ['ls-files', '-z', '--stage'], signal));
  const others = namesIn(await ask(git, ['ls-files', '-z', '--others', '--exclude-standard'], signal));
  const tracked = new Map<string, string>();
  const untracked: string[] = [];
  const modules = new Set<string>();
  const repositories: string[] = [];
  const unnamable: string[] = [];
  for (const line of index) {
    const [, mode, name = '', stage, path = ''] = /^(\d+) ([0-9a-f]+) (\d)\t(.+)$/s.exec(line) ?? [];
    if (mode === LINK) modules.add(path);
    // A sparse index names whole folders that are not there.
    else if (path.endsWith('/')) continue;
    else if (isUnnamable(path)) unnamable.push(path);
    else tracked.set(path, stage === '0' ? name : '');
  }
  for (const path of others) {
    if (path.endsWith('/')) repositories.push(path.slice(0, -1));
    else if (isUnnamable(path)) unnamable.push(path);
    else untracked.push(path);
  }
  return { tracked, untracked, modules: [...modules], repositories, unnamable };
}

async function ask(git: GitPlace, words: readonly string[], signal: AbortSignal): Promise<Buffer> {
  const { code, stdout, stderr } = await runGit(git, words, signal);
  if (code !== 0)
    throw impossible(`git cannot list the files of ${git.workTree}: ${firstLine(stderr) || 'it failed'}.`);
  return stdout;
}

function namesIn(output: Buffer): string[] {
  return decodeEscaped(output)
    .split('\0')
    .filter((line) => line !== '');
}
