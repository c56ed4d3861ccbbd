import type { ServerAuth } from '../mcp-types.js';
import type { ServerDefinition } from '../server-definition.js';
import { unionOf, type Challenge } from './authority.js';
import { programSource } from './client-credentials.js';
import { isStale, renewToken } from './refresh.js';
import { needsSignIn, signInAt, type SignInAt, type SignInParts } from './sign-in-at.js';
import { challengeOf, withRenewal, type TokenSource } from './token-source.js';
import { visit } from './visit.js';

export interface ServerAuthOptions extends SignInParts {
  /** Has the person sign in when the server wants it, in the middle of things. Undefined: then the request fails. */
  readonly openBrowser?: (url: string) => Promise<void> | void;
}

/**
 * How the requests to a server carry a token, the person's or that of the program itself: renewed before it runs out and when
 * it is refused. Undefined for a server that one cannot sign in at. Without a person's sign-in, requests fail with `mcp_needs_sign_in`.
 */
export function createServerAuth(definition: ServerDefinition, options: ServerAuthOptions): ServerAuth | undefined {
  const at = signInAt(definition, options);
  if (at === undefined) return undefined;
  const { fetch: base = fetch, openBrowser } = options;
  const source = at.settings.grant === undefined ? personSource(at, openBrowser) : programSource(at);
  return {
    provider: {
      token: () => source.current(),
      onUnauthorized: ({ response }: { readonly response: Response }) => source.refused(response),
    },
    fetch: withRenewal(at, base, source),
  };
}

function personSource(at: SignInAt, openBrowser: ServerAuthOptions['openBrowser']): TokenSource {
  const signIn = openBrowser === undefined ? undefined : oneAtATime(at, openBrowser);
  const renew = onceEach(at);
  return {
    current: () => currentToken(at, renew),
    renew: async (rejected, challenge) => (rejected === undefined ? undefined : renew(rejected, challenge)),
    widen: async (_sent, challenge) => {
      const missing = unionOf(at.store.read(at.serverUrl).tokens?.scope, challenge.scope);
      if (signIn === undefined) {
        await rememberMissing(at, missing);
        return undefined;
      }
      await signIn(challenge, missing);
      return at.store.read(at.serverUrl).tokens?.accessToken;
    },
    tooFew: () => undefined,
    refused: (response) => unauthorized(at, response, signIn),
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

async function rememberMissing(at: SignInAt, missing: string | undefined): Promise<void> {
  if (missing === undefined || at.store.read(at.serverUrl).missingScope === missing) return;
  await at.store.change(at.serverUrl, (saved) => ({ ...saved, missingScope: missing }));
}
