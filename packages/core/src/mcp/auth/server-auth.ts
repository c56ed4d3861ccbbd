import type { ServerAuth } from '../mcp-types.js';
import type { ServerDefinition } from '../server-definition.js';
import { abortable } from '../../util/abort.js';
import { unionOf, type Challenge } from './authority.js';
import { isStale, renewToken } from './refresh.js';
import { needsSignIn, signInAt, type SignInAt, type SignInParts } from './sign-in-at.js';
import { signInFailure } from './sign-in-failure.js';
import { visit } from './visit.js';

export interface ServerAuthOptions extends SignInParts {
  /** Has the person sign in when the server wants it, in the middle of things. Undefined: then the request fails. */
  readonly openBrowser?: (url: string) => Promise<void> | void;
}

/** Times that a single request may raise its scopes. */
const MOST_STEP_UPS = 2;

/**
 * How the requests to a server carry the person's sign-in: tokens are refreshed before they run out and when they are
 * refused. Undefined for a server that one cannot sign in at. Without a sign-in, requests fail with `mcp_needs_sign_in`.
 */
export function createServerAuth(definition: ServerDefinition, options: ServerAuthOptions): ServerAuth | undefined {
  const at = signInAt(definition, options);
  if (at === undefined) return undefined;
  const { fetch: base = fetch, openBrowser } = options;
  const signIn = openBrowser === undefined ? undefined : oneAtATime(at, openBrowser);
  const renew = onceEach(at);
  return {
    provider: {
      token: () => currentToken(at, renew),
      onUnauthorized: ({ response }: { readonly response: Response }) => unauthorized(at, response, signIn),
    },
    fetch: (input, init) => withRenewal({ at, base, signIn, renew }, input, init),
  };
}

type Renew = (rejected: string, challenge: Challenge) => Promise<string | undefined>;

/** Requests that meet the same refused token wait for one renewal. It is not given up with one of them: what comes is kept. */
function onceEach(at: SignInAt): Renew {
  const running = new Map<string, Promise<string | undefined>>();
  return (rejected, challenge) => {
    const renewal =
      running.get(rejected) ?? renewToken(at, rejected, challenge).finally(() => running.delete(rejected));
    running.set(rejected, renewal);
    return renewal;
  };
}

type SignIn = (challenge: Challenge, before?: string) => Promise<void>;

function oneAtATime(at: SignInAt, open: (url: string) => Promise<void> | void): SignIn {
  let current: Promise<void> | undefined;
  return (challenge, before) => {
    const wanted = { challenge, ...(before !== undefined && { before }) };
    current ??= visit(at, wanted, { open, signal: new AbortController().signal }).finally(() => (current = undefined));
    return current;
  };
}

async function currentToken(at: SignInAt, renew: Renew): Promise<string | undefined> {
  const { tokens } = at.store.read(at.serverUrl);
  if (tokens?.refreshToken === undefined || !isStale(tokens, at.now())) return tokens?.accessToken;
  // Whoever cannot refresh now finds out from the server whether the old one still does.
  return renew(tokens.accessToken, {}).catch(() => tokens.accessToken);
}

async function unauthorized(at: SignInAt, response: Response, signIn: SignIn | undefined): Promise<void> {
  const { scope, metadataUrl } = await challengeOf(response);
  const challenge = { ...(scope !== undefined && { scope }), ...(metadataUrl !== undefined && { metadataUrl }) };
  if (signIn !== undefined) return signIn(challenge, at.store.read(at.serverUrl).missingScope);
  const isKnown = at.store.read(at.serverUrl).tokens !== undefined;
  throw needsSignIn(at.alias, isKnown ? 'the server does not take the sign-in any more.' : 'one has to sign in at it.');
}

interface Renewing {
  readonly at: SignInAt;
  readonly base: typeof fetch;
  readonly signIn: SignIn | undefined;
  readonly renew: Renew;
}

/** A request whose token is refused is sent again with a new one: once after a refresh, and after each sign-in for more scopes. */
async function withRenewal(
  { at, base, signIn, renew }: Renewing,
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<Response> {
  let response = await base(input, init);
  const mayRepeat = init?.body === undefined || init.body === null || typeof init.body === 'string';
  const sent = bearerOf(init);
  if (!mayRepeat || sent === undefined) return response;
  if (response.status === 401) {
    const challenge = await challengeOf(response);
    const signal = init?.signal ?? new AbortController().signal;
    const token = await abortable(renew(sent, challenge), signal).catch(async (thrown: unknown) => {
      signal.throwIfAborted();
      throw await signInFailure(at.alias, thrown);
    });
    if (token === undefined || token === sent) return response;
    await response.body?.cancel();
    response = await base(input, withBearer(init, token));
  }
  for (let tries = 0; tries < MOST_STEP_UPS; tries += 1) {
    const challenge = response.status === 403 ? await challengeOf(response) : undefined;
    if (challenge?.error !== 'insufficient_scope') break;
    const { tokens } = at.store.read(at.serverUrl);
    const missing = unionOf(tokens?.scope, challenge.scope);
    if (signIn === undefined) {
      await rememberMissing(at, missing);
      break;
    }
    await signIn(challenge, missing);
    const token = at.store.read(at.serverUrl).tokens?.accessToken;
    if (token === undefined) break;
    await response.body?.cancel();
    response = await base(input, withBearer(init, token));
  }
  return response;
}

async function rememberMissing(at: SignInAt, missing: string | undefined): Promise<void> {
  if (missing === undefined || at.store.read(at.serverUrl).missingScope === missing) return;
  await at.store.change(at.serverUrl, (saved) => ({ ...saved, missingScope: missing }));
}

function bearerOf(init: RequestInit | undefined): string | undefined {
  const value = new Headers(init?.headers).get('authorization') ?? '';
  return /^Bearer (.+)$/i.exec(value)?.[1];
}

function withBearer(init: RequestInit | undefined, token: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

export async function challengeOf(response: Response): Promise<Challenge & { readonly error?: string }> {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  return {
    ...(resourceMetadataUrl !== undefined && { metadataUrl: resourceMetadataUrl }),
    ...(scope !== undefined && { scope }),
    ...(error !== undefined && { error }),
  };
}
