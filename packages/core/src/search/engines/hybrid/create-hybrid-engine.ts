import type { HeldFolder } from '../../held-folder.js';
import { createJavaScriptEngine } from '../javascript/create-javascript-engine.js';
import type { LinesRequest, LinesSink, SearchEngine, SearchTargets, TellingSink } from '../search-engine.js';
import { isPlainText, type SearchPattern } from '../search-pattern.js';
import { countTargets } from '../target-paths.js';
import { countInThreads, type ThreadSearch } from '../threads/count-in-threads.js';
import { linesInThread } from '../threads/lines-in-thread.js';
import type { SearchThreads } from '../threads/search-threads.js';
import { threadPattern } from '../threads/thread-pattern.js';
import { chooseWay, isWorthARun, WORTH_EXPECTING, type CountWay } from './choose-way.js';
import { largeFiles, linesOfLargeFiles } from './lines-of-large-files.js';

export interface HybridEngineRequest {
  /** For everything that neither threads nor JavaScript do sooner. */
  readonly ripgrep: SearchEngine;
  readonly threads: SearchThreads;
  readonly pattern: SearchPattern;
  readonly folder: HeldFolder;
  /** For tests. */
  readonly choose?: typeof chooseWay;
  readonly stallMs?: number;
}

/**
 * ripgrep, with threads of our own for counting in very many small files where the pattern is one that both understand
 * alike: they tell the kind of each file in the same pass, for which ripgrep would take half as long again.
 */
export function createHybridEngine(request: HybridEngineRequest): SearchEngine {
  const { ripgrep, threads, choose = chooseWay, ...rest } = request;
  const known = threadPattern(request.pattern);
  // Threads find a plain text, and what every match holds, as fast.
  const isForThreads = known !== undefined && (known.needles !== undefined || isPlainText(request.pattern));
  const limits = rest.stallMs === undefined ? {} : { stallMs: rest.stallMs };
  let isExpecting = false;
  /** Undefined where ripgrep is to be asked. */
  const threadsFor = async (way: CountWay, signal: AbortSignal): Promise<ThreadSearch | undefined> => {
    if (known === undefined || way === 'ripgrep') return undefined;
    const lease = await threads.lease(way === 'ready' ? 'ready' : 'all');
    return lease && { lease, wanted: known, folder: request.folder.path, signal, ...limits };
  };
  /** Returns what is left to ripgrep. */
  const inThreads = async (targets: SearchTargets, sink: TellingSink, signal: AbortSignal): Promise<SearchTargets> => {
    if (targets.wereLeft === true || targets.areText === true) return targets;
    const { state } = threads;
    const way = choose(countTargets(targets), state === 'cold' && isExpecting ? 'coming' : state);
    const search = await threadsFor(way, signal);
    return search === undefined ? targets : countInThreads(targets, { ...search, sink });
  };
  /** Returns what is left to ripgrep. */
  const smallInThread = async (
    wanted: LinesRequest,
    sink: LinesSink,
    signal: AbortSignal,
  ): Promise<LinesRequest['files']> => {
    const search = await threadsFor('ready', signal);
    return search === undefined ? wanted.files : linesInThread(wanted, sink, search);
  };
  /** Returns what is left to ripgrep. */
  const largeByJavaScript = async (
    wanted: LinesRequest,
    sink: LinesSink,
    signal: AbortSignal,
  ): Promise<LinesRequest['files']> => {
    const large = known === undefined ? [] : largeFiles(wanted.files, request.folder.workingDirectory);
    if (large.length === 0) return wanted.files;
    const engine = createJavaScriptEngine(request);
    const left = await linesOfLargeFiles({ engine, request: { ...wanted, files: large }, sink, signal });
    return wanted.files.filter((file) => !large.includes(file) || left.includes(file));
  };
  return {
    name: ripgrep.name,
    ...(ripgrep.texts !== undefined && { texts: ripgrep.texts }),
    wantsText: (files, bytes) => known === undefined || (!isForThreads && isWorthARun(files, bytes)),
    expect: (files) => {
      if (isExpecting || known === undefined || files < WORTH_EXPECTING || threads.state !== 'cold') return;
      isExpecting = startThreads(threads);
    },
    countAnything: async (targets, sink, signal) => {
      const left = await inThreads(targets, sink, signal);
      if (left === targets || countTargets(left) > 0) await ripgrep.countAnything(left, sink, signal);
    },
    lines: async (wanted, sink, signal) => {
      const files = await smallInThread(wanted, sink, signal);
      const left = await largeByJavaScript({ ...wanted, files }, sink, signal);
      if (left.length > 0) await ripgrep.lines({ ...wanted, files: left }, sink, signal);
    },
    checkPattern: async (signal) => ripgrep.checkPattern(signal),
    close: async () => ripgrep.close(),
  };
}

function startThreads(threads: SearchThreads): boolean {
  try {
    threads.warm();
    return true;
  } catch {
    // The system may refuse threads.
    return false;
  }
}
