import { withContext } from '../../report/render-matches.js';
import { MOST_LINES, type FileLines, type ShownLine } from '../../report/shown-line.js';

/** Lines before a page that are forgotten together. */
const FORGOTTEN = 256;

export interface PageLimits {
  /** Lines around each match. */
  readonly before: number;
  readonly after: number;
  /** Matches of which, and of what stands around them, no line is wanted. */
  readonly skip: number;
}

/**
 * The lines of one file that a page shows, in their order, from that in which its first match begins and what stands before it, behind
 * the matches that are skipped. Of too many it keeps the nearest to matches: at least half of what stands within a distance does so
 * within half of it, and that is still more than any answer holds.
 */
export class PageLines {
  readonly #skip: number;
  #before: number;
  #after: number;
  #lines: ShownLine[] = [];
  #hasBegun = false;
  #isThin = false;

  constructor({ before, after, skip }: PageLimits) {
    [this.#before, this.#after, this.#skip] = [before, after, skip];
  }

  /** The matches alone have more lines than any answer; nothing more is taken. */
  get isFull(): boolean {
    return this.#lines.length > MOST_LINES;
  }

  /** `begun`: how many matches begin in the line or before it. */
  add(line: ShownLine, begun: number): void {
    if (this.isFull) return;
    if (begun <= this.#skip) return this.#pass(line);
    if (!this.#hasBegun) this.#lines = this.#lines.filter((each) => each.line >= line.line - this.#before);
    this.#hasBegun = true;
    this.#lines.push(line);
    this.#thinOut();
  }

  finish(matches: number): FileLines {
    if (this.#isThin) this.#lines = this.#near();
    return { lines: this.#hasBegun ? this.#lines : [], matches };
  }

  /** It may stand before a match to come, unless a match that is skipped is in it or behind it. */
  #pass(line: ShownLine): void {
    if (line.column === undefined) this.#lines.push(line);
    else this.#lines = [];
    if (this.#lines.length > this.#before + FORGOTTEN) this.#lines.splice(0, FORGOTTEN);
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
