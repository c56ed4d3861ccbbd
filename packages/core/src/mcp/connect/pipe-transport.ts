import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { PipedExit, PipedProcess } from '../../process/piped-process.js';
import type { RawTransport } from './guarded-transport.js';
import { LineReader } from './read-lines.js';
import { StderrTail } from './stderr-tail.js';
import { answeredId, parseMessages, type WireId, type WireMessage } from './wire-message.js';

export interface PipeOptions {
  /** Of one message. */
  readonly mostBytes: number;
  /** For a program to end by itself once its input is closed. In milliseconds. */
  readonly graceMs: number;
  /** What it writes that is no message: to `stdout` or `stderr`, line by line. */
  readonly log: (from: 'stdout' | 'stderr', line: string) => void;
  /** A message that was too long to be read; `id` when it says whose answer it is. */
  readonly tooLong: (id: WireId | undefined, bytes: number) => void;
}

const MOST_LOGGED = 4000;
/** What a program wrote before it ended is read for that long, should a child of it hold the pipe open. */
const DRAIN_MS = 300;

/** Messages of one line each over the pipes of a program that runs. */
export class PipeTransport implements RawTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: WireMessage) => void;
  readonly stderr = new StderrTail();
  readonly #piped: PipedProcess;
  readonly #options: PipeOptions;
  #exit: PipedExit | undefined;
  #isClosed = false;
  #isClosing = false;
  #isHeld = false;

  constructor(piped: PipedProcess, options: PipeOptions) {
    this.#piped = piped;
    this.#options = options;
    this.#drainStderr();
    piped.stdin.on('error', () => undefined);
    void piped.exited.then((exit) => {
      this.#exit = exit;
    });
  }

  /** Why it ended, when that was not asked for. */
  get end(): string {
    if (this.#exit === undefined) return 'the program closed its output';
    const { code, signal } = this.#exit;
    return signal === null ? `the program ended with exit code ${code}` : `the program was ended by ${signal}`;
  }

  async start(): Promise<void> {
    const { stdout, exited } = this.#piped;
    const reader = new LineReader(
      {
        line: (text) => this.#line(text),
        tooLong: (start, end, bytes) => this.#options.tooLong(answeredId(start, end), bytes),
      },
      this.#options.mostBytes,
    );
    stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    const drained = new Promise<void>((resolve) => {
      for (const event of ['end', 'close', 'error']) stdout.once(event, () => resolve());
    });
    void drained.then(() => {
      reader.end();
      // Without output it cannot answer any more, whether it runs or not.
      return this.close();
    });
    void exited.then(async () => {
      await Promise.race([drained, pause(DRAIN_MS)]);
      return this.close();
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
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
    const isFirst = !this.#isClosing;
    this.#isClosing = true;
    // Whoever waits for an answer learns it now; the program's end may take a while.
    if (isFirst) await this.#tellClosed();
    await this.#piped.end(this.#options.graceMs).catch(() => undefined);
  }

  async #tellClosed(): Promise<void> {
    if (this.#isClosed) return;
    // The exit code comes a moment after the end of the output.
    if (this.#exit === undefined) await Promise.race([this.#piped.exited, pause(20)]);
    this.#isClosed = true;
    this.onclose?.();
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

  #drainStderr(): void {
    const told = (line: string): void => {
      this.stderr.add(line);
      this.#options.log('stderr', line.slice(0, MOST_LOGGED));
    };
    const reader = new LineReader({ line: told, tooLong: (start) => told(`${start} …`) }, 16 * MOST_LOGGED);
    const { stderr } = this.#piped;
    stderr.on('data', (chunk: Buffer) => reader.push(chunk));
    stderr.once('end', () => reader.end());
    stderr.on('error', () => undefined);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
