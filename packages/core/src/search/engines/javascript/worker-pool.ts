import { FileTooMuch, startWorker, type SearchFolder, type SearchWorker, type TaskSink } from './search-worker.js';
import type { JavaScriptPattern, WorkerTask } from './worker-messages.js';

/** With two, one goes on while a pattern hangs in the other; more make the machine slow for everybody else. */
const MAX_WORKERS = 2;
/** When so many files take all memory that there is, the others are not tried any more; when they take too long, the next has all the time. */
const MAX_LOST = 3;
/** What no file takes with a pattern that comes to an end. */
const SLOW_FILE_MS = 8_000;

/** Worker threads for one pattern, started when there is work for them. */
interface WorkerPool {
  /**
   * Has all tasks done, one after the other by each worker. Rejects with the signal's reason when it is aborted, after
   * the workers have been ended and all that they found has been told.
   */
  run(tasks: Iterable<WorkerTask>, sink: TaskSink, options: RunOptions): Promise<void>;
  close(): Promise<void>;
}

interface Run {
  readonly sink: TaskSink;
  readonly signal: AbortSignal;
  /** Those that work for it now. */
  readonly workers: Set<SearchWorker>;
  /** Workers that one file took. */
  lost: number;
}

interface RunOptions {
  readonly signal: AbortSignal;
  /** So much that a second worker is worth its start. */
  readonly isMuch: boolean;
}

/** For tests. */
interface WorkerLimits {
  /** The memory that a worker may take. */
  readonly megabytes?: number;
  /** The time that it may take for a file. */
  readonly slowFileMs?: number;
}

export function createWorkerPool(
  pattern: () => JavaScriptPattern,
  folder: SearchFolder,
  { megabytes, slowFileMs = SLOW_FILE_MS }: WorkerLimits = {},
): WorkerPool {
  const idle: SearchWorker[] = [];
  const all = new Set<SearchWorker>();
  const take = (): SearchWorker => {
    const known = idle.pop();
    if (known !== undefined) return known;
    const started = startWorker({ pattern: pattern(), folder, megabytes });
    all.add(started);
    return started;
  };
  const end = async (worker: SearchWorker): Promise<void> => {
    all.delete(worker);
    const place = idle.indexOf(worker);
    if (place !== -1) idle.splice(place, 1);
    await worker.end();
  };
  /** Gives the worker that is to go on: a file that takes all memory, or no end, ends the one that searches it. */
  const workOn = async (first: SearchWorker, whole: WorkerTask, run: Run): Promise<SearchWorker> => {
    let worker = first;
    for (let left: WorkerTask | undefined = whole; left !== undefined;) {
      const task: WorkerTask = left;
      left = undefined;
      try {
        await worker.run(task, run.sink, run.lost < MAX_LOST ? slowFileMs : undefined);
      } catch (thrown) {
        if (!(thrown instanceof FileTooMuch) || ++run.lost > MAX_LOST || run.signal.aborted) throw thrown;
        const { at, detail } = thrown;
        if (detail !== undefined) run.sink.record({ kind: 'f', path: pathAt(task, at), detail });
        left = from(task, detail === undefined ? at : at + 1);
      }
      // It may also have been ended when it had just come to the end of the task.
      if (!worker.hasEnded) break;
      run.workers.delete(worker);
      await end(worker);
      run.signal.throwIfAborted();
      run.workers.add((worker = take()));
    }
    return worker;
  };
  const work = async (first: SearchWorker, tasks: Iterator<WorkerTask>, run: Run): Promise<void> => {
    let worker = first;
    for (let next = tasks.next(); next.done !== true; next = tasks.next())
      worker = await workOn(worker, next.value, run);
    idle.push(worker);
  };
  return {
    run: async (tasks, sink, { signal, isMuch }) => {
      signal.throwIfAborted();
      const queue = tasks[Symbol.iterator]();
      const count = isMuch ? MAX_WORKERS : 1;
      const run = { sink, signal, workers: new Set(Array.from({ length: count }, take)), lost: 0 };
      let ending: Promise<unknown> | undefined;
      const stop = (): void => void (ending ??= Promise.all(Array.from(run.workers, end)));
      signal.addEventListener('abort', stop, { once: true });
      try {
        await Promise.all(Array.from(run.workers, async (worker) => work(worker, queue, run)));
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

function pathAt(task: WorkerTask, at: number): string {
  if (task.type === 'count') return task.files[at] ?? '';
  return task.type === 'lines' ? (task.files[at]?.path ?? '') : task.path;
}

/** What of a task is left from that file on. */
function from(task: WorkerTask, at: number): WorkerTask | undefined {
  if (task.type !== 'count' && task.type !== 'lines') return at === 0 ? task : undefined;
  if (at >= task.files.length) return undefined;
  return task.type === 'count' ? { ...task, files: task.files.slice(at) } : { ...task, files: task.files.slice(at) };
}
