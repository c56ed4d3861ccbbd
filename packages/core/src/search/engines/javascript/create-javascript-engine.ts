import type { HeldFolder } from '../../held-folder.js';
import type { SearchEngine } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { pathsIn } from '../target-paths.js';
import { toJavaScriptPattern } from './javascript-pattern.js';
import { countTaskSink, linesTaskSink } from './task-sinks.js';
import type { JavaScriptPattern, WorkerTask } from './worker-messages.js';
import { createWorkerPool } from './worker-pool.js';

/** What is handed out at once: some ten milliseconds of work. */
const FILES_A_TASK = 256;
const LINES_FILES_A_TASK = 16;
/** A worker takes thirty milliseconds to start. */
const MANY_FILES = 2_000;

export interface JavaScriptEngineRequest {
  readonly pattern: SearchPattern;
  readonly folder: HeldFolder;
}

/** Searches in worker threads, which can be ended: a pattern may need longer than the universe. Matches what ripgrep matches. */
export function createJavaScriptEngine({ pattern, folder }: JavaScriptEngineRequest): SearchEngine {
  let translated: JavaScriptPattern | undefined;
  const translate = (): JavaScriptPattern => (translated ??= toJavaScriptPattern(pattern));
  const pool = createWorkerPool(translate, folder);
  return {
    name: 'javascript',
    countAnything: async (targets, sink, signal) => {
      const files = pathsIn(targets);
      const tasks = slices(files, FILES_A_TASK, (part): WorkerTask => ({ type: 'count', files: part }));
      await pool.run(tasks, countTaskSink(sink), { signal, isMuch: files.length > MANY_FILES });
    },
    lines: async ({ files, before, after }, sink, signal) => {
      const tasks = slices(files, LINES_FILES_A_TASK, (part): WorkerTask => ({
        type: 'lines',
        files: part,
        before,
        after,
      }));
      await pool.run(tasks, linesTaskSink(sink), { signal, isMuch: false });
    },
    checkPattern: async () => void translate(),
    close: async () => pool.close(),
  };
}

function* slices<T>(all: readonly T[], size: number, make: (part: readonly T[]) => WorkerTask): Generator<WorkerTask> {
  for (let at = 0; at < all.length; at += size) yield make(all.slice(at, at + size));
}
