import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolRuntime } from '../runtime.js';
import type { SearchServices } from '../search/place-search.js';
import type { TreeIndex } from '../search/tree/tree-index.js';
import type { WalkedFolder, WalkOptions } from '../search/tree/walked-folder.js';
import { GlobTool, type GlobToolParams } from './glob.js';
import { GrepTool } from './grep.js';
import type { GrepIndex } from './grep-flow.js';
import type { GrepToolParams } from './grep-params.js';

/** Of larger trees only some folders are searched, here and there, with about so many files: they may have to be read from a disk. */
const FILES = 2_000;
/** Between two slices of the walk: the main thread is there for others. */
const REST_MS = 2;
/** Between two searches, so that the threads leave the processors to others. */
const PAUSE_MS = 20;
/** Threads that have not come up by then never will. */
const THREADS_MS = 1_000;

/** Ways in which files can be searched, with matches and without, in turns: code that was compiled for one alone would be thrown away. */
const PATTERNS: readonly GrepToolParams[] = [
  { pattern: 'nothing that anybody looks for' },
  { pattern: 'return' },
  { pattern: 'class\\s+[A-Z]\\w+' },
];
/** Of which no piece is certain, so that all text is decoded: once. */
const DEAR_PATTERN: GrepToolParams = { pattern: '\\d{4}-\\d\\d' };
/** Once. It goes through all files, as nothing is read for it; what git says of their times is remembered. */
const NAMES: GlobToolParams = { pattern: '**/*' };

/** Nothing is learned of it, and nobody else's search waits for it. */
const CONTENT: SearchServices['content'] = {
  knowsAny: false,
  known: () => Promise.reject(new Error('nothing is known')),
  learnLater: () => undefined,
  hurry: () => undefined,
  rest: () => undefined,
};

/**
 * Searches a few times, as calls do, for what is in some of the files, and for all by their names, so that the first call finds everything
 * warm. To be begun when the tree is known and the threads were started. Ends when somebody else searches, and at the signal. @throws Failure
 */
export async function rehearseSearches(config: ToolRuntime, files: number, signal: AbortSignal): Promise<void> {
  const { tree, threads, statter, content } = await config.getSearchIndex();
  const isWanted = (): boolean => !signal.aborted && !content.isAsked && tree.walks <= 1;
  const others = new AbortController();
  const watch = setInterval(() => isWanted() || others.abort(), REST_MS).unref();
  const ending = AbortSignal.any([signal, others.signal]);
  try {
    const deadline = performance.now() + THREADS_MS;
    while (threads.state !== 'warm') {
      if (!isWanted() || performance.now() > deadline) return;
      await sleep(REST_MS, undefined, { ref: false });
    }
    const every = Math.ceil(files / FILES);
    const walk: TreeIndex['walk'] = (options) => someFolders(tree, options, every);
    const index: GrepIndex = { tree: { walk }, statter, content: CONTENT, threads };
    const [grep, glob] = [new GrepTool(config, { index: async () => index }), new GlobTool(config)];
    const searches = () => PATTERNS.map((params) => grep.build(params));
    // A third time costs as much again, and saves little.
    for (const call of [...searches(), grep.build(DEAR_PATTERN), glob.build(NAMES), ...searches()]) {
      if (!isWanted()) return;
      await call.execute(ending, () => undefined);
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  } finally {
    clearInterval(watch);
  }
}

/** One folder of so many, and nothing of what is ignored. */
export async function* someFolders(
  tree: Pick<TreeIndex, 'walk'>,
  options: WalkOptions,
  every: number,
): AsyncGenerator<readonly WalkedFolder[], void, undefined> {
  if (options.respectGitIgnore === false) return;
  let count = 0;
  for await (const folders of tree.walk(options)) {
    yield folders.filter(() => count++ % every === 0);
    await sleep(REST_MS, undefined, { ref: false, signal: options.signal });
  }
}
