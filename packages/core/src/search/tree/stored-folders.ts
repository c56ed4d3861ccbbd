import type { FolderStamp } from './folder-stamp.js';
import type { ListingMarks } from './read-folder.js';
import type { HiddenEntries } from './tree-node.js';

/** A tree as an earlier process remembered it. Folders have places; the first is the top. */
export interface StoredFolders {
  /** The folders in a folder, by code units. They have places one after the other. */
  below(place: number): { readonly names: readonly string[]; readonly first: number };
  /** Whether the folder was remembered with that stamp. */
  isSame(place: number, stamp: FolderStamp): boolean;
  stamp(place: number): FolderStamp;
  /** What the folder held; undefined when nothing is remembered. */
  record(place: number): StoredRecord | undefined;
}

export interface StoredRecord {
  /** Keys of the scopes by which the entries were judged. */
  readonly gitKey: string;
  readonly qwenKey: string;
  readonly files: readonly string[];
  readonly links: readonly string[];
  readonly isWhole: boolean;
  readonly hidden: HiddenEntries;
  readonly marks: ListingMarks;
}

/** Finds what is stored of the tree with that key, the same object every time. */
export type TreeSource = (key: string) => Promise<StoredFolders | undefined>;
