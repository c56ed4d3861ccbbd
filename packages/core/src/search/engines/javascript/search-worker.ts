import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { Failure } from '../../../util/failure.js';
import { MAX_LINE_LENGTH } from '../../report/shown-line.js';
import { patternTooLarge, TOO_LARGE_FOR_JAVASCRIPT } from '../pattern-problem.js';
import { READ_FAILURES } from '../read-failure.js';
import { startThread } from '../threads/start-thread.js';
import { WORKER_SOURCE } from './worker-source.js';
import {
  readRecords,
  type JavaScriptPattern,
  type WorkerMessage,
  type WorkerRecord,
  type WorkerSettings,
  type WorkerTask,
} from './worker-messages.js';

/** Enough for the records of many pieces; when it is full, what it holds is told. */
const JOURNAL_BYTES = 64 * 1024;
const MAX_HELD_BYTES = 64 * 1024 * 1024;
const YOUNG_MEGABYTES = 4;
/**
 * The largest text, twice: what needs less than that in one piece but more in all ends the worker, and what needs more
 * in one piece would end the process.
 */
const OLD_MEGABYTES = 512;
/** Between two looks at where a worker is. */
const LOOK_MS = 500;
/** In place of the number of the file that a worker is at. */
const NOT_BEGUN = -1;
/** A line is cut around its match here, with what `toShownLine` needs. */
export const KEPT_OF_LINE = 4 * MAX_LINE_LENGTH;

const TOO_LONG_FOR_PATTERN =
  'it, or a line in it, is too long for this pattern without ripgrep: simplify the pattern, or install ripgrep';

export interface SearchFolder {
  /** Where it really is. */
  readonly path: string;
  /** The path under which it is read: a held folder. */
  readonly workingDirectory: string;
}

export type FoundMessage = Extract<WorkerMessage, { type: 'found' }>;

/** What is told of a task's files. */
export interface TaskSink {
  record(record: WorkerRecord): void;
  found(message: FoundMessage): void;
}

/** One worker thread: one task after the other. It keeps no process alive while it has none. */
export interface SearchWorker {
  /**
   * Rejects when the worker breaks down, with `FileTooMuch` after all that it found has been told. `slowMs`: how long it may take
   * for one file; for ever when nothing is said.
   */
  run(task: WorkerTask, sink: TaskSink, slowMs?: number): Promise<void>;
  /** It does nothing any more. */
  readonly hasEnded: boolean;
  /** Ends the worker, whatever it does; all that it found is told first. */
  end(): Promise<void>;
}

/** The worker ended while it was at that one of the task's files; of it and of those behind it nothing was told. */
export class FileTooMuch extends Failure {
  readonly at: number;
  /** What is told of the file, which takes more memory or time than there is; undefined where that was one before it. */
  readonly detail: string | undefined;

  constructor(at: number, { detail, message }: { readonly detail?: string; readonly message: string }) {
    super('grep_execution_error', message);
    this.at = at;
    this.detail = detail;
  }
}

function outOfMemory(at: number, megabytes: number): FileTooMuch {
  return new FileTooMuch(at, {
    detail: `searching it needs more than ${megabytes} MB of memory`,
    message: `The search needs more than ${megabytes} MB of memory. Search fewer or smaller files, or for something that is shorter.`,
  });
}

/** Why a worker broke down at that file. */
function failureOf(error: Error, at: number, megabytes: number): Failure {
  if (Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory(at, megabytes);
  if (error.name === 'SyntaxError') return patternTooLarge(TOO_LARGE_FOR_JAVASCRIPT);
  return broken(`The search failed: ${error.message}`, error);
}

function tooSlow(at: number, slowMs: number): FileTooMuch {
  const detail = `the pattern takes more than ${slowMs / 1000} s in it`;
  return new FileTooMuch(at, { detail, message: `In one file ${detail}. Simplify the pattern.` });
}

/** Tells at which file a worker has been for longer than that; nothing before it has begun. */
function watchProgress(progress: Int32Array, slowMs: number, onSlow: (at: number) => void): NodeJS.Timeout {
  let seen = NOT_BEGUN;
  let since = performance.now();
  const timer = setInterval(
    () => {
      const at = progress[2] ?? NOT_BEGUN;
      const now = performance.now();
      if (at !== seen || at === NOT_BEGUN) [seen, since] = [at, now];
      else if (now - since > slowMs) {
        clearInterval(timer);
        onSlow(at);
      }
    },
    Math.min(LOOK_MS, slowMs / 16),
  );
  return timer;
}

/** It may have come to the next file before it ended. */
function slowAt(at: number, progress: Int32Array, slowMs: number): FileTooMuch {
  const last = progress[2] ?? at;
  return last === at ? tooSlow(at, slowMs) : new FileTooMuch(last, { message: 'The search was ended.' });
}

const wasEnded = (): Failure => broken('The search was ended.');

interface Current {
  readonly sink: TaskSink;
  readonly settle: (failure?: Error) => void;
}

interface WorkerStart {
  readonly pattern: JavaScriptPattern;
  readonly folder: SearchFolder;
  /** For tests: the memory that it may take. */
  readonly megabytes?: number | undefined;
}

export function startWorker({ pattern, folder, megabytes = OLD_MEGABYTES }: WorkerStart): SearchWorker {
  const { port1: port, port2 } = new MessageChannel();
  const journal = new SharedArrayBuffer(JOURNAL_BYTES);
  const journalHead = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
  const progress = new Int32Array(journalHead);
  const workerData: WorkerSettings = { ...settingsFor(pattern, folder), port: port2, journal, journalHead };
  const memory = { youngMegabytes: YOUNG_MEGABYTES, oldMegabytes: megabytes };
  const worker = startThread({ source: WORKER_SOURCE, workerData, ...memory });
  let current: Current | undefined;
  let nextTurn = 0;
  const finish = (failure?: Error): void => {
    const ended = current;
    current = undefined;
    worker.unref();
    ended?.settle(failure);
  };
  const tell = (message: Exclude<WorkerMessage, { type: 'done' }>): void => {
    if (message.type === 'found') {
      current?.sink.found(message);
      return;
    }
    nextTurn = message.turn + 1;
    for (const record of readRecords(message.text)) current?.sink.record(record);
  };
  const receive = (message: WorkerMessage): void => {
    if (message.type === 'done') return finish();
    try {
      tell(message);
    } catch (thrown) {
      finish(thrown instanceof Error ? thrown : broken(String(thrown)));
    }
  };
  port.on('message', receive);
  let hasEnded = false;
  const tellRest = (): void => {
    hasEnded = true;
    // What is told from now on is read here, not by events.
    port.off('message', receive);
    const sink = current?.sink;
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
      receive(next.message as WorkerMessage);
    if (sink !== undefined && current !== undefined) readJournal(journalHead, journal, nextTurn, sink);
  };
  worker.on('error', (error) => {
    tellRest();
    finish(failureOf(error, Math.max(0, progress[2] ?? 0), megabytes));
  });
  worker.on('exit', () => finish(broken('The search ended before it was done.')));
  port.unref();
  const stop = async (reason: () => Failure): Promise<void> => {
    hasEnded = true;
    worker.removeAllListeners('exit').removeAllListeners('error');
    // A worker that is made to end may say that its memory is gone.
    worker.on('error', () => undefined);
    await worker.terminate();
    tellRest();
    finish(reason());
    port.close();
  };
  let ending: Promise<void> | undefined;
  // It may be slow when the search is over. To take the listeners away twice would take that of the first time.
  const end = async (reason = wasEnded): Promise<void> => (ending ??= stop(reason));
  return {
    run: async (task, sink, slowMs = Infinity) => {
      Atomics.store(progress, 2, NOT_BEGUN);
      const watch = watchProgress(progress, slowMs, (at) => void end(() => slowAt(at, progress, slowMs)));
      return new Promise<void>((resolve, reject) => {
        current = { sink, settle: (failure) => (failure === undefined ? resolve() : reject(failure)) };
        worker.ref();
        port.postMessage(task);
      }).finally(() => clearInterval(watch));
    },
    get hasEnded() {
      return hasEnded;
    },
    end: async () => end(),
  };
}

function settingsFor(
  pattern: JavaScriptPattern,
  { path, workingDirectory }: SearchFolder,
): Omit<WorkerSettings, 'port' | 'journal' | 'journalHead'> {
  return {
    pattern,
    folder: path,
    workingDirectory,
    maxHeldBytes: MAX_HELD_BYTES,
    keptOfLine: KEPT_OF_LINE,
    readFailures: READ_FAILURES,
    tooLongForPattern: TOO_LONG_FOR_PATTERN,
  };
}

/** What a worker wrote but did not come to tell. */
function readJournal(head: SharedArrayBuffer, journal: SharedArrayBuffer, nextTurn: number, sink: TaskSink): void {
  const [turn = 0, written = 0] = new Int32Array(head);
  // It was ended between telling and beginning a new turn.
  if (turn < nextTurn) return;
  for (const record of readRecords(Buffer.from(journal).toString('utf16le', 0, written))) sink.record(record);
}

function broken(message: string, cause?: Error): Failure {
  return new Failure('grep_execution_error', message, cause === undefined ? undefined : { cause });
}
