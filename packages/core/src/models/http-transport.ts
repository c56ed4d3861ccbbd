import type { IncomingMessage } from 'node:http';
import { systemErrorCode } from '../util/failure.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborting closes the connection, also while the body is read. */
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** The unpacked body. Reading it to its end frees the connection for the next request. */
  readonly body: AsyncIterator<Uint8Array>;
  /** The proxy that it came through, where that may have answered itself; for messages. */
  readonly through?: string;
}

/** Sends one request. Redirects are answers like any other. Rejects with whatever the system says. */
export type HttpTransport = (request: HttpRequest) => Promise<HttpAnswer>;

/**
 * The transport on node:http and node:https. The built-in fetch would do, but its first use alone
 * costs more time and twice the memory of bare Node (decision 3).
 */
export const nodeTransport: HttpTransport = async (request) => {
  try {
    return await sendOnce(request);
  } catch (thrown) {
    // A server may close a kept connection just when it is used again. Nothing was answered, and on
    // a new connection that cannot happen.
    if (thrown instanceof StaleConnection && !request.signal.aborted) return sendOnce(request);
    throw thrown;
  }
};

/** How the system says that the other side closed. */
const CLOSED = ['ECONNRESET', 'EPIPE'];

class StaleConnection extends Error {}

async function sendOnce({ method, url, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
  const isSecure = new URL(url).protocol === 'https:';
  const { request } = isSecure ? await import('node:https') : await import('node:http');
  signal.throwIfAborted();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, headers }, resolve);
    // Not the option `signal`: that destroys with an error, which nobody may be there to hear once the answer came.
    signal.addEventListener('abort', () => sent.destroy(), { once: true });
    sent.on('error', (error) => {
      const isStale = sent.reusedSocket && CLOSED.includes(systemErrorCode(error) ?? '');
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    sent.end(body);
  });
  // Read through the iterator below; without a listener an error between two reads would end the process.
  response.on('error', () => undefined);
  const bytes: AsyncIterator<Uint8Array> = response[Symbol.asyncIterator]();
  const codings = response.headers['content-encoding'];
  return {
    status: response.statusCode ?? 0,
    header: (name) => {
      const value = response.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    body: codings === undefined ? bytes : await (await import('./unpack-body.js')).unpacked(bytes, codings, url),
  };
}

/** The transport on a given `fetch`, for embedders with a proxy or a connection pool of their own. */
export function fetchTransport(send: typeof fetch): HttpTransport {
  return async ({ method, url, headers, body, signal }) => {
    const response = await send(url, {
      method,
      headers,
      signal,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      body: response.body === null ? noBytes() : response.body[Symbol.asyncIterator](),
    };
  };
}

async function* noBytes(): AsyncGenerator<Uint8Array> {
  // A response without a body.
}

/** The body as text, cut after `limit` bytes; what arrived of it when it breaks off. */
export async function readText(body: AsyncIterator<Uint8Array>, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    while (size < limit) {
      const chunk = await body.next();
      if (chunk.done === true) break;
      size += chunk.value.length;
      text += decoder.decode(chunk.value, { stream: true });
    }
  } catch {
    // Asked for error messages and lists: part of one says more than that it broke off.
  }
  return text + decoder.decode();
}
