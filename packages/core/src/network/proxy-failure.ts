import { cleanText } from '../util/clean-text.js';
import { errorMessage, Failure, systemErrorCode } from '../util/failure.js';
import { certificateAdvice } from './certificate-advice.js';
import { PROXY_UNUSABLE, type Proxy } from './choose-proxy.js';

const MOST_CHARACTERS = 200;

/** Of the code `proxy_unusable`. */
export class ProxyFailure extends Failure {
  /** Whether the proxy would say the same the next time. */
  readonly isLasting: boolean;

  constructor(message: string, isLasting: boolean) {
    super(PROXY_UNUSABLE, message);
    this.isLasting = isLasting;
  }
}

/** The way to the proxy itself failed. */
export function unreachedProxy(proxy: Proxy, thrown: unknown): Failure {
  const code = systemErrorCode(thrown);
  const said = errorMessage(thrown);
  const cause = code === undefined || said.includes(code) ? said : `${code}: ${said}`;
  const unproved = certificateAdvice(code);
  const advice = unproved ?? `Check the address in ${proxy.variable}.`;
  return new ProxyFailure(`${nameOf(proxy)} cannot be reached: ${plain(cause)}. ${advice}`, unproved !== undefined);
}

export interface Refusal {
  /** Of HTTP. */
  readonly status: number;
  /** The header `Proxy-Authenticate`. */
  readonly authenticate?: string | undefined;
  /** Whom it was asked to connect to: host and port. */
  readonly target: string;
}

/** The proxy answered that it does not connect. */
export function refusedByProxy(proxy: Proxy, { status, authenticate, target }: Refusal): Failure {
  if (status !== 407) {
    const message = `${nameOf(proxy)} did not connect to ${target}: HTTP ${status}. Ask whoever runs the proxy.`;
    return new ProxyFailure(message, status < 500);
  }
  const { variable } = proxy;
  if (authenticate !== undefined && !/\bbasic\b/iu.test(authenticate)) {
    const schemes = plain(authenticate);
    return failure(`${nameOf(proxy)} wants a sign-in by ${schemes} (HTTP 407); only Basic is spoken here.`);
  }
  if (proxy.authorization !== undefined) {
    return failure(`${nameOf(proxy)} does not take the user and password in ${variable} (HTTP 407).`);
  }
  const example = 'http://user:password@proxy:3128';
  return failure(
    `${nameOf(proxy)} wants a user and a password (HTTP 407): ${variable} can hold them, as in ${example}.`,
  );
}

/**
 * Whether an answer without TLS is the proxy's own and not the server's: one that wants a sign-in, or that says itself that it was
 * refused on the way (`Proxy-Status` of RFC 9209; squid has a header of its own).
 */
export function isOwnRefusal(
  status: number,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): boolean {
  if (status === 407) return true;
  const said = [headers['proxy-status'] ?? ''].flat().join(', ');
  return status >= 400 && (/;\s*error=http_request_denied\b/u.test(said) || headers['x-squid-error'] !== undefined);
}

function nameOf({ host, variable }: Proxy): string {
  return `The proxy ${host} (from ${variable})`;
}

function failure(message: string): Failure {
  return new ProxyFailure(message, true);
}

function plain(text: string): string {
  return cleanText(text.slice(0, MOST_CHARACTERS)).text.replaceAll(/\s+/gu, ' ').trim().replace(/\.$/u, '');
}
