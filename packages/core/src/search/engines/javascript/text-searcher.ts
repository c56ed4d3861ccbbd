import type { CountSink, LinesSink } from '../search-engine.js';
import type { JavaScriptEngineRequest } from './create-javascript-engine.js';
import { toJavaScriptPattern } from './javascript-pattern.js';
import { countTaskSink, linesTaskSink } from './task-sinks.js';
import type { NamedText, TextLinesRequest } from './worker-messages.js';
import { createWorkerPool } from './worker-pool.js';

/** Searches texts that are at hand, in a worker that can be ended, by the laws of `SearchEngine`. */
export interface TextSearcher {
  /** @throws Failure `invalid_pattern` */
  count(text: NamedText, sink: CountSink, signal: AbortSignal): Promise<void>;
  /** @throws Failure `invalid_pattern` */
  lines(request: TextLinesRequest, sink: LinesSink, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export function createTextSearcher({ pattern, folder }: JavaScriptEngineRequest): TextSearcher {
  const pool = createWorkerPool(() => toJavaScriptPattern(pattern), folder);
  return {
    count: async (text, sink, signal) =>
      pool.run([{ type: 'count-text', ...text }], countTaskSink(sink), { signal, isMuch: false }),
    lines: async (request, sink, signal) =>
      pool.run([{ type: 'lines-of-text', ...request }], linesTaskSink(sink), { signal, isMuch: false }),
    close: async () => pool.close(),
  };
}
