import { spawn } from 'node:child_process';
import { repositoryAt } from '../../files/ignore-repository.js';
import { ignoreSettings } from '../../files/ignore-settings.js';
import type { ToolRuntime } from '../../runtime.js';
import { systemErrorCode } from '../../util/failure.js';
import { findProgram } from '../../util/find-program.js';

/** Where git is, and for which repository it is run. All paths absolute. */
export interface GitPlace {
  /** The program itself, as `findGit` gives it. */
  readonly program: string;
  /** Its folder for the work tree, and the work tree. */
  readonly gitDir: string;
  readonly workTree: string;
  /** For programs that git itself starts. */
  readonly searchPath: string;
  /** By all of git's configuration, of which only the repository's own is read when git runs. */
  readonly excludesFile: string | undefined;
}

export interface GitRun {
  /** Of the program; null when a signal ended it, or it could not be started. */
  readonly code: number | null;
  readonly stdout: Buffer;
  /** The beginning of what it complained about; or why it could not be started. */
  readonly stderr: string;
}

const MAX_MS = 120_000;
const MAX_OUTPUT = 512 * 1024 * 1024;
const KEPT_STDERR = 4096;

/**
 * What a repository's own settings may say is not believed where it names a program: no hook, monitor or filter runs, and
 * nothing is fetched (a partial clone would start what its settings name for that).
 */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'core.pager=cat',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'advice.detachedHead=false',
];

/** Nothing that lies below the roots is taken. */
export function findGit(searchPath: string, notBelow: readonly string[]): string | undefined {
  return findProgram('git', { path: searchPath, notBelow })?.real;
}

/** The file of the own excludes for the repository whose work tree begins there. */
export function excludesFileOf(config: Pick<ToolRuntime, 'getGitUser'>, top: string): string | undefined {
  return ignoreSettings(config.getGitUser(), repositoryAt(top)).excludesFile;
}

/** Runs git to its end, with settings and variables that start nothing else. Rejects with the signal's reason only. */
export async function runGit(place: GitPlace, words: readonly string[], signal: AbortSignal): Promise<GitRun> {
  signal.throwIfAborted();
  const { program, workTree, excludesFile } = place;
  const settings = [...SETTINGS, `core.excludesFile=${excludesFile ?? ''}`].flatMap((setting) => ['-c', setting]);
  const child = spawn(program, ['--no-pager', ...settings, ...words], {
    cwd: workTree,
    env: environmentOf(place),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    timeout: MAX_MS,
    killSignal: 'SIGKILL',
  });
  const cancel = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const run = await outputOf(child);
    signal.throwIfAborted();
    return run;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function outputOf(child: ReturnType<typeof spawn>): Promise<GitRun> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (stderr.length < KEPT_STDERR) stderr += chunk.toString('utf8');
    });
    child.on('error', (thrown) => {
      const why = `git could not be started (${systemErrorCode(thrown) ?? 'unknown error'})`;
      resolve({ code: null, stdout: Buffer.alloc(0), stderr: why });
    });
    child.on('close', (code) => resolve({ code, stdout: Buffer.concat(chunks), stderr: stderr.trim() }));
  });
}

function environmentOf({ gitDir, workTree, searchPath }: GitPlace): Record<string, string> {
  return {
    PATH: searchPath,
    GIT_DIR: gitDir,
    GIT_WORK_TREE: workTree,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    // No way of reaching another repository has this name.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    HOME: gitDir,
    LC_ALL: 'C',
  };
}
