import { MessageChannel, receiveMessageOnPort, type MessagePort, type Worker } from 'node:worker_threads';
import type { LearnAnswer, LearnRequest } from '../../content/learn-worker.js';
import type { StatRequest } from '../../content/stat-worker.js';
import { FINDER_MODULE } from '../finder/finder-module.js';
import { READ_FAILURES } from '../read-failure.js';
import { startThread } from './start-thread.js';
import {
  BEGUN,
  CANCELLED,
  FILES_DONE,
  type LinesAnswer,
  type PieceAnswer,
  type ThreadJob,
  type ThreadLines,
  type ThreadMessage,
  type ThreadPiece,
  type ThreadRequest,
  type ThreadSettings,
} from './thread-messages.js';
import { THREAD_SOURCE } from './thread-source.js';

/** Texts are short-lived: little room for them keeps the memory of a thread small. */
const YOUNG_MEGABYTES = 2;
/** A file of a megabyte as text, its line and what is told of a piece take a tenth of it. */
const OLD_MEGABYTES = 32;

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  /** Somebody waits for it: the process lives on till then. */
  readonly isUrgent: boolean;
}

/** One thread that does what it is asked in the order in which it is asked. It keeps no process alive while that is nothing urgent. */
export class SearchThread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #control = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  readonly #waiting: Waiting[] = [];
  readonly #receive = (message: ThreadMessage): void => this.#heard(message);
  /** When the request at work was begun, in milliseconds of `performance.now`. */
  #since = 0;
  #filesSeen = 0;
  #filesSeenAt = 0;
  #urgent = 0;
  #usedAt = performance.now();
  #isReady = false;
  #hasEnded = false;
  #isStillborn = false;

  constructor(source = THREAD_SOURCE) {
    const { port1, port2: port } = new MessageChannel();
    this.#port = port1;
    const workerData: ThreadSettings = {
      port,
      control: this.#control,
      readFailures: READ_FAILURES,
      finder: FINDER_MODULE,
    };
    this.#worker = startThread({
      source,
      workerData,
      youngMegabytes: YOUNG_MEGABYTES,
      oldMegabytes: OLD_MEGABYTES,
    });
    this.#port.on('message', this.#receive);
    for (const event of ['error', 'exit'] as const) this.#worker.on(event, () => this.#lost());
    this.#port.unref();
  }

  /** It has come up, and was not ended. */
  get isReady(): boolean {
    return this.#isReady && !this.#hasEnded;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** It ended by itself before it came up. */
  get isStillborn(): boolean {
    return this.#isStillborn;
  }

  /** How many requests wait for it. */
  get load(): number {
    return this.#waiting.length;
  }

  /** When it was asked last or answered last, in milliseconds of `performance.now`. */
  get usedAt(): number {
    return this.#usedAt;
  }

  /** What follows is that search's; learning is broken off. */
  begin(job: ThreadJob): void {
    Atomics.store(this.#control, BEGUN, job.job);
    this.#send({ type: 'job', job });
  }

  /** Several may wait. Undefined when the thread ended before: then nothing of the piece was told. */
  async search(piece: ThreadPiece): Promise<PieceAnswer | undefined> {
    return (await this.#ask({ type: 'piece', piece }, true)) as PieceAnswer | undefined;
  }

  /** Undefined when the thread ended before. */
  async lines(wanted: ThreadLines): Promise<LinesAnswer | undefined> {
    return (await this.#ask({ type: 'lines', ...wanted }, true)) as LinesAnswer | undefined;
  }

  /** Looks at files; what becomes of it stands in the units. Resolves also when the thread ended before. */
  async look(request: StatRequest): Promise<void> {
    await this.#ask({ type: 'look', ...request }, true);
  }

  /** Files that are not told of (`none`) may have been left out for a search that came. Undefined when the thread ended before. */
  async learn(paths: LearnRequest): Promise<LearnAnswer | undefined> {
    const job = Atomics.load(this.#control, BEGUN);
    return (await this.#ask({ type: 'learn', paths, job }, false)) as LearnAnswer | undefined;
  }

  /** Pieces of that job and of those before it are broken off at the next file and answered with what was found. */
  cancel(job: number): void {
    Atomics.store(this.#control, CANCELLED, job);
  }

  /**
   * Whether it has been at one file (or at coming up) for longer than that, or at one request for four times as long. To
   * be asked now and then: progress counts from when it was seen.
   */
  isStuck(limitMs: number): boolean {
    // Answers may have come that were not heard yet.
    this.#drain();
    const now = performance.now();
    const files = Atomics.load(this.#control, FILES_DONE);
    if (files !== this.#filesSeen) [this.#filesSeen, this.#filesSeenAt] = [files, now];
    if (this.#waiting.length === 0) return false;
    return now - Math.max(this.#since, this.#filesSeenAt) > limitMs || now - this.#since > 4 * limitMs;
  }

  /** Ends it, whatever it does; answers that it gave before are told. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#port.off('message', this.#receive);
    await this.#worker.terminate();
    this.#finish();
    this.#port.close();
  }

  /** Undefined when the thread ended before it answered. */
  async #ask(request: ThreadRequest, isUrgent: boolean): Promise<unknown> {
    if (this.#hasEnded) return undefined;
    this.#usedAt = performance.now();
    if (this.#waiting.length === 0) this.#since = this.#usedAt;
    return new Promise((resolve) => {
      this.#waiting.push({ resolve, isUrgent });
      this.#count(isUrgent ? 1 : 0);
      this.#send(request);
    });
  }

  #send(request: ThreadRequest): void {
    this.#port.postMessage(request, []);
  }

  #drain(): void {
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; next = receiveMessageOnPort(this.#port))
      this.#heard(next.message as ThreadMessage);
  }

  #heard(message: ThreadMessage): void {
    this.#since = this.#usedAt = performance.now();
    if (message.type === 'ready') {
      this.#isReady = true;
      return;
    }
    const answered = this.#waiting.shift();
    if (answered?.isUrgent === true) this.#count(-1);
    answered?.resolve(message.answer);
  }

  #count(change: number): void {
    this.#urgent += change;
    if (this.#urgent > 0) this.#worker.ref();
    else this.#worker.unref();
  }

  #lost(): void {
    if (this.#hasEnded) return;
    this.#finish();
    this.#isStillborn = !this.#isReady;
  }

  #finish(): void {
    this.#hasEnded = true;
    this.#drain();
    this.#count(-this.#urgent);
    for (const { resolve } of this.#waiting.splice(0)) resolve(undefined);
  }
}
