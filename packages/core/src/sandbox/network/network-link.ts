import { Duplex, type Readable, type Writable } from 'node:stream';
import { encodeFrame, FIRST_CREDIT, FrameKind, FrameReader, MOST_DATA, type Frame } from './link-frames.js';

export interface LinkOptions {
  /** From the forwarder. */
  readonly input: Readable;
  /** To the forwarder. */
  readonly output: Writable;
  /** Connections at the same time; what comes beyond is reset. */
  readonly mostConnections: number;
  /** A connection that a program inside made: to the proxy (port 0), or to a port of the machine. */
  readonly accept: (connection: Duplex, port: number) => void;
}

/**
 * Our end of a link. Whatever comes over it may be written by a hostile command: what breaks the language ends the link, and
 * memory is bounded by the credit that we gave.
 */
export class NetworkLink {
  readonly #options: LinkOptions;
  readonly #connections = new Map<number, LinkConnection>();
  readonly #reader = new FrameReader();
  #isClosed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    const { input, output } = options;
    input.on('data', (chunk: Buffer) => this.#take(chunk));
    for (const event of ['end', 'error', 'close']) input.on(event, () => this.close());
    output.on('error', () => this.close());
  }

  get openConnections(): number {
    return this.#connections.size;
  }

  /** Ends every connection, and both streams. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const connection of this.#connections.values()) connection.destroy();
    this.#options.input.destroy();
    this.#options.output.destroy();
  }

  #take(chunk: Buffer): void {
    const frames = this.#reader.read(chunk);
    if (frames === undefined || !frames.every((frame) => this.#isClosed || this.#handle(frame))) this.close();
  }

  /** False when it may not be said. */
  #handle(frame: Frame): boolean {
    const { kind, id, value, data } = frame;
    if (kind === FrameKind.open) return this.#open(id, value);
    const connection = this.#connections.get(id);
    // It ended here while that was on its way.
    if (connection === undefined) return true;
    switch (kind) {
      case FrameKind.data:
        return connection.receive(data ?? Buffer.alloc(0));
      case FrameKind.end:
        return connection.receiveEnd();
      case FrameKind.reset:
        connection.resetByPeer();
        return true;
      case FrameKind.credit:
        return connection.receiveCredit(value);
      default:
        return kind satisfies never;
    }
  }

  #open(id: number, port: number): boolean {
    const { mostConnections, output, accept } = this.#options;
    if (this.#connections.has(id) || port > 65_535) return false;
    if (this.#connections.size >= mostConnections) {
      output.write(encodeFrame(FrameKind.reset, id));
      return true;
    }
    const connection = new LinkConnection({
      send: (kind, value, data, sent) => this.#send(kind, { id, value, data, sent }),
      closed: () => this.#connections.delete(id),
    });
    this.#connections.set(id, connection);
    accept(connection, port);
    return true;
  }

  #send(kind: FrameKind, { id, value, data, sent }: Outgoing & { readonly id: number }): void {
    const { output } = this.#options;
    if (this.#isClosed || output.destroyed) return sent?.();
    const header = encodeFrame(kind, id, value);
    output.write(data === undefined ? header : Buffer.concat([header, data]), () => sent?.());
  }
}

interface Outgoing {
  readonly value: number;
  readonly data: Buffer | undefined;
  readonly sent: (() => void) | undefined;
}

interface LinkFace {
  readonly send: (kind: FrameKind, value: number, data?: Buffer, sent?: () => void) => void;
  readonly closed: () => void;
}

/** The most credit that is believed: more means nothing. */
const MOST_CREDIT = 2 ** 31;

class LinkConnection extends Duplex {
  readonly #link: LinkFace;
  /** What we may send. */
  #credit = FIRST_CREDIT;
  /** What the other side may send, and what of that was used and not granted again. */
  #granted = FIRST_CREDIT;
  #used = 0;
  #waiting: (() => void) | undefined;
  #isEndSent = false;
  #isEndReceived = false;
  #isReset = false;

  constructor(link: LinkFace) {
    super({ allowHalfOpen: true });
    this.#link = link;
    // Whoever reads or writes learns it from `close`; nobody may have to listen.
    this.on('error', () => undefined);
  }

  /** The next four answer false when the other side may not say that. */
  receive(data: Buffer): boolean {
    if (this.#isEndReceived || data.length > this.#granted) return false;
    this.#granted -= data.length;
    this.#used += data.length;
    if (data.length > 0) this.push(Buffer.from(data));
    return true;
  }

  receiveEnd(): boolean {
    if (this.#isEndReceived) return false;
    this.#isEndReceived = true;
    this.push(null);
    return true;
  }

  receiveCredit(bytes: number): boolean {
    this.#credit += bytes;
    if (this.#credit > MOST_CREDIT) return false;
    const go = this.#waiting;
    this.#waiting = undefined;
    go?.();
    return true;
  }

  resetByPeer(): void {
    this.#isReset = true;
    this.destroy();
  }

  override _read(): void {
    if (this.#used < MOST_DATA / 2) return;
    this.#link.send(FrameKind.credit, this.#used);
    this.#granted += this.#used;
    this.#used = 0;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#sendPart(chunk, done);
  }

  override _final(done: () => void): void {
    this.#isEndSent = true;
    this.#link.send(FrameKind.end, 0, undefined, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isReset && !(this.#isEndSent && this.#isEndReceived)) this.#link.send(FrameKind.reset, 0);
    this.#link.closed();
    const go = this.#waiting;
    this.#waiting = undefined;
    go?.();
    done(error);
  }

  /** `done` once it has left this process, so that whoever does not read holds one piece in memory and no more. */
  #sendPart(chunk: Buffer, done: () => void): void {
    if (this.destroyed) return done();
    if (this.#credit <= 0) {
      this.#waiting = () => this.#sendPart(chunk, done);
      return;
    }
    const part = chunk.subarray(0, Math.min(this.#credit, MOST_DATA));
    this.#credit -= part.length;
    const rest = chunk.subarray(part.length);
    this.#link.send(FrameKind.data, part.length, part, rest.length === 0 ? done : () => this.#sendPart(rest, done));
  }
}
