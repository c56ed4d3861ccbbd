import { lstatSync } from 'node:fs';
import type { OutcomeCollector } from '../search/search-place.js';
import type { FoundFile, SearchOutcome } from '../search/report/search-outcome.js';
import type { LeftOutByRule } from './left-out.js';
import { systemPath } from '../files/escaped-bytes.js';

const KEPT_MS = 5 * 60_000;
const KEPT_SEARCHES = 3;
/** More files are not remembered: searching again costs less than the memory. */
const MOST_FILES = 50_000;
/** Times of change that come by different ways differ in their last digits. */
const SAME_MS = 0.5;

/** What was counted, and what is needed to read the lines of it. */
export interface Counted {
  readonly outcome: SearchOutcome;
  readonly collector: OutcomeCollector;
  /** What rules kept from being searched, also as a line of the answer. */
  readonly leftOut: { readonly line: string; readonly counts: readonly LeftOutByRule[] };
}

/** Remembers what the last searches counted, so that the pages of one search are parts of one answer. */
export class GrepMemory {
  readonly #kept = new Map<string, { readonly counted: Counted; readonly until: number }>();

  keep(key: string, counted: Counted): void {
    this.#kept.delete(key);
    if (counted.outcome.files.length > MOST_FILES) return;
    this.#kept.set(key, { counted, until: performance.now() + KEPT_MS });
    for (const [other, { until }] of this.#kept)
      if (this.#kept.size > KEPT_SEARCHES || until < performance.now()) this.#kept.delete(other);
  }

  recall(key: string): Counted | undefined {
    const kept = this.#kept.get(key);
    return kept === undefined || kept.until < performance.now() ? undefined : kept.counted;
  }
}

/** True when a file is not what it was when its matches were counted. */
export function hasChanged({ path, mtimeMs }: FoundFile): boolean {
  try {
    return Math.abs(lstatSync(systemPath(path)).mtimeMs - mtimeMs) > SAME_MS;
  } catch {
    return true;
  }
}
