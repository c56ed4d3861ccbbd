import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync, type Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { decodeEscaped } from '../../files/escaped-bytes.js';
import { findProgram } from '../../util/find-program.js';
import { readGitIndex, type GitIndex, type IndexedFolder } from './git-index.js';

/** Git takes a while to start and looks at every file: it pays for many only. */
const MIN_ENTRIES = 10_000;
/** Of an index; an entry of version 4 may be little more than this. */
const MIN_ENTRY_BYTES = 64;
const MAX_INDEX_BYTES = 512 * 1024 * 1024;
/** Files that git would have to read. */
const MAX_RACY = 1000;
const MAX_MS = 5000;
/** Bytes of names of changed files; with more of them there is nothing to gain. */
const MAX_CHANGED_BYTES = 1024 * 1024;

export interface GitTimesOptions {
  /** Where the program is looked for: the PATH of child processes. */
  readonly searchPath: string;
  /** Folders in which no program is trusted: the workspace. */
  readonly notBelow: readonly string[];
  /** An existing folder, in which a folder is made for git as long as it runs. */
  readonly tempDir: string;
  /** Fewer tracked files are looked at without asking git; 10,000 by default. */
  readonly minEntries?: number;
}

/** What git's index says of one folder's files, in their order. */
export interface FolderTimes {
  /** The second in which each was last changed; NaN where it tells none. */
  readonly seconds: Float64Array;
  /** How many are no NaN, and the largest of them: -Infinity where there is none. */
  readonly known: number;
  readonly newest: number;
}

/** Files that are not as the index says, by folder: relative, empty or with `/` at its end. */
export type ChangedFiles = ReadonlyMap<string, ReadonlySet<string>>;

/** The seconds in which files were last changed, as git's index says, and what git finds when it looks at them. */
export interface ClaimedTimes {
  /** `folder` is relative, empty or with `/` at its end. The same object for the same list of names. */
  readonly of: (folder: string, names: readonly string[]) => FolderTimes;
  /** All but these is as the index says. Undefined when git cannot tell: then nothing is proved. Never rejects. */
  readonly changed: Promise<ChangedFiles | undefined>;
  /** It is of little use, as most files have to be looked at after all: ends git, and is not asked for as many again. */
  readonly notePoor: () => void;
}

/** What is remembered of one state of an index. */
interface KnownIndex {
  readonly path: string;
  readonly stamp: string;
  readonly index: GitIndex | undefined;
  readonly byNames: WeakMap<readonly string[], FolderTimes>;
  /** For so many of the newest files, and more, it is not worth asking. */
  poorFrom: number;
}

/**
 * Asks git which files of a work tree are as its index says. `git diff-files` compares each file's type, size, inode and
 * times, down to the second, with the index: a file it does not name was changed in the second that the index tells.
 * Git gets a folder of our own in place of `.git`, with nothing in it, so that no setting, hook, filter or
 * monitor of the repository can make it start anything.
 */
export class GitTimes {
  readonly #options: GitTimesOptions;
  #known: KnownIndex | undefined;
  #program: string | undefined;

  constructor(options: GitTimesOptions) {
    this.#options = options;
  }

  /**
   * For the top folder of a work tree, canonical, of which so many of the newest files are wanted; undefined when nothing can be
   * proved there, or when it does not pay. Git is started before this returns, as it takes longer than all the rest.
   */
  async claim(top: string, keep: number, signal: AbortSignal): Promise<ClaimedTimes | undefined> {
    const stopper = new AbortController();
    try {
      const minEntries = this.#options.minEntries ?? MIN_ENTRIES;
      const stamp = indexStamp(top, minEntries * MIN_ENTRY_BYTES);
      if (stamp === undefined || keep >= (this.#knownAt(stamp)?.poorFrom ?? Infinity)) return undefined;
      const { searchPath: path, notBelow } = this.#options;
      this.#program ??= findProgram('git', { path, notBelow })?.real;
      if (this.#program === undefined) return undefined;
      const changed = this.#changed(this.#program, top, {
        stamp: stamp.stamp,
        signal: AbortSignal.any([signal, stopper.signal]),
      });
      const known = this.#knownAt(stamp) ?? (await this.#read(top, stamp));
      const { index } = known;
      const notePoor = (from: number): void => {
        known.poorFrom = Math.min(known.poorFrom, from);
        stopper.abort();
      };
      if (index !== undefined && index.entries >= minEntries && index.racy <= MAX_RACY) {
        const of: ClaimedTimes['of'] = (folder, names) => timesOf(known, index, folder, names);
        return { of, changed, notePoor: () => notePoor(keep) };
      }
      notePoor(0);
      return undefined;
    } catch {
      // Every file can be looked at instead; an abort is seen there, too.
      stopper.abort();
      return undefined;
    }
  }

  #knownAt({ path, stamp }: IndexStamp): KnownIndex | undefined {
    return this.#known?.path === path && this.#known.stamp === stamp ? this.#known : undefined;
  }

  /** @throws Error when it was written meanwhile */
  async #read(top: string, { path, stamp, second }: IndexStamp): Promise<KnownIndex> {
    const bytes = await readFile(path);
    // Git may have come to its end before.
    if (indexStamp(top, 0)?.stamp !== stamp) throw new Error('The index was written while it was read.');
    const index = await readGitIndex(bytes, second);
    this.#known = { path, stamp, index, byNames: new WeakMap(), poorFrom: Infinity };
    return this.#known;
  }

  /** `stamp`: of the index before. */
  async #changed(
    program: string,
    top: string,
    { stamp, signal }: { readonly stamp: string; readonly signal: AbortSignal },
  ): Promise<ChangedFiles | undefined> {
    try {
      const output = await this.#ask(program, top, signal);
      return output === undefined || indexStamp(top, 0)?.stamp !== stamp ? undefined : filesIn(output);
    } catch {
      return undefined;
    }
  }

  async #ask(program: string, top: string, signal: AbortSignal): Promise<Buffer | undefined> {
    // A new one each time: a folder that stays could be written to meanwhile, and git starts what its settings say.
    const gitDir = makeGitDir(this.#options.tempDir);
    try {
      return await runGit({ program, top, gitDir, signal });
    } finally {
      rmSync(gitDir, { recursive: true, force: true });
    }
  }
}

interface IndexStamp {
  readonly path: string;
  readonly stamp: string;
  readonly second: number;
}

function indexStamp(top: string, minBytes: number): IndexStamp | undefined {
  const gitDir = lstatSync(join(top, '.git'), { throwIfNoEntry: false });
  // A file or a link leads to another place: nothing is read there.
  if (gitDir?.isDirectory() !== true) return undefined;
  const path = join(top, '.git', 'index');
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || stat.size < minBytes || stat.size > MAX_INDEX_BYTES) return undefined;
  return { path, stamp: stampOf(stat), second: Math.floor(stat.mtimeMs / 1000) };
}

function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}

/** Blocks for a fraction of a millisecond; five turns of a busy event loop would be many. */
function makeGitDir(tempDir: string): string {
  const folder = mkdtempSync(join(tempDir, 'git-'));
  mkdirSync(join(folder, 'objects'));
  mkdirSync(join(folder, 'refs'));
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
  return folder;
}

interface GitRun {
  readonly program: string;
  readonly top: string;
  readonly gitDir: string;
  readonly signal: AbortSignal;
}

const SETTINGS = [
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.checkStat=default',
  'core.trustctime=true',
  'core.preloadIndex=true',
  'core.splitIndex=false',
  'core.sparseCheckout=false',
];
/** Its twenty threads together weigh as much as two others: this one has its own share of the work. */
const NICENESS = 10;
const COMMAND = ['diff-files', '--name-only', '-z', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];

/** What git prints; undefined when it fails, takes too long or prints too much. */
async function runGit({ program, top, gitDir, signal }: GitRun): Promise<Buffer | undefined> {
  const env = {
    GIT_DIR: gitDir,
    GIT_WORK_TREE: top,
    GIT_INDEX_FILE: join(top, '.git', 'index'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    HOME: gitDir,
    LC_ALL: 'C',
  };
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  return new Promise((resolve) => {
    const child = spawn(program, ['--no-pager', ...settings, ...COMMAND], {
      cwd: top,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
      signal,
      timeout: MAX_MS,
      killSignal: 'SIGKILL',
    });
    beNice(child.pid);
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_CHANGED_BYTES) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks) : undefined));
  });
}

/** Threads that are made later take the priority over. */
function beNice(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // It has ended already.
  }
}

function filesIn(output: Buffer): ChangedFiles {
  const files = new Map<string, Set<string>>();
  for (const path of decodeEscaped(output).split('\0')) {
    if (path === '') continue;
    const slash = path.lastIndexOf('/') + 1;
    const names = files.get(path.slice(0, slash)) ?? new Set<string>();
    files.set(path.slice(0, slash), names.add(path.slice(slash)));
  }
  return files;
}

function timesOf({ byNames }: KnownIndex, index: GitIndex, folder: string, names: readonly string[]): FolderTimes {
  const before = byNames.get(names);
  if (before !== undefined) return before;
  const times = folderTimes(secondsOf(index.times.get(folder), names));
  byNames.set(names, times);
  return times;
}

function secondsOf(indexed: IndexedFolder | undefined, names: readonly string[]): Float64Array {
  const seconds = new Float64Array(names.length).fill(Number.NaN);
  if (indexed === undefined) return seconds;
  let byName: Map<string, number> | undefined;
  let next = 0;
  for (const [at, name] of names.entries()) {
    // Both lists are mostly the same, in the same order.
    let place: number | undefined = next;
    if (indexed.names[next] === name) next += 1;
    else {
      byName ??= new Map(indexed.names.map((one, index) => [one, index]));
      place = byName.get(name);
    }
    if (place !== undefined) seconds[at] = indexed.seconds[place] ?? Number.NaN;
  }
  return seconds;
}

function folderTimes(seconds: Float64Array): FolderTimes {
  let known = 0;
  let newest = Number.NEGATIVE_INFINITY;
  for (const second of seconds) {
    if (Number.isNaN(second)) continue;
    known += 1;
    newest = Math.max(newest, second);
  }
  return { seconds, known, newest };
}

/** Without the changed ones among them. */
export function unchangedTimes(
  times: FolderTimes,
  names: readonly string[],
  changed: ReadonlySet<string> | undefined,
): FolderTimes {
  if (changed === undefined) return times;
  return folderTimes(times.seconds.map((second, at) => (changed.has(names[at] ?? '') ? Number.NaN : second)));
}
