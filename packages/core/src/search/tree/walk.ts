import { sep } from 'node:path';
import { innermostRoot } from '../../files/ignore-rules.js';
import { TreeMemory } from './tree-memory.js';
import { TreeWalk } from './tree-walk.js';
import type { WalkedFolder, WalkOptions } from './walked-folder.js';
import { prefixOf } from '../paths.js';
import { withSeparator } from '../../util/paths-below.js';

/**
 * Every folder that no ignore rule hides, hidden ones included, level by level and sorted by name within a folder; several at
 * a time; workspace roots below the walked one by their own rules, and first. `.git` is never entered and no link is followed. Nothing is remembered. Folders that vanish or cannot be read are
 * counted. Does not block the event loop for more than some 15 ms. @throws the signal's reason once it is aborted
 */
export async function* walkTree(options: WalkOptions): AsyncGenerator<readonly WalkedFolder[], void, undefined> {
  const { folder, roots, gitUser } = options;
  const memory = new TreeMemory(innermostRoot(folder.path, roots) ?? folder.path, {
    room: { entries: 0 },
    maxEntries: 0,
    hasRoot: false,
  });
  yield* new TreeWalk(options, memory, { remembers: false, gitUser }).run();
}

export interface WalkedFile {
  /** Absolute and canonical; for the system by `systemPath`. */
  readonly path: string;
  /** Relative to the walked folder, with `/`. */
  readonly relativePath: string;
  /** A symbolic link to whatever; only with `links`. */
  readonly isLink: boolean;
}

export interface FileWalkOptions extends WalkOptions {
  /** Also yield symbolic links (never what they lead to). */
  readonly links?: boolean;
}

/** The files one by one, for those who want few. @throws the signal's reason once it is aborted */
export async function* walkFiles(options: FileWalkOptions): AsyncGenerator<WalkedFile, void, undefined> {
  for await (const batch of walkFolders(options)) yield* batch;
}

/** The same, one folder's files at a time: an awaited promise for each of many files is a cost of its own. */
export async function* walkFolders(options: FileWalkOptions): AsyncGenerator<WalkedFile[], void, undefined> {
  const { path } = options.folder;
  const base = withSeparator(path);
  for await (const batch of walkTree(options)) {
    for (const folder of batch) {
      const files = filesOf(folder, base, options.links === true);
      if (files.length > 0) yield files;
    }
  }
}

function filesOf({ folder, names, links }: WalkedFolder, base: string, withLinks: boolean): WalkedFile[] {
  const prefix = prefixOf(folder);
  const fileOf = (name: string, isLink: boolean): WalkedFile => {
    const below = prefix + name;
    return { path: base + (sep === '/' ? below : below.replaceAll('/', sep)), relativePath: below, isLink };
  };
  const found = names.map((name) => fileOf(name, false));
  if (!withLinks || links.length === 0) return found;
  const linked = links.map((name) => fileOf(name, true));
  return [...found, ...linked].sort((a, b) => (a.relativePath < b.relativePath ? -1 : 1));
}
