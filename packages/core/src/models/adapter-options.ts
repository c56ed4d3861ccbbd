import type { Environment } from '../network/choose-proxy.js';
import { environmentTransport } from './environment-transport.js';
import { fetchTransport, nodeTransport } from './http-transport.js';
import type { HttpTransport } from './http-transport.js';
import { OptionalParameters, type OptionalParameter } from './optional-parameters.js';
import type { ReasoningEffort } from './reasoning-effort.js';
import type { Connection } from './server-events.js';

/** What every adapter takes. */
export interface AdapterOptions {
  readonly model: string;
  /** With or without a trailing slash or a version segment. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** A sentence on what to do where the key is refused. Default: to check it. */
  readonly keyAdvice?: string;
  /** Sent with every request; they win over the adapter's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Used where a request names no limit of its own. */
  readonly maxOutputTokens?: number;
  /** The longest silence of the server in milliseconds. Default: 600,000 before an answer begins, then 120,000. */
  readonly idleTimeoutMs?: number;
  /** The reasoning effort. Default: the server's own. A function is called for each request. */
  readonly reasoningEffort?: ReasoningEffort | (() => ReasoningEffort | undefined);
  /** Fields merged into the body of every request: `temperature`, `top_p`, `thinking` … Null removes a field. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /**
   * True if calls that a model writes as text (`<tool_call>…`, `<function=…>` and the like) become calls. Default: true for servers that
   * may pass them on as text.
   */
  readonly callsInText?: boolean;
  /** Parameters that the server has refused; adapters of one model share it. */
  readonly refused?: Set<string>;
  /** Where the variables stand that name proxies: `HTTPS_PROXY` and the like. Default: no proxy. */
  readonly environment?: Environment;
  /** In place of both: what adapters share. */
  readonly transport?: HttpTransport;
  /** For proxies and pools of an embedder, in place of `environment`. Default: node:http and node:https, which start faster than the built-in fetch. */
  readonly fetch?: typeof fetch;
}

/** A local model may read a long prompt for minutes before its first word. Once it has begun it is slow, but not silent. */
const IDLE_TIMEOUT_MS = { first: 600_000, later: 120_000 };
const SECRET_HEADER = /auth|key|token|secret|cookie/i;

/** How to reach the provider. Header names are lower case, so that a setting replaces and never doubles one. */
export function connectionOf(
  url: string,
  options: AdapterOptions,
  own: {
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly optional: readonly OptionalParameter[];
  },
): Connection {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'tenon',
  };
  for (const [name, value] of Object.entries({ ...own.headers, ...options.headers })) {
    // A key read from a file often ends in a line break, which no header may hold.
    if (value !== undefined) headers[name.toLowerCase()] = value.trim();
  }
  const secrets = Object.entries(headers)
    .filter(([name]) => SECRET_HEADER.test(name))
    .map(([, value]) => value);
  return {
    url,
    headers,
    secrets: options.apiKey === undefined ? secrets : [...secrets, options.apiKey.trim()],
    ...(options.keyAdvice === undefined ? {} : { keyAdvice: options.keyAdvice }),
    idleTimeoutMs:
      options.idleTimeoutMs === undefined
        ? IDLE_TIMEOUT_MS
        : { first: options.idleTimeoutMs, later: options.idleTimeoutMs },
    transport: transportOf(options),
    optional: new OptionalParameters(own.optional, options.refused),
  };
}

function transportOf({ fetch, environment, transport }: AdapterOptions): HttpTransport {
  if (transport !== undefined) return transport;
  if (fetch !== undefined) return fetchTransport(fetch);
  return environment === undefined ? nodeTransport : environmentTransport(environment);
}

/** The limit of answer tokens for one request, if anything sets one. */
export function outputLimit(options: AdapterOptions, requested: number | undefined): number | undefined {
  return requested ?? options.maxOutputTokens;
}

/** Returns the effort for the next request, if any is set. */
export function effortNow({ reasoningEffort }: AdapterOptions): ReasoningEffort | undefined {
  return typeof reasoningEffort === 'function' ? reasoningEffort() : reasoningEffort;
}
