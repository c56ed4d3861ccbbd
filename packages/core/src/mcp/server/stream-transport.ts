import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { errorMessage } from '../../util/failure.js';

/** A longer line is skipped, whatever it is: it would have to be held whole. In bytes. */
const LONGEST_LINE = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface StreamEnds {
  readonly input: NodeJS.ReadableStream;
  /** Resolves when the text was handed on. */
  readonly write: (text: string) => Promise<void>;
  /** Aborted when nobody reads what is written. */
  readonly closed: AbortSignal;
}

/**
 * JSON-RPC, one message a line. The SDK's own transport joins buffers with each chunk, which takes minutes for a long
 * line, and ends the connection at 10 MiB; this one keeps chunks and outlives whatever comes.
 */
export class StreamTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];

  /** Resolves when the other end is gone or it was closed. */
  readonly over: Promise<void>;

  readonly #ends: StreamEnds;
  #resolveOver: () => void = () => undefined;
  #chunks: Buffer[] = [];
  #size = 0;
  #isSkipping = false;
  #isClosed = false;

  constructor(ends: StreamEnds) {
    this.#ends = ends;
    this.over = new Promise((resolve) => (this.#resolveOver = resolve));
  }

  async start(): Promise<void> {
    const { input, closed } = this.#ends;
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('close', this.#onEnd);
    input.on('error', this.#onEnd);
    closed.addEventListener('abort', this.#onEnd, { once: true });
    if (closed.aborted) this.#onEnd();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed.');
    await this.#ends.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { input, closed } = this.#ends;
    input.off('data', this.#onData);
    input.off('end', this.#onEnd);
    input.off('close', this.#onEnd);
    input.off('error', this.#onEnd);
    closed.removeEventListener('abort', this.#onEnd);
    input.pause();
    this.#chunks = [];
    this.#resolveOver();
    this.onclose?.();
  }

  readonly #onEnd = (): void => void this.close();

  readonly #onData = (data: Buffer | string): void => {
    let rest = typeof data === 'string' ? Buffer.from(data) : data;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      this.#keep(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      this.#endLine();
      if (this.#isClosed) return;
    }
    this.#keep(rest);
  };

  #keep(chunk: Buffer): void {
    if (this.#isSkipping || chunk.length === 0) return;
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    if (this.#size <= LONGEST_LINE) return;
    this.#isSkipping = true;
    this.#chunks = [];
  }

  #endLine(): void {
    const line = Buffer.concat(this.#chunks).toString('utf8').trim();
    const wasSkipped = this.#isSkipping;
    [this.#chunks, this.#size, this.#isSkipping] = [[], 0, false];
    if (wasSkipped) return this.onerror?.(new Error(`A line of more than ${LONGEST_LINE} bytes was skipped.`));
    if (line === '') return;
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch (thrown) {
      return this.onerror?.(new Error(`A line that is no JSON was skipped: ${errorMessage(thrown)}`));
    }
    // Several in one, as revision 2025-03-26 had it.
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) this.#deliver(message);
  }

  #deliver(message: unknown): void {
    if (isMessage(message)) return this.onmessage?.(message);
    this.onerror?.(new Error('A line that is no JSON-RPC message was skipped.'));
    const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    // Else the client would wait for an answer for ever.
    const error = { code: -32600, message: 'Invalid request: it is no JSON-RPC message.' };
    this.send({ jsonrpc: '2.0', id, error }).catch(() => undefined);
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null || !('jsonrpc' in value) || value.jsonrpc !== '2.0') return false;
  if ('method' in value) {
    const hasParams = !('params' in value) || (typeof value.params === 'object' && value.params !== null);
    return typeof value.method === 'string' && hasParams && (!('id' in value) || isId(value.id));
  }
  if (!('id' in value) || !isId(value.id)) return false;
  if ('result' in value) return typeof value.result === 'object' && value.result !== null;
  return 'error' in value && typeof value.error === 'object' && value.error !== null;
}

function isId(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value));
}
