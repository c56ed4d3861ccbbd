import type { FolderTimes } from './git-times.js';
import type { StatPiece } from './stat-unit.js';

/**
 * The second of the oldest file that may be among the `keep` newest: at least so many are not older. -Infinity when not
 * as many are known.
 */
export function leastSecond(folders: readonly FolderTimes[], keep: number): number {
  // Each of so many folders has a file of that second or later: folders without one need not be gone through.
  const tops = new Largest(keep);
  for (const { newest } of folders) tops.add(newest);
  const floor = tops.least;
  const largest = new Largest(keep);
  for (const { newest, seconds } of folders) {
    if (newest < floor) continue;
    for (const second of seconds) if (second >= floor) largest.add(second);
  }
  return largest.least;
}

/** Which files have to be looked at, and how many need not be, as so many others are newer for certain. */
export interface Choice {
  readonly pieces: readonly StatPiece[];
  readonly spared: number;
}

/** `times` are those of the pieces. To be looked at: what is of the second `least` or later, and what nothing is known of. */
export function chooseYoung(pieces: readonly StatPiece[], times: readonly FolderTimes[], least: number): Choice {
  const young: StatPiece[] = [];
  let spared = 0;
  for (const [index, { seconds, known, newest }] of times.entries()) {
    const piece = pieces[index];
    if (piece === undefined) continue;
    if (known === seconds.length && newest < least) {
      spared += known;
      continue;
    }
    const names = piece.names.filter((_, place) => !((seconds[place] ?? Number.NaN) < least));
    spared += seconds.length - names.length;
    if (names.length > 0) young.push({ folder: piece.folder, names });
  }
  return { pieces: young, spared };
}

const FIRST_ROOM = 1024;

/** Keeps the largest numbers. */
class Largest {
  readonly #keep: number;
  /** Sorted in place without a call for each comparison; it grows, as any number may be wanted. */
  #numbers = new Float64Array(FIRST_ROOM);
  #length = 0;
  #least = Number.NEGATIVE_INFINITY;

  constructor(keep: number) {
    this.#keep = keep;
  }

  add(number: number): void {
    if (number <= this.#least) return;
    this.#numbers[this.#length++] = number;
    if (this.#length < this.#numbers.length) return;
    if (this.#length >= 2 * this.#keep) this.#cut();
    else this.#grow();
  }

  /** The smallest of those that are kept; -Infinity when there are not as many. */
  get least(): number {
    this.#cut();
    return this.#least;
  }

  #grow(): void {
    const grown = new Float64Array(2 * this.#numbers.length);
    grown.set(this.#numbers);
    this.#numbers = grown;
  }

  #cut(): void {
    if (this.#length < this.#keep) return;
    this.#numbers.subarray(0, this.#length).sort();
    this.#numbers.copyWithin(0, this.#length - this.#keep, this.#length);
    this.#length = this.#keep;
    this.#least = this.#numbers[0] ?? Number.NEGATIVE_INFINITY;
  }
}
