import type { PipedProcess } from '../../process/piped-process.js';
import { Failure } from '../../util/failure.js';

const HEADER_END = '\r\n\r\n';
const MOST_HELD_BYTES = 64 * 1024 * 1024;

interface Waiting {
  readonly resolve: (body: unknown) => void;
  readonly reject: (reason: Failure) => void;
}

/** Speaks with TypeScript's own `tsserver`: requests are lines of JSON, replies come with their length. */
export class TsserverClient {
  readonly #child: PipedProcess;
  readonly #waiting = new Map<number, Waiting>();
  #held: Buffer = Buffer.alloc(0);
  #sequence = 0;

  constructor(child: PipedProcess) {
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    child.stdout.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    void child.exited.then(() => this.#fail('tsserver ended'));
  }

  /** Some commands have no reply. */
  tell(command: string, args: object = {}): void {
    this.#sequence += 1;
    const request = { seq: this.#sequence, type: 'request', command, arguments: args };
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
  }

  /** The body of the reply; undefined where there is nothing to say. @throws Failure `lsp_failed` */
  ask(command: string, args: object): Promise<unknown> {
    this.tell(command, args);
    const sequence = this.#sequence;
    return new Promise((resolve, reject) => this.#waiting.set(sequence, { resolve, reject }));
  }

  #take(chunk: Buffer): void {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (;;) {
      const end = this.#held.indexOf(HEADER_END);
      const length = Number(/Content-Length: (\d+)/i.exec(this.#held.toString('latin1', 0, Math.max(0, end)))?.[1]);
      const start = end + HEADER_END.length;
      if (end === -1 || !(this.#held.length >= start + length)) break;
      const text = this.#held.toString('utf8', start, start + length);
      this.#held = this.#held.subarray(start + length);
      this.#reply(text);
    }
    if (this.#held.length <= MOST_HELD_BYTES) return;
    this.#fail('tsserver sent more than 64 MiB without a whole message');
    void this.#child.end(0);
  }

  #reply(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (typeof message !== 'object' || message === null) return;
    const { type, request_seq: sequence, success, body, message: reason } = message as Record<string, unknown>;
    if (type !== 'response' || typeof sequence !== 'number') return;
    const waiting = this.#waiting.get(sequence);
    this.#waiting.delete(sequence);
    if (success === true) waiting?.resolve(body);
    else if (reason === 'No content available.') waiting?.resolve(undefined);
    else
      waiting?.reject(
        new Failure('lsp_failed', typeof reason === 'string' ? (reason.split('\n', 1)[0] ?? '') : 'no reply'),
      );
  }

  #fail(reason: string): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Failure('lsp_server_ended', reason));
  }
}
