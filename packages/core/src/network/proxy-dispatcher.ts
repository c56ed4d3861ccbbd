import type { default as UndiciModule, Dispatcher, Pool } from 'undici';
import { Failure } from '../util/failure.js';
import type { Proxy } from './choose-proxy.js';
import { targetOf } from './no-proxy.js';
import { isOwnRefusal, refusedByProxy, unreachedProxy } from './proxy-failure.js';

export type Undici = typeof UndiciModule;
type Connector = ReturnType<Undici['buildConnector']>;

/** For a proxy to connect to somebody else. In milliseconds. */
const TUNNEL_MS = 60_000;

/** How long a server is silent is judged by whoever waits for it: a connection is never cut for it. */
export const NEVER_CUT = { headersTimeout: 0, bodyTimeout: 0 };

/** Connections to one proxy: tunnels for what is sealed by TLS, requests that name the whole address for the rest. */
export class ProxyWays {
  readonly #undici: Undici;
  readonly #proxy: Proxy;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #toProxy: Connector;
  /** Only asks for tunnels; a tunnel's connection belongs to who uses it. */
  readonly #tunnels: Pool;

  constructor(undici: Undici, proxy: Proxy) {
    this.#undici = undici;
    this.#proxy = proxy;
    const { authorization } = proxy;
    this.#headers = authorization === undefined ? {} : { 'proxy-authorization': authorization };
    const connect = undici.buildConnector({});
    this.#toProxy = (options, callback) =>
      connect(options, (...[error, socket]) =>
        error === null ? callback(null, socket) : callback(unreachedProxy(proxy, error), null),
      );
    this.#tunnels = new undici.Pool(proxy.origin, { connect: this.#toProxy, headersTimeout: TUNNEL_MS });
  }

  /** What sends the requests for one origin. */
  to(origin: URL): Dispatcher {
    return origin.protocol === 'https:' ? this.#tunnelled(origin) : this.#forwarded(origin);
  }

  destroy(): Promise<void> {
    return this.#tunnels.destroy();
  }

  #tunnelled(origin: URL): Dispatcher {
    const seal = this.#undici.buildConnector({});
    const open = async (...[options, callback]: Parameters<Connector>): Promise<void> => {
      const tunnel = await this.#tunnel(origin).catch((error: Error) => error);
      if (tunnel instanceof Error) callback(tunnel, null);
      else seal({ ...options, httpSocket: tunnel }, callback);
    };
    const connect: Connector = (...parts) => void open(...parts);
    return new this.#undici.Pool(origin, { connect, ...NEVER_CUT });
  }

  async #tunnel(origin: URL) {
    const { host, port } = targetOf(origin);
    const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const asked = { path: target, headers: { ...this.#headers, host: target } };
    const { statusCode, headers, socket } = await this.#tunnels.connect(asked).catch((thrown: unknown) => {
      throw thrown instanceof Failure ? thrown : unreachedProxy(this.#proxy, thrown);
    });
    if (statusCode >= 200 && statusCode < 300) return socket as Parameters<Connector>[0]['httpSocket'] & object;
    socket.on('error', () => undefined).destroy();
    const authenticate = headers['proxy-authenticate'];
    throw refusedByProxy(this.#proxy, { status: statusCode, authenticate: String(authenticate ?? ''), target });
  }

  #forwarded(origin: URL): Dispatcher {
    const pool = new this.#undici.Pool(this.#proxy.origin, { connect: this.#toProxy, ...NEVER_CUT });
    return pool.compose((dispatch) => (options, handler) => {
      const headers = { ...(options.headers as Record<string, string>), ...this.#headers, host: origin.host };
      return dispatch(
        { ...options, path: `${origin.origin}${options.path}`, headers },
        this.#heedingRefusal(handler, origin),
      );
    });
  }

  /** `fetch` gives no reason where a proxy wants a sign-in, and takes other refusals for the server's. */
  #heedingRefusal(handler: Dispatcher.DispatchHandler, { host: target }: URL): Dispatcher.DispatchHandler {
    const proxy = this.#proxy;
    return {
      onRequestStart: (...rest) => handler.onRequestStart?.(...rest),
      onRequestUpgrade: (...rest) => handler.onRequestUpgrade?.(...rest),
      onResponseStart: (...rest) => {
        const [controller, status, headers] = rest;
        if (!isOwnRefusal(status, headers)) return handler.onResponseStart?.(...rest);
        const authenticate = String(headers['proxy-authenticate'] ?? '');
        return controller.abort(refusedByProxy(proxy, { status, authenticate, target }));
      },
      onResponseData: (...rest) => handler.onResponseData?.(...rest),
      onResponseEnd: (...rest) => handler.onResponseEnd?.(...rest),
      onResponseError: (...rest) => handler.onResponseError?.(...rest),
    };
  }
}
