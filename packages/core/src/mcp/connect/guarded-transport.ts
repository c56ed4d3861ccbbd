import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { RequestLimit } from './limit-requests.js';
import { soundInitialize, type RawResults } from './raw-results.js';
import type { WireId, WireMessage, WireObject } from './wire-message.js';
import { isObject } from '../../util/is-object.js';

/** A transport as the guard needs it. */
export interface RawTransport {
  start(): Promise<void>;
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: WireMessage) => void) | undefined;
  /** Where it can be: nothing more is read until it is told otherwise. */
  hold?(isHeld: boolean): void;
  readonly hasPerRequestStream?: boolean;
  readonly sessionId?: string | undefined;
  setProtocolVersion?(version: string): void;
}

export interface GuardListener {
  /** All but those that the SDK keeps its own books with. In the order in which they came, before later answers. */
  notification(method: string, params: WireObject): void;
  /** What nobody waits for and what is no message: for the log. */
  odd(text: string): void;
}

interface Waiting {
  readonly method: string;
  /** Ends the request's own stream, where there is one. */
  readonly stop: AbortController | undefined;
}

/** In `data` of an answer that was made up here: the connection ended before the server's own came. */
export const LOST_ANSWER = 'tenon/lost';

const CANCELLED = 'notifications/cancelled';
const FOR_THE_SDK: ReadonlySet<string> = new Set(['notifications/subscriptions/acknowledged']);

/**
 * Stands between the SDK and a transport. To the SDK come sound messages only, answers only to what it waits for, and raw
 * results parked. The SDK gives notifications on a turn after they came, which loses the last progress before a result:
 * here they are told at once.
 */
export class GuardedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly hasPerRequestStream: boolean;
  readonly #inner: RawTransport;
  readonly #listener: GuardListener;
  readonly #raw: RawResults;
  readonly #limit: RequestLimit;
  readonly #waiting = new Map<WireId, Waiting>();
  /** Answered in one piece: when that had no answer in it, none will come. */
  readonly #whole = new Set<WireId>();
  #isClosed = false;
  #isEnded = false;
  #isLost = false;

  constructor(inner: RawTransport, listener: GuardListener, raw: RawResults) {
    this.#inner = inner;
    this.#listener = listener;
    this.#raw = raw;
    this.hasPerRequestStream = inner.hasPerRequestStream === true;
    this.#limit = new RequestLimit({
      give: (request) => this.#give(request),
      hold: inner.hold === undefined ? undefined : (isHeld) => inner.hold?.(isHeld),
      told: () => listener.odd('it asks so much that its requests are answered more slowly'),
    });
    inner.onmessage = (message) => this.#receive(message);
    inner.onerror = (error) => this.onerror?.(error);
    inner.onclose = () => this.#ended();
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  /** It ended before it was closed. */
  get isLost(): boolean {
    return this.#isLost;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isEnded) return Promise.reject(new Error('the connection is closed'));
    if (!('method' in message)) return this.#inner.send(message, options);
    if ('id' in message) return this.#sendRequest(message.id, message.method, message, options);
    const ended = message.method === CANCELLED ? message.params?.['requestId'] : undefined;
    if (typeof ended !== 'string' && typeof ended !== 'number') return this.#inner.send(message, options);
    return this.#sendCancelled(ended, message, options);
  }

  async #sendCancelled(id: WireId, message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const waiting = this.#forget(id);
    try {
      await this.#inner.send(message, options);
    } finally {
      waiting?.stop?.abort();
    }
  }

  async #sendRequest(
    id: WireId,
    method: string,
    message: JSONRPCMessage,
    options?: TransportSendOptions,
  ): Promise<void> {
    const own = this.hasPerRequestStream && options?.requestSignal === undefined ? new AbortController() : undefined;
    this.#waiting.set(id, { method, stop: own });
    options?.requestSignal?.addEventListener('abort', () => this.#forget(id), { once: true });
    try {
      if (!this.hasPerRequestStream) {
        await this.#inner.send(message, options);
        return;
      }
      await this.#inner.send(message, {
        ...options,
        ...(own === undefined ? {} : { requestSignal: own.signal }),
        onRequestStreamEnd: () => {
          options?.onRequestStreamEnd?.();
          this.#answerless(id);
        },
      });
      if (this.#whole.delete(id)) this.#answerless(id);
    } catch (error) {
      this.#forget(id);
      throw error;
    }
  }

  /** Its answer comes in one piece, or not at all. */
  answeredWhole(id: WireId): void {
    if (this.#waiting.has(id)) this.#whole.add(id);
  }

  /** Answers in the server's stead. Without `id`: the only request there is, if there is only one. */
  refuse(id: WireId | undefined, message: string): boolean {
    const only = id ?? (this.#waiting.size === 1 ? [...this.#waiting.keys()][0] : undefined);
    if (only === undefined || !this.#waiting.has(only)) return false;
    this.#receive({ kind: 'error', id: only, error: { code: -32_603, message } });
    return true;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#inner.close();
    this.#ended();
  }

  #ended(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#isLost = !this.#isClosed;
    this.#waiting.clear();
    this.#limit.close();
    this.onclose?.();
  }

  #forget(id: WireId): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#whole.delete(id);
    return waiting;
  }

  #answerless(id: WireId): void {
    if (!this.#waiting.has(id)) return;
    const message = 'the stream of the answer ended without the answer';
    this.#receive({ kind: 'error', id, error: { code: -32_603, message, data: { [LOST_ANSWER]: true } } });
  }

  #receive(message: WireMessage): void {
    if (message.kind === 'request') return this.#limit.take(message.id, message.whole);
    if (message.kind === 'notification') {
      if (message.method === CANCELLED) return this.#cancelled(message.whole);
      if (FOR_THE_SDK.has(message.method)) return this.#give(message.whole);
      const { params } = message.whole;
      return this.#listener.notification(message.method, typeof params === 'object' ? { ...params } : {});
    }
    const id = this.#idOf(message.id);
    if (id === undefined) return this.#listener.odd(`an answer to ${JSON.stringify(message.id)}, which was not asked`);
    const method = this.#forget(id)?.method ?? '';
    if (message.kind === 'error') return this.#give({ jsonrpc: '2.0', id, error: message.error });
    const sound = method === 'initialize' ? soundInitialize(message.result) : message.result;
    this.#give({ jsonrpc: '2.0', id, result: this.#raw.park(method, sound) });
  }

  #cancelled(notification: WireObject): void {
    const { params } = notification;
    const id = isObject(params) ? params['requestId'] : undefined;
    if ((typeof id === 'string' || typeof id === 'number') && this.#limit.cancel(id)) return;
    this.#give(notification);
  }

  /** Some servers give the number back as a text. */
  #idOf(id: WireId): WireId | undefined {
    if (this.#waiting.has(id)) return id;
    const other = typeof id === 'string' ? Number(id) : String(id);
    return id !== '' && this.#waiting.has(other) ? other : undefined;
  }

  #give(message: WireObject): void {
    try {
      // It was sorted above; the SDK looks at it again.
      const whole = message['jsonrpc'] === '2.0' ? message : { ...message, jsonrpc: '2.0' };
      this.onmessage?.(whole as unknown as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** The SDK knows a program's transport by these two, and then takes silence as a word for the older revisions. */
export class GuardedPipes extends GuardedTransport {
  readonly stderr = null;
  readonly pid: number;

  constructor(pid: number, ...rest: ConstructorParameters<typeof GuardedTransport>) {
    super(...rest);
    this.pid = pid;
  }
}
