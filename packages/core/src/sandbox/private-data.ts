import { randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { PassedFile } from './inherited-descriptors.js';

/**
 * Data on its way to a child, which reads each piece from a descriptor: 3, 4, … in the order of `give`. They are passed
 * on as descriptors of files without a name, or, where that cannot be, as files that a shell opens for the child.
 */
export class PrivateData {
  readonly #folder: string;
  readonly #isNamed: boolean;
  readonly #descriptors: number[] = [];
  readonly #files: PassedFile[] = [];
  /** Descriptors and names that are somebody else's to close and to delete. */
  readonly #lent = new Set<number | string>();

  constructor(folder: string, isNamed: boolean) {
    this.#folder = folder;
    this.#isNamed = isNamed;
  }

  /** The number under which the child reads it. */
  give(data: Uint8Array): number {
    const path = join(this.#folder, `data-${randomUUID()}`);
    if (this.#isNamed) {
      this.#files.push({ path, mode: 'read' });
      writeFileSync(path, data, { mode: 0o600, flag: 'wx' });
    } else {
      this.#descriptors.push(namelessFile(path, data));
    }
    return this.#newest;
  }

  /** The number under which the child gets what is open already: the descriptor, or the name that is opened for it. */
  lend({ descriptor, path, mode }: PassedFile & { readonly descriptor: number }): number {
    if (this.#isNamed) {
      this.#files.push({ path, mode });
      this.#lent.add(path);
    } else {
      this.#descriptors.push(descriptor);
      this.#lent.add(descriptor);
    }
    return this.#newest;
  }

  get #newest(): number {
    // stdin, stdout and stderr come first.
    return this.#files.length + this.#descriptors.length + 2;
  }

  get descriptors(): readonly number[] {
    return [...this.#descriptors];
  }

  get files(): readonly PassedFile[] {
    return this.#files;
  }

  /** Closes and deletes what there is. */
  close(): void {
    for (const descriptor of this.#descriptors.splice(0)) if (!this.#lent.has(descriptor)) closeSync(descriptor);
    for (const { path } of this.#files.splice(0)) if (!this.#lent.has(path)) rmSync(path, { force: true });
  }
}

function namelessFile(path: string, data: Uint8Array): number {
  const descriptor = openSync(path, 'wx+', 0o600);
  try {
    unlinkSync(path);
    // Written at a position, so that the child begins to read at the start.
    for (let done = 0; done < data.length;) done += writeSync(descriptor, data, done, data.length - done, done);
    return descriptor;
  } catch (thrown) {
    closeSync(descriptor);
    throw thrown;
  }
}
