import { readAuthority, type HostAndPort } from './host-name.js';
import { HTTP_PORT } from './allowed-hosts.js';

/** Of one connection only, so that they are not handed on (RFC 9110 7.6.1), and how the body is framed, which is said anew. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export interface PlainTarget extends HostAndPort {
  /** Path and query, as they came. */
  readonly path: string;
  /** For the `Host` header. */
  readonly authority: string;
}

/**
 * Whom a plain request is for: an address in absolute form, as a client gives it to a proxy, or a path alone in a tunnel,
 * which is for whom the tunnel was made. Undefined for everything else.
 */
export function readPlainTarget(url: string, tunnel?: HostAndPort): PlainTarget | undefined {
  if (tunnel !== undefined) return /^\/[^#]*$/.test(url) ? withPath(tunnel, url) : undefined;
  const [, authority = '', rest = ''] = /^http:\/\/([^/?#]+)([/?][^#]*)?$/i.exec(url) ?? [];
  const target = readAuthority(authority, HTTP_PORT);
  return target && withPath(target, rest);
}

function withPath(target: HostAndPort, rest: string): PlainTarget {
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  return {
    ...target,
    path: rest.startsWith('/') ? rest : `/${rest}`,
    authority: target.port === HTTP_PORT ? host : `${host}:${target.port}`,
  };
}

/** Names and values in turn, as `IncomingMessage.rawHeaders` has them: those that belong to the message, not to its connection. */
export function handedOn(rawHeaders: readonly string[]): string[] {
  const named = pairsOf(rawHeaders)
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((token) => token.trim().toLowerCase()));
  // A length that somebody calls a matter of the connection would leave the body without its frame.
  const dropped = new Set([...OF_ONE_CONNECTION, ...named.filter((name) => name !== 'content-length')]);
  return pairsOf(rawHeaders)
    .filter(([name]) => !dropped.has(name.toLowerCase()))
    .flat();
}

function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  return Array.from({ length: Math.floor(rawHeaders.length / 2) }, (_, index) => [
    rawHeaders[index * 2] ?? '',
    rawHeaders[index * 2 + 1] ?? '',
  ]);
}
