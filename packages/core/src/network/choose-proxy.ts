import { Failure } from '../util/failure.js';
import { isListed, isLoopback, targetOf } from './no-proxy.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Through which a request goes. */
export interface Proxy {
  /** Without user and password. */
  readonly origin: string;
  /** For messages: host and port. */
  readonly host: string;
  /** The variable that names it. */
  readonly variable: string;
  /** Of `Proxy-Authorization`. A secret. */
  readonly authorization?: string;
}

/** The code of all failures on the way to and through a proxy: the server behind it was not reached. */
export const PROXY_UNUSABLE = 'proxy_unusable';

/**
 * The proxy for a request by the variables that curl reads, in its order: `https_proxy` or `http_proxy`, then `all_proxy`,
 * lower case first, an empty one being none; but not for what `no_proxy` lists, nor for this machine. Undefined: directly.
 * @throws Failure `proxy_unusable` for an address that is none; the message does not hold it, for it may hold a password
 */
export function chooseProxy(url: URL, environment: Environment): Proxy | undefined {
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') return undefined;
  const target = targetOf(url);
  if (isLoopback(target)) return undefined;
  const named = firstSet(environment, [...variablesOf(scheme, environment), 'all_proxy', 'ALL_PROXY']);
  if (named === undefined) return undefined;
  const exempt = firstSet(environment, ['no_proxy', 'NO_PROXY']);
  return exempt !== undefined && isListed(target, exempt.value) ? undefined : readProxy(named);
}

/** A web server hands a header `Proxy: …` to its CGI programs as `HTTP_PROXY`: there it is a stranger's word. */
function variablesOf(scheme: 'http' | 'https', environment: Environment): readonly string[] {
  if (scheme === 'https') return ['https_proxy', 'HTTPS_PROXY'];
  return environment['REQUEST_METHOD'] === undefined ? ['http_proxy', 'HTTP_PROXY'] : ['http_proxy'];
}

interface Named {
  readonly variable: string;
  readonly value: string;
}

function firstSet(environment: Environment, variables: readonly string[]): Named | undefined {
  for (const variable of variables) {
    const value = environment[variable]?.trim();
    if (value !== undefined && value !== '') return { variable, value };
  }
  return undefined;
}

function readProxy({ variable, value }: Named): Proxy {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//iu.exec(value)?.[1]?.toLowerCase();
  if (scheme?.startsWith('socks') === true) {
    const next = 'Name one for HTTP, or list the host in NO_PROXY.';
    throw new Failure(PROXY_UNUSABLE, `${variable} names a SOCKS proxy, which Tenon does not speak. ${next}`);
  }
  const text = scheme === undefined ? `http://${value}` : value;
  const isKnown = scheme === undefined || scheme === 'http' || scheme === 'https';
  const url = isKnown && URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.pathname === '/' && url.search === '' && url.hash === '';
  const authorization = isPlain ? basicOf(url) : undefined;
  if (!isPlain || authorization === null) {
    throw new Failure(PROXY_UNUSABLE, `${variable} is no address of a proxy. It has to look like http://proxy:3128.`);
  }
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return {
    origin: url.origin,
    host: `${url.hostname}:${port}`,
    variable,
    ...(authorization !== undefined && { authorization }),
  };
}

/** Null where it is not percent-encoded as an address has to be. */
function basicOf({ username, password }: URL): string | undefined | null {
  if (username === '' && password === '') return undefined;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  } catch {
    return null;
  }
}
