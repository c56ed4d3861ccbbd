import { readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { innermostRoot } from '../files/ignore-rules.js';
import {
  framesAbove,
  GIT_IGNORE,
  isIgnoredBy,
  pushFrame,
  QWEN_IGNORE,
  type IgnoreFrame,
} from '../files/ignore-stack.js';

/** Folders read at the same time. */
const READ_AHEAD = 32;

export interface WalkedFile {
  /** Absolute and canonical. */
  readonly path: string;
  /** Relative to the walked folder, with `/`. */
  readonly relativePath: string;
  /** A symbolic link to whatever; only with `links`. */
  readonly isLink: boolean;
}

/** What a walk left out; filled in while it runs. */
export interface WalkCounts {
  files: number;
  /** Entries: an ignored folder counts once, whatever it holds. */
  gitIgnored: number;
  qwenIgnored: number;
  /** Symbolic links, which are never followed. */
  links: number;
  /** Devices, FIFOs, sockets. */
  special: number;
  unreadableFolders: number;
  /** The walked folder itself is ignored by `.gitignore`; it was named, so what lies in it is shown. */
  folderIsGitIgnored: boolean;
}

export interface WalkOptions {
  /** A held folder: where it really is, and the path under which to read it. `FolderHandle` has both. */
  readonly folder: { readonly path: string; readonly workingDirectory: string };
  /** The workspace roots, canonical: ignore files hold from the innermost root that contains the folder. */
  readonly roots: readonly string[];
  /** `.gitignore` files and `.git/info/exclude`; true by default. `.qwenignore` always holds. */
  readonly respectGitIgnore?: boolean;
  readonly signal: AbortSignal;
  /** Also yield symbolic links (never what they lead to). */
  readonly links?: boolean;
  /** False leaves a folder out unseen; its path is relative to the walked folder. */
  readonly enter?: (relativeFolder: string) => boolean;
  readonly counts?: WalkCounts;
}

export function newWalkCounts(): WalkCounts {
  return {
    files: 0,
    gitIgnored: 0,
    qwenIgnored: 0,
    links: 0,
    special: 0,
    unreadableFolders: 0,
    folderIsGitIgnored: false,
  };
}

interface Folder {
  /** Relative to the walked folder; empty for itself. */
  readonly relativePath: string;
  readonly git: IgnoreFrame | undefined;
  readonly qwen: IgnoreFrame | undefined;
}

/**
 * Every file below a folder that no ignore rule hides, hidden ones included, level by level and sorted by
 * name within a folder. `.git` is never entered and no link is followed.
 * @throws the signal's reason once it is aborted
 */
export async function* walkFiles(options: WalkOptions): AsyncGenerator<WalkedFile, void, undefined> {
  for await (const batch of walkFolders(options)) yield* batch;
}

/** The same, one folder's files at a time: an awaited promise for each of many files is a cost of its own. */
export async function* walkFolders(options: WalkOptions): AsyncGenerator<WalkedFile[], void, undefined> {
  const walk = new Walk(options);
  let level: Folder[] = [walk.start()];
  while (level.length > 0) {
    const below: Folder[] = [];
    for (let index = 0; index < level.length; index += READ_AHEAD) {
      options.signal.throwIfAborted();
      const part = level.slice(index, index + READ_AHEAD);
      const lists = await Promise.all(part.map(async (folder) => walk.read(folder)));
      for (const [position, folder] of part.entries()) {
        const files = walk.visit(folder, lists[position] ?? [], below);
        if (files.length > 0) yield files;
      }
    }
    level = below;
  }
  options.signal.throwIfAborted();
}

class Walk {
  readonly #options: WalkOptions;
  readonly #counts: WalkCounts;
  readonly #root: string | undefined;
  /** From the root to the walked folder: empty or with a closing slash. */
  readonly #prefix: string;
  /** The walked folder with a closing separator: `join` for every file costs more than reading the folders. */
  readonly #base: string;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#counts = options.counts ?? newWalkCounts();
    this.#root = innermostRoot(options.folder.path, options.roots);
    const path = this.#root === undefined ? '' : relative(this.#root, options.folder.path).split(sep).join('/');
    this.#prefix = path === '' ? '' : `${path}/`;
    this.#base = options.folder.path.endsWith(sep) ? options.folder.path : options.folder.path + sep;
  }

  start(): Folder {
    // Outside every root (the project's temp folder) nothing is ignored.
    if (this.#root === undefined) return { relativePath: '', git: undefined, qwen: undefined };
    const above = this.#prefix.slice(0, -1);
    const qwen = framesAbove(this.#root, above, QWEN_IGNORE).frame;
    if (this.#options.respectGitIgnore === false) return { relativePath: '', git: undefined, qwen };
    const git = framesAbove(this.#root, above, GIT_IGNORE);
    this.#counts.folderIsGitIgnored = git.ignored;
    return { relativePath: '', git: git.ignored ? undefined : git.frame, qwen };
  }

  async read(folder: Folder): Promise<Dirent[]> {
    try {
      const entries = await readdir(this.#at(folder), { withFileTypes: true });
      return entries.sort(byName);
    } catch {
      this.#counts.unreadableFolders++;
      return [];
    }
  }

  /** Judges a folder's entries: files are returned, folders to enter are added to `below`. */
  visit(folder: Folder, entries: readonly Dirent[], below: Folder[]): WalkedFile[] {
    const { git, qwen } = this.#framesIn(folder, entries);
    const files: WalkedFile[] = [];
    for (const entry of entries) {
      const { name } = entry;
      if (name.toLowerCase() === '.git') continue;
      const relativePath = folder.relativePath === '' ? name : `${folder.relativePath}/${name}`;
      const isDirectory = entry.isDirectory();
      if (isDirectory && this.#options.enter?.(relativePath) === false) continue;
      const fromRoot = this.#prefix + relativePath;
      if (isIgnoredBy(qwen, fromRoot, name, isDirectory)) this.#counts.qwenIgnored++;
      else if (isIgnoredBy(git, fromRoot, name, isDirectory)) this.#counts.gitIgnored++;
      else if (isDirectory) below.push({ relativePath, git, qwen });
      else this.#take(entry, relativePath, files);
    }
    return files;
  }

  #take(entry: Dirent, relativePath: string, files: WalkedFile[]): void {
    const isLink = entry.isSymbolicLink();
    if (isLink) this.#counts.links++;
    else if (entry.isFile()) this.#counts.files++;
    else this.#counts.special++;
    if (entry.isFile() || (isLink && this.#options.links === true)) {
      files.push({
        path: this.#base + (sep === '/' ? relativePath : relativePath.replaceAll('/', sep)),
        relativePath,
        isLink,
      });
    }
  }

  #framesIn(
    folder: Folder,
    entries: readonly Dirent[],
  ): { git?: IgnoreFrame | undefined; qwen?: IgnoreFrame | undefined } {
    if (this.#root === undefined) return {};
    let { git, qwen } = folder;
    const fromRoot = (this.#prefix + folder.relativePath).replace(/\/$/, '');
    // The listing says whether there is an ignore file: no need to ask for one in every folder.
    const has = (name: string): boolean => entries.some((entry) => entry.name === name);
    if (this.#options.respectGitIgnore !== false && has(GIT_IGNORE.fileName))
      git = pushFrame(git, GIT_IGNORE, this.#at(folder), fromRoot);
    if (has(QWEN_IGNORE.fileName)) qwen = pushFrame(qwen, QWEN_IGNORE, this.#at(folder), fromRoot);
    return { git, qwen };
  }

  #at(folder: Folder): string {
    return join(this.#options.folder.workingDirectory, folder.relativePath);
  }
}

/** By code units: the same on every machine and in every locale. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
