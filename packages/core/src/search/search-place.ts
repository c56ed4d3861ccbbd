import { countOnce, countTree, type TreeCount } from './count-tree.js';
import { EngineChain } from './engine-chain.js';
import type { LinesRequest, LinesSink } from './engines/search-engine.js';
import { OddFiles } from './odd-files.js';
import type { OutcomeCollector } from './outcome-collector.js';
import { absoluteBelow } from '../util/paths-below.js';
import type { PlaceSearch, SearchedPlace } from './place-search.js';
import type { FileLines } from './report/shown-line.js';
import { withEngine, withOddEngine } from './with-engine.js';

export { countIgnored } from './count-ignored.js';
export { OutcomeCollector } from './outcome-collector.js';
export type { PlaceSearch, SearchedPlace } from './place-search.js';

/**
 * Counts the matches at one place. @throws the signal's reason, with what was found until then in the collector, once
 * everything that was started has ended; Failure `invalid_pattern`
 */
export async function countPlace(
  place: SearchedPlace,
  search: PlaceSearch,
  collector: OutcomeCollector,
): Promise<void> {
  search.signal.throwIfAborted();
  const failing = new AbortController();
  const fail = (thrown: unknown): void => failing.abort(thrown);
  const signal = AbortSignal.any([search.signal, failing.signal]);
  const ending = { ...search, signal };
  const chain = new EngineChain(search.engines, place.folder);
  const tally = collector.place(place.folder.path);
  const started = performance.now();
  const oddOnes = { pattern: search.pattern, folder: place.folder, others: chain, guesses: search.index.guesses };
  const odd = new OddFiles(oddOnes, tally, { signal, fail });
  try {
    const count = { place, search: ending, chain, odd, tally, fail };
    await (place.file === undefined ? countTree(count) : countFile(place.file, count));
    signal.throwIfAborted();
    // A bad pattern is an error even where there was nothing to search.
    if (!chain.hasWorked) await chain.run(async (engine) => engine.checkPattern(signal));
  } catch (thrown) {
    fail(thrown);
    search.signal.throwIfAborted();
    throw thrown;
  } finally {
    await odd.close();
    await chain.close();
    tally.tookMs = performance.now() - started;
    collector.engine = chain.name;
  }
}

async function countFile(name: string, count: TreeCount): Promise<void> {
  if (count.tally.claim('', [name]).length === 0) return;
  await countOnce(count, { folders: [], files: [name] });
  await count.odd.finish();
}

/** What was read of files, by path relative to their place's folder. */
export interface PlaceLines {
  readonly found: ReadonlyMap<string, FileLines>;
  /** Why nothing could be read. */
  readonly failures: ReadonlyMap<string, string>;
}

/**
 * The first matches of files that `countPlace` found at that place, with lines around them. A file that changed meanwhile, or is
 * gone, may be in neither. @throws the signal's reason
 */
export async function placeLines(
  place: SearchedPlace,
  search: PlaceSearch,
  request: LinesRequest & { readonly collector: OutcomeCollector },
): Promise<PlaceLines> {
  const { collector, ...shape } = request;
  const { signal } = search;
  const found = new Map<string, FileLines>();
  const failures = new Map<string, string>();
  const sink: LinesSink = {
    found: (path, lines) => void found.set(path, lines),
    failed: (path, reason) => void (path !== undefined && failures.set(path, reason)),
  };
  const isOdd = ({ path }: LinesRequest['files'][number]): boolean =>
    collector.isOdd(absoluteBelow(place.folder.path, path));
  const sound = { ...shape, files: shape.files.filter((file) => !isOdd(file)) };
  const odd = { ...shape, files: shape.files.filter(isOdd) };
  const parts: Promise<void>[] = [];
  if (sound.files.length > 0)
    parts.push(withEngine(place, search, async (engine) => engine.lines(sound, sink, signal)));
  if (odd.files.length > 0) parts.push(withOddEngine(place, search, async (engine) => engine.lines(odd, sink, signal)));
  for (const part of await Promise.allSettled(parts)) if (part.status === 'rejected') throw part.reason;
  return { found, failures };
}
