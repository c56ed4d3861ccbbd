import type { TextEngine } from '../search-engine.js';
import type { JavaScriptEngineRequest } from './create-javascript-engine.js';
import { toJavaScriptPattern } from './javascript-pattern.js';
import { countTaskSink, linesTaskSink } from './task-sinks.js';
import { createWorkerPool } from './worker-pool.js';

/** Searches in a worker that can be ended. */
export interface TextSearcher extends TextEngine {
  close(): Promise<void>;
}

/** `slowMs`: what a text may take. */
export function createTextSearcher({ pattern, folder }: JavaScriptEngineRequest, slowMs?: number): TextSearcher {
  const limits = slowMs === undefined ? {} : { slowFileMs: slowMs };
  const pool = createWorkerPool(() => toJavaScriptPattern(pattern), folder, limits);
  return {
    count: async (text, sink, signal) =>
      pool.run([{ type: 'count-text', ...text }], countTaskSink(sink), { signal, isMuch: false }),
    lines: async (request, sink, signal) =>
      pool.run([{ type: 'lines-of-text', ...request }], linesTaskSink(sink), { signal, isMuch: false }),
    close: async () => pool.close(),
  };
}
