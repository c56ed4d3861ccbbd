import { lstatSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { systemPath } from '../../files/escaped-bytes.js';
import { listFolder, newListingCounts, type FolderListing, type ListingScope } from './list-folder.js';
import { rulesBelow } from './listing-rules.js';
import type { ShownEntry, ShownFolder } from './show-tree.js';

/** What was found out about shown entries, by path. */
export interface EntryDetails {
  /** Bytes, of regular files. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly amounts: ReadonlyMap<string, FolderAmount>;
}

export interface FolderAmount {
  /** That a listing of the folder would show. */
  readonly entries: number;
  readonly leftOut: number;
}

export const NO_DETAILS: EntryDetails = { sizes: new Map(), amounts: new Map() };

/** Sizes of the shown files, and how much the shown folders hold. What is gone or unreadable has neither. */
export async function lookCloser(shown: ShownFolder, scope: ListingScope): Promise<EntryDetails> {
  const details = { sizes: new Map<string, number>(), amounts: new Map<string, FolderAmount>() };
  await lookInto(shown, scope, details);
  return details;
}

interface Found extends EntryDetails {
  readonly sizes: Map<string, number>;
  readonly amounts: Map<string, FolderAmount>;
}

async function lookInto(folder: ShownFolder, scope: ListingScope, found: Found): Promise<void> {
  for (const [index, shown] of folder.entries.entries()) {
    const { entry, path, inside } = shown;
    if (entry.kind === 'file' && entry.target === undefined) {
      const size = sizeOf(`${scope.folder.workingDirectory}/${path}`);
      if (size !== undefined) found.sizes.set(path, size);
    } else if (entry.kind === 'directory' && entry.target === undefined) {
      const amount = await amountIn(shown, folder.listing, scope);
      if (amount !== undefined) found.amounts.set(path, amount);
    }
    if (index % 200 === 199) await breathe(undefined, { signal: scope.signal });
    if (inside !== undefined) await lookInto(inside, scope, found);
  }
}

function sizeOf(at: string): number | undefined {
  try {
    const stat = lstatSync(systemPath(at));
    return stat.isFile() ? stat.size : undefined;
  } catch {
    return undefined;
  }
}

async function amountIn(
  { entry, path, inside }: ShownEntry,
  parent: FolderListing | undefined,
  scope: ListingScope,
): Promise<FolderAmount | undefined> {
  const listing = inside === undefined ? await count() : inside.listing;
  if (listing === undefined || listing.isClosed) return undefined;
  return { entries: listing.folders + listing.files, leftOut: listing.leftOut };

  async function count(): Promise<FolderListing | undefined> {
    if (parent === undefined) return undefined;
    try {
      // What is left out in there is not left out of this listing.
      const place = { path, above: rulesBelow(parent.rules, entry.name) };
      const silent = { ...scope, allowed: scope.allowed?.silent, counts: newListingCounts() };
      return await listFolder(silent, place, { folders: 0, files: 0 });
    } catch (thrown) {
      if (scope.signal.aborted) throw thrown;
      return undefined;
    }
  }
}
