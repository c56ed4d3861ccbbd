import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a test changes to have the server behave otherwise. */
export interface OAuthBehaviour {
  /** Where it says who gives out tokens. `header`: only at the address that the refusal names. */
  metadataAt: 'path' | 'root' | 'header' | 'nowhere';
  registration: boolean;
  authMethods: readonly string[];
  /** Of an answer to the browser. Undefined: the right one. */
  iss?: string;
  issSupported: boolean;
  /** What the person does on the page. */
  person: 'agrees' | 'refuses';
  /** How long access tokens hold. In seconds. */
  expiresIn?: number;
  /** Before a refresh is answered. In milliseconds. */
  refreshDelayMs: number;
  /** The whole body of the next answers of the token endpoint, with 500. */
  tokenGarbage?: string;
  scopesSupported?: readonly string[];
  /** The server of tools is open to all. */
  isOpen: boolean;
  revocation: boolean;
  /** A client that gets tokens by itself: its secret, or the PEM of its public key. */
  program?: { readonly clientId: string; readonly secret?: string; readonly publicKey?: string };
  /** All that it may be given. Undefined: whatever it asks for. */
  programScopes?: readonly string[];
  /** Nobody can sign in: there is no page for it. */
  hasNoPage: boolean;
  /** Who is named as the one who gives out tokens. Undefined: this server. */
  issuer?: string;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly params: URLSearchParams;
  readonly body: string;
}

export interface OAuthServer {
  readonly url: string;
  readonly origin: string;
  readonly behaviour: OAuthBehaviour;
  readonly requests: SeenRequest[];
  readonly count: (path: string) => number;
  /** From now on no token that was given out is taken. */
  readonly expireAll: () => void;
  /** And none can be refreshed. */
  readonly forgetAll: () => void;
  close(): Promise<void>;
}

interface Grant {
  readonly scope: string;
  readonly clientId: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

const PLAIN: OAuthBehaviour = {
  metadataAt: 'path',
  registration: true,
  authMethods: ['none', 'client_secret_basic'],
  issSupported: true,
  person: 'agrees',
  refreshDelayMs: 0,
  isOpen: false,
  revocation: true,
  hasNoPage: false,
};

/** A server of tools and the server that gives out its tokens, at one port. Refresh tokens hold once; using one twice ends the whole sign-in. */
export async function startOAuthServer(changes: Partial<OAuthBehaviour> = {}): Promise<OAuthServer> {
  const state: State = {
    behaviour: { ...PLAIN, ...changes },
    requests: [],
    origin: '',
    clients: new Map(),
    codes: new Map(),
    access: new Map(),
    refresh: new Map(),
    used: new Set(),
  };
  const server = createServer((request, response) => {
    void answer(state, request, response).catch((thrown: unknown) => {
      response.writeHead(500).end(String(thrown));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${state.origin}/mcp`,
    origin: state.origin,
    behaviour: state.behaviour,
    requests: state.requests,
    count: (path) => state.requests.filter((request) => request.path === path).length,
    expireAll: () => state.access.clear(),
    forgetAll: () => {
      state.access.clear();
      state.refresh.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface State {
  readonly behaviour: OAuthBehaviour;
  readonly requests: SeenRequest[];
  origin: string;
  readonly clients: Map<string, readonly string[]>;
  readonly codes: Map<string, Grant>;
  /** Scope by access token. */
  readonly access: Map<string, string>;
  readonly refresh: Map<string, { readonly scope: string; readonly clientId: string }>;
  readonly used: Set<string>;
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', state.origin);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const isForm = request.headers['content-type']?.includes('x-www-form-urlencoded') === true;
  const params = isForm ? new URLSearchParams(body) : url.searchParams;
  const seen = { method: request.method ?? '', path: url.pathname, headers: request.headers, params, body };
  state.requests.push(seen);
  const json = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };
  const { metadataAt } = state.behaviour;
  switch (url.pathname) {
    case '/.well-known/oauth-protected-resource/mcp':
      return metadataAt === 'path' ? json(200, resourceMetadata(state)) : json(404, {});
    case '/.well-known/oauth-protected-resource':
      return metadataAt === 'root' ? json(200, resourceMetadata(state)) : json(404, {});
    case '/somewhere-else':
      return metadataAt === 'header' ? json(200, resourceMetadata(state)) : json(404, {});
    case '/.well-known/oauth-authorization-server':
      return metadataAt === 'nowhere' ? json(404, {}) : json(200, serverMetadata(state));
    case '/register':
      return state.behaviour.registration ? json(201, register(state, body)) : json(404, {});
    case '/authorize':
      return void response.writeHead(302, { location: authorize(state, params) }).end();
    case '/token':
      return token(state, seen, json);
    case '/revoke':
      state.refresh.delete(params.get('token') ?? '');
      return json(200, {});
    case '/mcp':
      return tools(state, seen, response, json);
    default:
      return json(404, {});
  }
}

type Json = (status: number, value: unknown, headers?: Record<string, string>) => void;

function resourceMetadata({ origin, behaviour }: State): object {
  return {
    resource: `${origin}/mcp`,
    authorization_servers: [behaviour.issuer ?? origin],
    ...(behaviour.scopesSupported !== undefined && { scopes_supported: behaviour.scopesSupported }),
  };
}

function serverMetadata({ origin, behaviour }: State): object {
  return {
    issuer: origin,
    ...(!behaviour.hasNoPage && { authorization_endpoint: `${origin}/authorize`, response_types_supported: ['code'] }),
    token_endpoint: `${origin}/token`,
    ...(behaviour.registration && { registration_endpoint: `${origin}/register` }),
    ...(behaviour.revocation && { revocation_endpoint: `${origin}/revoke` }),
    grant_types_supported: behaviour.hasNoPage
      ? ['client_credentials']
      : ['authorization_code', 'refresh_token', 'client_credentials'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: behaviour.authMethods,
    authorization_response_iss_parameter_supported: behaviour.issSupported,
  };
}

function register({ clients }: State, body: string): object {
  const wanted = JSON.parse(body) as { redirect_uris: string[] };
  const id = `client-${randomUUID()}`;
  clients.set(id, wanted.redirect_uris);
  return { ...wanted, client_id: id, client_id_issued_at: 1 };
}

/** Where the browser is sent. */
function authorize({ behaviour, origin, clients, codes }: State, params: URLSearchParams): string {
  const clientId = params.get('client_id') ?? '';
  const redirectUri = params.get('redirect_uri') ?? '';
  if (clients.get(clientId)?.includes(redirectUri) !== true && !clientId.startsWith('known-')) return `${origin}/bad`;
  const target = new URL(redirectUri);
  target.searchParams.set('state', params.get('state') ?? '');
  if (behaviour.issSupported || behaviour.iss !== undefined) target.searchParams.set('iss', behaviour.iss ?? origin);
  if (behaviour.person === 'refuses') {
    target.searchParams.set('error', 'access_denied');
    target.searchParams.set('error_description', 'No.\u001b[2J Not\u202e today.');
    return target.href;
  }
  const code = randomUUID();
  const scope = params.get('scope') ?? 'basic';
  codes.set(code, { scope, clientId, challenge: params.get('code_challenge') ?? '', redirectUri });
  target.searchParams.set('code', code);
  return target.href;
}

async function token(state: State, seen: SeenRequest, json: Json): Promise<void> {
  const { params } = seen;
  const { behaviour, codes, refresh, used } = state;
  if (behaviour.tokenGarbage !== undefined) return json(500, behaviour.tokenGarbage);
  if (params.get('grant_type') === 'client_credentials') return programToken(state, seen, json);
  if (params.get('grant_type') === 'authorization_code') {
    const grant = codes.get(params.get('code') ?? '');
    codes.delete(params.get('code') ?? '');
    const proof = createHash('sha256')
      .update(params.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = grant?.challenge === proof && grant.redirectUri === params.get('redirect_uri');
    if (!isRight || params.get('resource') !== `${state.origin}/mcp`) return json(400, { error: 'invalid_grant' });
    return json(200, give(state, grant));
  }
  await new Promise((resolve) => setTimeout(resolve, behaviour.refreshDelayMs));
  const old = params.get('refresh_token') ?? '';
  const held = refresh.get(old);
  if (used.has(old)) refresh.clear();
  if (held === undefined) return json(400, { error: 'invalid_grant', error_description: 'It is not known.' });
  used.add(old);
  refresh.delete(old);
  return json(200, give(state, held));
}

async function programToken(state: State, seen: SeenRequest, json: Json): Promise<void> {
  const { program, programScopes, refreshDelayMs } = state.behaviour;
  await new Promise((resolve) => setTimeout(resolve, refreshDelayMs));
  if (program === undefined || !isProgram(state, seen, program))
    return json(401, { error: 'invalid_client', error_description: 'It is \u001b[2Jnot known.' });
  if (seen.params.get('resource') !== `${state.origin}/mcp`) return json(400, { error: 'invalid_target' });
  const asked = (seen.params.get('scope') ?? 'basic').split(' ');
  const scope = asked.filter((each) => programScopes === undefined || programScopes.includes(each)).join(' ');
  const { refresh_token: _none, ...given } = give(state, { scope, clientId: program.clientId });
  return json(200, given);
}

/** As the metadata says that it is proven; a signed proof is taken once. */
function isProgram(
  { behaviour, origin, used }: State,
  { params, headers }: SeenRequest,
  { clientId, secret, publicKey }: NonNullable<OAuthBehaviour['program']>,
): boolean {
  if (publicKey !== undefined) {
    const [head = '', claims = '', signature = ''] = params.get('client_assertion')?.split('.') ?? [];
    const { iss, sub, aud, exp, jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    const isNew = typeof jti === 'string' && !used.has(jti);
    used.add(String(jti));
    const isRight = [iss, sub].every((name) => name === clientId) && aud === origin && Number(exp) > 0;
    const key = createPublicKey(publicKey);
    const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
    const bytes = Buffer.from(signature, 'base64url');
    return (
      isRight && isNew && verify(digest, Buffer.from(`${head}.${claims}`), { key, dsaEncoding: 'ieee-p1363' }, bytes)
    );
  }
  if (behaviour.authMethods.includes('client_secret_basic')) {
    const given = Buffer.from(headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
    const decoded = given.split(':').map((part) => new URLSearchParams(`part=${part}`).get('part'));
    return decoded.length === 2 && decoded[0] === clientId && decoded[1] === secret;
  }
  return params.get('client_id') === clientId && params.get('client_secret') === secret;
}

function give(
  { access, refresh, behaviour }: State,
  grant: Pick<Grant, 'scope' | 'clientId'>,
): Readonly<Record<string, unknown>> {
  const accessToken = `secret-access-${randomUUID()}`;
  const refreshToken = `secret-refresh-${randomUUID()}`;
  access.set(accessToken, grant.scope);
  refresh.set(refreshToken, { scope: grant.scope, clientId: grant.clientId });
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    scope: grant.scope,
    ...(behaviour.expiresIn !== undefined && { expires_in: behaviour.expiresIn }),
  };
}

/** As much of the protocol of 2025-11-25 as a test of sign-ins needs; the tool `admin` wants its scope. */
function tools(state: State, seen: SeenRequest, response: ServerResponse, json: Json): void {
  const { behaviour, access, origin } = state;
  const scope = access.get(/^Bearer (.*)$/.exec(seen.headers.authorization ?? '')?.[1] ?? '');
  if (scope === undefined && !behaviour.isOpen) {
    const at = behaviour.metadataAt === 'header' ? `, resource_metadata="${origin}/somewhere-else"` : '';
    return json(401, { error: 'unauthorized' }, { 'www-authenticate': `Bearer error="invalid_token"${at}` });
  }
  if (seen.method !== 'POST') return json(405, {});
  const message = JSON.parse(seen.body) as { id?: number; method: string; params?: { name?: string } };
  if (message.id === undefined) return void response.writeHead(202).end();
  const result = (value: object): void => json(200, { jsonrpc: '2.0', id: message.id, result: value });
  if (message.method === 'initialize')
    return result({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'signed', version: '1' },
    });
  if (message.method === 'tools/list')
    return result({ tools: ['hello', 'admin'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
  if (message.params?.name === 'admin' && scope?.split(' ').includes('admin') !== true) {
    const wants = 'Bearer error="insufficient_scope", scope="admin"';
    return json(403, { error: 'insufficient_scope' }, { 'www-authenticate': wants });
  }
  return result({ content: [{ type: 'text', text: `hello, ${scope ?? 'everybody'}` }] });
}
