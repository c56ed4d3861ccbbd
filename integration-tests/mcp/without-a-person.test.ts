import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createBench, type Bench, type BenchOptions } from '../cli-process.js';
import { startOAuthServer, type OAuthBehaviour, type OAuthServer } from './oauth-server.js';

let bench: Bench | undefined;
let server: OAuthServer | undefined;
afterEach(async () => {
  await bench?.end();
  await server?.close();
  [bench, server] = [undefined, undefined];
});

async function serve(changes: Partial<OAuthBehaviour>): Promise<OAuthServer> {
  server = await startOAuthServer({ registration: false, ...changes });
  return server;
}

async function open(options: BenchOptions): Promise<Bench> {
  const turns = [{ toolCalls: [{ name: 'signed__hello', arguments: {} }] }, { text: 'Done.' }];
  bench = await createBench(turns, options);
  return bench;
}

/** Everything that Tenon keeps, but for the settings that the person wrote. */
async function textsBelow(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && entry.name !== 'settings.json');
  const texts = await Promise.all(
    files.map(async (entry) => readFile(path.join(entry.parentPath, entry.name), 'latin1')),
  );
  return texts.join('\n');
}

const allow = { allow: ['signed__*'] };

describe('a server at which nobody signs in, at the command line', () => {
  it('is used with the client of the settings', async () => {
    const signed = await serve({ program: { clientId: 'ci', secret: 'secret-of-ci' } });
    const oauth = { grant: 'client_credentials', clientId: 'ci', clientSecret: '${CI_SECRET}' };
    const settings = JSON.stringify({ mcpServers: { signed: { url: signed.url, oauth } }, permissions: allow });
    const here = await open({ settings });
    const env = { CI_SECRET: 'secret-of-ci' };

    const listed = await here.run(['mcp', 'list'], { env });
    expect(listed.stdout).toContain('(signs in as itself clientId=ci, clientSecret=${CI_SECRET})');
    const login = await here.run(['mcp', 'login', 'signed'], { env });
    expect(login).toMatchObject({
      code: 0,
      stdout: 'Nobody needs to sign in at signed: its client gets tokens by itself, and the server took one.\n',
    });
    const run = await here.run(['-p', 'do it', '--output-format', 'json'], { env });
    expect(run.code).toBe(0);
    expect(here.model.requests.at(-1)?.bodyText).toContain('hello, basic');
    const status = await here.run(['mcp', 'status', '--json'], { env });
    expect(JSON.parse(status.stdout)).toMatchObject([
      { name: 'signed', state: 'ready', authorization: 'client credentials', tools: 2 },
    ]);
    expect((await here.run(['mcp', 'test', 'signed'], { env })).stdout).toContain('authorised by client credentials');
    const wrong = await here.run(['mcp', 'status'], { env: { CI_SECRET: 'secret-that-is-wrong' } });
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/^failed +signed/);
    expect(wrong.stdout).toContain('Check "clientId" and "clientSecret" of its "oauth"');
    expect(wrong.stdout).not.toContain('tenon mcp login');
    const said = JSON.stringify([listed, login, run, status, wrong]);
    const seen = here.model.requests.map(({ bodyText }) => bodyText).join('\n');
    expect(said + seen + (await textsBelow(here.tenonHome))).not.toContain('secret-');
  });

  it('is reached with headers that a program of a trusted folder prints, and of no other', async () => {
    const signed = await serve({ isOpen: true });
    const helper = (name: string): string => `#!/bin/sh\nenv > ran\necho '{"X-Ticket": "secret-${name}"}'\n`;
    const files = {
      '.mcp.json': JSON.stringify({ mcpServers: { signed: { url: signed.url, headersHelper: 'sh headers.sh' } } }),
      'headers.sh': helper('1'),
    };
    const here = await open({ files, settings: JSON.stringify({ permissions: allow }) });
    const hasRun = (): boolean => existsSync(path.join(here.workspace, 'ran'));

    const before = await here.run(['-p', 'do it']);
    expect(before.stderr).toContain('.mcp.json');
    expect((await here.run(['mcp', 'list'])).stdout).toContain('(headers from sh headers.sh)');
    const shown = await here.run(['trust']);
    expect(shown.stdout).toContain(`signed connects to ${signed.url} (headers from sh headers.sh)`);
    expect(shown.stdout).toMatch(/which runs headers\.sh of this folder \(content [0-9a-f]{12}\)/);
    expect([hasRun(), signed.requests.length]).toEqual([false, 0]);

    expect((await here.run(['trust', '--yes'])).code).toBe(0);
    const tested = await here.run(['mcp', 'test', 'signed']);
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining('authorised by headersHelper') });
    expect(signed.requests.map(({ headers }) => headers['x-ticket'])).toContain('secret-1');
    const environment = await readFile(path.join(here.workspace, 'ran'), 'utf8');
    expect(environment).toContain(`TENON_MCP_SERVER_NAME=signed\n`);
    expect(environment).toContain(`CLAUDE_CODE_MCP_SERVER_URL=${signed.url}\n`);
    expect(environment).not.toContain('sk-secret-key');

    const count = signed.requests.length;
    await writeFile(path.join(here.workspace, 'headers.sh'), helper('2'));
    const after = await here.run(['mcp', 'status']);
    expect(after.stderr).toContain('.mcp.json');
    expect(signed.requests.length).toBe(count);
    expect(JSON.stringify([before, shown, tested, after]) + (await textsBelow(here.tenonHome))).not.toContain(
      'secret-',
    );
  });
});
