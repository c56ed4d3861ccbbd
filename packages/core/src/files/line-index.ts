import { partitionPoint } from '../util/partition-point.js';
import { afterLastLineFeed, countLineFeeds, type LineFeed } from './line-feeds.js';

/** Which file an index belongs to. */
export interface IndexKey {
  /** Canonical. */
  readonly path: string;
  /** `stampOf` the open file: another version has another index. */
  readonly stamp: string;
}

/** A place that is known: `lines` line feeds lie before `position`, the line at hand began at `lineStart`. */
export interface KnownPlace {
  readonly position: number;
  readonly lines: number;
  readonly lineStart: number;
}

const MAX_PLACES = 4096;
const FIRST_BLOCK_BYTES = 64 * 1024;
const MAX_FILES = 64;

/**
 * What is known of the lines of one file, from its start to the furthest place scanned: one place for each block of
 * bytes, however long the lines are. The blocks grow with the file, so that there are never more than 4096 places.
 * Positions are bytes behind the byte order mark.
 */
export class LineIndex {
  readonly feed: LineFeed;
  /** What the file looks like as a whole where it is not UTF-8, once that was found out. */
  legacy: string | undefined;
  #blockBytes = FIRST_BLOCK_BYTES;
  /** Place number k is at `k * #blockBytes`. */
  #lines: number[] = [0];
  #lineStarts: number[] = [0];
  #scanned = 0;
  #feeds = 0;
  #lineStart = 0;
  #ended = false;

  constructor(feed: LineFeed) {
    this.feed = feed;
  }

  /** The furthest place. Until `ended`, there may be more of its line. */
  get furthest(): KnownPlace {
    return { position: this.#scanned, lines: this.#feeds, lineStart: this.#lineStart };
  }

  /** True when the furthest place is the end of the file. */
  get ended(): boolean {
    return this.#ended;
  }

  /** How many places are kept. */
  get places(): number {
    return this.#lines.length;
  }

  /**
   * Takes bytes that begin at `position`, at or before the furthest place; what is known already is passed over, so
   * that two readers may do this at the same time. Bytes behind the last whole unit are left for the next time.
   */
  append(position: number, bytes: Uint8Array): void {
    const length = bytes.length - (bytes.length % this.feed.length);
    while (!this.#ended && this.#scanned < position + length) {
      const boundary = this.#lines.length * this.#blockBytes;
      const end = Math.min(position + length, boundary);
      const block = bytes.subarray(this.#scanned - position, end - position);
      const feeds = countLineFeeds(block, this.feed);
      if (feeds > 0) this.#lineStart = this.#scanned + afterLastLineFeed(block, this.feed);
      this.#feeds += feeds;
      this.#scanned = end;
      if (end === boundary) this.#keepPlace();
    }
  }

  /** The file ends at `position`; `append` has had all whole units before it. */
  finish(position: number): void {
    if (position < this.#scanned) return;
    this.#scanned = position;
    this.#ended = true;
  }

  /**
   * The last place known to be at or before the start of a line. `bytes`: so many from there on hold that start, 0 when
   * it is the `lineStart` of the place. Undefined for a line that was not met yet.
   */
  placeBefore(line: number): (KnownPlace & { readonly bytes: number }) | undefined {
    if (line > this.#feeds) return undefined;
    if (line === this.#feeds) return { ...this.furthest, bytes: 0 };
    const place = this.#placeAt(lastAtMost(this.#lines, line));
    const bytes = Math.min(this.#blockBytes, this.#scanned - place.position);
    return { ...place, bytes: place.lines === line ? 0 : bytes };
  }

  #placeAt(index: number): KnownPlace {
    const [lines = 0, lineStart = 0] = [this.#lines[index], this.#lineStarts[index]];
    return { position: index * this.#blockBytes, lines, lineStart };
  }

  #keepPlace(): void {
    this.#lines.push(this.#feeds);
    this.#lineStarts.push(this.#lineStart);
    if (this.#lines.length <= MAX_PLACES) return;
    const isEven = (_: number, index: number): boolean => index % 2 === 0;
    this.#lines = this.#lines.filter(isEven);
    this.#lineStarts = this.#lineStarts.filter(isEven);
    this.#blockBytes *= 2;
  }
}

/** The index of the last number that is not above `limit`, in numbers that rise from 0. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  return Math.max(0, partitionPoint(numbers.length, (index) => (numbers[index] ?? 0) <= limit) - 1);
}

/** Where lines begin in large files, kept for each version of a file, bounded in memory. */
export class LineIndexes {
  /** Least recently used first. */
  readonly #kept = new Map<string, { readonly stamp: string; readonly index: LineIndex }>();

  get size(): number {
    return this.#kept.size;
  }

  find(key: IndexKey, feed: LineFeed): LineIndex | undefined {
    const found = this.#kept.get(key.path);
    if (found === undefined || found.stamp !== key.stamp || found.index.feed !== feed) return undefined;
    this.#put(key.path, found);
    return found.index;
  }

  keep({ path, stamp }: IndexKey, index: LineIndex): void {
    this.#put(path, { stamp, index });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_FILES && oldest !== undefined) this.#kept.delete(oldest);
  }

  #put(path: string, entry: { readonly stamp: string; readonly index: LineIndex }): void {
    this.#kept.delete(path);
    this.#kept.set(path, entry);
  }
}
