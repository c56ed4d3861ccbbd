import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { RawTransport } from './guarded-transport.js';
import { messagesIn, type WireMessage } from './wire-message.js';

type SdkTransport = Transport & { terminateSession?(): Promise<void> };

/** To tell a server that its session is over. */
const GOODBYE_MS = 1500;

/** The SDK's transports over HTTP, ended politely. A broken stream of the older transport is the end: what it would have brought is lost. */
export class HttpTransport implements RawTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: WireMessage) => void;
  readonly hasPerRequestStream: boolean;
  readonly #inner: SdkTransport;
  #isOpen = false;
  /** Why it ended, when that was not asked for. */
  end = 'the connection ended';

  constructor(inner: SdkTransport) {
    this.#inner = inner;
    this.hasPerRequestStream = inner.hasPerRequestStream === true;
    inner.onmessage = (value) => {
      for (const message of messagesIn(value)) this.onmessage?.(message);
    };
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => {
      this.onerror?.(error);
      if (this.#isOpen && isBrokenStream(error)) {
        this.end = 'the stream of events broke';
        void this.close();
      }
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  async start(): Promise<void> {
    await this.#inner.start();
    this.#isOpen = true;
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#inner.send(message, options);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    if (this.#inner.sessionId !== undefined && this.#inner.terminateSession !== undefined) {
      const limit = new Promise<void>((resolve) => {
        setTimeout(resolve, GOODBYE_MS).unref();
      });
      await Promise.race([this.#inner.terminateSession().catch(() => undefined), limit]);
    }
    await this.#inner.close().catch(() => undefined);
  }
}

/** As the SDK tells it of the older transport: an error with the event that it was. */
function isBrokenStream(error: Error): boolean {
  return 'event' in error;
}
