import { Failure } from '../../util/failure.js';
import { findAuthority, scopeToUse, unionOf, type Authority, type Challenge } from './authority.js';
import { clientAssertion } from './client-assertion.js';
import { plainLine } from './plain-line.js';
import type { SignInAt } from './sign-in-at.js';
import { signInFailure } from './sign-in-failure.js';
import type { TokenSource } from './token-source.js';

/** This long before it runs out a token is no longer used, but for half of its life at most. In milliseconds. */
const MARGIN_MS = 30_000;
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

interface Held {
  readonly token: string;
  /** In milliseconds since 1970. */
  readonly usableUntil: number;
}

/**
 * Tokens that the program gets by itself (RFC 6749 section 4.4, RFC 7523). They are kept in memory only: another process gets
 * its own, which takes nothing from this one.
 */
export function programSource(at: SignInAt): TokenSource {
  return new ProgramSource(at);
}

class ProgramSource implements TokenSource {
  readonly #at: SignInAt;
  #held: Held | undefined;
  #running: Promise<string> | undefined;
  /** Where the server said that its metadata lies. */
  #metadataUrl: URL | undefined;
  /** All that the server has asked for. */
  #scope: string | undefined;

  constructor(at: SignInAt) {
    this.#at = at;
  }

  async current(): Promise<string | undefined> {
    const held = this.#held;
    if (held === undefined || held.usableUntil > this.#at.now()) return held?.token;
    // Whoever gets no new one now finds out from the server whether the old one still does.
    return this.#once({}).catch(() => held.token);
  }

  async renew(rejected: string | undefined, challenge: Challenge): Promise<string> {
    const held = this.#held;
    if (held !== undefined && held.token !== rejected && held.usableUntil > this.#at.now()) return held.token;
    return this.#once(challenge);
  }

  async widen(sent: string | undefined, challenge: Challenge): Promise<string | undefined> {
    // One that is under way may not ask for it.
    await this.#running?.catch(() => undefined);
    const held = this.#held;
    if (held !== undefined && held.token !== sent) return held.token;
    const before = this.#scope;
    if (unionOf(before, challenge.scope) === before) return undefined;
    return this.#once(challenge);
  }

  tooFew({ scope }: Challenge): Failure {
    const which = scope === undefined ? '' : ` (${plainLine(scope)})`;
    return new Failure(
      'mcp_error',
      `${this.#at.alias}: the rights of this client are too few${which}. Whoever runs the sign-in server can give it more.`,
    );
  }

  async refused(): Promise<never> {
    throw new Failure(
      'mcp_error',
      `${this.#at.alias}: the server does not take the token that this client got for it. Check "clientId" and "scopes" of its "oauth", and ask whoever runs it.`,
    );
  }

  /** Requests that need one at the same time wait for one. It is not given up with one of them. */
  #once(challenge: Challenge): Promise<string> {
    this.#running ??= this.#get(challenge).finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #get({ metadataUrl, scope }: Challenge): Promise<string> {
    this.#metadataUrl = metadataUrl ?? this.#metadataUrl;
    const authority = await findAuthority(
      this.#at,
      this.#metadataUrl === undefined ? {} : { metadataUrl: this.#metadataUrl },
    );
    await expectIssuer(this.#at, authority);
    const { scopes: chosen } = this.#at.settings;
    this.#scope = scopeToUse(authority, {
      ...(scope !== undefined && { challenge: scope }),
      ...(chosen !== undefined && { chosen }),
      ...(this.#scope !== undefined && { before: this.#scope }),
    });
    const began = this.#at.now();
    const { token, lifetimeMs } = await requestToken(this.#at, authority, this.#scope);
    const usable =
      lifetimeMs === undefined ? Number.POSITIVE_INFINITY : lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 2);
    this.#held = { token, usableUntil: began + usable };
    return token;
  }
}

/** The secret was made for one issuer: a server that names another one later does not get it sent there. */
async function expectIssuer({ alias, serverUrl, settings, store }: SignInAt, { issuer }: Authority): Promise<void> {
  const expected = settings.issuer ?? store.read(serverUrl).issuer;
  if (expected === undefined) {
    // Where nothing can be kept, each time is the first.
    return store.change(serverUrl, (saved) => ({ ...saved, issuer })).catch(() => undefined);
  }
  if (withoutSlash(expected) === withoutSlash(issuer)) return;
  const next =
    settings.issuer === undefined
      ? `If that is right, forget the first: tenon mcp logout ${alias}`
      : 'If that is right, correct "issuer" of its "oauth".';
  throw new Failure(
    'mcp_error',
    `${alias}: the server names ${plainLine(issuer)} as who gives out its tokens, and not ${plainLine(expected)}, which this client belongs to. Nothing was sent there. ${next}`,
  );
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}

interface Granted {
  readonly token: string;
  /** Undefined: it was not said. */
  readonly lifetimeMs: number | undefined;
}

async function requestToken(at: SignInAt, authority: Authority, scope: string | undefined): Promise<Granted> {
  const { metadata, url, resource } = authority;
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) body.set('scope', scope);
  if (resource !== undefined) body.set('resource', resource);
  const headers = new Headers({
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  });
  await authenticate(at, authority, { headers, body });
  const response = await at.authFetch(metadata?.token_endpoint ?? new URL('/token', url), {
    method: 'POST',
    headers,
    body,
  });
  if (!response.ok) throw await refusalOf(at, response);
  return grantedIn(await response.json());
}

/** By a signed proof, or by the secret: in a header, unless the issuer takes it in the body only. */
async function authenticate(
  { settings, now }: SignInAt,
  { issuer, metadata }: Authority,
  { headers, body }: { readonly headers: Headers; readonly body: URLSearchParams },
): Promise<void> {
  const { clientId = '', clientSecret = '', key } = settings;
  if (key !== undefined) {
    const supported = metadata?.token_endpoint_auth_signing_alg_values_supported;
    const asserting = { clientId, audience: issuer, now: now(), ...(supported !== undefined && { supported }) };
    body.set('client_id', clientId);
    body.set('client_assertion_type', ASSERTION_TYPE);
    body.set('client_assertion', await clientAssertion(key, asserting));
    return;
  }
  const methods = metadata?.token_endpoint_auth_methods_supported ?? [];
  if (methods.includes('client_secret_post') && !methods.includes('client_secret_basic')) {
    body.set('client_id', clientId);
    body.set('client_secret', clientSecret);
    return;
  }
  const pair = [clientId, clientSecret].map((part) => encodeURIComponent(part));
  headers.set('authorization', `Basic ${Buffer.from(pair.join(':')).toString('base64')}`);
}

async function refusalOf({ alias, settings }: SignInAt, response: Response): Promise<Failure> {
  const { OAuthError, parseErrorResponse } = await import('@modelcontextprotocol/client');
  const error = await parseErrorResponse(response);
  const failure = await signInFailure(alias, error);
  const isClient = OAuthError.isInstance(error) && /^(?:invalid|unauthorized)_client$/.test(error.code);
  if (!isClient) return failure;
  const proof = settings.key === undefined ? '"clientSecret"' : '"privateKey"';
  return new Failure(failure.code, `${failure.message} Check "clientId" and ${proof} of its "oauth".`);
}

/** @throws SyntaxError for an answer without the form of OAuth */
function grantedIn(answer: unknown): Granted {
  if (typeof answer !== 'object' || answer === null) throw new SyntaxError('no object');
  const { access_token: token, token_type: type, expires_in: seconds } = answer as Partial<Record<string, unknown>>;
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) throw new SyntaxError('no token');
  if (type !== undefined && (typeof type !== 'string' || type.toLowerCase() !== 'bearer'))
    throw new Failure(
      'mcp_error',
      'The sign-in server gives out tokens of a kind that is not supported; only Bearer is.',
    );
  const lifetime = Number(seconds ?? Number.NaN);
  return { token, lifetimeMs: Number.isFinite(lifetime) && lifetime > 0 ? lifetime * 1000 : undefined };
}
