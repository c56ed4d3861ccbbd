import { hash as digest, randomBytes } from 'node:crypto';
import { appendFileSync, closeSync, mkdirSync, openSync, readSync } from 'node:fs';
import { readdir, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentPlace, KnownFile } from './manifest.js';

/** The pack, never a file, of contents that have no bytes. */
const EMPTY_PACK = 'empty.pack';
const CHUNK_BYTES = 1024 * 1024;
/** A pack below this is worth keeping whatever part of it is still used. */
const SMALL_PACK_BYTES = 32 * 1024 * 1024;
const MAX_PACKS = 8;
/** A pack that nobody touched for so long has no running process that knows of it. */
const FORGOTTEN_MS = 24 * 3600 * 1000;

/**
 * Contents of the workspace's files, many to a file: writing one file for each would cost several times the reading.
 * Each process appends to a pack of its own, so that two never write in one. Nothing here is the last copy of
 * anything until a command runs: what is dropped is read from the workspace again.
 */
export class ContentPacks {
  readonly #folder: string;
  #own: { readonly name: string; size: number } | undefined;
  /** Packs that could not be written on → how much of them is sound. */
  readonly #cut = new Map<string, number>();
  #waiting: Buffer[] = [];
  #waitingBytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Copies the bytes; they are in the file after `flush`, when `holds` says so. */
  append(bytes: Uint8Array): ContentPlace {
    if (bytes.length === 0) return { pack: EMPTY_PACK, offset: 0, bytes: 0 };
    const own = (this.#own ??= { name: `${randomBytes(8).toString('hex')}.pack`, size: 0 });
    const place = { pack: own.name, offset: own.size, bytes: bytes.length };
    this.#waiting.push(Buffer.from(bytes));
    this.#waitingBytes += bytes.length;
    own.size += bytes.length;
    if (this.#waitingBytes >= CHUNK_BYTES) this.flush();
    return place;
  }

  /** Never throws: on a full disk nothing more is kept. */
  flush(): void {
    const own = this.#own;
    if (own === undefined || this.#waitingBytes === 0) return;
    const chunk = Buffer.concat(this.#waiting);
    this.#clearWaiting();
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      appendFileSync(join(this.#folder, own.name), chunk, { mode: 0o600 });
    } catch {
      // Where the file ends by now is not known.
      this.#cut.set(own.name, own.size - chunk.length);
      this.#own = undefined;
    }
  }

  /** False when the bytes could not be written. */
  holds({ pack, offset, bytes }: ContentPlace): boolean {
    return offset + bytes <= (this.#cut.get(pack) ?? Infinity);
  }

  /** The bytes of a file; undefined when they were not kept, or are damaged or gone. */
  read({ hash, place }: KnownFile): Buffer | undefined {
    if (place === undefined) return undefined;
    if (place.bytes === 0) return Buffer.alloc(0);
    try {
      const file = openSync(join(this.#folder, place.pack), 'r');
      try {
        const bytes = Buffer.alloc(place.bytes);
        const count = readSync(file, bytes, 0, place.bytes, place.offset);
        return count === place.bytes && digest('sha256', bytes, 'hex') === hash ? bytes : undefined;
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  /**
   * Tells which packs can be relied on, marks them as in use, and lets go of those that are mostly out of date
   * or too many; files that lie in the others are to be read again.
   */
  async sound(files: Iterable<KnownFile>): Promise<ReadonlyMap<string, number>> {
    const live = new Map<string, { bytes: number; end: number }>();
    for (const { place } of files) {
      if (place === undefined || place.bytes === 0) continue;
      const known = live.get(place.pack) ?? { bytes: 0, end: 0 };
      known.bytes += place.bytes;
      known.end = Math.max(known.end, place.offset + place.bytes);
      live.set(place.pack, known);
    }
    const sizes = new Map([[EMPTY_PACK, 0]]);
    const now = new Date();
    const largestFirst = [...live].sort(([, a], [, b]) => b.bytes - a.bytes);
    for (const [name, { bytes, end }] of largestFirst) {
      const path = join(this.#folder, name);
      const size = await stat(path).then(
        (found) => found.size,
        () => -1,
      );
      const isWasteful = size > SMALL_PACK_BYTES && bytes < size / 2;
      if (size < end || isWasteful || sizes.size > MAX_PACKS) await this.#drop(name);
      else {
        sizes.set(name, size);
        await utimes(path, now, now).catch(() => undefined);
      }
    }
    if (this.#own !== undefined && !sizes.has(this.#own.name)) await this.#drop(this.#own.name);
    return sizes;
  }

  /** Deletes packs that are not among those in use and that no running process can know of. */
  async removeForgotten(used: ReadonlyMap<string, number>): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      if (!/\.(?:pack|tmp)$/.test(name) || used.has(name)) continue;
      const path = join(this.#folder, name);
      const age = await stat(path).then(
        (found) => Date.now() - found.mtimeMs,
        () => 0,
      );
      if (age > FORGOTTEN_MS) await unlink(path).catch(() => undefined);
    }
  }

  async #drop(name: string): Promise<void> {
    if (this.#own?.name !== name) return;
    this.#own = undefined;
    this.#clearWaiting();
    await unlink(join(this.#folder, name)).catch(() => undefined);
  }

  #clearWaiting(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}
