import { lstatSync } from 'node:fs';
import { READ_FAILURES, readFailure } from '../javascript/read-failure.js';
import { patternTooLarge } from '../pattern-problem.js';
import { argumentBudget, batchesOf, fromArgument, laneCount, needsLanes } from './ripgrep-arguments.js';
import { runRipgrep, TooManyArguments, type RipgrepPlace } from './run-ripgrep.js';

/** As a target. */
export const STDIN = '-';

export interface TargetRun {
  readonly flags: readonly string[];
  /** As arguments: `./…`. */
  readonly targets: readonly string[];
  readonly read: (chunk: Buffer) => void;
  /** See `RipgrepRun`; for a single target. */
  readonly isEnough?: () => boolean;
  readonly failed: (relativePath: string | undefined, reason: string) => void;
}

/** Runs ripgrep over targets, one run after the other when they do not fit one command line. */
export class TargetRuns {
  readonly #place: RipgrepPlace;
  readonly #signal: AbortSignal;
  readonly #threads: readonly string[];

  /** `isLane`: other runs go on at the same time, so one thread is enough. */
  constructor(place: RipgrepPlace, signal: AbortSignal, isLane: boolean) {
    this.#place = place;
    this.#signal = signal;
    this.#threads = isLane ? ['--threads=1'] : [];
  }

  /** @returns what ripgrep complained about besides single files: nothing more was searched then */
  async run(run: TargetRun): Promise<string | undefined> {
    const flagBytes = run.flags.reduce((sum, flag) => sum + Buffer.byteLength(flag) + 9, 0);
    const budget = Math.max(1, argumentBudget(this.#place.env) - flagBytes);
    for (const targets of batchesOf(run.targets, { budget })) {
      const there = targets.filter((target) => this.#isSafe(target, run));
      const complaint = there.length > 0 ? await this.#runOrHalve({ ...run, targets: there }) : undefined;
      if (complaint !== undefined) return complaint;
    }
    return undefined;
  }

  /**
   * What is named to ripgrep is opened whatever it is: it would follow a link, and wait at a pipe, that took a file's place
   * since it was listed.
   */
  #isSafe(target: string, { failed }: TargetRun): boolean {
    if (target === STDIN) return true;
    let reason = 'not a regular file any more';
    try {
      const stats = lstatSync(`${this.#place.workingDirectory}/${target}`);
      if (stats.isFile() || stats.isDirectory()) return true;
      if (stats.isSymbolicLink()) reason = READ_FAILURES['ELOOP'] ?? reason;
    } catch (thrown) {
      reason = readFailure(thrown);
    }
    failed(fromArgument(target), reason);
    return false;
  }

  /** The system may allow less than it says. */
  async #runOrHalve(run: TargetRun): Promise<string | undefined> {
    const { flags, targets, ...handlers } = run;
    const args = [...flags, ...this.#threads, '--', ...targets];
    try {
      return await runRipgrep({ ...handlers, place: this.#place, args, signal: this.#signal });
    } catch (thrown) {
      if (!(thrown instanceof TooManyArguments)) throw thrown;
      if (targets.length <= 1) throw patternTooLarge('it does not fit a command line');
    }
    const middle = Math.ceil(targets.length / 2);
    return (
      (await this.#runOrHalve({ ...run, targets: targets.slice(0, middle) })) ??
      (await this.#runOrHalve({ ...run, targets: targets.slice(middle) }))
    );
  }
}

/**
 * Does work for all targets. Many are split over several ripgreps of one thread each: these write their output in
 * blocks, where one of many threads writes file by file, which takes longer than searching. When one fails, all end.
 */
export async function inLanes(
  targets: readonly string[],
  { place, signal }: { readonly place: RipgrepPlace; readonly signal: AbortSignal },
  work: (targets: readonly string[], runs: TargetRuns) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  if (targets.length === 0) return;
  if (!needsLanes(targets.length)) return work(targets, new TargetRuns(place, signal, false));
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const lanes = laneCount();
  const batches = batchesOf(targets, { budget: argumentBudget(place.env), lanes });
  const lane = async (): Promise<void> => {
    const runs = new TargetRuns(place, either, lanes > 1);
    try {
      for (const batch of batches) await work(batch, runs);
    } catch (thrown) {
      failure.abort(thrown);
      throw thrown;
    }
  };
  await Promise.allSettled(Array.from({ length: lanes }, lane));
  signal.throwIfAborted();
  failure.signal.throwIfAborted();
}
