import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import type { RipgrepPlace } from './run-ripgrep.js';
import { TargetRuns } from './target-runs.js';

/** From here on targets are split over several runs at once. */
const MANY_TARGETS = 512;
/** The first runs are short, so that the first results come at once. */
const FIRST_BATCH = 128;
/** So are the last, so that all lanes end together. */
const LAST_BATCH = 64;
/** Where runs take little longer than their start: so many for each lane. */
const QUICK_RUNS = 2;
/** No results come from a run before its output is long, or it ends. */
const LARGEST_BATCH = 4096;

export interface LanesOptions {
  readonly place: RipgrepPlace;
  readonly signal: AbortSignal;
  /** Files are counted in much less time than it takes to look for odd bytes. */
  readonly isQuick?: boolean;
  /** As in `RunsOptions`. */
  readonly onLarge?: (relativePath: string) => void;
  /** For tests. Default: one for each thread of the machine, within reason. */
  readonly lanes?: number;
}

/**
 * Does work for all targets. Many are split over several ripgreps of one thread each: these write their output in
 * blocks, where one of many threads writes file by file, which takes longer than searching. When one fails, all end.
 */
export async function inLanes(
  targets: readonly string[],
  { place, signal, isQuick = false, onLarge, lanes = usualLanes() }: LanesOptions,
  work: (targets: readonly string[], runs: TargetRuns) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  if (targets.length === 0) return;
  if (targets.length < MANY_TARGETS) return work(targets, new TargetRuns(place, signal, { onLarge }));
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  // Each lane may have two programs that listen.
  setMaxListeners(0, either);
  const batches = isQuick ? evenBatches(lanes, targets) : batchesFor(lanes, targets);
  const lane = async (): Promise<void> => {
    const runs = new TargetRuns(place, either, { isLane: lanes > 1, onLarge });
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

function usualLanes(): number {
  return Math.max(1, Math.min(availableParallelism(), 8));
}

function* batchesFor(lanes: number, targets: readonly string[]): Generator<readonly string[], void, undefined> {
  let wanted = FIRST_BATCH;
  for (let from = 0; from < targets.length;) {
    const share = Math.max(LAST_BATCH, Math.ceil((targets.length - from) / (2 * lanes)));
    const to = from + Math.min(wanted, share);
    yield targets.slice(from, to);
    from = to;
    wanted = Math.min(2 * wanted, LARGEST_BATCH);
  }
}

function* evenBatches(lanes: number, targets: readonly string[]): Generator<readonly string[], void, undefined> {
  const size = Math.min(LARGEST_BATCH, Math.ceil(targets.length / (QUICK_RUNS * lanes)));
  for (let from = 0; from < targets.length; from += size) yield targets.slice(from, from + size);
}
