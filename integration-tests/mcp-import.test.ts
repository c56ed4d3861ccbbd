import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createBench, MAIN, until, watch, type Bench } from './cli-process.js';

// util-linux's `script` gives a process a real terminal and hands on what is written to it.
const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

const home = ({ tenonHome }: Bench): string => path.dirname(tenonHome);

async function open(servers: Readonly<Record<string, object>>): Promise<Bench> {
  bench = await createBench([], { settings: '{\n  // mine\n  "mcpServers": { "b": { "command": "mine" } }\n}\n' });
  await mkdir(path.join(home(bench), '.cursor'));
  await writeFile(path.join(home(bench), '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: servers }));
  return bench;
}

const added = async ({ tenonHome }: Bench): Promise<string[]> => {
  const text = await readFile(path.join(tenonHome, 'settings.json'), 'utf8');
  expect(text).toContain('  // mine\n');
  return Object.keys(JSON.parse(text.replace('  // mine\n', '')).mcpServers);
};

interface Session {
  readonly sees: (text: string) => Promise<void>;
  readonly types: (keys: string) => void;
  readonly code: Promise<number | null>;
}

function session(here: Bench): Session {
  const words = [process.execPath, MAIN, 'mcp', 'import'].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qfec', words, '/dev/null'], {
    cwd: here.workspace,
    env: {
      PATH: process.env['PATH'] ?? '',
      TERM: 'xterm',
      SHELL: '/bin/sh',
      HOME: home(here),
      TENON_HOME: here.tenonHome,
    },
    stdio: 'pipe',
  });
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
  const { finished } = watch(child, undefined);
  let seen = 0;
  return {
    types: (keys) => child.stdin.write(keys),
    code: finished.then(({ code }) => code),
    sees: async (text) => {
      await until(() => screen.includes(text, seen), `${JSON.stringify(text)} after\n${screen.slice(seen)}`);
      seen = screen.indexOf(text, seen) + text.length;
    },
  };
}

const FOUND = { a: { command: 'x' }, b: { command: 'y' }, c: { command: 'z' } };

describe.runIf(hasScript)('tenon mcp import at a terminal', () => {
  it('adds all that are new after y', async () => {
    const here = await open(FOUND);
    const { sees, types, code } = session(here);
    await sees('taken  b  runs y');
    await sees('Add the 2 that are new to');
    types('what\r');
    await sees('Please answer y, e, or Enter alone.');
    await sees('one by one');
    types('y\r');
    await sees('Added a, c to');
    expect(await code).toBe(0);
    expect(await added(here)).toEqual(['b', 'a', 'c']);
  });

  it('asks one by one after e, with another name where one is taken', async () => {
    const here = await open(FOUND);
    const { sees, types, code } = session(here);
    await sees('one by one');
    types('e\r');
    await sees('Add a of Cursor to');
    types('\r');
    await sees('Add b of Cursor as b-2 to');
    types('y\r');
    await sees('Add c of Cursor to');
    types('n\r');
    await sees('Added b-2 to');
    expect(await code).toBe(0);
    expect(await added(here)).toEqual(['b', 'b-2']);
  });

  it('adds nothing after Enter or Ctrl-C', async () => {
    const here = await open(FOUND);
    const first = session(here);
    await first.sees('one by one');
    first.types('\r');
    expect(await first.code).toBe(0);
    const second = session(here);
    await second.sees('one by one');
    second.types('\u0003');
    expect(await second.code).toBe(130);
    expect(await added(here)).toEqual(['b']);
  });
});

it('an imported server is what the other tool had: it starts, and offers its tools', async () => {
  const server = path.join(import.meta.dirname, 'mcp', 'scripted-server.mjs');
  const here = await open({ real: { command: process.execPath, args: ['${env:SERVER}'] } });
  expect(await here.run(['mcp', 'import', 'cursor', '--yes'])).toMatchObject({ code: 0, stderr: '' });
  const tested = await here.run(['mcp', 'test', 'real'], { env: { SERVER: server } });
  expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ready +real \(\d+ tools?,/) });
});
