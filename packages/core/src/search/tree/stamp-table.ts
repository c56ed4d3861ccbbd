import type { FolderStamp } from './folder-stamp.js';

/** Numbers of a stamp: device, inode, time of the last change of anything, time of that of the entries. */
const NUMBERS = 4;
const FIRST_SIZE = 256;

/** The stamps of many folders close together: an object for each takes four times as much. */
export class StampTable {
  #numbers = new Float64Array(0);
  #used = 0;
  #free: number[] = [];

  /** @returns the stamp's place */
  add({ dev, ino, ctimeMs, mtimeMs }: FolderStamp): number {
    const place = this.#free.pop() ?? this.#used++;
    const at = place * NUMBERS;
    if (at >= this.#numbers.length) {
      const grown = new Float64Array(NUMBERS * Math.max(FIRST_SIZE, Math.ceil(place * 1.5)));
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[at] = dev;
    this.#numbers[at + 1] = ino;
    this.#numbers[at + 2] = ctimeMs;
    this.#numbers[at + 3] = mtimeMs;
    return place;
  }

  release(place: number): void {
    this.#free.push(place);
    if (this.#free.length < this.#used) return;
    this.#numbers = new Float64Array(0);
    this.#used = 0;
    this.#free = [];
  }

  isSame(place: number, stamp: FolderStamp): boolean {
    return isSameAt(this.#numbers, place, stamp);
  }

  at(place: number): FolderStamp {
    return stampAt(this.#numbers, place);
  }
}

/** Whether the numbers at that place are those of the stamp. */
export function isSameAt(numbers: Float64Array, place: number, stamp: FolderStamp): boolean {
  const at = place * NUMBERS;
  return (
    numbers[at + 2] === stamp.ctimeMs &&
    numbers[at + 1] === stamp.ino &&
    numbers[at + 3] === stamp.mtimeMs &&
    numbers[at] === stamp.dev
  );
}

export function stampAt(numbers: Float64Array, place: number): FolderStamp {
  const [dev = 0, ino = 0, ctimeMs = 0, mtimeMs = 0] = numbers.subarray(place * NUMBERS, (place + 1) * NUMBERS);
  return { dev, ino, ctimeMs, mtimeMs };
}
