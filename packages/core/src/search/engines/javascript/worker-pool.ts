import { startWorker, type SearchFolder, type SearchWorker, type TaskSink } from './search-worker.js';
import type { JavaScriptPattern, WorkerTask } from './worker-messages.js';

/** With two, one goes on while a pattern hangs in the other; more make the machine slow for everybody else. */
const MAX_WORKERS = 2;

/** Worker threads for one pattern, started when there is work for them. */
interface WorkerPool {
  /**
   * Has all tasks done, one after the other by each worker. Rejects with the signal's reason when it is aborted, after
   * the workers have been ended and all that they found has been told.
   */
  run(tasks: Iterable<WorkerTask>, sink: TaskSink, options: RunOptions): Promise<void>;
  close(): Promise<void>;
}

interface RunOptions {
  readonly signal: AbortSignal;
  /** So much that a second worker is worth its start. */
  readonly isMuch: boolean;
}

export function createWorkerPool(pattern: () => JavaScriptPattern, folder: SearchFolder): WorkerPool {
  const idle: SearchWorker[] = [];
  const all = new Set<SearchWorker>();
  const take = (): SearchWorker => {
    const known = idle.pop();
    if (known !== undefined) return known;
    const started = startWorker(pattern(), folder);
    all.add(started);
    return started;
  };
  const end = async (worker: SearchWorker): Promise<void> => {
    all.delete(worker);
    const place = idle.indexOf(worker);
    if (place !== -1) idle.splice(place, 1);
    await worker.end();
  };
  const work = async (worker: SearchWorker, tasks: Iterator<WorkerTask>, sink: TaskSink): Promise<void> => {
    for (let next = tasks.next(); next.done !== true; next = tasks.next()) await worker.run(next.value, sink);
    idle.push(worker);
  };
  return {
    run: async (tasks, sink, { signal, isMuch }) => {
      signal.throwIfAborted();
      const queue = tasks[Symbol.iterator]();
      const count = isMuch ? MAX_WORKERS : 1;
      const workers = Array.from({ length: count }, take);
      let ending: Promise<unknown> | undefined;
      const stop = (): void => void (ending ??= Promise.all(workers.map(end)));
      signal.addEventListener('abort', stop, { once: true });
      try {
        await Promise.all(workers.map(async (worker) => work(worker, queue, sink)));
      } catch (thrown) {
        stop();
        await ending;
        signal.throwIfAborted();
        throw thrown;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    close: async () => {
      await Promise.all(Array.from(all, end));
    },
  };
}
