import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** A command that prints without end must not fill the disk: what comes after this is counted, not kept. */
export const SPOOL_LIMIT_BYTES = 1024 * 1024 * 1024;

/** One block is filled while the other is written; both together are all the memory that a spool takes. */
const BLOCK_BYTES = 1024 * 1024;

/**
 * The file that receives a whole output. Made new, for the owner only, never through a link. A disk
 * that is full ends the spool and not the command; `writtenBytes` tells what the file holds.
 */
export class OutputSpool {
  readonly path: string;
  #limit: number;
  #file: FileHandle | undefined;
  #closed = false;
  #written = 0;
  #filling = Buffer.alloc(0);
  #spare = Buffer.alloc(0);
  #fill = 0;
  #storing: Promise<void> | undefined;

  constructor(path: string, limit = SPOOL_LIMIT_BYTES) {
    this.path = path;
    this.#limit = limit;
  }

  /** Exact once the spool was closed. */
  get writtenBytes(): number {
    return this.#written;
  }

  /** True when nothing more will be written. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The file grows no longer than this from now on, unless it is longer already. */
  limitTo(bytes: number): void {
    this.#limit = Math.min(this.#limit, bytes);
  }

  /** Takes the bytes at once, or returns a promise to wait for before the next call. Never throws. */
  write(bytes: Buffer): Promise<void> | undefined {
    if (this.#closed) return undefined;
    if (this.#filling.length === 0) {
      this.#filling = Buffer.allocUnsafe(BLOCK_BYTES);
      this.#spare = Buffer.allocUnsafe(BLOCK_BYTES);
    }
    if (this.#fill + bytes.length > BLOCK_BYTES) return this.#writeBlocks(bytes);
    bytes.copy(this.#filling, this.#fill);
    this.#fill += bytes.length;
    return undefined;
  }

  /** Writes what was taken so far, so that others can read it. */
  async flush(): Promise<void> {
    await this.#stored();
    if (this.#closed || this.#fill === 0) return;
    const bytes = this.#filling.subarray(0, this.#fill);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#fill = 0;
    this.#storing = this.#store(bytes);
    await this.#stored();
  }

  /** Writes what is left and closes the file. May be called again. */
  async close(): Promise<void> {
    await this.#stored();
    if (!this.#closed) await this.#store(this.#filling.subarray(0, this.#fill));
    await this.#finish();
  }

  async #writeBlocks(bytes: Buffer): Promise<void> {
    for (let rest = bytes; rest.length > 0 && !this.#closed;) {
      if (this.#fill === BLOCK_BYTES) {
        await this.#stored();
        if (this.#fill < BLOCK_BYTES) continue;
        [this.#filling, this.#spare] = [this.#spare, this.#filling];
        this.#fill = 0;
        this.#storing = this.#store(this.#spare);
      }
      const count = rest.copy(this.#filling, this.#fill);
      this.#fill += count;
      rest = rest.subarray(count);
    }
  }

  /** Nothing is being written: both blocks are free. Whoever waited beside may have begun to write again. */
  async #stored(): Promise<void> {
    for (let current = this.#storing; current !== undefined; current = this.#storing) {
      await current;
      if (this.#storing === current) this.#storing = undefined;
    }
  }

  async #store(bytes: Buffer): Promise<void> {
    if (this.#closed || bytes.length === 0) return;
    try {
      this.#file ??= await open(
        this.path,
        constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
        0o600,
      );
      const end = Math.min(bytes.length, Math.max(0, this.#limit - this.#written));
      for (let at = 0; at < end;) {
        const { bytesWritten } = await this.#file.write(bytes, at, end - at);
        at += bytesWritten;
        this.#written += bytesWritten;
      }
      if (this.#written >= this.#limit) await this.#finish();
    } catch {
      await this.#finish();
    }
  }

  async #finish(): Promise<void> {
    this.#closed = true;
    const file = this.#file;
    this.#file = undefined;
    try {
      await file?.close();
    } catch {
      // Data that did not reach the disk is the disk's failure; the outcome says what was written.
    }
  }
}
