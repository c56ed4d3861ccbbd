import { setImmediate as breathe } from 'node:timers/promises';
import type { NewestFiles } from '../newest-files.js';
import type { ProvenTimes } from './git-times.js';
import { StatJob } from './stat-job.js';
import type { StatThread } from './stat-thread.js';
import type { StatPiece } from './stat-unit.js';

const SLICE_MS = 10;
/** Folders between two looks at the clock. */
const CLOCK_EVERY = 64;
/** A proof is of little use when more files than this share have to be looked at all the same. */
const POOR_SHARE = 0.4;

export interface TimesJobOptions {
  /** Canonical and absolute. */
  readonly folder: string;
  readonly thread: StatThread;
  /** On its way, when there may be one. */
  readonly proof?: Promise<ProvenTimes | undefined> | undefined;
  /** Ends the proof. */
  readonly stop?: (() => void) | undefined;
}

/** Finds the newest of files that become known bit by bit. */
export class TimesJob {
  readonly #options: TimesJobOptions;
  readonly #base: string;
  readonly #stat: StatJob;
  /** Files that wait for the proof. */
  readonly #waiting: StatPiece[] = [];

  constructor(options: TimesJobOptions) {
    this.#options = options;
    this.#base = options.folder.endsWith('/') ? options.folder : `${options.folder}/`;
    this.#stat = this.#newStat();
  }

  /** `folder` is relative, empty or with `/` at its end. */
  add(folder: string, names: readonly string[]): void {
    if (names.length === 0) return;
    if (this.#options.proof === undefined) this.#stat.add(folder, names);
    else this.#waiting.push({ folder, names });
  }

  /** Adds all regular files with their times of change. @throws the signal's reason once it is aborted */
  async collect(newest: NewestFiles, signal: AbortSignal): Promise<void> {
    const proof = await this.#options.proof;
    signal.throwIfAborted();
    if (proof === undefined) {
      for (const { folder, names } of this.#waiting) this.#stat.add(folder, names);
      await this.#finish(this.#stat, newest, signal);
    } else await this.#collectProven(proof, newest, signal);
  }

  cancel(): void {
    this.#options.stop?.();
    this.#stat.cancel();
  }

  /** Only files that may be among the newest are looked at: a second is proved, not its fractions. */
  async #collectProven(proof: ProvenTimes, newest: NewestFiles, signal: AbortSignal): Promise<void> {
    const proved: ProvedPiece[] = [];
    const largest = new Largest(newest.keep);
    let all = 0;
    await this.#inSlices(this.#waiting, signal, (piece) => {
      const seconds = proof.secondsOf(piece.folder, piece.names);
      let newestHere = Number.NEGATIVE_INFINITY;
      let known = 0;
      for (let index = 0; index < seconds.length; index++) {
        const second = seconds[index] ?? Number.NaN;
        if (Number.isNaN(second)) continue;
        largest.add(second);
        known += 1;
        if (second > newestHere) newestHere = second;
      }
      if (known < seconds.length)
        this.#stat.add(
          piece.folder,
          piece.names.filter((_, index) => Number.isNaN(seconds[index])),
        );
      if (known > 0) proved.push({ piece, seconds, known, newest: newestHere });
      all += seconds.length;
    });
    const least = largest.least;
    const again = this.#newStat();
    let spared = 0;
    await this.#inSlices(proved, signal, ({ piece, seconds, known, newest: newestHere }) => {
      if (newestHere < least) {
        spared += known;
        return;
      }
      const young: string[] = [];
      for (let index = 0; index < seconds.length; index++) {
        const second = seconds[index] ?? Number.NaN;
        if (second >= least) young.push(piece.names[index] ?? '');
        else if (second < least) spared += 1;
      }
      if (young.length > 0) again.add(piece.folder, young);
    });
    newest.addOlder(spared);
    if (spared < all * (1 - POOR_SHARE)) proof.notePoor();
    await this.#finish(this.#stat, newest, signal);
    await this.#finish(again, newest, signal);
  }

  async #finish(job: StatJob, newest: NewestFiles, signal: AbortSignal): Promise<void> {
    for (const { pieces, values } of await job.finish(signal)) {
      let at = 0;
      for (const { folder, names } of pieces) {
        const prefix = this.#base + folder;
        for (const name of names) {
          const mtimeMs = values[at++] ?? Number.NaN;
          if (!Number.isNaN(mtimeMs)) newest.add(mtimeMs, prefix, name);
        }
      }
    }
  }

  async #inSlices<T>(items: readonly T[], signal: AbortSignal, act: (item: T) => void): Promise<void> {
    let sliceEnd = performance.now() + SLICE_MS;
    for (const [index, item] of items.entries()) {
      act(item);
      if (index % CLOCK_EVERY !== 0 || performance.now() < sliceEnd) continue;
      await breathe(undefined, { signal });
      sliceEnd = performance.now() + SLICE_MS;
    }
  }

  #newStat(): StatJob {
    return new StatJob({ folder: this.#options.folder, fields: 1, thread: this.#options.thread });
  }
}

/** What is proved of some of a folder's files. */
interface ProvedPiece {
  readonly piece: StatPiece;
  /** NaN where nothing is. */
  readonly seconds: Float64Array;
  /** How many are no NaN, and the largest of them. */
  readonly known: number;
  readonly newest: number;
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

  /** The smallest of those that are kept; nothing, when there are not as many. */
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
