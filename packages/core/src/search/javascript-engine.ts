import { Worker } from 'node:worker_threads';
import { Failure } from '../util/failure.js';
import { KEPT_PER_FILE, type SearchEngine, type SearchSink } from './engine.js';
import { toJavaScriptRegExp } from './javascript-pattern.js';
import { WORKER_SOURCE, type WorkerMessage, type WorkerSettings } from './javascript-worker.js';
import { cutTextMatch, MAX_LINE_LENGTH } from './text-match.js';

const MAX_WHOLE_FILE = 64 * 1024 * 1024;

export interface JavaScriptRequest {
  readonly pattern: string;
  readonly folder: { readonly path: string; readonly workingDirectory: string };
}

/** Searches in a worker thread, which can be killed: a pattern may need longer than the universe. */
export function createJavaScriptEngine({ pattern, folder }: JavaScriptRequest): SearchEngine {
  let worker: Worker | undefined;
  const close = async (): Promise<void> => {
    const running = worker;
    worker = undefined;
    await running?.terminate();
  };
  const start = (): Worker => {
    const { source, flags } = toJavaScriptRegExp(pattern);
    const workerData: WorkerSettings = {
      source,
      flags,
      workingDirectory: folder.workingDirectory,
      folder: folder.path,
      maxWholeFile: MAX_WHOLE_FILE,
      keptPerFile: KEPT_PER_FILE,
      maxLineLength: MAX_LINE_LENGTH,
    };
    return new Worker(WORKER_SOURCE, { eval: true, workerData, env: {}, stdin: false, stdout: true, stderr: true });
  };
  return {
    name: 'javascript',
    search: async (files, sink, signal) => {
      signal.throwIfAborted();
      worker ??= start();
      try {
        await searchBatch(worker, files, sink, signal);
      } catch (thrown) {
        await close();
        throw thrown;
      }
    },
    checkPattern: async () => void toJavaScriptRegExp(pattern),
    close,
  };
}

async function searchBatch(
  worker: Worker,
  files: readonly string[],
  sink: SearchSink,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
      action();
    };
    const fail = (failure: Error): void => settle(() => reject(failure));
    const onAbort = (): void => fail(signal.reason as Error);
    const onMessage = (message: WorkerMessage): void => {
      if (message.type === 'done') settle(resolve);
      else tell(message, sink);
    };
    const onError = (error: Error): void =>
      fail(new Failure('grep_execution_error', `The search failed: ${error.message}`, { cause: error }));
    const onExit = (): void => fail(new Failure('grep_execution_error', 'The search ended before it was done.'));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    worker.postMessage(files, []);
  });
}

function tell(message: Exclude<WorkerMessage, { type: 'done' }>, sink: SearchSink): void {
  if (message.type === 'binary') sink.binary(message.file);
  else if (message.type === 'failed') sink.failed(message.file, message.reason);
  else {
    const matches = message.matches.map(([line, column, text, start, length]) =>
      cutTextMatch({ line, column, text, start, length }),
    );
    sink.found({ relativePath: message.file, matches, total: message.total });
  }
}
