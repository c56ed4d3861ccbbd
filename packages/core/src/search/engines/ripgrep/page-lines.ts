import { withContext } from '../../report/render-matches.js';
import { MOST_LINES, type FileLines, type ShownLine } from '../../report/shown-line.js';

/** Lines of former pages that are forgotten together. */
const FORGOTTEN = 256;

export interface PageLimits {
  /** Lines around each match. */
  readonly before: number;
  readonly after: number;
  /** Matches of which, and of what stands around them, no line is wanted. */
  readonly skip: number;
}

/** How matches stand to a line: by their number, from 0. */
export interface MatchesAtLine {
  /** The first that is in the line or goes on there. */
  readonly first: number | undefined;
  /** How many begin in it or before it. */
  readonly begun: number;
}

/**
 * The lines of one file that a page may show, in their order. Of too many it keeps the nearest to matches: at least half of what
 * stands within a distance does so within half of it, and that is still more than any answer holds.
 */
export class PageLines {
  readonly #skip: number;
  #before: number;
  #after: number;
  #lines: ShownLine[] = [];
  #skippedThrough = 0;
  #isThin = false;

  constructor({ before, after, skip }: PageLimits) {
    [this.#before, this.#after, this.#skip] = [before, after, skip];
  }

  /** The matches alone have more lines than any answer; nothing more is taken. */
  get isFull(): boolean {
    return this.#lines.length > MOST_LINES;
  }

  add(line: ShownLine, { first, begun }: MatchesAtLine): void {
    if (this.isFull) return;
    if (first !== undefined && first < this.#skip) this.#skippedThrough = line.line;
    this.#lines.push(line);
    if (begun > this.#skip) this.#thinOut();
    else if (this.#lines.length > this.#before + FORGOTTEN)
      this.#lines.splice(0, this.#lines.length - Math.max(1, this.#before));
  }

  finish(matches: number): FileLines {
    if (this.#isThin) this.#lines = this.#near();
    return { lines: this.#lines, matches, ...(this.#skip > 0 && { skippedThrough: this.#skippedThrough }) };
  }

  #thinOut(): void {
    if (this.#lines.length <= MOST_LINES) return;
    this.#isThin = true;
    this.#lines = this.#near();
    while (this.#lines.length > MOST_LINES / 2 && this.#before + this.#after > 0) {
      [this.#before, this.#after] = [Math.floor(this.#before / 2), Math.floor(this.#after / 2)];
      this.#lines = this.#near();
    }
  }

  /** Also those that may stand before a match to come. */
  #near(): ShownLine[] {
    const newest = this.#lines.at(-1)?.line ?? 0;
    const near = new Set(withContext(this.#lines, { before: this.#before, after: this.#after }));
    return this.#lines.filter((line) => near.has(line) || line.line > newest - this.#before);
  }
}
