import { MAX_MATCHES, type SearchSink } from './engine.js';
import type { FileMatches, TextMatch } from './text-match.js';

const KEPT_FAILURES = 3;

export interface FoundInFile {
  readonly path: string;
  readonly mtimeMs: number;
  readonly matches: readonly TextMatch[];
  readonly total: number;
}

/** Everything that a search found and missed, while it runs and after. */
export class MatchCollector {
  readonly #files: FoundInFile[] = [];
  readonly #onFull: () => void;
  readonly failures: string[] = [];
  total = 0;
  /** Files that were searched to their end. */
  searched = 0;
  /** Large binary files that were not searched. */
  binarySkipped = 0;
  /** Binary files that match; their lines are not shown. */
  binaryMatches = 0;
  failed = 0;

  /** `onFull` is called once more than `MAX_MATCHES` were found. */
  constructor(onFull: () => void) {
    this.#onFull = onFull;
  }

  /** A sink for one folder's files. */
  sink(place: { toPath(relativePath: string): string; mtimeMs(relativePath: string): number }): SearchSink {
    return {
      found: (file) => this.#add(place.toPath(file.relativePath), place.mtimeMs(file.relativePath), file),
      binary: () => void this.binaryMatches++,
      failed: (relativePath, reason) => {
        this.failed++;
        if (this.failures.length < KEPT_FAILURES)
          this.failures.push(relativePath === undefined ? reason : `${place.toPath(relativePath)}: ${reason}`);
      },
    };
  }

  #add(path: string, mtimeMs: number, { matches, total }: FileMatches): void {
    if (this.isFull) return;
    this.#files.push({ path, mtimeMs, matches, total });
    this.total += total;
    if (this.isFull) this.#onFull();
  }

  get isFull(): boolean {
    return this.total >= MAX_MATCHES;
  }

  /** Most recently modified first, then by path. */
  files(): FoundInFile[] {
    return this.#files.toSorted((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }
}
