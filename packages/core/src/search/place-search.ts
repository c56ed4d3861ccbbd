import type { ReadFilter } from '../effects/withheld.js';
import type { LegacyGuesses } from '../files/guess-legacy.js';
import type { EngineFactory } from './engine-chain.js';
import type { SearchPattern } from './engines/search-pattern.js';
import type { ContentIndex } from './content/content-index.js';
import type { FileStatter } from './content/file-stamps.js';
import type { HeldFolder } from './held-folder.js';
import type { TreeIndex } from './tree/tree-index.js';

/** A held folder with everything below it, or one file in it. */
export interface SearchedPlace {
  readonly folder: HeldFolder;
  /** Name of the one file to search, whatever the ignore files say: it was named. */
  readonly file?: string;
  /** Judges a path relative to the folder; every file when absent. */
  readonly wants?: (relativePath: string) => boolean;
  /** What rules keep from being read is neither searched nor counted. */
  readonly allowed?: ReadFilter;
  /** Also what `.gitignore` hides; what `.qwenignore` hides is never searched. */
  readonly includeIgnored: boolean;
}

/** What a search uses of `SearchIndex`. */
export interface SearchServices {
  readonly tree: Pick<TreeIndex, 'walk'>;
  readonly statter: Pick<FileStatter, 'mtimes'>;
  readonly content: Pick<ContentIndex, 'knowsAny' | 'known' | 'learnLater' | 'hurry' | 'rest'>;
  readonly guesses: LegacyGuesses;
}

/** What one search needs at every place. */
export interface PlaceSearch {
  readonly pattern: SearchPattern;
  readonly index: SearchServices;
  /** In the order in which they are tried. */
  readonly engines: readonly EngineFactory[];
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
}
