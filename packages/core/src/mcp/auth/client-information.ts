import type { OAuthClientMetadata } from '@modelcontextprotocol/client';
import { Failure } from '../../util/failure.js';
import type { Authority } from './authority.js';
import { plainLine } from './plain-line.js';
import type { SignInAt } from './sign-in-at.js';
import type { SavedClient } from './token-store.js';

/**
 * As whom to sign in: the client of the settings, else the document that describes this program (where the issuer takes
 * one), else what was registered there before, else a new registration (RFC 7591).
 */
export async function clientFor(
  at: SignInAt,
  authority: Authority,
  { redirectUri, scope }: { readonly redirectUri: string; readonly scope?: string },
): Promise<SavedClient> {
  const known = knownClient(at, authority, redirectUri);
  if (known !== undefined) return known;
  const client = await register(at, authority, redirectUri, scope);
  await at.store.change(at.serverUrl, (saved) => ({
    issuer: authority.issuer,
    client,
    ...(saved.issuer === authority.issuer && saved.tokens !== undefined && { tokens: saved.tokens }),
    ...(saved.missingScope !== undefined && { missingScope: saved.missingScope }),
  }));
  return client;
}

/** Without asking anybody. `redirectUri` undefined: whatever it was registered with, as for refreshing. */
export function knownClient(at: SignInAt, authority: Authority, redirectUri?: string): SavedClient | undefined {
  const { settings, clientMetadataUrl } = at;
  const { clientId, clientSecret } = settings;
  if (clientId !== undefined)
    return { clientId, redirectUri: redirectUri ?? '', ...(clientSecret !== undefined && { clientSecret }) };
  const { issuer, client } = at.store.read(at.serverUrl);
  const saved = issuer === authority.issuer ? client : undefined;
  // Tokens belong to the client that got them.
  if (redirectUri === undefined) return saved;
  if (clientMetadataUrl !== undefined && authority.metadata?.client_id_metadata_document_supported === true)
    return { clientId: clientMetadataUrl, redirectUri };
  return saved?.redirectUri === redirectUri ? saved : undefined;
}

async function register(
  { alias, authFetch }: SignInAt,
  { url, metadata }: Authority,
  redirectUri: string,
  scope: string | undefined,
): Promise<SavedClient> {
  const { registerClient, RegistrationRejectedError } = await import('@modelcontextprotocol/client');
  if (metadata !== undefined && metadata.registration_endpoint === undefined)
    throw new Failure(
      'mcp_error',
      `${alias}: ${new URL(url).host} does not let programs register themselves. Register one there by hand and put its id into "oauth": { "clientId": "…" } of this server.`,
    );
  const methods = metadata?.token_endpoint_auth_methods_supported;
  const clientMetadata: OAuthClientMetadata = {
    client_name: 'Tenon',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
    // A program on a person's machine keeps no secret from them.
    ...(methods?.includes('none') === true && { token_endpoint_auth_method: 'none' }),
  };
  try {
    const client = await registerClient(url, {
      clientMetadata,
      fetchFn: authFetch,
      ...(metadata !== undefined && { metadata }),
      ...(scope !== undefined && { scope }),
    });
    const { client_id: clientId, client_secret: clientSecret } = client;
    return { clientId, redirectUri, ...(clientSecret !== undefined && { clientSecret }) };
  } catch (thrown) {
    if (!RegistrationRejectedError.isInstance(thrown)) throw thrown;
    if (metadata === undefined)
      throw new Failure(
        'mcp_error',
        `${alias}: the server says nowhere how one signs in at it. If it gave you a key, put that into its "headers", such as { "Authorization": "Bearer \${KEY}" }.`,
      );
    throw new Failure(
      'mcp_error',
      `${alias}: ${new URL(url).host} refused to register Tenon (HTTP ${thrown.status}): ${plainLine(thrown.body)} If it wants a client id from you, put it into "oauth": { "clientId": "…" } of this server.`,
    );
  }
}
