import { folderOf } from './paths.js';

/** More entries than that are not remembered one by one. */
const MAX_ENTRIES = 20_000;

/** Entries that `.gitignore` hides, and the folders on the way to them. */
export class IgnoredEntries {
  /** The walk that tells them has come to its end. */
  isComplete = false;
  readonly #entries = new Set<string>();
  readonly #above = new Set<string>(['']);
  #isCut = false;

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** There are more than are in it. */
  get isCut(): boolean {
    return this.#isCut;
  }

  add(path: string): void {
    if (this.#entries.size >= MAX_ENTRIES) {
      this.#isCut = true;
      return;
    }
    this.#entries.add(path);
    for (let folder = folderOf(path); !this.#above.has(folder); folder = folderOf(folder)) this.#above.add(folder);
  }

  leadsTo(folder: string): boolean {
    return this.#above.has(folder) || this.has(folder);
  }

  /** Is one, or lies in one. */
  has(path: string): boolean {
    for (let at = path; at !== ''; at = folderOf(at)) if (this.#entries.has(at)) return true;
    return false;
  }
}
