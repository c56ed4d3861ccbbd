import { Failure } from '../../util/failure.js';
import type { OAuthSettings, RemoteServer, ServerDefinition } from '../server-definition.js';
import { guardedFetch, type AuthFetch } from './guarded-fetch.js';
import type { TokenStore } from './token-store.js';

/** Where and with what one signs in: what all steps need. */
export interface SignInAt {
  readonly alias: string;
  readonly serverUrl: string;
  readonly settings: OAuthSettings;
  readonly store: TokenStore;
  readonly authFetch: AuthFetch;
  /** The address of a document that describes this program (CIMD). None is hosted, so none is set by default. */
  readonly clientMetadataUrl?: string;
  readonly now: () => number;
}

export interface SignInParts {
  readonly store: TokenStore;
  readonly clientMetadataUrl?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly fetch?: typeof fetch;
}

/**
 * Undefined for a server that one cannot sign in at: a program, one that gets a fixed `Authorization` already, and one whose
 * headers a program prints unless its settings speak of signing in as well.
 */
export function signInAt(definition: ServerDefinition, parts: SignInParts, signal?: AbortSignal): SignInAt | undefined {
  const { transport, alias } = definition;
  if (transport.kind === 'stdio' || hasOwnAuthorization(transport)) return undefined;
  if (transport.headersHelper !== undefined && transport.oauth === undefined) return undefined;
  const { store, clientMetadataUrl, now = Date.now } = parts;
  return {
    alias,
    serverUrl: transport.url,
    settings: transport.oauth ?? {},
    store,
    authFetch: guardedFetch(transport.url, signal, parts.fetch ?? fetch),
    now,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
  };
}

function hasOwnAuthorization({ headers }: RemoteServer): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

export function needsSignIn(alias: string, why: string): Failure {
  return new Failure('mcp_needs_sign_in', `${alias}: ${why} Sign in with: tenon mcp login ${alias}`);
}
