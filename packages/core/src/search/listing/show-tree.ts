import { pathBelow } from '../paths.js';
import type { FolderEntry } from './describe-entry.js';
import { extensionOf } from './extension-counts.js';
import type { FolderListing } from './list-folder.js';
import { sharesOf, type TreeFolder } from './read-tree.js';

export interface ShownEntry {
  readonly entry: FolderEntry;
  /** Relative to the listed folder, with `/`. */
  readonly path: string;
  /** Set for a folder that was entered. */
  readonly inside?: ShownFolder;
}

/** What is shown of one folder, and what is not. */
export interface ShownFolder {
  readonly entries: readonly ShownEntry[];
  /** Undefined when it cannot be read. */
  readonly listing: FolderListing | undefined;
  readonly rest: RestOfFolder;
}

export interface RestOfFolder {
  readonly folders: number;
  readonly files: number;
  /** Endings of those files with their numbers, most frequent first; empty for none. */
  readonly extensions: readonly (readonly [string, number])[];
}

/**
 * Chooses at most `limit` entries, level by level, without the first `offset` of the listed folder. Neither is greater than that
 * with which the tree was read.
 */
export function showTree(root: TreeFolder, limit: number, offset = 0): ShownFolder {
  const entriesOf = new Map<TreeFolder, FolderEntry[]>();
  let budget = limit;
  for (let level = [root]; level.length > 0;) {
    const shares = sharesOf(level, budget);
    budget -= shares.spent;
    const below: TreeFolder[] = [];
    for (const [index, folder] of level.entries()) {
      const skipped = folder === root ? offset : 0;
      const entries = firstEntries(folder.listing, skipped, shares.shown[index] ?? 0);
      entriesOf.set(folder, entries);
      for (const { name, target } of entries) {
        const inside = target === undefined ? folder.inside.get(name) : undefined;
        if (inside !== undefined) below.push(inside);
      }
    }
    level = below;
  }
  const shown = shownFolder(root, entriesOf);
  return offset === 0 ? shown : { ...shown, rest: restAfter(root.listing, offset + shown.entries.length) };
}

function restAfter(listing: FolderListing | undefined, amount: number): RestOfFolder {
  return restOf(listing, firstEntries(listing, 0, amount));
}

function firstEntries(listing: FolderListing | undefined, skipped: number, share: number): FolderEntry[] {
  if (listing === undefined || share === 0) return [];
  const end = skipped + share;
  const folders = listing.firstFolders.slice(0, end);
  return [...folders, ...listing.firstFiles.slice(0, end - folders.length)].slice(skipped);
}

function shownFolder(folder: TreeFolder, entriesOf: ReadonlyMap<TreeFolder, readonly FolderEntry[]>): ShownFolder {
  const shown = entriesOf.get(folder) ?? [];
  const entries = shown.map((entry): ShownEntry => {
    const path = pathBelow(folder.path, entry.name);
    const inside = entry.kind === 'directory' ? folder.inside.get(entry.name) : undefined;
    return inside === undefined ? { entry, path } : { entry, path, inside: shownFolder(inside, entriesOf) };
  });
  return { entries, listing: folder.listing, rest: restOf(folder.listing, shown) };
}

function restOf(listing: FolderListing | undefined, shown: readonly FolderEntry[]): RestOfFolder {
  if (listing === undefined) return { folders: 0, files: 0, extensions: [] };
  const files = shown.filter(({ kind }) => kind !== 'directory');
  const left = new Map(listing.extensions);
  for (const { name } of files) {
    const extension = extensionOf(name);
    left.set(extension, (left.get(extension) ?? 0) - 1);
  }
  return {
    folders: listing.folders - (shown.length - files.length),
    files: listing.files - files.length,
    extensions: [...left].filter(([, amount]) => amount > 0).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)),
  };
}

/** Every shown entry, each folder before what is in it. */
export function* allEntries(folder: ShownFolder): Generator<ShownEntry, void, undefined> {
  for (const entry of folder.entries) {
    yield entry;
    if (entry.inside !== undefined) yield* allEntries(entry.inside);
  }
}
