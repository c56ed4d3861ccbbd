import type { OAuthTokens } from '@modelcontextprotocol/client';
import { findAuthority, type Challenge } from './authority.js';
import { knownClient } from './client-information.js';
import type { SignInAt } from './sign-in-at.js';
import type { SavedSignIn, SavedTokens } from './token-store.js';

/** This long before it runs out, a token is no longer used. In milliseconds. */
const MARGIN_MS = 30_000;

export function isStale(tokens: SavedTokens, now: number): boolean {
  return tokens.expiresAt !== undefined && tokens.expiresAt - MARGIN_MS <= now;
}

/**
 * A token in place of `rejected`, or undefined when the person must sign in. Of several that ask at once, in this process or
 * in others, one refreshes and all use what it got. @throws when the issuer could not be asked: what is kept stays
 */
export function renewToken(at: SignInAt, rejected: string, challenge: Challenge): Promise<string | undefined> {
  return at.store.exclusively(at.serverUrl, async () => {
    const saved = at.store.read(at.serverUrl);
    const { tokens } = saved;
    if (tokens === undefined) return undefined;
    if (tokens.accessToken !== rejected && !isStale(tokens, at.now())) return tokens.accessToken;
    if (tokens.refreshToken === undefined) return undefined;
    return refresh(at, { saved, refreshToken: tokens.refreshToken, challenge });
  });
}

interface Refreshing {
  readonly saved: SavedSignIn;
  readonly refreshToken: string;
  readonly challenge: Challenge;
}

async function refresh(at: SignInAt, { saved, refreshToken, challenge }: Refreshing): Promise<string | undefined> {
  const { refreshAuthorization, OAuthError } = await import('@modelcontextprotocol/client');
  const authority = await findAuthority(at, challenge);
  // A refresh token is shown to nobody but the one who gave it.
  if (authority.issuer !== saved.issuer) return undefined;
  const client = knownClient(at, authority);
  if (client === undefined) return undefined;
  try {
    const answer = await refreshAuthorization(authority.url, {
      clientInformation: wireClient(client),
      refreshToken,
      fetchFn: at.authFetch,
      ...(authority.metadata !== undefined && { metadata: authority.metadata }),
      ...(authority.resource !== undefined && { resource: authority.resource }),
    });
    const tokens = savedTokens(answer, at.now(), saved.tokens);
    await at.store.change(at.serverUrl, (now) => ({ ...now, tokens }));
    return tokens.accessToken;
  } catch (thrown) {
    const code = OAuthError.isInstance(thrown) ? thrown.code : undefined;
    const isClientGone = code === 'invalid_client' || code === 'unauthorized_client';
    if (!isClientGone && code !== 'invalid_grant') throw thrown;
    await at.store.change(at.serverUrl, ({ tokens: _gone, client: known, ...rest }) => ({
      ...rest,
      ...(known !== undefined && !isClientGone && { client: known }),
    }));
    return undefined;
  }
}

export function wireClient(client: { readonly clientId: string; readonly clientSecret?: string }): {
  client_id: string;
  client_secret?: string;
} {
  return {
    client_id: client.clientId,
    ...(client.clientSecret !== undefined && { client_secret: client.clientSecret }),
  };
}

/** `before`: what stays when the answer does not name it. */
export function savedTokens(answer: OAuthTokens, now: number, before: Partial<SavedTokens> = {}): SavedTokens {
  const refreshToken = answer.refresh_token ?? before.refreshToken;
  const scope = answer.scope ?? before.scope;
  return {
    accessToken: answer.access_token,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(answer.expires_in !== undefined && { expiresAt: now + answer.expires_in * 1000 }),
    ...(scope !== undefined && { scope }),
  };
}
