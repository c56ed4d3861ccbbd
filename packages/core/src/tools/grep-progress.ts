import { displayPath } from '../files/display-path.js';
import { count, onOneLine } from '../search/report/search-text.js';
import type { FoundFile } from '../search/report/search-outcome.js';
import type { UpdateOutput } from './tools.js';

const INTERVAL_MS = 100;
const SHOWN_FILES = 10;

/** Shows a person what a search has found so far: the first file at once, then no more often than ten times a second. */
export class GrepProgress {
  readonly #update: UpdateOutput;
  readonly #root: string;
  readonly #last: FoundFile[] = [];
  #matches = 0;
  #files = 0;
  #shownAt = Number.NEGATIVE_INFINITY;

  /** Paths are shown relative to `root`. */
  constructor(update: UpdateOutput, root: string) {
    this.#update = update;
    this.#root = root;
  }

  found(file: FoundFile): void {
    this.#matches += file.matches;
    this.#files++;
    this.#last.push(file);
    if (this.#last.length > SHOWN_FILES) this.#last.shift();
    const now = performance.now();
    if (now - this.#shownAt < INTERVAL_MS) return;
    this.#shownAt = now;
    const total = `${count(this.#matches, 'match', 'matches')} in ${count(this.#files, 'file')} so far`;
    const last = this.#last.map(
      ({ path, matches }) => `${onOneLine(displayPath(path, this.#root))}: ${count(matches, 'match', 'matches')}`,
    );
    this.#update([total, ...last].join('\n'));
  }
}
