import { isIP, isIPv4 } from 'node:net';
import { isNearAddress } from '../../network/public-address.js';
import { Failure } from '../../util/failure.js';
import { timeLimit } from '../../util/abort.js';

/** For what is found out, registered and exchanged. In milliseconds. */
const REQUEST_MS = 30_000;
const LARGEST_ANSWER = 1024 * 1024;
const MOST_REDIRECTS = 5;

export type AuthFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * For the requests of signing in, whose addresses come from servers: over TLS, or to this machine where the server of tools
 * is on it as well; with a limit of time and size; without the headers that were set up for the server of tools.
 */
export function guardedFetch(serverUrl: string, signal: AbortSignal | undefined, base: typeof fetch): AuthFetch {
  return async (url, init = {}) => {
    const limit = timeLimit(REQUEST_MS);
    const stop = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    let target = new URL(url);
    for (let redirects = 0; ; redirects += 1) {
      requireSafe(target, serverUrl);
      const response = await base(target, { ...init, signal: stop, redirect: 'manual' });
      const location = response.headers.get('location');
      const isRead = (init.method ?? 'GET') === 'GET';
      // What is posted holds secrets: it is not sent on.
      if (location === null || response.status < 300 || response.status > 399 || !isRead) return withinSize(response);
      await response.body?.cancel();
      if (redirects === MOST_REDIRECTS)
        throw new Failure('mcp_error', `Signing in was redirected too often, last to ${target.origin}.`);
      target = new URL(location, target);
    }
  };
}

/** @throws Failure `mcp_error` for an address that a sign-in may not use */
export function requireSafe(target: URL, serverUrl: string): void {
  const server = new URL(serverUrl);
  const place = `${target.protocol}//${target.host}`;
  const isHere = isLoopback(target) && isLoopback(server);
  const isSealed = target.protocol === 'https:' && target.username === '' && target.password === '';
  if (!isSealed && !(target.protocol === 'http:' && isHere))
    throw new Failure(
      'mcp_error',
      `Signing in would go to ${place}, which is not protected by TLS. It was not contacted.`,
    );
  if (isNear(target) && !isHere && (isLoopback(target) || !isNear(server)))
    throw new Failure(
      'mcp_error',
      `Signing in would go to ${place}, in this machine or its own network, although the server is elsewhere. It was not contacted.`,
    );
}

/** As far as the address says it: a name may lead anywhere, as those of companies do. */
function isNear(url: URL): boolean {
  const address = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(address) === 0 ? isLoopback(url) : isNearAddress(address);
}

function isLoopback({ hostname }: URL): boolean {
  const isName = hostname === 'localhost' || hostname.endsWith('.localhost');
  return isName || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}

async function withinSize(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > LARGEST_ANSWER) {
      await reader.cancel();
      throw new Failure('mcp_error', 'An answer while signing in is too large; nothing of it was used.');
    }
    chunks.push(value);
  }
  const { status, statusText, headers } = response;
  return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), { status, statusText, headers });
}
