import type { NewestFiles } from '../newest-files.js';
import { withSeparator } from '../../util/paths-below.js';
import { Pause } from '../tree/pause.js';
import { unchangedTimes, type ChangedFiles, type ClaimedTimes, type FolderTimes } from './git-times.js';
import { StatJob } from './stat-job.js';
import type { StatThread } from './stat-thread.js';
import type { StatPiece, StatUnit } from './stat-unit.js';
import { chooseYoung, leastSecond, type Choice } from './young-files.js';

/** What is claimed is of little use when more files than this share have to be looked at all the same. */
const POOR_SHARE = 0.4;

export interface TimesJobOptions {
  /** Canonical and absolute. */
  readonly folder: string;
  readonly thread: StatThread;
  /** On its way, when there may be one. */
  readonly claim?: Promise<ClaimedTimes | undefined> | undefined;
  /** Ends the asking for it. */
  readonly stop?: (() => void) | undefined;
}

/** Finds the newest of files that become known bit by bit. */
export class TimesJob {
  readonly #options: TimesJobOptions;
  readonly #base: string;
  readonly #stat: StatJob;
  /** Files that wait for what is claimed of them. */
  readonly #waiting: StatPiece[] = [];
  #files = 0;

  constructor(options: TimesJobOptions) {
    this.#options = options;
    this.#base = withSeparator(options.folder);
    this.#stat = this.#newStat();
  }

  /** `folder` is relative, empty or with `/` at its end. */
  add(folder: string, names: readonly string[]): void {
    if (names.length === 0) return;
    this.#files += names.length;
    if (this.#options.claim === undefined) this.#stat.add(folder, names);
    else this.#waiting.push({ folder, names });
  }

  /** Adds all regular files with their times of change. @throws the signal's reason once it is aborted */
  async collect(newest: NewestFiles, signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#options.stop?.();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const claim = await this.#options.claim;
      signal.throwIfAborted();
      if (claim === undefined || !(await this.#collectClaimed(claim, newest, signal)))
        await this.#lookAtAll(newest, signal);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  cancel(): void {
    this.#options.stop?.();
    this.#stat.cancel();
  }

  /**
   * What git will say is mostly that all is as its index has it: what follows from that is done while git still looks, and
   * once more when it says otherwise. @returns false when every file has to be looked at
   */
  async #collectClaimed(claim: ClaimedTimes, newest: NewestFiles, signal: AbortSignal): Promise<boolean> {
    const guess = await this.#choose(claim, { keep: newest.keep, signal });
    if (guess === undefined) return false;
    const found = await this.#look(guess, signal);
    const changed = await claim.changed;
    signal.throwIfAborted();
    if (changed === undefined) return false;
    if (this.#concerns(changed)) {
      const choice = await this.#choose(claim, { changed, keep: newest.keep, signal });
      if (choice === undefined) return false;
      this.#add(await this.#look(choice, signal), newest);
      newest.addOlder(choice.spared);
    } else {
      this.#add(found, newest);
      newest.addOlder(guess.spared);
    }
    return true;
  }

  /** A second is proved, not its fractions: files of the last second that counts are looked at, too. Undefined when it does not pay. */
  async #choose(
    claim: ClaimedTimes,
    asked: { readonly changed?: ChangedFiles; readonly keep: number; readonly signal: AbortSignal },
  ): Promise<Choice | undefined> {
    const { changed, keep, signal } = asked;
    const pause = new Pause(signal);
    const times: FolderTimes[] = [];
    for (const { folder, names } of this.#waiting) {
      const claimed = claim.of(folder, names);
      times.push(changed === undefined ? claimed : unchangedTimes(claimed, names, changed.get(folder)));
      if (pause.isDue()) await pause.take();
    }
    const choice = chooseYoung(this.#waiting, times, leastSecond(times, keep));
    if (choice.spared >= this.#files * (1 - POOR_SHARE)) return choice;
    claim.notePoor();
    return undefined;
  }

  /** Is one of them among those that are asked for? */
  #concerns(changed: ChangedFiles): boolean {
    if (changed.size === 0) return false;
    return this.#waiting.some(({ folder, names }) => {
      const others = changed.get(folder);
      return others !== undefined && names.some((name) => others.has(name));
    });
  }

  async #look({ pieces }: Choice, signal: AbortSignal): Promise<readonly StatUnit[]> {
    const job = this.#newStat();
    for (const { folder, names } of pieces) job.add(folder, names);
    return job.finish(signal);
  }

  async #lookAtAll(newest: NewestFiles, signal: AbortSignal): Promise<void> {
    for (const { folder, names } of this.#waiting) this.#stat.add(folder, names);
    this.#add(await this.#stat.finish(signal), newest);
  }

  #add(units: readonly StatUnit[], newest: NewestFiles): void {
    for (const { pieces, values } of units) {
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

  #newStat(): StatJob {
    return new StatJob({ folder: this.#options.folder, fields: 1, thread: this.#options.thread });
  }
}
