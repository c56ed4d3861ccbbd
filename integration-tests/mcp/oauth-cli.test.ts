import { spawn, spawnSync } from 'node:child_process';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createBench, MAIN, until, watch, type Bench } from '../cli-process.js';
import { startOAuthServer, type OAuthServer } from './oauth-server.js';

const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

let bench: Bench | undefined;
let server: OAuthServer | undefined;
afterEach(async () => {
  await bench?.end();
  await server?.close();
  [bench, server] = [undefined, undefined];
});

async function setUp(): Promise<{ readonly bench: Bench; readonly server: OAuthServer }> {
  const signed = await startOAuthServer();
  server = signed;
  const settings = JSON.stringify({
    mcpServers: { signed: { url: signed.url, type: 'http' } },
    permissions: { allow: ['signed__*'] },
  });
  const turns = [{ toolCalls: [{ name: 'signed__hello', arguments: {} }] }, { text: 'Done.' }];
  const here = await createBench(turns, { settings });
  bench = here;
  return { bench: here, server: signed };
}

/** Everything that lies below Tenon's own folder, but for the file of the sign-ins. */
async function textsBelow(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && entry.name !== 'mcp-auth.json');
  const texts = await Promise.all(
    files.map(async (entry) => readFile(path.join(entry.parentPath, entry.name), 'latin1')),
  );
  return texts.join('\n');
}

describe('a server that wants a sign-in, at the command line', () => {
  it('costs nothing but its tools, and says how to sign in', async () => {
    const { bench: here } = await setUp();
    const { code, stderr } = await here.run(['-p', 'do it']);
    expect(code).toBe(0);
    expect(stderr).toContain('tenon mcp login signed');
    expect(here.model.requests[0]?.bodyText).not.toContain('signed__hello');
  });

  it.runIf(hasScript)('is signed in at and out of, and no token shows up anywhere', async () => {
    const { bench: here, server: signed } = await setUp();
    const env = {
      PATH: process.env['PATH'] ?? '',
      TERM: 'dumb',
      SHELL: '/bin/sh',
      HOME: path.dirname(here.tenonHome),
      TENON_HOME: here.tenonHome,
    };
    const words = `'${process.execPath}' '${MAIN}' mcp login signed`;
    const child = spawn('script', ['-qfec', `stty cols 4000; ${words}`, '/dev/null'], {
      cwd: here.workspace,
      env,
      stdio: 'pipe',
    });
    let screen = '';
    child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
    const { finished } = watch(child, undefined);
    await until(() => /http\S+\/authorize\?\S+\s/.test(screen), `the address in ${screen}`);
    const address = /http\S+\/authorize\?\S+/.exec(screen)?.[0] ?? '';
    const back = (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '';
    expect(await (await fetch(back)).text()).toContain('Tenon has got the answer.');
    expect((await finished).code).toBe(0);
    expect((await stat(path.join(here.tenonHome, 'mcp-auth.json'))).mode & 0o777).toBe(0o600);

    const run = await here.run(['-p', 'do it', '--output-format', 'json']);
    expect(run.code).toBe(0);
    expect(here.model.requests.at(-1)?.bodyText).toContain('hello, basic');
    const out = await here.run(['mcp', 'logout', 'signed']);
    expect(out.code).toBe(0);
    expect(signed.count('/revoke')).toBe(1);
    const everything = [screen, JSON.stringify([run, out]), await textsBelow(here.tenonHome)].join('\n');
    const seen = here.model.requests.map((request) => request.bodyText).join('\n');
    expect(everything + seen).not.toContain('secret-');
    expect(await readFile(path.join(here.tenonHome, 'mcp-auth.json'), 'utf8')).not.toContain('secret-');
  });
});
