import { spawn } from 'node:child_process';
import { lstatSync, type Stats } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeEscaped } from '../../files/escaped-bytes.js';
import { findProgram } from '../engines/find-program.js';
import { readGitIndex, type GitIndex } from './git-index.js';

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

/** The second in which files were last changed, as git has just proved. */
export interface ProvenTimes {
  /** Of one folder's files, in their order; NaN where nothing is proved. `folder` is relative, empty or with `/` at its end. */
  readonly secondsOf: (folder: string, names: readonly string[]) => Float64Array;
  /** It turned out to be of little use, as most times had to be looked at after all. */
  readonly notePoor: () => void;
}

/** What is remembered of one state of an index. */
interface KnownIndex {
  readonly path: string;
  readonly stamp: string;
  readonly index: GitIndex | undefined;
  readonly byNames: WeakMap<readonly string[], Float64Array>;
  isPoor: boolean;
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

  /** For the top folder of a work tree, canonical; undefined when nothing can be proved there, or when it does not pay. */
  async prove(top: string, signal: AbortSignal): Promise<ProvenTimes | undefined> {
    try {
      const minEntries = this.#options.minEntries ?? MIN_ENTRIES;
      const before = indexStamp(top, minEntries * MIN_ENTRY_BYTES);
      if (before === undefined || (this.#isPoor(before) ?? false)) return undefined;
      this.#program ??= findProgram('git', this.#options.searchPath, this.#options.notBelow);
      if (this.#program === undefined) return undefined;
      const known = await this.#read(before);
      const { index } = known;
      if (index === undefined || index.entries < minEntries || index.racy > MAX_RACY) {
        known.isPoor = true;
        return undefined;
      }
      const changed = await this.#changed(this.#program, top, signal);
      if (changed === undefined || indexStamp(top, 0)?.stamp !== before.stamp) return undefined;
      return {
        secondsOf: (folder, names) => secondsOf(known, index, { folder, names, changed: changed.get(folder) }),
        notePoor: () => void (known.isPoor = true),
      };
    } catch {
      // Every file can be looked at instead; an abort is seen there, too.
      return undefined;
    }
  }

  #isPoor({ path, stamp }: { path: string; stamp: string }): boolean | undefined {
    return this.#known?.path === path && this.#known.stamp === stamp ? this.#known.isPoor : undefined;
  }

  async #read({ path, stamp, second }: { path: string; stamp: string; second: number }): Promise<KnownIndex> {
    if (this.#known?.path === path && this.#known.stamp === stamp) return this.#known;
    const index = await readGitIndex(await readFile(path), second);
    this.#known = { path, stamp, index, byNames: new WeakMap(), isPoor: false };
    return this.#known;
  }

  /** The files that are not as the index says, by folder. Undefined when git cannot tell. */
  async #changed(program: string, top: string, signal: AbortSignal): Promise<Map<string, Set<string>> | undefined> {
    // A new one each time: a folder that stays could be written to meanwhile, and git starts what its settings say.
    const gitDir = await makeGitDir(this.#options.tempDir);
    const run = async (): Promise<Buffer | undefined> => {
      try {
        return await runGit({ program, top, gitDir, signal });
      } finally {
        await rm(gitDir, { recursive: true, force: true });
      }
    };
    const output = await run();
    if (output === undefined) return undefined;
    const changed = new Map<string, Set<string>>();
    for (const path of decodeEscaped(output).split('\0')) {
      const slash = path.lastIndexOf('/') + 1;
      const names = changed.get(path.slice(0, slash)) ?? new Set<string>();
      changed.set(path.slice(0, slash), names.add(path.slice(slash)));
    }
    return changed;
  }
}

function indexStamp(top: string, minBytes: number): { path: string; stamp: string; second: number } | undefined {
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

async function makeGitDir(tempDir: string): Promise<string> {
  const folder = await mkdtemp(join(tempDir, 'git-'));
  await mkdir(join(folder, 'objects'));
  await mkdir(join(folder, 'refs'));
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  await writeFile(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
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
    const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
    const child = spawn(program, ['--no-pager', ...settings, ...COMMAND], {
      cwd: top,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
      signal: limit,
      killSignal: 'SIGKILL',
    });
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

function secondsOf(
  { byNames }: KnownIndex,
  index: GitIndex,
  asked: {
    readonly folder: string;
    readonly names: readonly string[];
    readonly changed: ReadonlySet<string> | undefined;
  },
): Float64Array {
  const { folder, names, changed } = asked;
  let seconds = byNames.get(names);
  if (seconds === undefined) {
    const inFolder = index.times.get(folder);
    seconds = Float64Array.from(names, (name) => inFolder?.get(name) ?? Number.NaN);
    byNames.set(names, seconds);
  }
  if (changed === undefined) return seconds;
  return seconds.map((second, at) => (changed.has(names[at] ?? '') ? Number.NaN : second));
}
