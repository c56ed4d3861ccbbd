import type { WalkCounts } from '../tree/walked-folder.js';

/** A file with matches. */
export interface FoundFile {
  /** Absolute and canonical. */
  readonly path: string;
  /** 0 for a file that is gone meanwhile. */
  readonly mtimeMs: number;
  readonly matches: number;
}

/** Many of them: a list, or what makes each when it is asked for. Two of the same file need not be the same object. */
export interface FoundFiles extends Iterable<FoundFile> {
  readonly length: number;
  at(index: number): FoundFile | undefined;
}

/** The matches of each. */
export function countsOf(files: FoundFiles): Float64Array {
  const counts = new Float64Array(files.length);
  for (let index = 0; index < counts.length; index++) counts[index] = files.at(index)?.matches ?? 0;
  return counts;
}

/** Those at the places, without the ones that are not there. */
export function filesAt(files: FoundFiles, places: readonly number[]): FoundFile[] {
  return places.flatMap((place) => files.at(place) ?? []);
}

/** What was counted in one search, over all its places. */
export interface SearchOutcome {
  /** Most recently modified first, then by path. */
  readonly files: FoundFiles;
  /** Of all `files`. A lower bound when `stopped` is set, or some files failed. */
  readonly total: number;
  /** Why not everything was searched. */
  readonly stopped: 'time-limit' | undefined;
  readonly engine: 'ripgrep' | 'javascript' | undefined;
  /** Files that were searched, by whatever means, to their end. */
  readonly searchedFiles: number;
  readonly notSearched: NotSearched;
  /** Only when nothing was found: files with matches among those that `.gitignore` hides. */
  readonly ignoredMatches?: { readonly files: number; readonly isExact: boolean };
}

/** Files that were met and not searched, by reason. */
export interface NotSearched extends Omit<WalkCounts, 'files'> {
  readonly binary: number;
  /** Texts in an encoding that cannot be read. */
  readonly notDecodable: number;
  readonly tooLarge: number;
  /** Files that `glob` or `type` left out. */
  readonly filteredOut: number;
  /** Could not be read or searched to their end. */
  readonly failed: number;
  /** The first of them, with their reasons: `path: reason`. */
  readonly failures: readonly string[];
}
