import { randomBytes, timingSafeEqual } from 'node:crypto';
import { abortable, timeLimit } from '../../util/abort.js';
import { Failure } from '../../util/failure.js';
import { findAuthority, scopeToAsk, type Authority, type Challenge } from './authority.js';
import { clientFor } from './client-information.js';
import { requireSafe } from './guarded-fetch.js';
import { openLoopback, type Loopback } from './loopback.js';
import { toUrl } from './plain-line.js';
import { savedTokens, wireClient } from './refresh.js';
import { signInFailure } from './sign-in-failure.js';
import type { SignInAt } from './sign-in-at.js';
import type { SavedClient } from './token-store.js';

/** How a person gets to the page where they sign in, and their answer back. */
export interface Visitor {
  /** Shows the whole address, and opens it where there is a browser. */
  readonly open: (url: string) => Promise<void> | void;
  /**
   * Where the browser is on another machine: waits for the address it was sent back to, as the person copied it. Undefined
   * when they give up; asked again after an empty text. Its signal aborts when the answer came by itself.
   */
  readonly paste?: (signal: AbortSignal) => Promise<string | undefined>;
  readonly signal: AbortSignal;
  /** Default: five minutes. */
  readonly timeLimitMs?: number;
}

const VISIT_MS = 5 * 60_000;

/** Has the person sign in, and keeps what came of it. `before`: scopes that must not be lost. @throws Failure, and the signal's reason */
export async function visit(
  at: SignInAt,
  wanted: { readonly challenge: Challenge; readonly before?: string },
  visitor: Visitor,
): Promise<void> {
  let loopback: Loopback | undefined;
  try {
    // Where the tokens will be sent from then on.
    requireSafe(new URL(at.serverUrl), at.serverUrl);
    const authority = await findAuthority(at, wanted.challenge);
    const state = randomBytes(32).toString('base64url');
    loopback = await listenFor(at, authority, state);
    const scope = scopeToAsk(authority, {
      ...(wanted.challenge.scope !== undefined && { challenge: wanted.challenge.scope }),
      ...(at.settings.scopes !== undefined && { chosen: at.settings.scopes }),
      ...(wanted.before !== undefined && { before: wanted.before }),
    });
    const { redirectUri } = loopback;
    const client = await clientFor(at, authority, { redirectUri, ...(scope !== undefined && { scope }) });
    const { startAuthorization } = await import('@modelcontextprotocol/client');
    const { authorizationUrl, codeVerifier } = await startAuthorization(authority.url, {
      clientInformation: wireClient(client),
      redirectUrl: redirectUri,
      state,
      ...(scope !== undefined && { scope }),
      ...placeOf(authority),
    });
    await visitor.open(authorizationUrl.href);
    const params = await answerOf(at.alias, { loopback, state, visitor });
    await exchange(at, { authority, client, codeVerifier, redirectUri, params, ...(scope !== undefined && { scope }) });
  } catch (thrown) {
    visitor.signal.throwIfAborted();
    throw await signInFailure(at.alias, thrown);
  } finally {
    await loopback?.close();
  }
}

/** At the port that this program is registered with there, where it is free; a chosen port is the only one. */
async function listenFor(at: SignInAt, authority: Authority, state: string): Promise<Loopback> {
  const isMeant = (params: URLSearchParams): boolean => isSame(params.get('state') ?? '', state);
  const { callbackPort } = at.settings;
  if (callbackPort !== undefined) return openLoopback(callbackPort, isMeant);
  const { issuer, client } = at.store.read(at.serverUrl);
  const port = issuer === authority.issuer ? Number(toUrl(client?.redirectUri ?? '')?.port ?? 0) : 0;
  if (port === 0) return openLoopback(0, isMeant);
  return openLoopback(port, isMeant).catch(() => openLoopback(0, isMeant));
}

interface Awaiting {
  readonly loopback: Loopback;
  readonly state: string;
  readonly visitor: Visitor;
}

async function answerOf(alias: string, { loopback, state, visitor }: Awaiting): Promise<URLSearchParams> {
  const { paste, signal, timeLimitMs = VISIT_MS } = visitor;
  const limit = timeLimit(timeLimitMs);
  const arrived = new AbortController();
  const stop = AbortSignal.any([limit, signal, arrived.signal]);
  const answers = [loopback.answer];
  if (paste !== undefined) {
    const typed = pasted(alias, state, () => paste(stop));
    // What is thrown after the browser came back is of no interest.
    typed.catch(() => undefined);
    answers.push(typed);
  }
  try {
    return await abortable(Promise.race(answers), AbortSignal.any([limit, signal]));
  } catch (thrown) {
    if (!limit.aborted || signal.aborted) throw thrown;
    const minutes = Math.round(timeLimitMs / 60_000);
    const other =
      loopback.strangers() === 0 ? '' : ' An answer came that belongs to another sign-in; it was not taken.';
    throw new Failure('mcp_timeout', `${alias}: nobody signed in within ${minutes} minutes.${other} Try again.`);
  } finally {
    arrived.abort();
  }
}

/** Of what was pasted. @throws Failure `mcp_cancelled` when the person gave up */
async function pasted(alias: string, state: string, ask: () => Promise<string | undefined>): Promise<URLSearchParams> {
  let text = await ask();
  while (text?.trim() === '') text = await ask();
  if (text === undefined) throw new Failure('mcp_cancelled', `${alias}: the sign-in was given up.`);
  const params = toUrl(text.trim())?.searchParams;
  if (params === undefined || (!params.has('code') && !params.has('error')))
    throw new Failure('mcp_error', `${alias}: that is not the address the browser was sent back to: it has no code.`);
  if (!isSame(params.get('state') ?? '', state))
    throw new Failure('mcp_error', `${alias}: that address belongs to another sign-in (its state differs). Try again.`);
  return params;
}

interface Exchange {
  readonly authority: Authority;
  readonly client: SavedClient;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly params: URLSearchParams;
  readonly scope?: string;
}

async function exchange(at: SignInAt, exchanging: Exchange): Promise<void> {
  const { authority, client, codeVerifier, redirectUri, params, scope } = exchanging;
  const { exchangeAuthorization, validateAuthorizationResponseIssuer, OAuthError } =
    await import('@modelcontextprotocol/client');
  const iss = params.get('iss') ?? undefined;
  // A refusal counts as little as a code when another issuer may have sent it (RFC 9207).
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: authority.metadata?.issuer,
    issParameterSupported: authority.metadata?.['authorization_response_iss_parameter_supported'] === true,
  });
  const error = params.get('error');
  if (error !== null) throw new OAuthError(error, params.get('error_description') ?? '');
  const code = params.get('code');
  if (code === null) throw new Failure('mcp_error', `${at.alias}: the answer of the sign-in has no code.`);
  const answer = await exchangeAuthorization(authority.url, {
    clientInformation: wireClient(client),
    authorizationCode: code,
    codeVerifier,
    redirectUri,
    fetchFn: at.authFetch,
    ...placeOf(authority),
    ...(iss !== undefined && { iss }),
  });
  const tokens = savedTokens(answer, at.now(), scope === undefined ? {} : { scope });
  // The secret of the settings stays in the settings.
  const kept = at.settings.clientId === undefined ? { client } : {};
  await at.store.change(at.serverUrl, () => ({ issuer: authority.issuer, ...kept, tokens }));
}

/** What the SDK's steps take of it. */
function placeOf({ metadata, resource }: Authority): Pick<Authority, 'metadata' | 'resource'> {
  return { ...(metadata !== undefined && { metadata }), ...(resource !== undefined && { resource }) };
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
