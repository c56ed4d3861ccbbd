import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport, type AuthProvider } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServerAuth } from '../../packages/core/src/mcp/auth/server-auth.js';
import { signInAtServer, signOutOfServer } from '../../packages/core/src/mcp/auth/sign-in.js';
import { createTokenStore } from '../../packages/core/src/mcp/auth/token-store.js';
import type { OAuthSettings, ServerDefinition } from '../../packages/core/src/mcp/server-definition.js';
import { startOAuthServer, type OAuthBehaviour, type OAuthServer, type SeenRequest } from './oauth-server.js';
import { remoteDefinition } from './remote-definition.js';

const SECRET = 'secret+of/settings=:%';
const PROGRAM = { clientId: 'the client', secret: SECRET };
const OAUTH: OAuthSettings = { grant: 'client_credentials', clientId: 'the client', clientSecret: SECRET };
const { signal } = new AbortController();

let home: string;
const servers: OAuthServer[] = [];
const clients: Client[] = [];

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tenon-program-'));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await rm(home, { recursive: true, force: true });
});

async function start(changes: Partial<OAuthBehaviour> = {}): Promise<OAuthServer> {
  const server = await startOAuthServer({ program: PROGRAM, registration: false, ...changes });
  servers.push(server);
  return server;
}

const definitionOf = (server: OAuthServer, oauth: OAuthSettings = {}): ServerDefinition =>
  remoteDefinition(server.url, { oauth: { ...OAUTH, ...oauth }, headers: { 'x-key': 'secret-header' } });

async function connect(definition: ServerDefinition, now?: () => number): Promise<Client> {
  const auth = createServerAuth(definition, { store: createTokenStore(home), ...(now !== undefined && { now }) });
  if (auth?.fetch === undefined || definition.transport.kind === 'stdio') throw new Error('no sign-in');
  const client = new Client({ name: 'test', version: '0' });
  clients.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(definition.transport.url), {
      authProvider: auth.provider as AuthProvider,
      fetch: auth.fetch,
    }),
  );
  return client;
}

async function call(client: Client, name = 'hello'): Promise<string> {
  const { content } = await client.callTool({ name, arguments: {} });
  return JSON.stringify(content);
}

const tokenRequests = ({ requests }: OAuthServer): readonly SeenRequest[] =>
  requests.filter((seen) => seen.path === '/token');
const kept = (): Promise<string> => readFile(path.join(home, 'mcp-auth.json'), 'utf8').catch(() => '');

describe('a client that signs in as itself', () => {
  it.each([
    ['in a header', ['client_secret_basic', 'client_secret_post']],
    ['in the body', ['client_secret_post']],
  ])('shows its secret %s, to the issuer alone, and keeps no token', async (_, authMethods) => {
    const server = await start({ authMethods, scopesSupported: ['basic', 'more'] });
    expect(await call(await connect(definitionOf(server)))).toContain('hello, basic more');
    const [asked, ...more] = tokenRequests(server);
    expect(more).toEqual([]);
    expect(asked?.params.get('resource')).toBe(server.url);
    const elsewhere = server.requests.filter((seen) => seen.path !== '/token' && seen.path !== '/mcp');
    expect(JSON.stringify(elsewhere.map(({ headers, body }) => [headers, body]))).not.toContain('secret');
    expect(asked?.headers['x-key']).toBeUndefined();
    expect(server.count('/authorize') + server.count('/register')).toBe(0);
    expect(await kept()).not.toContain('secret');
  });

  it.each(['header', 'nowhere'] as const)('finds out who gives out tokens: metadata %s', async (metadataAt) => {
    const server = await start({ metadataAt, authMethods: ['client_secret_basic'] });
    // Who publishes nothing says nothing of itself as a resource either.
    if (metadataAt === 'nowhere') await expect(connect(definitionOf(server))).rejects.toThrow('invalid_target');
    else expect(await call(await connect(definitionOf(server)))).toContain('hello, basic');
  });

  it('asks for the scopes of the settings, at an issuer without a page for people', async () => {
    const server = await start({ hasNoPage: true, scopesSupported: ['basic', 'more'] });
    expect(await call(await connect(definitionOf(server, { scopes: ['some', 'other'] })))).toContain(
      'hello, some other',
    );
  });

  const keys = {
    rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ed: generateKeyPairSync('ed25519'),
  } as const;

  it.each(['rsa', 'ec', 'ed'] as const)('proves itself by a key (%s), with a new proof each time', async (which) => {
    const { publicKey, privateKey } = keys[which];
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const server = await start({ program: { clientId: 'the client', publicKey: pem } });
    const file = path.join(home, 'key.pem');
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const { clientSecret: _none, ...oauth } = OAUTH;
    const client = await connect(remoteDefinition(server.url, { oauth: { ...oauth, key: { privateKey: file } } }));
    server.expireAll();
    expect(await call(client)).toContain('hello, basic');
    expect(tokenRequests(server)).toHaveLength(2);
    expect(JSON.stringify(tokenRequests(server).map(({ body }) => body))).not.toContain('PRIVATE');
    await rm(file);
    server.expireAll();
    await expect(call(client)).rejects.toThrow('cannot be read: ENOENT');
  });

  it('is told when its secret is wrong, without the secret', async () => {
    const server = await start();
    const failure: unknown = await connect(definitionOf(server, { clientSecret: 'secret-wrong' })).catch(
      (thrown: unknown) => thrown,
    );
    expect(failure).toMatchObject({
      code: 'mcp_error',
      message:
        'signed: the sign-in server answered invalid_client: It is not known. Check "clientId" and "clientSecret" of its "oauth".',
    });
    server.behaviour.tokenGarbage = `access_token=${SECRET}`;
    const other: unknown = await connect(definitionOf(server)).catch((thrown: unknown) => thrown);
    expect(other).toMatchObject({ code: 'mcp_error' });
    expect(String(other)).not.toContain('secret');
  });
});

describe('its token', () => {
  it('is renewed before it runs out, also one that hardly lives', async () => {
    const server = await start({ expiresIn: 10 });
    let now = 1_000_000;
    const client = await connect(definitionOf(server), () => now);
    expect(await call(client)).toContain('hello');
    expect(tokenRequests(server)).toHaveLength(1);
    now += 5001;
    expect(await call(client)).toContain('hello');
    expect(tokenRequests(server)).toHaveLength(2);
    expect(
      server.requests.filter(({ path: at, headers }) => at === '/mcp' && headers.authorization === undefined),
    ).toHaveLength(1);
  });

  it('that still holds is used while no new one can be had', async () => {
    const server = await start({ expiresIn: 10 });
    let now = 1_000_000;
    const client = await connect(definitionOf(server), () => now);
    now += 5001;
    server.behaviour.tokenGarbage = 'nothing';
    expect(await call(client)).toContain('hello');
    server.expireAll();
    await expect(call(client)).rejects.toMatchObject({ code: 'mcp_error' });
    delete server.behaviour.tokenGarbage;
    expect(await call(client)).toContain('hello');
  });

  it('that is refused is renewed once by all who need it', async () => {
    const server = await start({ refreshDelayMs: 100 });
    const client = await connect(definitionOf(server));
    server.expireAll();
    await Promise.all(Array.from({ length: 8 }, async () => call(client)));
    expect(tokenRequests(server)).toHaveLength(2);
  });

  it('gets the rights that a call needs, for all who need them at once', async () => {
    const server = await start({ scopesSupported: ['basic'] });
    const client = await connect(definitionOf(server));
    expect(await Promise.all([call(client, 'admin'), call(client, 'admin'), call(client)])).toEqual([
      expect.stringContaining('hello, basic admin'),
      expect.stringContaining('hello, basic admin'),
      expect.stringContaining('hello, basic'),
    ]);
    server.expireAll();
    expect(await call(client, 'admin')).toContain('hello, basic admin');
  });

  it('that cannot get them is no reason to sign in', async () => {
    const server = await start({ scopesSupported: ['basic'], programScopes: ['basic'] });
    const client = await connect(definitionOf(server));
    for (let tries = 0; tries < 2; tries += 1)
      await expect(call(client, 'admin')).rejects.toMatchObject({
        code: 'mcp_error',
        message: expect.stringContaining('the rights of this client are too few (admin)'),
      });
    expect(await call(client)).toContain('hello');
    expect(tokenRequests(server)).toHaveLength(2);
  });
});

describe('its secret', () => {
  it('goes to the issuer that was named first, until that is forgotten', async () => {
    const [server, other] = [await start(), await start()];
    await connect(definitionOf(server));
    server.behaviour.issuer = other.origin;
    server.expireAll();
    await expect(connect(definitionOf(server))).rejects.toThrow(`names ${other.origin} as who gives out its tokens`);
    expect(other.count('/token')).toBe(0);
    await signOutOfServer(definitionOf(server), { tenonHome: home, signal });
    // It knows the client, but not the server that the token is for.
    await expect(connect(definitionOf(server))).rejects.toThrow('invalid_target');
    expect(other.count('/token')).toBe(1);
  });

  it('goes to the issuer of the settings alone', async () => {
    const server = await start();
    await expect(connect(definitionOf(server, { issuer: 'https://other.example' }))).rejects.toThrow(
      'Nothing was sent there',
    );
    expect(server.count('/token')).toBe(0);
    expect(await call(await connect(definitionOf(server, { issuer: `${server.origin}/` })))).toContain('hello');
    expect(await kept()).toBe('');
  });

  it('never goes where nothing is sealed', async () => {
    const server = await start({ issuer: 'http://login.example' });
    await expect(connect(definitionOf(server))).rejects.toThrow('not protected by TLS');
    expect(server.count('/token')).toBe(0);
  });
});

describe('signing in for it', () => {
  const login = (definition: ServerDefinition): Promise<string> =>
    signInAtServer(definition, {
      tenonHome: home,
      signal,
      open: () => {
        throw new Error('a page was opened');
      },
    });

  it('is needed by nobody, and tries it', async () => {
    const server = await start();
    expect(await login(definitionOf(server))).toBe('by-itself');
    expect(server.requests.at(-1)).toMatchObject({ path: '/mcp', headers: { 'x-key': 'secret-header' } });
    expect(await kept()).not.toContain('secret');
    await expect(login(definitionOf(server, { clientSecret: 'no' }))).rejects.toThrow('invalid_client');
    await expect(login(remoteDefinition(server.url, { headersHelper: { argv: ['x'], cwd: '/' } }))).rejects.toThrow(
      'its headersHelper says who asks',
    );
  });
});
