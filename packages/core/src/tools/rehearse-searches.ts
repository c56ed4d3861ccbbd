import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolRuntime } from '../runtime.js';
import type { ContentIndex } from '../search/content/content-index.js';
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
/** Between two searches, so that the threads leave the processors to others; and between two looks at whether all is learned. */
const PAUSE_MS = 20;
/** Threads that have not come up by then never will. */
const THREADS_MS = 1_000;

interface Playable {
  execute(signal: AbortSignal, updateOutput: () => void): Promise<unknown>;
}

/** Searched for in all files, for what it leaves to be learned. */
const NOTHING: GrepToolParams = { pattern: 'nothing that anybody looks for' };
/** Ways in which files can be searched, with matches and without, in turns: code that was compiled for one alone would be thrown away. */
const PATTERNS: readonly GrepToolParams[] = [NOTHING, { pattern: 'return' }, { pattern: 'class\\s+[A-Z]\\w+' }];
/** Of which no piece is certain, so that all text is decoded: once. */
const DEAR_PATTERN: GrepToolParams = { pattern: '\\d{4}-\\d\\d' };
/** Twice. It goes through all files, as nothing is read for it; what git says of their times is remembered. */
const NAMES: GlobToolParams = { pattern: '**/*' };

/** Nothing is learned of it, and nobody else's search waits for it. */
const UNKNOWN: SearchServices['content'] = {
  knowsAny: false,
  known: () => Promise.reject(new Error('nothing is known')),
  learnLater: () => undefined,
  hurry: () => undefined,
  rest: () => undefined,
};

/**
 * Searches a few times, as calls do, for what is in some of the files, and for all by their names, so that the first call finds everything
 * warm. Then once in all files, by the rules of any search, so that what is in them is learned, and, when it is, a few times again as searches
 * go that know it. To be begun when the tree is known and the threads were started. Ends when somebody else searches, and at the signal.
 * @throws Failure
 */
export async function rehearseSearches(config: ToolRuntime, files: number, signal: AbortSignal): Promise<void> {
  const { tree, threads, statter, content, guesses } = await config.getSearchIndex();
  const { searches: before } = content;
  const isWanted = (): boolean => !signal.aborted && content.searches === before && tree.walks <= 1;
  if (content.isAsked) return;
  const others = new AbortController();
  const watch = setInterval(() => isWanted() || others.abort(), REST_MS).unref();
  const ending = AbortSignal.any([signal, others.signal]);
  /** One of so many folders, for each pattern. */
  const search = async (
    patterns: readonly GrepToolParams[],
    every: number,
    known: SearchServices['content'],
  ): Promise<void> => {
    const walk: TreeIndex['walk'] = (options) => someFolders(tree, options, every);
    const index: GrepIndex = { tree: { walk }, statter, content: known, threads, guesses };
    const tool = new GrepTool(config, { index: async () => index });
    for (const params of patterns) await play(tool.build(params));
  };
  const play = async (call: Playable): Promise<void> => {
    if (!isWanted()) return;
    await call.execute(ending, () => undefined);
    await sleep(PAUSE_MS, undefined, { ref: false });
  };
  const searchNames = async (): Promise<void> => play(new GlobTool(config).build(NAMES));
  /** Resolves to whether that comes within the time, which is without end by default. */
  const until = async (isSo: () => boolean, limitMs = Infinity): Promise<boolean> => {
    const deadline = performance.now() + limitMs;
    while (!isSo()) {
      if (!isWanted() || performance.now() > deadline) return false;
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
    return isWanted();
  };
  try {
    if (!(await until(() => threads.state === 'warm', THREADS_MS))) return;
    const every = Math.ceil(files / FILES);
    await search([...PATTERNS, DEAR_PATTERN], every, UNKNOWN);
    await searchNames();
    // A third time costs as much again, and saves little.
    await search(PATTERNS, every, UNKNOWN);
    const known = knownOf(content);
    await search([NOTHING], 1, known);
    if (!(await until(() => !content.isLearning)) || !content.knowsAny) return;
    await search(PATTERNS, 1, known);
    await searchNames();
  } finally {
    clearInterval(watch);
  }
}

/** As it is, but a search is not counted as one of somebody's, nor does learning wait for it. */
function knownOf(content: ContentIndex): SearchServices['content'] {
  return {
    get knowsAny() {
      return content.knowsAny;
    },
    known: (...asked) => content.known(...asked),
    learnLater: (...asked) => content.learnLater(...asked),
    hurry: () => undefined,
    rest: () => undefined,
  };
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
