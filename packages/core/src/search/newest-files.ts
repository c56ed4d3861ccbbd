export interface FoundFile {
  /** Absolute, as in `WalkedFolder`. */
  readonly path: string;
  readonly mtimeMs: number;
}

/** Newest first; files of the same moment by path. */
export function newestFirst(a: FoundFile, b: FoundFile): number {
  return b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/**
 * Keeps the newest of many files without sorting all. A heap with the one that would go first at its top; paths are
 * only put together for files that come that far.
 */
export class NewestFiles {
  /** At least this many are wanted. */
  readonly keep: number;
  readonly #heap: FoundFile[] = [];
  #total = 0;

  constructor(keep: number) {
    this.keep = keep;
  }

  /** All that were added. */
  get total(): number {
    return this.#total;
  }

  /** `folder` is absolute and ends with a slash. */
  add(mtimeMs: number, folder: string, name: string): void {
    this.#total += 1;
    const heap = this.#heap;
    const oldest = heap[0];
    if (heap.length >= this.keep && (oldest === undefined || mtimeMs < oldest.mtimeMs)) return;
    const file = { path: folder + name, mtimeMs };
    if (heap.length < this.keep) {
      heap.push(file);
      this.#rise(heap.length - 1);
    } else if (oldest !== undefined && newestFirst(file, oldest) < 0) {
      heap[0] = file;
      this.#sink();
    }
  }

  /** Counts files of which at least `keep` others are known to be newer. */
  addOlder(count: number): void {
    this.#total += count;
  }

  /** The kept ones, newest first. */
  sorted(): FoundFile[] {
    return this.#heap.toSorted(newestFirst);
  }

  #rise(start: number): void {
    for (let at = start; at > 0;) {
      const above = (at - 1) >> 1;
      if (!this.#swapIfOlder(at, above)) return;
      at = above;
    }
  }

  #sink(): void {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const below = this.#isOlder(right, left) ? right : left;
      if (!this.#swapIfOlder(below, at)) return;
      at = below;
    }
  }

  #isOlder(index: number, other: number): boolean {
    const [one, two] = [this.#heap[index], this.#heap[other]];
    return one !== undefined && two !== undefined && newestFirst(one, two) > 0;
  }

  #swapIfOlder(index: number, above: number): boolean {
    const [one, two] = [this.#heap[index], this.#heap[above]];
    if (one === undefined || two === undefined || newestFirst(one, two) <= 0) return false;
    this.#heap[above] = one;
    this.#heap[index] = two;
    return true;
  }
}
