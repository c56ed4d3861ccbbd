import type { LookupFunction } from 'node:net';
import type { Response as UndiciResponse } from 'undici';
import { Failure } from '../util/failure.js';
import { chooseProxy, type Environment } from './choose-proxy.js';
import { NEVER_CUT, ProxyWays, type Undici } from './proxy-dispatcher.js';
import { withBody } from './with-body.js';

export interface Fetcher {
  /** As the global one. Rejects with a `Failure` (`proxy_unusable`) where a proxy is at fault. */
  readonly fetch: typeof fetch;
  /** Ends all connections, those in use as well. */
  close(): Promise<void>;
}

export interface FetchOptions {
  /** Where the variables stand that name proxies; see `chooseProxy`. */
  readonly environment: Environment;
  /** For connections that go through no proxy. Default: as the system looks names up, and connects. */
  readonly direct?: DirectConnections;
}

export interface DirectConnections {
  /** Finds a name's addresses; not asked for a host that is an address itself. Where it fails with a `Failure`, that is told. */
  readonly lookup: LookupFunction;
  /** For a connection, TLS included. In milliseconds. */
  readonly timeout: number;
}

/**
 * A `fetch` that goes through the proxy that the environment names, each redirect by itself, and that never cuts an answer
 * for its silence: whoever asks judges how long it may take. Nothing is loaded or opened before the first use.
 */
export function createFetch({ environment, direct }: FetchOptions): Fetcher {
  let loading: Promise<Ways> | undefined;
  const send: typeof fetch = async (input, init) => {
    const request = asRequest(input, init);
    // Told here, where nothing wraps it.
    chooseProxy(new URL(request.url), environment);
    // In a bundle it is one object, as CommonJS has it.
    loading ??= import('undici').then(({ default: undici }) => openWays(undici, environment, direct));
    const { undici, agent } = await loading;
    try {
      const response = await undici.fetch(request.url, { ...(request.init as object), dispatcher: agent });
      return ownResponse(response);
    } catch (thrown) {
      throw failureIn(thrown) ?? thrown;
    }
  };
  return {
    fetch: send,
    close: async () => {
      await (await loading)?.close();
    },
  };
}

interface Ways {
  readonly undici: Undici;
  readonly agent: InstanceType<Undici['Agent']>;
  close(): Promise<void>;
}

function openWays(undici: Undici, environment: Environment, direct?: DirectConnections): Ways {
  const ownWay = direct === undefined ? NEVER_CUT : { ...NEVER_CUT, connect: { ...direct } };
  const proxies = new Map<string, ProxyWays>();
  const agent = new undici.Agent({
    factory: (origin) => {
      const url = new URL(origin);
      const proxy = chooseProxy(url, environment);
      if (proxy === undefined) return new undici.Pool(url, ownWay);
      const ways = proxies.get(proxy.variable) ?? new ProxyWays(undici, proxy);
      proxies.set(proxy.variable, ways);
      return ways.to(url);
    },
  });
  const close = async (): Promise<void> => {
    await Promise.all([agent, ...proxies.values()].map((one) => one.destroy()));
  };
  return { undici, agent, close };
}

/** The library knows no request of the global kind. */
function asRequest(input: Parameters<typeof fetch>[0], init: RequestInit = {}): { url: string; init: RequestInit } {
  if (typeof input === 'string' || input instanceof URL) return { url: String(input), init };
  const { url, method, headers, body, signal, redirect } = input;
  const streamed = body === null ? {} : { body, duplex: 'half' as const };
  return { url, init: { method, headers, signal, redirect, ...streamed, ...init } };
}

/** A `Response` with a body, were it an empty one, cannot have them. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Of the global kind, as others expect it. */
function ownResponse(response: UndiciResponse): Response {
  const body = BODILESS.has(response.status) ? null : (response.body as ReadableStream<Uint8Array> | null);
  return withBody(response, body);
}

function failureIn(thrown: unknown): Failure | undefined {
  for (let at = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof Failure) return at;
  }
  return undefined;
}
