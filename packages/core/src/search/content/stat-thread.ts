import { Worker } from 'node:worker_threads';
import { STAT_WORKER_SOURCE, type StatWorkerRequest } from './stat-worker.js';

/** A thread that nobody asked for so long is ended. */
const IDLE_MS = 3_000;

/** Nearly all that it makes is short-lived; the names that wait for it are some megabytes for 100,000 files. */
const YOUNG_MEGABYTES = 2;
const OLD_MEGABYTES = 128;

/** The second thread: started when it is first needed. It keeps the process from ending only while it is waited for. */
export class StatThread {
  #worker: Worker | undefined;
  #lastId = 0;
  #answeredId = 0;
  #hasFailed = false;
  #waiting: { readonly id: number; readonly resolve: () => void }[] = [];
  #idle: NodeJS.Timeout | undefined;

  /** It runs already: work for it need not be so much as to make up for its start. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** A number to wait for; undefined when there is no thread to be had. */
  send(request: Omit<StatWorkerRequest, 'id'>): number | undefined {
    const worker = this.#start();
    if (worker === undefined) return undefined;
    this.#lastId += 1;
    worker.postMessage({ id: this.#lastId, ...request }, []);
    this.#rest();
    return this.#lastId;
  }

  /** Until it has answered, or never will. */
  async answered(id: number): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined || this.#answeredId >= id) return;
    worker.ref();
    await new Promise<void>((resolve) => this.#waiting.push({ id, resolve }));
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#forget(worker);
    await worker?.terminate();
  }

  #start(): Worker | undefined {
    if (this.#worker !== undefined || this.#hasFailed) return this.#worker;
    try {
      const worker = new Worker(STAT_WORKER_SOURCE, {
        eval: true,
        env: {},
        execArgv: [],
        stdout: true,
        stderr: true,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES, maxOldGenerationSizeMb: OLD_MEGABYTES },
      });
      this.#worker = worker;
      worker.on('message', (id: number) => this.#heard(worker, id));
      worker.on('error', () => {
        // What ends it once would end it again.
        this.#hasFailed = true;
        this.#forget(worker);
      });
      worker.on('exit', () => this.#forget(worker));
      worker.unref();
      return worker;
    } catch {
      this.#hasFailed = true;
      return undefined;
    }
  }

  #heard(worker: Worker, id: number): void {
    this.#answeredId = id;
    const [done, still] = [this.#waiting.filter((one) => one.id <= id), this.#waiting.filter((one) => one.id > id)];
    this.#waiting = still;
    for (const { resolve } of done) resolve();
    if (still.length === 0) worker.unref();
    this.#rest();
  }

  #forget(worker: Worker | undefined): void {
    if (worker === undefined || this.#worker !== worker) return;
    this.#worker = undefined;
    clearTimeout(this.#idle);
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
  }
}
