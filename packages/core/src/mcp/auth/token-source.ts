import { abortable } from '../../util/abort.js';
import type { Failure } from '../../util/failure.js';
import type { Challenge } from './authority.js';
import type { SignInAt } from './sign-in-at.js';
import { signInFailure } from './sign-in-failure.js';

/** Where the token comes from that the requests to a server carry. */
export interface TokenSource {
  /** For the next request: not one that runs out. Undefined: there is none. */
  current(): Promise<string | undefined>;
  /** In place of `rejected`; undefined as well when there was none. Undefined: there is no other. */
  renew(rejected: string | undefined, challenge: Challenge): Promise<string | undefined>;
  /** One that may do more than `sent`; undefined: there is none. */
  widen(sent: string | undefined, challenge: Challenge): Promise<string | undefined>;
  /** What is thrown when the rights are too few to the end; undefined: the refusal speaks for itself. */
  tooFew(challenge: Challenge): Failure | undefined;
  /** The server refuses what it got. What has changed when this resolves is tried once more. @throws Failure otherwise */
  refused(response: Response): Promise<void>;
}

/** Times that a single request may raise its scopes. */
const MOST_STEP_UPS = 2;

/** A request whose token is refused is sent again with a new one: once after a renewal, and after each raise of its rights. */
export function withRenewal(at: SignInAt, base: typeof fetch, source: TokenSource): typeof fetch {
  return async (input, init) => {
    let response = await base(input, init);
    if (!isRepeatable(init)) return response;
    let sent = bearerOf(init);
    const again = async (token: string): Promise<void> => {
      sent = token;
      await response.body?.cancel();
      response = await base(input, withBearer(init, token));
    };
    if (response.status === 401) {
      const challenge = await challengeOf(response);
      const signal = init?.signal ?? new AbortController().signal;
      const token = await abortable(source.renew(sent, challenge), signal).catch(async (thrown: unknown) => {
        signal.throwIfAborted();
        throw await signInFailure(at.alias, thrown);
      });
      if (token === undefined || token === sent) return response;
      await again(token);
    }
    for (let tries = 0; response.status === 403; tries += 1) {
      const challenge = await challengeOf(response);
      if (challenge.error !== 'insufficient_scope') break;
      const token = tries < MOST_STEP_UPS ? await source.widen(sent, challenge) : undefined;
      if (token === undefined) {
        const failure = source.tooFew(challenge);
        if (failure === undefined) break;
        await response.body?.cancel();
        throw failure;
      }
      await again(token);
    }
    return response;
  };
}

/** Whether what was sent is still there to be sent again. */
export function isRepeatable(init: RequestInit | undefined): boolean {
  return init?.body === undefined || init.body === null || typeof init.body === 'string';
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
