import { countTree, type TreeCount } from './count-tree.js';
import { EngineChain } from './engine-chain.js';
import { createOddEngine } from './engines/odd-engine.js';
import type { LinesRequest, LinesSink } from './engines/search-engine.js';
import { OddFiles } from './odd-files.js';
import { pathBelow, type OutcomeCollector } from './outcome-collector.js';
import type { PlaceSearch, SearchedPlace } from './place-search.js';
import type { FileLines } from './report/shown-line.js';
import { SearchRound } from './search-round.js';

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
  const odd = new OddFiles({ pattern: search.pattern, folder: place.folder }, tally, { signal, fail });
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

async function countFile(name: string, { search, chain, odd, tally }: TreeCount): Promise<void> {
  if (tally.claim('', [name]).length === 0) return;
  const round = new SearchRound(tally, { folders: [], files: 1 }, (path) => odd.add([path]));
  try {
    await chain.run(
      async (engine) => engine.countAnything({ folders: [], files: [name] }, round, search.signal),
      () => round.again(),
    );
  } catch (thrown) {
    round.broken();
    throw thrown;
  }
  round.done();
  await odd.finish();
}

/**
 * The first matches of files that `countPlace` found at that place, with lines around them, by path relative to the
 * place's folder. A file that changed meanwhile, or is gone, may be missing. @throws the signal's reason
 */
export async function placeLines(
  place: SearchedPlace,
  search: PlaceSearch,
  request: LinesRequest & { readonly collector: OutcomeCollector },
): Promise<ReadonlyMap<string, FileLines>> {
  const { collector, ...shape } = request;
  const found = new Map<string, FileLines>();
  const sink: LinesSink = {
    found: (path, lines) => void found.set(path, lines),
    // It is told by its absence: what it holds was counted before.
    failed: () => undefined,
  };
  const isOdd = ({ path }: LinesRequest['files'][number]): boolean =>
    collector.isOdd(pathBelow(place.folder.path, path));
  const parts = await Promise.allSettled([
    soundLines(place, search, { request: { ...shape, files: shape.files.filter((file) => !isOdd(file)) }, sink }),
    oddLines(place, search, { request: { ...shape, files: shape.files.filter(isOdd) }, sink }),
  ]);
  for (const part of parts) if (part.status === 'rejected') throw part.reason;
  return found;
}

type LinesPart = (place: SearchedPlace, search: PlaceSearch, part: LinesPartRequest) => Promise<void>;

interface LinesPartRequest {
  readonly request: LinesRequest;
  readonly sink: LinesSink;
}

const soundLines: LinesPart = async ({ folder }, { engines, signal }, { request, sink }) => {
  if (request.files.length === 0) return;
  const chain = new EngineChain(engines, folder);
  try {
    await chain.run(async (engine) => engine.lines(request, sink, signal));
  } finally {
    await chain.close();
  }
};

const oddLines: LinesPart = async ({ folder }, { pattern, signal }, { request, sink }) => {
  if (request.files.length === 0) return;
  const engine = createOddEngine({ pattern, folder });
  try {
    await engine.lines(request, sink, signal);
  } finally {
    await engine.close();
  }
};
