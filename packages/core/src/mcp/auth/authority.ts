import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { Failure } from '../../util/failure.js';
import type { SignInAt } from './sign-in-at.js';
import { requireSafe, type AuthFetch } from './guarded-fetch.js';
import { plainLine } from './plain-line.js';

/** Who gives out tokens for a server, as found out anew each time: it may have moved (RFC 9728, RFC 8414, OpenID Connect Discovery). */
export interface Authority {
  readonly issuer: string;
  readonly url: string;
  /** Undefined where a server of 2025-03-26 or older publishes nothing: then its own `/authorize`, `/token` and `/register` are taken. */
  readonly metadata?: AuthorizationServerMetadata;
  /** As the server writes it, for the `resource` of RFC 8707. */
  readonly resource?: string;
  readonly scopesOfResource?: readonly string[];
}

/** What the server said when it refused a request. */
export interface Challenge {
  readonly metadataUrl?: URL;
  readonly scope?: string;
}

/** @throws Failure `mcp_error`, and the errors of the network */
export async function findAuthority({ serverUrl, ...at }: SignInAt, challenge: Challenge): Promise<Authority> {
  const authFetch = at.settings.grant === undefined ? at.authFetch : withoutPages(at.authFetch);
  const { discoverOAuthServerInfo, checkResourceAllowed, resourceUrlFromServerUrl } =
    await import('@modelcontextprotocol/client');
  const found = await discoverOAuthServerInfo(serverUrl, {
    fetchFn: authFetch,
    ...(challenge.metadataUrl !== undefined && { resourceMetadataUrl: challenge.metadataUrl }),
  });
  const { authorizationServerUrl: url, authorizationServerMetadata: metadata, resourceMetadata } = found;
  const resource = resourceMetadata?.resource;
  const requestedResource = resourceUrlFromServerUrl(serverUrl);
  if (resource !== undefined && !checkResourceAllowed({ requestedResource, configuredResource: resource }))
    throw new Failure(
      'mcp_error',
      `The server says it is ${plainLine(resource)}, but was reached as ${requestedResource.href}: a token for one must not be used for the other. Correct "url" if the first is what you mean.`,
    );
  requireEndpoints(metadata, serverUrl);
  const scopes = resourceMetadata?.scopes_supported;
  return {
    issuer: metadata?.issuer ?? url,
    url,
    ...(metadata !== undefined && { metadata }),
    ...(resource !== undefined && { resource }),
    ...(scopes !== undefined && { scopesOfResource: scopes }),
  };
}

/** Where only programs sign in there is no page for it (RFC 8414 section 2), which the SDK's form does not know. */
function withoutPages(authFetch: AuthFetch): AuthFetch {
  return async (url, init) => {
    const response = await authFetch(url, init);
    const isMetadata = /\/\.well-known\/o(?:auth-authorization-server|penid-configuration)/.test(new URL(url).pathname);
    if (!isMetadata || !response.ok) return response;
    const text = await response.text();
    const { status, headers } = response;
    return new Response(withPage(text), { status, headers });
  };
}

function withPage(text: string): string {
  try {
    const metadata: unknown = JSON.parse(text);
    if (typeof metadata !== 'object' || metadata === null || !('token_endpoint' in metadata)) return text;
    const { token_endpoint } = metadata;
    return JSON.stringify({ authorization_endpoint: token_endpoint, response_types_supported: [], ...metadata });
  } catch {
    return text;
  }
}

/** All that a person or a secret is sent to. */
function requireEndpoints(metadata: AuthorizationServerMetadata | undefined, serverUrl: string): void {
  if (metadata === undefined) return;
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  for (const endpoint of [authorization_endpoint, token_endpoint, registration_endpoint])
    if (endpoint !== undefined) requireSafe(new URL(endpoint), serverUrl);
}

interface WantedScopes {
  readonly challenge?: string;
  readonly chosen?: readonly string[];
  readonly before?: string;
}

/** What to ask for: what the server wants now, else all that it offers; never less than the person's own choice. */
export function scopeToUse(authority: Authority, wanted: WantedScopes): string | undefined {
  const chosen = wanted.chosen?.join(' ');
  const asked = wanted.challenge ?? chosen ?? authority.scopesOfResource?.join(' ');
  return unionOf(wanted.before, chosen, asked);
}

/** The same for a person, who should not have to sign in again. */
export function scopeToAsk(authority: Authority, wanted: WantedScopes): string | undefined {
  const scope = scopeToUse(authority, wanted);
  const offersOffline = authority.metadata?.scopes_supported?.includes('offline_access') === true;
  return scope !== undefined && offersOffline ? unionOf(scope, 'offline_access') : scope;
}

/** The scopes of all, each once. Undefined when there are none. */
export function unionOf(...scopes: readonly (string | undefined)[]): string | undefined {
  const union = new Set(scopes.flatMap((scope) => (scope ?? '').split(' ')).filter((scope) => scope !== ''));
  return union.size === 0 ? undefined : [...union].join(' ');
}
