import { Failure } from '../../util/failure.js';
import type { ServerDefinition } from '../server-definition.js';
import { findAuthority, type Authority, type Challenge } from './authority.js';
import { knownClient } from './client-information.js';
import { programSource } from './client-credentials.js';
import { signInAt, type SignInAt, type SignInParts } from './sign-in-at.js';
import { signInFailure } from './sign-in-failure.js';
import { challengeOf } from './token-source.js';
import { createTokenStore } from './token-store.js';
import { visit, type Visitor } from './visit.js';

export interface SignInOptions extends Visitor, Omit<SignInParts, 'store'> {
  readonly tenonHome: string;
}

/** `by-itself`: nobody needs to, for the program does; that was tried. */
export type SignedIn = 'person' | 'by-itself';

/** Has the person sign in at a server, and keeps it for later connections. @throws Failure, and the signal's reason */
export async function signInAtServer(definition: ServerDefinition, options: SignInOptions): Promise<SignedIn> {
  const at = placeOf(definition, options);
  const { isOpen, challenge } = await probe(at, definition, options).catch(async (thrown: unknown) => {
    options.signal.throwIfAborted();
    throw await signInFailure(at.alias, thrown);
  });
  if (isOpen && !(await hasAuthority(at, challenge)))
    throw new Failure('mcp_error', `${at.alias}: the server answers without a sign-in; there is nothing to do.`);
  if (at.settings.grant !== undefined) {
    await tryProgram(at, definition, { ...options, challenge });
    return 'by-itself';
  }
  const { missingScope } = at.store.read(at.serverUrl);
  await visit(at, { challenge, ...(missingScope !== undefined && { before: missingScope }) }, options);
  return 'person';
}

/** Gets a token and shows it to the server. */
async function tryProgram(
  at: SignInAt,
  definition: ServerDefinition,
  { challenge, ...options }: SignInOptions & { readonly challenge: Challenge },
): Promise<void> {
  const source = programSource(at);
  try {
    const token = await source.renew(undefined, challenge);
    const { isOpen } = await probe(at, definition, options, token);
    if (!isOpen) await source.refused(new Response());
  } catch (thrown) {
    options.signal.throwIfAborted();
    throw await signInFailure(at.alias, thrown);
  }
}

export interface SignOutOptions extends Omit<SignInParts, 'store'> {
  readonly tenonHome: string;
  readonly signal: AbortSignal;
}

/**
 * Forgets the sign-in at a server, and has the server forget it where that is offered (RFC 7009). `revoked`: it said so.
 * False when nothing was kept. Never fails because of the server. @throws Failure when the file cannot be changed
 */
export async function signOutOfServer(
  definition: ServerDefinition,
  options: SignOutOptions,
): Promise<{ readonly wasSignedIn: boolean; readonly revoked: boolean }> {
  const at = placeOf(definition, options);
  const { tokens, issuer } = at.store.read(at.serverUrl);
  let revoked = false;
  if (tokens !== undefined && issuer !== undefined) {
    try {
      const authority = await findAuthority(at, {});
      if (authority.issuer === issuer) {
        const token = tokens.refreshToken ?? tokens.accessToken;
        const hint = tokens.refreshToken === undefined ? 'access_token' : 'refresh_token';
        revoked = await revoke(at, authority, { token, hint });
      }
    } catch {
      // The server being away is no reason to keep its tokens.
    }
  }
  await at.store.change(at.serverUrl, () => undefined);
  return { wasSignedIn: tokens !== undefined, revoked };
}

function placeOf(definition: ServerDefinition, options: SignOutOptions): SignInAt {
  const { tenonHome, signal, ...parts } = options;
  const at = signInAt(definition, { ...parts, store: createTokenStore(tenonHome) }, signal);
  if (at !== undefined) return at;
  throw new Failure('mcp_error', `${definition.alias}: ${whyNobody(definition)}.`);
}

function whyNobody({ transport }: ServerDefinition): string {
  if (transport.kind === 'stdio') return 'it is a program on this machine, which one does not sign in at';
  if (transport.headersHelper === undefined || transport.oauth !== undefined)
    return 'its settings hold an Authorization header, which is used instead of a sign-in';
  return 'its headersHelper says who asks, so that nobody signs in; `tenon mcp test` tries it. Where people sign in beside that, its settings need "oauth": {}';
}

/** What the server wants, from how it refuses a request without a token. */
async function probe(
  { serverUrl }: SignInAt,
  { transport }: ServerDefinition,
  { fetch: base = fetch, signal }: Pick<SignInOptions, 'fetch' | 'signal'>,
  token?: string,
): Promise<{ readonly isOpen: boolean; readonly challenge: Challenge }> {
  const isStream = transport.kind === 'sse';
  const response = await base(serverUrl, {
    method: isStream ? 'GET' : 'POST',
    headers: {
      ...(transport.kind !== 'stdio' && transport.headers),
      accept: 'application/json, text/event-stream',
      ...(!isStream && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(!isStream && { body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }) }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
    redirect: 'manual',
  });
  const { scope, metadataUrl } = await challengeOf(response);
  await response.body?.cancel();
  return {
    isOpen: response.status !== 401,
    challenge: { ...(scope !== undefined && { scope }), ...(metadataUrl !== undefined && { metadataUrl }) },
  };
}

async function hasAuthority(at: SignInAt, challenge: Challenge): Promise<boolean> {
  try {
    return (await findAuthority(at, challenge)).metadata !== undefined;
  } catch {
    return false;
  }
}

async function revoke(
  at: SignInAt,
  authority: Authority,
  { token, hint }: { readonly token: string; readonly hint: string },
): Promise<boolean> {
  const { metadata } = authority;
  const endpoint: unknown = metadata !== undefined && 'revocation_endpoint' in metadata && metadata.revocation_endpoint;
  const client = knownClient(at, authority);
  if (typeof endpoint !== 'string' || client === undefined) return false;
  const body = new URLSearchParams({ token, token_type_hint: hint });
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  if (client.clientSecret === undefined) body.set('client_id', client.clientId);
  else {
    const pair = `${encodeURIComponent(client.clientId)}:${encodeURIComponent(client.clientSecret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  }
  const response = await at.authFetch(endpoint, { method: 'POST', headers, body });
  return response.ok;
}
