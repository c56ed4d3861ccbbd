import { createJavaScriptEngine } from '../javascript/create-javascript-engine.js';
import { toJavaScriptPattern } from '../javascript/javascript-pattern.js';
import type { JavaScriptPattern } from '../javascript/worker-messages.js';
import type { LinesRequest, LinesSink, SearchEngine, SearchTargets, TellingSink } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { countFiles } from '../target-paths.js';
import { countInThreads } from '../threads/count-in-threads.js';
import { patternSafety } from '../threads/safe-pattern.js';
import type { SearchThreads } from '../threads/search-threads.js';
import { chooseWay } from './choose-way.js';
import { largeFiles, linesOfLargeFiles } from './lines-of-large-files.js';

/** In a longer line a pattern may try places by the square of its length. In bytes. */
const MAX_LINE = 4096;

export interface HybridEngineRequest {
  /** For everything but counting in very many small files and the lines of large ones. */
  readonly ripgrep: SearchEngine;
  readonly threads: SearchThreads;
  readonly pattern: SearchPattern;
  /** A held folder: where it really is, and the path under which it is read. */
  readonly folder: { readonly path: string; readonly workingDirectory: string };
  /** For tests. */
  readonly choose?: typeof chooseWay;
  readonly stallMs?: number;
}

interface SafePattern {
  readonly pattern: JavaScriptPattern;
  readonly maxLine: number;
}

/**
 * ripgrep, with threads of our own for counting in very many small files where the pattern is one that both understand
 * alike: they tell the kind of each file in the same pass, for which ripgrep would take half as long again.
 */
export function createHybridEngine(request: HybridEngineRequest): SearchEngine {
  const { ripgrep, threads, choose = chooseWay, ...rest } = request;
  const safe = safePattern(request.pattern);
  /** Returns what is left to ripgrep. */
  const inThreads = async (targets: SearchTargets, counting: Counting): Promise<SearchTargets> => {
    if (safe === undefined) return targets;
    const way = choose(countFiles(targets), threads.state);
    if (way === 'ripgrep, warming') threads.warm();
    const lease = way === 'threads' ? await threads.lease() : undefined;
    if (lease === undefined) return targets;
    const { sink, signal } = counting;
    const limits = rest.stallMs === undefined ? {} : { stallMs: rest.stallMs };
    return countInThreads(targets, { lease, ...safe, folder: request.folder.path, sink, signal, ...limits });
  };
  /** Returns what is left to ripgrep. */
  const largeByJavaScript = async (
    wanted: LinesRequest,
    sink: LinesSink,
    signal: AbortSignal,
  ): Promise<LinesRequest['files']> => {
    const large = safe === undefined ? [] : largeFiles(wanted.files, request.folder.workingDirectory);
    if (large.length === 0) return wanted.files;
    const engine = createJavaScriptEngine(request);
    const left = await linesOfLargeFiles({ engine, request: { ...wanted, files: large }, sink, signal });
    return wanted.files.filter((file) => !large.includes(file) || left.includes(file));
  };
  return {
    name: ripgrep.name,
    countAnything: async (targets, sink, signal) => {
      const left = await inThreads(targets, { sink, signal });
      if (left === targets || countFiles(left) > 0) await ripgrep.countAnything(left, sink, signal);
    },
    lines: async (wanted, sink, signal) => {
      const left = await largeByJavaScript(wanted, sink, signal);
      if (left.length > 0) await ripgrep.lines({ ...wanted, files: left }, sink, signal);
    },
    checkPattern: async (signal) => ripgrep.checkPattern(signal),
    close: async () => ripgrep.close(),
  };
}

interface Counting {
  readonly sink: TellingSink;
  readonly signal: AbortSignal;
}

/** Undefined where ripgrep must be asked. */
function safePattern(pattern: SearchPattern): SafePattern | undefined {
  const safety = patternSafety(pattern);
  if (safety === 'unsafe') return undefined;
  try {
    return { pattern: toJavaScriptPattern(pattern), maxLine: safety === 'bounded' ? Infinity : MAX_LINE };
  } catch {
    // Whether it is wrong is ripgrep's to say.
    return undefined;
  }
}
