import type { Readable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { PipedExit, PipedProcess } from '../../process/piped-process.js';
import type { RawTransport } from './guarded-transport.js';
import { megabytes } from './limit-answer.js';
import { LineReader } from './read-lines.js';
import { StderrTail } from './stderr-tail.js';
import { answeredId, asksSomething, parseMessages, type WireId, type WireMessage } from './wire-message.js';

export interface PipeOptions {
  /** Of one message. */
  readonly mostBytes: number;
  /** For a program to end by itself once its input is closed. In milliseconds. */
  readonly graceMs: number;
  /** What it writes that is no message: to `stdout` or `stderr`, line by line. */
  readonly log: (from: 'stdout' | 'stderr', line: string) => void;
  /**
   * Called when a message becomes too long to read, and, unless that returned true, at its end. `id`: the call that it answers, if known.
   * `bytes`: its length, once it has ended.
   */
  readonly tooLong: (id: WireId | undefined, bytes?: number) => boolean;
}

const MOST_LOGGED = 4000;
/** A program that ends closes its pipes one by one, and is gone a moment later. What belongs together is awaited for that long. */
const ENDING_MS = 300;

/** Messages of one line each over the pipes of a program that runs. */
export class PipeTransport implements RawTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: WireMessage) => void;
  readonly stderr = new StderrTail();
  readonly #piped: PipedProcess;
  readonly #options: PipeOptions;
  readonly #stderrRead: Promise<void>;
  readonly #closed: Promise<void>;
  #tellClosed: () => void = () => undefined;
  #exit: PipedExit | undefined;
  #endless: number | undefined;
  #isClosed = false;
  #isHeld = false;

  constructor(piped: PipedProcess, options: PipeOptions) {
    this.#piped = piped;
    this.#options = options;
    this.#stderrRead = this.#readStderr();
    this.#closed = new Promise((resolve) => {
      this.#tellClosed = resolve;
    });
    piped.stdin.on('error', () => undefined);
    void piped.exited.then((exit) => {
      this.#exit = exit;
    });
  }

  /** Why it ended, when that was not asked for. */
  get end(): string {
    if (this.#endless !== undefined) return `it wrote a line without an end: ${megabytes(this.#endless)} so far`;
    if (this.#exit === undefined) return 'the program closed its output';
    const { code, signal } = this.#exit;
    return signal === null ? `the program ended with exit code ${code}` : `the program was ended by ${signal}`;
  }

  async start(): Promise<void> {
    const { stdout, exited } = this.#piped;
    const { tooLong, mostBytes } = this.#options;
    let isTold = false;
    const reader = new LineReader(
      {
        line: (text) => this.#line(text),
        tooLong: (start) => (isTold = !asksSomething(start) && tooLong(answeredId(start, ''))),
        longEnded: (start, end, bytes) => isTold || tooLong(answeredId(start, end), bytes),
        endless: (bytes) => {
          this.#endless = bytes;
          // Code that already knows of the too-long answer reads that first.
          setImmediate(() => void this.close());
        },
      },
      mostBytes,
    );
    stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    const drained = endOf(stdout);
    void drained.then(() => {
      reader.end();
      // Without output it cannot answer any more, whether it runs or not.
      return this.#endedItself();
    });
    void exited.then(async () => {
      await Promise.race([drained, pause(ENDING_MS)]);
      return this.#endedItself();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#write(message);
    } catch (thrown) {
      // That it does not read is mostly the first one sees of its end, and not the reason.
      await Promise.race([this.#closed, pause(ENDING_MS)]);
      throw thrown;
    }
  }

  #write(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || !this.#piped.stdin.writable) {
        reject(new Error('the program does not read any more'));
        return;
      }
      this.#piped.stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        this.#waitForReader();
        if (error === null || error === undefined) resolve();
        else reject(error);
      });
      this.#waitForReader();
    });
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#waitForReader();
  }

  /** One that asks and asks without reading an answer is not listened to until it has: its answers would fill the memory. */
  #waitForReader(): void {
    const { stdin, stdout } = this.#piped;
    const isToWait = this.#isHeld || stdin.writableLength > this.#options.mostBytes;
    if (isToWait && !stdout.isPaused()) stdout.pause();
    if (!isToWait && stdout.isPaused()) stdout.resume();
  }

  /** Returns when the program and all that it started have ended. */
  async close(): Promise<void> {
    // Whoever waits for an answer learns it now; the program's end may take a while.
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
      this.#tellClosed();
    }
    await this.#piped.end(this.#options.graceMs).catch(() => undefined);
  }

  /** How it ended, and what it wrote last, come a moment after the end of its output. */
  async #endedItself(): Promise<void> {
    await Promise.race([Promise.all([this.#piped.exited, this.#stderrRead]), pause(ENDING_MS)]);
    await this.close();
  }

  #line(text: string): void {
    if (text.trim() === '') return;
    const messages = parseMessages(text);
    if (messages === undefined) {
      this.#options.log('stdout', text.slice(0, MOST_LOGGED));
      return;
    }
    for (const message of messages) this.onmessage?.(message);
  }

  async #readStderr(): Promise<void> {
    const told = (line: string): void => {
      this.stderr.add(line);
      this.#options.log('stderr', line.slice(0, MOST_LOGGED));
    };
    const reader = new LineReader({ line: told, tooLong: (start) => told(`${start} …`) }, 16 * MOST_LOGGED);
    const { stderr } = this.#piped;
    stderr.on('data', (chunk: Buffer) => reader.push(chunk));
    stderr.once('end', () => reader.end());
    stderr.on('error', () => undefined);
    await endOf(stderr);
  }
}

function endOf(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.readableEnded || stream.destroyed) resolve();
    for (const event of ['end', 'close', 'error']) stream.once(event, () => resolve());
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
