import { certificateAdvice } from '../../network/certificate-advice.js';
import { PROXY_UNUSABLE } from '../../network/choose-proxy.js';
import { cleanText } from '../../util/clean-text.js';
import { errorMessage, Failure, systemErrorCode } from '../../util/failure.js';
import type { ServerDefinition } from '../server-definition.js';
import { LOST_ANSWER } from './guarded-transport.js';
import { isObject } from '../../util/is-object.js';

/** What went wrong with a request, as far as one must know to go on. */
export interface Trouble {
  readonly kind:
    | /** The server was not reached: nothing can have been done. */ 'unreached'
    | /** It was sent, and no answer will come. */ 'lost'
    | /** The server knows the session no more and did nothing. */ 'expired'
    | 'sign-in'
    | /** The server said no. */ 'refused'
    | /** It took too long. */ 'late'
    | 'other';
  /** One line, without the server's name. */
  readonly reason: string;
  /** Of JSON-RPC. */
  readonly code?: number;
  /** Of HTTP. */
  readonly status?: number;
  /** Lost is that answer only: the stream of one answer may break while all else goes on. */
  readonly isAnswerOnly?: true;
}

/** The reason where nothing more is known. */
export const LOST = 'the connection was lost';
/** What is done, where it may have had an effect. */
export const CALL = 'the call';

const MOST_CHARACTERS = 600;
/** Wording by Node's error codes. */
const UNREACHED: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ENOTFOUND', 'no host of that name is known'],
  ['EAI_AGAIN', 'the name of the host cannot be looked up now'],
  ['ENETUNREACH', 'there is no way to that network'],
  ['EHOSTUNREACH', 'there is no way to that host'],
  ['ETIMEDOUT', 'the host does not answer'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the host does not answer'],
]);
const SIGN_IN_NAMES: ReadonlySet<string> = new Set(['UnauthorizedError', 'InsufficientScopeError']);
const SESSION = /session|not initialized/iu;
const METHOD_NOT_FOUND = -32_601;
const VERSION_NOT_SUPPORTED = -32_022;

/** Made for a request that ran out of its time. */
export class RequestLate extends Error {}

/** Made when the other side ended it; the message says how. */
export class ConnectionEnded extends Error {}

export function troubleOf(error: unknown): Trouble {
  if (error instanceof RequestLate) return { kind: 'late', reason: oneLine(error.message) };
  if (error instanceof ConnectionEnded) return { kind: 'lost', reason: oneLine(error.message) };
  if (isSignIn(error)) return { kind: 'sign-in', reason: oneLine(errorMessage(error)) };
  const failure = error instanceof Failure ? error : rootOf(error);
  if (failure instanceof Failure) {
    const isUnreached = failure.code === PROXY_UNUSABLE || UNREACHED.has(failure.code);
    return { kind: isUnreached ? 'unreached' : 'other', reason: oneLine(failure.message) };
  }
  const { code, data, status } = detailsOf(error);
  if (status !== undefined && status >= 300 && status < 400) return redirectTrouble(status, errorMessage(error));
  if (status !== undefined) return httpTrouble(status, data);
  if (typeof code === 'number') {
    const isLost = isObject(data) && data[LOST_ANSWER] === true;
    const reason = isLost ? errorMessage(error) : `error ${code}: ${errorMessage(error)}`;
    return isLost
      ? { kind: 'lost', reason: oneLine(reason), isAnswerOnly: true }
      : { kind: 'refused', reason: oneLine(reason), code };
  }
  return networkTrouble(error, code);
}

function networkTrouble(error: unknown, code: unknown): Trouble {
  const root = rootOf(error);
  if (root !== error && errorMessage(root) === 'bad port') return { kind: 'unreached', reason: BAD_PORT };
  const system = systemErrorCode(root);
  const unproved = certificateAdvice(system);
  if (unproved !== undefined) {
    const said = errorMessage(root);
    // OpenSSL's own messages help no user.
    const why = said.includes('SSL routines') ? system : `${system}: ${said}`;
    return { kind: 'unreached', reason: oneLine(`${why}. ${unproved}`) };
  }
  if (root !== error || (error instanceof TypeError && error.message === 'fetch failed')) {
    const said = `${system === undefined || errorMessage(root).includes(system) ? '' : `${system}: `}${errorMessage(root)}`;
    const words = system === undefined ? undefined : UNREACHED.get(system);
    return words === undefined
      ? { kind: 'lost', reason: oneLine(said) }
      : { kind: 'unreached', reason: oneLine(`${words} (${said})`) };
  }
  if (code === 'CONNECTION_CLOSED') return { kind: 'lost', reason: LOST };
  if (code === 'REQUEST_TIMEOUT') return { kind: 'late', reason: 'no answer in time' };
  if (errorMessage(error) === 'Not connected' || code === 'NOT_CONNECTED') {
    return { kind: 'unreached', reason: 'the connection is closed' };
  }
  if (system === 'EPIPE' || system === 'ERR_STREAM_DESTROYED') return { kind: 'lost', reason: LOST };
  if (error instanceof Error && /ZodError/u.test(error.name)) {
    return { kind: 'other', reason: 'its answer is no message of the protocol' };
  }
  return { kind: 'other', reason: oneLine(errorMessage(error)) };
}

// Fetch: "port blocking".
const BAD_PORT =
  'its port is one that is never used over HTTP, since other services have it ("bad port"): have the server listen on another one';

/** As the SDK tells it, without what may be secret in the address. */
const SENT_TO = /Redirect to (\S+) not followed|not followed; try (\S+) as the endpoint/u;

/** What is meant for one server is not handed to another. */
function redirectTrouble(status: number, message: string): Trouble {
  const [, other, safer] = SENT_TO.exec(message) ?? [];
  const target = other ?? safer;
  const where =
    target === undefined
      ? ', and does not say where to'
      : `, to ${target}. If that is the server that is meant, write that address as its \`url\``;
  return { kind: 'refused', status, reason: oneLine(`HTTP ${status}: it sends elsewhere${where}`) };
}

function httpTrouble(status: number, data: unknown): Trouble {
  const text = isObject(data) && typeof data['text'] === 'string' ? data['text'] : '';
  const name = isObject(data) && typeof data['statusText'] === 'string' ? ` ${data['statusText']}` : '';
  const { code, said } = errorIn(text);
  const reason = oneLine(`HTTP ${status}${name}${said === '' ? '' : `: ${said}`}`);
  const more = { reason, status, ...(code === undefined ? {} : { code }) };
  if (status === 401) return { kind: 'sign-in', ...more };
  if (status === 404 || (status === 400 && SESSION.test(text))) return { kind: 'expired', ...more };
  return { kind: 'refused', ...more };
}

/** The error in a body: of the protocol, or whatever it says unless it is a page. */
function errorIn(body: string): { readonly code?: number; readonly said: string } {
  if (body.trimStart().startsWith('<')) return { said: '' };
  try {
    const value: unknown = JSON.parse(body);
    const error = isObject(value) ? value['error'] : undefined;
    if (!isObject(error)) return { said: body };
    const { code, message } = error;
    return { ...(typeof code === 'number' ? { code } : {}), said: typeof message === 'string' ? message : body };
  } catch {
    return { said: body.trim() };
  }
}

/** Through the layers that only say that something below failed. */
function rootOf(error: unknown): unknown {
  let at = error;
  for (let depth = 0; depth < 5; depth++) {
    const cause = at instanceof Error ? (at.cause ?? first(at)) : undefined;
    if (!(cause instanceof Error)) return at;
    at = cause;
  }
  return at;
}

function first(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : undefined;
}

function detailsOf(error: unknown): { readonly code?: unknown; readonly data?: unknown; readonly status?: number } {
  if (!(error instanceof Error)) return {};
  const { code, data, status } = error as Error & { code?: unknown; data?: unknown; status?: unknown };
  // The older transport tells the status of HTTP as its code.
  const seen = 'event' in error && typeof code === 'number' ? code : status;
  return { code, data, ...(typeof seen === 'number' ? { status: seen } : {}) };
}

function isSignIn(error: unknown): boolean {
  for (const one of [error, rootOf(error)]) {
    if (one instanceof Failure && one.code === 'mcp_needs_sign_in') return true;
    if (one instanceof Error && (SIGN_IN_NAMES.has(one.name) || 'requiredScope' in one)) return true;
  }
  return false;
}

/** Nothing more can come over the connection. */
export function isGone({ kind }: Trouble): boolean {
  return kind === 'lost' || kind === 'unreached' || kind === 'expired';
}

export type NamedServer = Pick<ServerDefinition, 'alias' | 'transport'>;

export function serverName({ alias }: Pick<ServerDefinition, 'alias'>): string {
  return `The MCP server "${alias}"`;
}

/** Returns the address without possible secrets: user, query, long words of the path. Undefined for a program. */
export function serverAddress({ transport }: Pick<ServerDefinition, 'transport'>): string | undefined {
  if (transport.kind === 'stdio') return undefined;
  const { origin, pathname } = new URL(transport.url);
  return origin + pathname.replaceAll(/[^/]{24,}/gu, '…');
}

function serverPlace(server: NamedServer): string {
  const address = serverAddress(server);
  return address === undefined ? serverName(server) : `${serverName(server)} at ${address}`;
}

/** For whoever asked: what happened, whether it was done, and what to do. */
export function failureOf(
  { kind, reason, status }: Trouble,
  { server, what, cause }: { readonly server: NamedServer; readonly what: string; readonly cause: unknown },
): Failure {
  // A server that answers in the protocol was reached.
  const name = kind === 'refused' && status === undefined ? serverName(server) : serverPlace(server);
  if (kind === 'late') {
    const next =
      what === CALL
        ? ' What it was asked for may still be going on. A longer time can be set for the server: `timeout` without a sign of life, `maxTimeout` altogether.'
        : '';
    return new Failure('mcp_timeout', `${name} did not answer ${what}: ${reason}.${next}`, { cause });
  }
  if (kind === 'lost') {
    const next =
      what === CALL
        ? ' The call may or may not have been done: find out before it is repeated. The next call connects again.'
        : ' The next use connects again.';
    return new Failure('mcp_unavailable', `${name} was lost before it answered ${what}: ${reason}.${next}`, { cause });
  }
  if (kind === 'unreached' || kind === 'expired') {
    return new Failure('mcp_unavailable', `${name} cannot be reached: ${reason}. Nothing was done.`, { cause });
  }
  const verb = kind === 'refused' ? `answered ${what} with` : `could not do ${what}:`;
  return new Failure('mcp_error', `${name} ${verb} ${reason}`, { cause });
}

export function isUnknownMethod({ code }: Trouble): boolean {
  return code === METHOD_NOT_FOUND;
}

/** The server speaks newer revisions only. */
export function isNewerOnly({ code }: Trouble): boolean {
  return code === VERSION_NOT_SUPPORTED;
}

/** What others wrote, as the last part of a sentence: without a full stop, and without what no eye sees. */
export function oneLine(text: string, most: number = MOST_CHARACTERS): string {
  const line = cleanText(text.slice(0, most * 4))
    .text.replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/[\s.]+$/u, '');
  return line.length <= most ? line : `${line.slice(0, most)} …`;
}
