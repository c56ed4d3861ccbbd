import type { FileNews } from './file-news.js';

/** Of files that went and stayed away. */
const MOST_GONE = 10_000;

/** Files that were deleted and came back: some servers take them for gone for good. */
export class ReturnedFiles {
  readonly #gone = new Set<string>();

  /** Whether one of those that went before came back. */
  note(changes: readonly FileNews[]): boolean {
    let isBack = false;
    for (const { path, change } of changes) {
      if (change === 'deleted') this.#keep(path);
      else isBack = this.#gone.delete(path) || isBack;
    }
    return isBack;
  }

  #keep(path: string): void {
    this.#gone.add(path);
    const [oldest] = this.#gone;
    if (this.#gone.size > MOST_GONE && oldest !== undefined) this.#gone.delete(oldest);
  }
}
