import { lstatSync } from 'node:fs';
import { patternTooLarge } from '../pattern-problem.js';
import { READ_FAILURES, readFailure } from '../read-failure.js';
import { LARGE_BYTES, NO_LARGE_FILES } from './large-files.js';
import { complaintFailure } from './pattern-refusal.js';
import { argumentBudget, batchesWithin, fromArgument, sizeOf, STANDARD_INPUT } from './ripgrep-arguments.js';
import { runRipgrep, TooManyArguments, type RipgrepPlace } from './run-ripgrep.js';

type Failed = (relativePath: string | undefined, reason: string) => void;

export interface TargetRun {
  readonly flags: readonly string[];
  /** What to search for, in ripgrep's syntax. */
  readonly expression: string;
  /** The same as it was written, where that is not all of it. */
  readonly written?: string;
  /** As arguments: `./…`; those that `thoseThere` gave, or `STANDARD_INPUT`. */
  readonly targets: readonly string[];
  readonly read: (chunk: Buffer) => void;
  /** See `RipgrepRun`; for a single target. */
  readonly isEnough?: () => boolean;
  readonly failed: Failed;
}

export interface RunsOptions {
  /** Other runs go on at the same time, so one thread is enough. */
  readonly isLane?: boolean;
  /** Told files above `LARGE_BYTES` among the targets: they are left out then, and those in folders too. */
  readonly onLarge?: ((relativePath: string) => void) | undefined;
  /** What the target `-` is: a text, of which nothing is guessed. */
  readonly input?: Buffer;
}

/** Runs ripgrep over targets, one run after the other when they do not fit one command line. */
export class TargetRuns {
  readonly #place: RipgrepPlace;
  readonly #signal: AbortSignal;
  readonly #flags: readonly string[];
  readonly #onLarge: RunsOptions['onLarge'];
  readonly #input: Buffer | undefined;

  constructor(place: RipgrepPlace, signal: AbortSignal, { isLane = false, onLarge, input }: RunsOptions = {}) {
    this.#place = place;
    this.#signal = signal;
    this.#flags = [
      ...(isLane ? ['--threads=1'] : []),
      ...(onLarge === undefined ? [] : [NO_LARGE_FILES]),
      ...(input === undefined ? [] : ['--encoding=none']),
    ];
    this.#onLarge = onLarge;
    this.#input = input;
  }

  /** @throws Failure, when ripgrep complained about more than single files: nothing more is searched then */
  async run(run: TargetRun): Promise<void> {
    const flags = [...run.flags, ...this.#flags, '-e', run.expression, '--'];
    const budget = Math.max(1, argumentBudget(this.#place.env) - sizeOf(flags));
    for (const targets of batchesWithin(run.targets, budget)) await this.#runOrHalve({ ...run, flags, targets });
  }

  /**
   * The targets that are files or folders now. What is named to ripgrep is opened whatever it is: it would follow a link,
   * and wait at a pipe, that took a file's place since it was listed.
   */
  thoseThere(targets: readonly string[], failed: Failed): string[] {
    return targets.filter((target) => target === STANDARD_INPUT || this.#isThere(target, failed));
  }

  #isThere(target: string, failed: Failed): boolean {
    let reason = 'not a regular file any more';
    try {
      const stats = lstatSync(`${this.#place.workingDirectory}/${target}`);
      const isLarge = this.#onLarge !== undefined && stats.isFile() && stats.size > LARGE_BYTES;
      if (isLarge) this.#onLarge?.(fromArgument(target));
      if (stats.isFile() || stats.isDirectory()) return !isLarge;
      if (stats.isSymbolicLink()) reason = READ_FAILURES['ELOOP'] ?? reason;
    } catch (thrown) {
      reason = readFailure(thrown);
    }
    failed(fromArgument(target), reason);
    return false;
  }

  /** The system may allow less than it says. */
  async #runOrHalve(run: TargetRun): Promise<void> {
    const { flags, expression, written = expression, targets, ...handlers } = run;
    try {
      const args = [...flags, ...targets];
      const how = { place: this.#place, args, input: this.#input, signal: this.#signal };
      const complaint = await runRipgrep({ ...handlers, ...how });
      if (complaint !== undefined) throw complaintFailure(complaint, written);
    } catch (thrown) {
      if (!(thrown instanceof TooManyArguments)) throw thrown;
      if (targets.length <= 1) throw patternTooLarge('it does not fit a command line');
      const middle = Math.ceil(targets.length / 2);
      await this.#runOrHalve({ ...run, targets: targets.slice(0, middle) });
      await this.#runOrHalve({ ...run, targets: targets.slice(middle) });
    }
  }
}
