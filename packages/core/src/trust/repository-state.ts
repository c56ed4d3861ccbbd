import { lstatSync, readFileSync, readdirSync, realpathSync, type BigIntStats } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { systemErrorCode } from '../util/failure.js';
import { hooksPathOf, remarkableSettings } from './git-settings.js';
import { mayHaveLinks } from './git-links.js';

/** What git may start, or where it may look, beyond the repository itself. */
export interface RepositoryState {
  /** The reasons why git may start programs here or look elsewhere, a line each. */
  readonly reasons: readonly string[];
  /** The subset that concerns read-only commands. If empty, these commands do what they say. */
  readonly forLooking: readonly string[];
  /** Names of the hooks, which commands that change something run. */
  readonly hooks: readonly string[];
}

/** A state, and what it was read from. */
export interface KnownState {
  readonly state: RepositoryState;
  /** Undefined when something was so young that a later change might look the same. */
  readonly stamp: string | undefined;
}

const LARGEST_CONFIG = 1024 * 1024;
const LARGEST_INDEX = 64 * 1024 * 1024;
const LARGEST_POINTER = 8192;
/** Times of files are no more exact than this. */
const YOUNG_MS = 1000;
/** The one hook that commands run which only look: they write the index anew. */
const HOOK_OF_LOOKING = 'post-index-change';
/** The folders that hold a repository's history. A link in them would show another repository's history. */
const STORES = ['.', 'objects', 'objects/info', 'objects/pack', 'refs', 'refs/heads'];

interface Places {
  readonly gitDir: string;
  readonly commonDir: string;
}

/**
 * Where the work tree begins in which git would find itself in this folder, canonical. Undefined where there is none, or where
 * a folder on the way could be taken for a bare repository.
 */
export function topOf(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (exists(join(current, '.git'))) return exists(join(current, 'HEAD')) ? undefined : current;
    // A bare repository needs more; this one file is enough to be careful.
    if (exists(join(current, 'HEAD')) || dirname(current) === current) return undefined;
  }
}

/** What holds of the repository whose work tree begins at `top`, a canonical path. `known`: of the last time. */
export function readRepository(top: string, known?: KnownState): KnownState {
  const places = placesOf(top);
  if (typeof places === 'string')
    return { state: { reasons: [places], forLooking: [places], hooks: [] }, stamp: undefined };
  const files = filesOf(top, places);
  const stamp = stampOf([top, places.gitDir, places.commonDir, ...Object.values(files)]);
  if (known?.stamp !== undefined && known.stamp === stamp) return known;
  const state = readState(top, files);
  // What changed while it was read is read again next time.
  return {
    state,
    stamp: stampOf([top, places.gitDir, places.commonDir, ...Object.values(files)]) === stamp ? stamp : undefined,
  };
}

/** The git folders of a work tree, or why they are not taken for such. */
function placesOf(top: string): Places | string {
  const marker = join(top, '.git');
  try {
    const info = lstatSync(marker);
    if (info.isDirectory()) {
      const commonDir = commonFolder(marker);
      return commonDir === marker ? { gitDir: marker, commonDir } : `.git leads to ${commonDir}`;
    }
    if (!info.isFile() || info.size > LARGEST_POINTER) return '.git is a link';
    const [, path] = /^gitdir: (.+?)\s*$/.exec(readFileSync(marker, 'utf8')) ?? [];
    if (path === undefined) return '.git is neither a folder nor names one';
    const gitDir = realpathSync.native(resolve(top, path));
    const commonDir = commonFolder(gitDir);
    const isOwn = isGuarded(gitDir) && isGuarded(commonDir) && leadsBack(gitDir, marker);
    return isOwn ? { gitDir, commonDir } : `.git leads to ${gitDir}`;
  } catch (thrown) {
    return `.git cannot be read (${systemErrorCode(thrown) ?? 'unknown error'})`;
  }
}

/** Only in a folder `.git` is configuration something that nobody writes unasked. */
function isGuarded(gitDir: string): boolean {
  return gitDir.split(sep).includes('.git');
}

/** Returns true if the repository knows this work tree: a file that came with the folder could point to any repository. */
function leadsBack(gitDir: string, marker: string): boolean {
  const back = readSmall(join(gitDir, 'gitdir'), LARGEST_POINTER)?.toString('utf8').trimEnd() ?? '';
  return back !== '' && realpathSync.native(resolve(gitDir, back)) === marker;
}

/** Where all work trees of a repository keep what they share. */
function commonFolder(gitDir: string): string {
  try {
    return realpathSync.native(resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').trimEnd()));
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return gitDir;
    throw thrown;
  }
}

type Files = Readonly<
  Record<'config' | 'ownConfig' | 'index' | 'hooks' | 'lookHook' | 'hooksParent' | 'alternates', string>
>;

function filesOf(top: string, { gitDir, commonDir }: Places): Files {
  const config = join(commonDir, 'config');
  const named = hooksPathOf(readSmall(config, LARGEST_CONFIG)?.toString('utf8') ?? '');
  const hooks = named === undefined ? join(commonDir, 'hooks') : resolve(top, named);
  return {
    config,
    ownConfig: join(gitDir, 'config.worktree'),
    index: join(gitDir, 'index'),
    hooks,
    lookHook: join(hooks, HOOK_OF_LOOKING),
    hooksParent: dirname(hooks),
    alternates: join(commonDir, 'objects', 'info', 'alternates'),
  };
}

function readState(top: string, files: Files): RepositoryState {
  const [reasons, forLooking]: [string[], string[]] = [[], []];
  const add = (...lines: readonly string[]): void => {
    reasons.push(...lines);
    forLooking.push(...lines);
  };
  for (const file of [files.config, files.ownConfig]) {
    const bytes = readSmall(file, LARGEST_CONFIG);
    const settings = bytes && remarkableSettings(bytes.toString('utf8'));
    reasons.push(...(settings?.all ?? [`${basename(file)} cannot be read`]));
    forLooking.push(...(settings?.forLooking ?? [`${basename(file)} cannot be read`]));
  }
  // The hooks are looked for where the first file says.
  const ownHooks = hooksPathOf(readSmall(files.ownConfig, LARGEST_CONFIG)?.toString('utf8') ?? '');
  if (ownHooks !== undefined) add(`core.hookspath = ${ownHooks}`);
  if (exists(files.alternates)) add('objects of another repository are used (objects/info/alternates)');
  const link = STORES.flatMap((store) => linksIn(join(dirname(files.config), store)))[0];
  if (link !== undefined) add(`${link} is a link`);
  // A link would lead to a folder into which anybody may write.
  if (isLink(files.hooks) || (isIn(top, files.hooksParent) && isLink(files.hooksParent)))
    reasons.push('the folder of the hooks is a link');
  const hooks = namesIn(files.hooks).filter((name) => /^[a-z0-9-]+$/.test(name) && name !== 'h');
  if (hooks.includes(HOOK_OF_LOOKING) || exists(files.lookHook)) add(`a hook ${HOOK_OF_LOOKING}`);
  const index = readSmall(files.index, LARGEST_INDEX);
  if (index === undefined) add('the index cannot be read');
  else if (index.length > 0 && mayHaveLinks(index))
    add('other repositories below it, which have settings of their own (submodules)');
  return { reasons: [...new Set(reasons)], forLooking: [...new Set(forLooking)], hooks };
}

/** Empty where there is no such file; undefined where it cannot be read. A link is not followed. */
function readSmall(file: string, largest: number): Buffer | undefined {
  try {
    const info = lstatSync(file, { throwIfNoEntry: false });
    if (info === undefined) return Buffer.alloc(0);
    return info.isFile() && info.size <= largest ? readFileSync(file) : undefined;
  } catch (thrown) {
    return systemErrorCode(thrown) === 'ENOTDIR' ? Buffer.alloc(0) : undefined;
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (thrown) {
    return systemErrorCode(thrown) !== 'ENOTDIR';
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function isIn(folder: string, path: string): boolean {
  return path !== folder && !relative(folder, path).startsWith('..');
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function linksIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
  } catch (thrown) {
    return systemErrorCode(thrown) === 'ENOENT' ? [] : [folder];
  }
}

function stampOf(paths: readonly string[]): string | undefined {
  const parts: string[] = [];
  for (const path of paths) {
    let info: BigIntStats | undefined;
    try {
      info = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    } catch (thrown) {
      parts.push(systemErrorCode(thrown) ?? 'unknown');
      continue;
    }
    if (info === undefined) parts.push('none');
    else {
      // Folders change with every file in them: only what they are counts.
      const isFolder = info.isDirectory();
      if (!isFolder && Date.now() - Number(info.ctimeMs) < YOUNG_MS) return undefined;
      parts.push(
        [info.dev, info.ino, info.mode, ...(isFolder ? [] : [info.size, info.mtimeNs, info.ctimeNs])].join(' '),
      );
    }
  }
  return parts.join(', ');
}
