import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { Failure } from '../../util/failure.js';
import type { SignInAt } from './sign-in-at.js';
import { requireSafe } from './guarded-fetch.js';
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
export async function findAuthority({ serverUrl, authFetch }: SignInAt, challenge: Challenge): Promise<Authority> {
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

/** All that a person or a secret is sent to. */
function requireEndpoints(metadata: AuthorizationServerMetadata | undefined, serverUrl: string): void {
  if (metadata === undefined) return;
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  for (const endpoint of [authorization_endpoint, token_endpoint, registration_endpoint])
    if (endpoint !== undefined) requireSafe(new URL(endpoint), serverUrl);
}

/** What to ask for: what the server wants now, else all that it offers; never less than the person's own choice. */
export function scopeToAsk(
  authority: Authority,
  wanted: { readonly challenge?: string; readonly chosen?: readonly string[]; readonly before?: string },
): string | undefined {
  const chosen = wanted.chosen?.join(' ');
  const asked = wanted.challenge ?? chosen ?? authority.scopesOfResource?.join(' ');
  const scope = unionOf(wanted.before, chosen, asked);
  const offersOffline = authority.metadata?.scopes_supported?.includes('offline_access') === true;
  return scope !== undefined && offersOffline ? unionOf(scope, 'offline_access') : scope;
}

/** The scopes of all, each once. Undefined when there are none. */
export function unionOf(...scopes: readonly (string | undefined)[]): string | undefined {
  const union = new Set(scopes.flatMap((scope) => (scope ?? '').split(' ')).filter((scope) => scope !== ''));
  return union.size === 0 ? undefined : [...union].join(' ');
}
