import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { READ_FAILURES } from '../javascript/read-failure.js';
import type {
  PieceAnswer,
  ThreadJob,
  ThreadMessage,
  ThreadPiece,
  ThreadRequest,
  ThreadSettings,
} from './thread-messages.js';
import { THREAD_SOURCE } from './thread-source.js';

/** Texts are short-lived: little room for them keeps the memory of a thread small. */
const YOUNG_MEGABYTES = 2;
/** A file of a megabyte as text, its line and what is told of a piece take a tenth of it. */
const OLD_MEGABYTES = 32;

/** One thread that searches pieces, one after the other. It keeps no process alive while it has none. */
export class SearchThread {
  readonly #worker: Worker;
  readonly #port: MessageChannel['port1'];
  readonly #control = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  readonly #waiting: ((answer: PieceAnswer | undefined) => void)[] = [];
  readonly #receive = (message: ThreadMessage): void => this.#heard(message);
  /** When the piece at work was begun, in milliseconds of `performance.now`. */
  #since = 0;
  #filesSeen = 0;
  #filesSeenAt = 0;
  #isReady = false;
  #hasEnded = false;

  constructor() {
    const { port1, port2: port } = new MessageChannel();
    this.#port = port1;
    const workerData: ThreadSettings = { port, control: this.#control, readFailures: READ_FAILURES };
    this.#worker = new Worker(THREAD_SOURCE, {
      eval: true,
      workerData,
      transferList: [port],
      env: {},
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES, maxOldGenerationSizeMb: OLD_MEGABYTES },
    });
    this.#port.on('message', this.#receive);
    this.#worker.on('error', () => this.#finish());
    this.#worker.on('exit', () => this.#finish());
    this.#port.unref();
    this.#worker.unref();
  }

  /** It has come up, and was not ended. */
  get isReady(): boolean {
    return this.#isReady && !this.#hasEnded;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  begin(job: ThreadJob): void {
    this.#send({ type: 'job', job });
  }

  /** Several may wait. Undefined when the thread ended before: then nothing of the piece was told. */
  async search(piece: ThreadPiece): Promise<PieceAnswer | undefined> {
    if (this.#hasEnded) return undefined;
    if (this.#waiting.length === 0) {
      this.#since = performance.now();
      this.#worker.ref();
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#send({ type: 'piece', piece });
    });
  }

  /** Pieces of that job and of those before it are broken off at the next file and answered with what was found. */
  cancel(job: number): void {
    Atomics.store(this.#control, 0, job);
  }

  /**
   * Whether it has been at one file (or at coming up) for longer than that, or at one piece for four times as long. To be
   * asked now and then: progress counts from when it was seen.
   */
  isStuck(limitMs: number): boolean {
    // Answers may have come that were not heard yet.
    this.#drain();
    const now = performance.now();
    const files = Atomics.load(this.#control, 1);
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

  #send(request: ThreadRequest): void {
    this.#port.postMessage(request, []);
  }

  #drain(): void {
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; next = receiveMessageOnPort(this.#port))
      this.#heard(next.message as ThreadMessage);
  }

  #heard(message: ThreadMessage): void {
    this.#since = performance.now();
    if (message.type === 'ready') {
      this.#isReady = true;
      return;
    }
    this.#waiting.shift()?.(message.answer);
    if (this.#waiting.length === 0) this.#worker.unref();
  }

  #finish(): void {
    this.#hasEnded = true;
    this.#drain();
    this.#worker.unref();
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
  }
}
