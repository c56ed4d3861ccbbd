import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, stat, writeFile, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport, type AuthProvider } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServerAuth } from '../../packages/core/src/mcp/auth/server-auth.js';
import { signInAtServer, signOutOfServer } from '../../packages/core/src/mcp/auth/sign-in.js';
import { createTokenStore } from '../../packages/core/src/mcp/auth/token-store.js';
import type { ServerDefinition } from '../../packages/core/src/mcp/server-definition.js';
import { bundleChild } from '../bundle-child.js';
import { startOAuthServer, type OAuthBehaviour, type OAuthServer } from './oauth-server.js';
import { remoteDefinition } from './remote-definition.js';

let home: string;
let server: OAuthServer;
const clients: Client[] = [];

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tenon-oauth-'));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.close();
  await rm(home, { recursive: true, force: true });
});

async function start(changes: Partial<OAuthBehaviour> = {}): Promise<ServerDefinition> {
  server = await startOAuthServer(changes);
  return remoteDefinition(server.url);
}

/** The browser and the person in front of it. */
async function browse(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' });
  const target = response.headers.get('location') ?? '';
  await fetch(target);
  return target;
}

const signal = new AbortController().signal;
const signIn = (definition: ServerDefinition): Promise<unknown> =>
  signInAtServer(definition, { tenonHome: home, signal, open: async (url) => void (await browse(url)) });

/** A connection as it is made without anybody to ask. */
async function connect(definition: ServerDefinition, openBrowser?: (url: string) => Promise<void>): Promise<Client> {
  const store = createTokenStore(home);
  const auth = createServerAuth(definition, { store, ...(openBrowser !== undefined && { openBrowser }) });
  if (auth?.fetch === undefined) throw new Error('no sign-in');
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    authProvider: auth.provider as AuthProvider,
    fetch: auth.fetch,
  });
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  await client.connect(transport);
  return client;
}

const textOf = async (client: Client, name: string): Promise<unknown> =>
  (await client.callTool({ name, arguments: {} })).content;
const hello = (scope: string): unknown => [{ type: 'text', text: `hello, ${scope}` }];
const saved = async (): Promise<string> => readFile(path.join(home, 'mcp-auth.json'), 'utf8');

describe('without a sign-in', () => {
  it('a connection fails with what to do, and nothing is registered or opened', async () => {
    const definition = await start();
    await expect(connect(definition)).rejects.toMatchObject({
      code: 'mcp_needs_sign_in',
      message: 'signed: one has to sign in at it. Sign in with: tenon mcp login signed',
    });
    expect(server.requests.map(({ path: at }) => at)).toEqual(['/mcp']);
  });

  it('nothing is done for programs and for servers with an Authorization of their own', async () => {
    await start();
    const store = createTokenStore(home);
    expect(
      createServerAuth(remoteDefinition(server.url, { headers: { authorization: 'x' } }), { store }),
    ).toBeUndefined();
    await expect(signIn(remoteDefinition(server.url, { headers: { Authorization: 'x' } }))).rejects.toThrow(
      'Authorization header',
    );
  });

  it('a server that wants a key of another kind is told apart', async () => {
    const definition = await start({ metadataAt: 'nowhere', registration: false });
    await expect(signIn(definition)).rejects.toThrow('says nowhere how one signs in at it');
    const plain = remoteDefinition('http://tools.invalid/mcp');
    const fetchIt = async (): Promise<Response> => new Response(null, { status: 401 });
    await expect(
      signInAtServer(plain, { tenonHome: home, signal, open: () => undefined, fetch: fetchIt }),
    ).rejects.toThrow('http://tools.invalid, which is not protected by TLS');
  });

  it('a server that is open to all says so', async () => {
    const definition = await start({ isOpen: true, metadataAt: 'nowhere' });
    await expect(signIn(definition)).rejects.toThrow('the server answers without a sign-in');
  });
});

describe('a sign-in', () => {
  it.each(['path', 'root', 'header'] as const)('works with metadata at the %s, and is kept', async (metadataAt) => {
    const definition = await start({ metadataAt, scopesSupported: ['basic', 'more'] });
    await signIn(definition);
    expect(await textOf(await connect(definition), 'hello')).toEqual(hello('basic more'));
    expect((await stat(path.join(home, 'mcp-auth.json'))).mode & 0o777).toBe(0o600);
    const registered = JSON.parse(server.requests.find((seen) => seen.path === '/register')?.body ?? '{}') as object;
    expect(registered).toMatchObject({ application_type: 'native', token_endpoint_auth_method: 'none' });
    const asked = server.requests.find((seen) => seen.path === '/authorize')?.params;
    expect(asked?.get('code_challenge_method')).toBe('S256');
    expect(asked?.get('resource')).toBe(server.url);
  });

  it('registers once, and again when its port is taken', async () => {
    const definition = await start();
    await signIn(definition);
    await signIn(definition);
    expect(server.count('/register')).toBe(1);
    const { redirectUri } = createTokenStore(home).read(server.url).client ?? { redirectUri: '' };
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(Number(new URL(redirectUri).port), '127.0.0.1', resolve));
    await signIn(definition).finally(() => taken.close());
    expect(server.count('/register')).toBe(2);
  });

  it('uses the client of the settings, and its port or none', async () => {
    await start({ registration: false });
    await expect(signIn(remoteDefinition(server.url))).rejects.toThrow('"clientId"');
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const callbackPort = (taken.address() as AddressInfo).port;
    const oauth = { clientId: 'known-1', clientSecret: 'secret-of-settings', callbackPort };
    const definition = remoteDefinition(server.url, { oauth });
    await expect(signIn(definition)).rejects.toThrow('another program uses it');
    await new Promise((resolve) => taken.close(resolve));
    await signIn(definition);
    expect(await textOf(await connect(definition), 'hello')).toEqual(hello('basic'));
    expect(await saved()).not.toContain('secret-of-settings');
  });

  it('takes no answer with another state, and still waits for the right one', async () => {
    const definition = await start();
    const statuses: number[] = [];
    await signInAtServer(definition, {
      tenonHome: home,
      signal,
      open: async (url) => {
        const back = new URL(url).searchParams.get('redirect_uri') ?? '';
        for (const path_ of ['?code=1&state=wrong', '?code=1', '/../other?code=1'])
          statuses.push((await fetch(back + path_)).status);
        statuses.push((await fetch(back, { method: 'POST' })).status);
        await browse(url);
      },
    });
    expect(statuses).toEqual([400, 400, 404, 405]);
    expect(await textOf(await connect(definition), 'hello')).toEqual(hello('basic'));
  });

  it('takes the address that was pasted, of this sign-in only', async () => {
    const definition = await start();
    let target = '';
    const open = async (url: string): Promise<void> => {
      target = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
    };
    const pasting = (text: (target: string) => string): Promise<unknown> =>
      signInAtServer(definition, { tenonHome: home, signal, open, paste: async () => text(target) });
    await expect(pasting((to) => to.replace(/state=[^&]*/, 'state=old'))).rejects.toThrow('its state differs');
    await expect(pasting(() => 'what?')).rejects.toThrow('it has no code');
    await expect(
      signInAtServer(definition, { tenonHome: home, signal, open, paste: async () => undefined }),
    ).rejects.toMatchObject({ code: 'mcp_cancelled' });
    await pasting((to) => ` ${to}\n`);
    expect(await textOf(await connect(definition), 'hello')).toEqual(hello('basic'));
  });

  it('that is refused says so, without control characters', async () => {
    const definition = await start({ person: 'refuses' });
    await expect(signIn(definition)).rejects.toThrow(
      /^signed: the sign-in was refused: No\. Not today\. \(access_denied\)$/,
    );
  });

  it.each([{ iss: 'https://other.example' }, { iss: 'https://other.example', issSupported: false }])(
    'that another issuer answered is not used: %o',
    async (changes) => {
      const definition = await start(changes);
      await expect(signIn(definition)).rejects.toThrow('not from the issuer that was asked');
      expect(server.count('/token')).toBe(0);
    },
  );

  it('that nobody makes ends by itself, and at once when it is given up', async () => {
    const definition = await start();
    const options = { tenonHome: home, open: () => undefined };
    await expect(signInAtServer(definition, { ...options, signal, timeLimitMs: 50 })).rejects.toMatchObject({
      code: 'mcp_timeout',
    });
    const giveUp = new AbortController();
    const waiting = signInAtServer(definition, {
      ...options,
      signal: giveUp.signal,
      open: () => giveUp.abort(new Error('given up')),
    });
    await expect(waiting).rejects.toThrow('given up');
  });

  it('tells nothing of what an answer held, and sends no header of the settings', async () => {
    await start({ tokenGarbage: 'access_token=secret-leak' });
    const definition = remoteDefinition(server.url, { headers: { 'x-key': 'secret-header' } });
    const failure: unknown = await signIn(definition).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'mcp_error' });
    expect(String(failure)).not.toContain('secret');
    const others = server.requests.filter((seen) => seen.path !== '/mcp');
    expect(others.filter((seen) => seen.headers['x-key'] !== undefined)).toEqual([]);
  });
});

describe('a token', () => {
  it('that runs out or is refused is refreshed, each refresh token used once', async () => {
    const definition = await start({ expiresIn: 10 });
    await signIn(definition);
    const client = await connect(definition);
    expect(server.count('/token')).toBeGreaterThan(1);
    server.behaviour.expiresIn = 3600;
    server.expireAll();
    expect(await textOf(client, 'hello')).toEqual(hello('basic'));
    const before = server.count('/token');
    await Promise.all(Array.from({ length: 5 }, async () => textOf(client, 'hello')));
    expect(server.count('/token')).toBe(before);
  });

  it('that many requests find refused at once is refreshed once', async () => {
    const definition = await start({ refreshDelayMs: 100 });
    await signIn(definition);
    const client = await connect(definition);
    server.expireAll();
    await Promise.all(Array.from({ length: 8 }, async () => textOf(client, 'hello')));
    expect(server.count('/token')).toBe(2);
  });

  it('is refreshed once by two processes that need it at once', async () => {
    const definition = await start({ refreshDelayMs: 500 });
    await signIn(definition);
    server.expireAll();
    const child = path.join(home, 'child.mjs');
    await bundleChild('mcp/oauth-child.ts', child);
    const run = (): Promise<string> =>
      new Promise((resolve) => {
        const started = spawn(process.execPath, [child, home, server.url], { stdio: ['ignore', 'pipe', 'inherit'] });
        let text = '';
        started.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
        started.on('close', () => resolve(text));
      });
    expect(await Promise.all([run(), run()])).toEqual(['200\n', '200\n']);
    expect(server.requests.filter((seen) => seen.params.get('grant_type') === 'refresh_token').length).toBe(1);
  });

  it('that cannot be refreshed any more asks for a sign-in; one that cannot be refreshed now is kept', async () => {
    const definition = await start();
    await signIn(definition);
    const client = await connect(definition);
    server.expireAll();
    server.behaviour.tokenGarbage = 'secret-leak';
    const failure: unknown = await textOf(client, 'hello').catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'mcp_error' });
    expect(String(failure)).not.toContain('secret');
    delete server.behaviour.tokenGarbage;
    expect(await textOf(client, 'hello')).toEqual(hello('basic'));
    server.forgetAll();
    await expect(textOf(client, 'hello')).rejects.toMatchObject({ code: 'mcp_needs_sign_in' });
    expect(await saved()).not.toContain('secret-');
  });

  it('with too few scopes is noted, and the next sign-in asks for all of them', async () => {
    const definition = await start({ scopesSupported: ['basic'] });
    await signIn(definition);
    const client = await connect(definition);
    await expect(textOf(client, 'admin')).rejects.toThrow(/insufficient scope/i);
    await signIn(definition);
    expect(await textOf(await connect(definition), 'admin')).toEqual(hello('basic admin'));
  });

  it('with too few scopes is replaced where a person is there', async () => {
    const definition = await start({ scopesSupported: ['basic'] });
    const client = await connect(definition, async (url) => void (await browse(url)));
    expect(await textOf(client, 'hello')).toEqual(hello('basic'));
    expect(await textOf(client, 'admin')).toEqual(hello('basic admin'));
    expect(server.count('/authorize')).toBe(2);
  });
});

describe('what is kept', () => {
  it('is forgotten and revoked by signing out, also when the server is away', async () => {
    const definition = await start();
    await signIn(definition);
    expect(await signOutOfServer(definition, { tenonHome: home, signal })).toEqual({
      wasSignedIn: true,
      revoked: true,
    });
    expect(server.count('/revoke')).toBe(1);
    expect(await saved()).not.toContain('secret-');
    await signIn(definition);
    await server.close();
    expect(await signOutOfServer(definition, { tenonHome: home, signal })).toEqual({
      wasSignedIn: true,
      revoked: false,
    });
    expect(await signOutOfServer(definition, { tenonHome: home, signal })).toEqual({
      wasSignedIn: false,
      revoked: false,
    });
  });

  it('is closed to others before it is read, and is not taken from a file that others may change', async () => {
    const definition = await start();
    await signIn(definition);
    const file = path.join(home, 'mcp-auth.json');
    await chmod(file, 0o644);
    expect(createTokenStore(home).read(server.url).tokens).toBeDefined();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await chmod(file, 0o666);
    expect(() => createTokenStore(home).read(server.url)).toThrow('other users may change the file');
    await chmod(file, 0o600);
    await writeFile(file, 'nonsense');
    expect(createTokenStore(home).read(server.url)).toEqual({});
  });
});
