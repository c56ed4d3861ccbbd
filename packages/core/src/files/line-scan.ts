import { readBytes, type ByteSource, type BytesRead } from './byte-source.js';
import { afterLineFeed, countLineFeeds, type LineFeed } from './line-feeds.js';
import type { KnownPlace, LineIndex } from './line-index.js';

const CHUNK_BYTES = 512 * 1024;

/** Where a line begins, and how many bytes of it may be passed over: fewer than asked for when it is shorter. */
interface LinePlace {
  readonly position: number;
  readonly skipped: number;
}

/**
 * Finds places in a file through its index, and carries the index on where it does not reach. Only as much is read as
 * is needed to know.
 */
export class LineScan {
  readonly #source: ByteSource;
  readonly #index: LineIndex;
  readonly #signal: AbortSignal;
  #buffers: readonly [Buffer, Buffer] | undefined;

  constructor(source: ByteSource, index: LineIndex, signal: AbortSignal) {
    this.#source = source;
    this.#index = index;
    this.#signal = signal;
  }

  /** Where a line begins; undefined when the file has no line of that number, not even the empty one at its end. */
  async lineStart(line: number): Promise<number | undefined> {
    const index = this.#index;
    await this.advance(() => index.furthest.lines >= line);
    const place = index.placeBefore(line);
    if (place === undefined || place.bytes === 0) return place?.lineStart;
    return this.#within(place, place.bytes, line - place.lines);
  }

  /** The place so many bytes into a line that begins at `start`, never past its end. */
  async column(line: number, start: number, column: number): Promise<LinePlace> {
    const index = this.#index;
    const target = start + column;
    await this.advance(() => index.furthest.position >= target || index.furthest.lines > line);
    const next = index.furthest.lines > line ? await this.lineStart(line + 1) : undefined;
    const end = next === undefined ? index.furthest.position : next - index.feed.length;
    const position = Math.min(target, end);
    return { position, skipped: position - start };
  }

  /** Scans on from the furthest place until there is enough, or the file ends. */
  async advance(isEnough: () => boolean): Promise<void> {
    const index = this.#index;
    if (isEnough() || index.ended) return;
    let next = this.#read(index.furthest.position, 0);
    try {
      for (let turn = 1; ; turn += 1) {
        const { position, bytes, ended } = await next;
        this.#signal.throwIfAborted();
        // The next bytes are on their way while these are counted; not in the first turn, which is often the last.
        const ahead = turn > 1 && !ended ? this.#read(position + wholeUnits(bytes, index.feed), turn) : undefined;
        if (ahead !== undefined) next = ahead;
        index.append(position, bytes);
        if (ended) index.finish(position + bytes.length);
        if (isEnough() || index.ended) return;
        if (ahead === undefined) next = this.#read(index.furthest.position, turn);
      }
    } finally {
      await next.catch(() => undefined);
    }
  }

  async #read(position: number, turn: number): Promise<BytesRead & { readonly position: number }> {
    const take = (): Buffer => {
      this.#buffers ??= [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)];
      return this.#buffers[turn % 2 === 0 ? 0 : 1];
    };
    return { position, ...(await readBytes(this.#source, position, take)) };
  }

  /** Where the line after `nth` line feeds begins, in bytes that are known to hold them. */
  async #within(place: KnownPlace, length: number, nth: number): Promise<number | undefined> {
    const { feed } = this.#index;
    const end = place.position + length;
    let left = nth;
    for (let at = place.position; at < end;) {
      const { bytes, ended } = await readBytes(this.#source, at, () =>
        Buffer.allocUnsafe(Math.min(CHUNK_BYTES, length)),
      );
      const feeds = countLineFeeds(bytes, feed);
      if (feeds >= left) return at + afterLineFeed(bytes, feed, left);
      // The file was cut short since it was scanned.
      if (ended) return undefined;
      left -= feeds;
      at += wholeUnits(bytes, feed);
    }
    return undefined;
  }
}

function wholeUnits(bytes: Uint8Array, feed: LineFeed): number {
  return bytes.length - (bytes.length % feed.length);
}
