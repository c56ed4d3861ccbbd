import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedTurn, TurnFunction } from '@tenon/core/testing';
import { createBench, eventsIn, type Bench } from '../cli-process.js';

const SCRIPTED = fileURLToPath(new URL('scripted-server.mjs', import.meta.url));
const require = createRequire(import.meta.url);
const EVERYTHING = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
const FILES = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');

let bench: Bench | undefined;

afterEach(async () => {
  const home = bench?.tenonHome;
  await bench?.end();
  bench = undefined;
  if (home !== undefined) expect(left(home)).toEqual([]);
});

type Server = Readonly<Record<string, unknown>>;

function scripted(...words: readonly string[]): Server {
  return { command: process.execPath, args: [SCRIPTED, ...words] };
}

function packaged(file: string, ...args: readonly string[]): Server {
  return { command: process.execPath, args: [file, ...args] };
}

async function open(
  turns: readonly (ScriptedTurn | TurnFunction)[],
  mcpServers: Readonly<Record<string, Server>>,
  more: object = {},
): Promise<Bench> {
  bench = await createBench(turns, {
    settings: JSON.stringify({ mcpServers, ...more }),
    files: { 'a.txt': 'inside a\n' },
  });
  return bench;
}

async function settingsWith({ tenonHome }: Bench, more: object): Promise<string> {
  const text = await readFile(path.join(tenonHome, 'settings.json'), 'utf8');
  return JSON.stringify({ ...(JSON.parse(text) as object), ...more });
}

const call = (name: string, args: object): ScriptedTurn => ({ toolCalls: [{ name, arguments: { ...args } }] });
const DONE: ScriptedTurn = { text: 'Done.' };

function offered({ model }: Bench, request = 0): string[] {
  return (model.requests[request]?.body.tools ?? []).map((tool) => tool.function.name);
}

function lastResult({ model }: Bench): string {
  return JSON.stringify(
    model.requests
      .at(-1)
      ?.body.messages.filter(({ role }) => role === 'tool')
      .at(-1)?.content,
  );
}

/** Programs that still run with this home in their environment. */
function left(home: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(path.dirname(home));
        return isOurs ? [pid] : [];
      } catch {
        return [];
      }
    });
}

describe('real servers', () => {
  it('are ready before the first request; a call is denied where nobody can be asked, and runs by a rule (S126, S132, S134)', async () => {
    const servers = { every: packaged(EVERYTHING), files: packaged(FILES, '.') };
    const opened = await open([call('every__echo', { message: 'hello there' }), DONE], servers);
    const denied = await opened.run(['-p', 'x']);
    expect(denied.code).toBe(4);
    expect(denied.stderr).toContain('--allow every__echo');
    const names = offered(opened);
    expect(names).toEqual(
      expect.arrayContaining(['read_file', 'every__echo', 'files__read_text_file', 'mcp_resource']),
    );
    // In the order of the settings, behind our own.
    expect(names.indexOf('every__echo')).toBeLessThan(names.findIndex((name) => name.startsWith('files__')));
    expect(lastResult(opened)).not.toContain('hello there');
    await opened.end();

    const again = await open([call('mcp__every__echo', { message: 'hello there' }), DONE], servers);
    const allowed = await again.run(['-p', 'x', '--allow', 'every__echo']);
    expect(allowed).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(lastResult(again)).toContain('Echo: hello there');
    expect(lastResult(again)).toContain('data, no instructions');
  });

  it('give images, structured results and resources (S132)', async () => {
    const turns = [
      call('every__get-tiny-image', {}),
      call('every__get-structured-content', { location: 'New York' }),
      call('mcp_resource', { operation: 'list', server: 'every' }),
      call('mcp_resource', { operation: 'read', server: 'every', uri: 'demo://resource/dynamic/text/1' }),
      DONE,
    ];
    const opened = await open(turns, { every: packaged(EVERYTHING) });
    const run = await opened.run([
      '-p',
      'x',
      '--output-format',
      'stream-json',
      '--allow',
      'every__*',
      '--allow',
      'mcp_resource',
    ]);
    expect(run.code).toBe(0);
    const ends = eventsIn(run.stdout).filter((event) => event.type === 'tool-call-end');
    expect(ends.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'success']);
    expect(JSON.stringify(ends[0]?.content)).toContain('"mimeType":"image/png"');
    expect(ends[1]?.data).toMatchObject({ temperature: expect.anything() as unknown });
    expect(JSON.stringify(ends[2]?.content)).toContain('demo://resource/');
    expect(JSON.stringify(ends[3]?.content)).toContain('Resource demo://resource/dynamic/text/1');
  });

  it('may change files: that is undone as what commands changed is', async () => {
    const opened = await open(
      [
        call('files__write_file', { path: 'new.txt', content: 'new\n' }),
        call('files__edit_file', { path: 'a.txt', edits: [{ oldText: 'inside', newText: 'outside' }] }),
        DONE,
      ],
      { files: packaged(FILES, '.') },
    );
    const { code, stderr } = await opened.run(['-p', 'x', '--allow', 'files__*']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('files were changed')]);
    const file = (name: string): string => path.join(opened.workspace, name);
    expect(await readFile(file('a.txt'), 'utf8')).toBe('outside a\n');
    expect((await opened.run(['log'])).stdout).toContain('files__edit_file');
    const undone = await opened.run(['undo', '--turn']);
    expect(undone).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(file('a.txt'), 'utf8')).toBe('inside a\n');
    await expect(readFile(file('new.txt'))).rejects.toThrow('ENOENT');
  });

  it('do not get the keys of providers, and their words stand in a log', async () => {
    const opened = await open([call('every__get-env', {}), DONE], { every: packaged(EVERYTHING) });
    await opened.run(['-p', 'x', '--allow', 'every__get-env'], { env: { AWS_SECRET_ACCESS_KEY: 'aws-secret' } });
    expect(lastResult(opened)).toContain('PATH');
    expect(lastResult(opened)).not.toMatch(/sk-secret-key|aws-secret/);
    const [project = ''] = readdirSync(path.join(opened.tenonHome, 'projects'));
    expect(readdirSync(path.join(opened.tenonHome, 'projects', project, 'logs'))).toEqual(['mcp-every.log']);
  });

  it('are used for one call from the command line, and only the one that it needs (S126)', async () => {
    const opened = await open([], { every: packaged(EVERYTHING), broken: { command: '/does/not/exist' } });
    const run = await opened.run(['call', 'every__get-sum', '{"a": 2, "b": 3}', '--allow', 'every__get-sum']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('The sum of 2 and 3 is 5');
    const failed = await opened.run(['call', 'broken__x', '{}']);
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toContain('broken');
    expect((await opened.run(['tools'])).stderr).toContain('(every, broken)');
    expect((await opened.run(['tools', 'every'])).stdout).toMatch(/^every__echo +Echoes back/m);
    expect((await opened.run(['tools', 'every__echo'])).stdout).toContain('"message"');
  });

  it('attach a resource that the prompt names', async () => {
    const opened = await open([DONE], { every: packaged(EVERYTHING) });
    await opened.run(['-p', 'look at @every:demo://resource/dynamic/text/3 please', '--allow', 'mcp_resource']);
    expect(JSON.stringify(opened.model.requests[0]?.body.messages)).toContain(
      'Resource demo://resource/dynamic/text/3',
    );
  });
});

describe('servers that misbehave', () => {
  it('cost no other server its tools, and the person is told (S126)', async () => {
    const servers = {
      silent: { ...scripted('silent'), startupTimeout: 1500 },
      dead: scripted('die-at-start=3'),
      good: scripted('garbage', 'stderr-flood=2000'),
      bad: scripted('bad-tools', 'duplicate-names'),
    };
    const opened = await open([call('good__echo', { text: 'still here' }), DONE], servers);
    const { code, stderr } = await opened.run(['-p', 'x', '--allow', 'good__*']);
    expect(code).toBe(0);
    expect(stderr).toContain('The server "dead" cannot be used');
    expect(stderr).toContain('The server "silent"');
    expect(stderr).toMatch(/of the server "bad" cannot be used: /);
    expect(offered(opened)).toEqual(expect.arrayContaining(['good__echo', 'bad__echo']));
    for (const name of offered(opened)) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  it('are no cause to end: one that dies in a call gives an error that says what to do', async () => {
    const opened = await open([call('s__die', {}), DONE], { s: scripted() });
    const { code } = await opened.run(['-p', 'x', '--allow', 's__*']);
    expect(code).toBe(0);
    expect(lastResult(opened)).toMatch(/server .*\bs\b/);
  });

  it('end with the run, with what they started, whether they want or not', async () => {
    const opened = await open([DONE], { s: scripted('ignore-end', 'child'), slow: scripted('slow-start=60000') });
    const started = performance.now();
    await writeFile(
      path.join(opened.tenonHome, 'settings.json'),
      await settingsWith(opened, { 'mcp.startupTimeout': 1500 }),
    );
    expect((await opened.run(['-p', 'x'])).code).toBe(0);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('hold up nothing with 10,000 tools, and a result of 20 MB is cut for the model', async () => {
    const opened = await open([call('s__big', { bytes: 20_000_000 }), DONE], {
      s: scripted('many-tools=10000', 'page-size=1000'),
    });
    const { code } = await opened.run(['-p', 'x', '--allow', 's__*']);
    expect(code).toBe(0);
    expect(lastResult(opened)).toContain('left out here. All of it is in');
    expect(lastResult(opened).length).toBeLessThan(200_000);
  });
});

describe('a tool that is no longer what it was', () => {
  /** Behaves as the file `words` says, and is started by the same words always. */
  const changing = `import { readFileSync } from 'node:fs';
process.argv.push(...readFileSync('words', 'utf8').split(/\\s+/).filter(Boolean));
await import(${JSON.stringify(SCRIPTED)});
`;

  async function openChanging(turns: readonly ScriptedTurn[]): Promise<Bench> {
    const opened = await open(turns, { s: { command: process.execPath, args: ['server.mjs'] } });
    await writeFile(path.join(opened.workspace, 'server.mjs'), changing);
    await writeFile(path.join(opened.workspace, 'words'), 'many-tools=1');
    return opened;
  }

  it('is held back, told, refused with the reason, and offered again once it is accepted (S126)', async () => {
    const opened = await openChanging([DONE, call('s__echo', { text: 'x' }), DONE, DONE]);
    expect((await opened.run(['-p', 'x'])).code).toBe(0);
    expect(offered(opened)).toContain('s__echo');
    await writeFile(path.join(opened.workspace, 'words'), 'many-tools=1 changed-after=0');
    const held = await opened.run(['-p', 'x', '--allow', 's__*']);
    expect(held.stderr).toContain('held back');
    expect(offered(opened, 1)).not.toContain('s__echo');
    expect(offered(opened, 1)).toContain('s__tool_0');
    expect(lastResult(opened)).toContain('held back until they accept');
    const accepted = await opened.run(['mcp', 'accept', 's']);
    expect(accepted.code).toBe(0);
    await opened.run(['-p', 'x']);
    expect(offered(opened, 3)).toContain('s__echo');
  });

  it('is held back in the middle of a session as well', async () => {
    const opened = await openChanging([call('s__storm', { count: 1 }), call('s__slow', { ms: 1500 }), DONE]);
    await writeFile(path.join(opened.workspace, 'words'), 'changed-after=1');
    const { stderr } = await opened.run(['-p', 'x', '--allow', 's__*']);
    expect(offered(opened, 0)).toContain('s__echo');
    expect(offered(opened, 2)).not.toContain('s__echo');
    expect(stderr).toContain('held back');
  });

  it('is held back as well when a known server did not have it before, and shown as new (S126)', async () => {
    const opened = await openChanging([DONE, call('s__tool_1', {}), DONE, DONE]);
    expect((await opened.run(['-p', 'x'])).code).toBe(0);
    await writeFile(path.join(opened.workspace, 'words'), 'many-tools=2');
    const held = await opened.run(['-p', 'x', '--allow', 's__*']);
    expect(held.stderr).toContain('1 new tool of the server "s" is held back until you accept it: tool_1.');
    expect(offered(opened, 1)).toContain('s__tool_0');
    expect(offered(opened, 1)).not.toContain('s__tool_1');
    expect(lastResult(opened)).toContain('came since the user let the server in');
    const shown = await opened.run(['mcp', 'accept']);
    expect(shown.stdout).toMatch(/^s: tool_1\n {4}It is new\.\n[^]*description:\n {4}\+ /m);
    expect((await opened.run(['mcp', 'accept', 's', 'tool_1'])).code).toBe(0);
    await opened.run(['-p', 'x']);
    expect(offered(opened, 3)).toContain('s__tool_1');
  });

  it('is any of a server whose remembered tools cannot be read: the file stays until the person accepts', async () => {
    const opened = await openChanging([DONE, DONE, DONE]);
    await opened.run(['-p', 'x']);
    const names = await readdir(opened.tenonHome, { recursive: true });
    const lock = path.join(opened.tenonHome, names.find((name) => name.endsWith('mcp.lock.json')) ?? 'none');
    await writeFile(lock, '{"version":1,');
    expect(await opened.run(['mcp', 'accept', 's'])).toMatchObject({ code: 7, stdout: '' });
    const { code, stderr } = await opened.run(['-p', 'x']);
    expect(code).toBe(0);
    expect(stderr).toContain(`${lock} cannot be believed: it is damaged.`);
    expect(offered(opened, 1)).toContain('read_file');
    expect(offered(opened, 1).filter((name) => name.startsWith('s__'))).toEqual([]);
    expect(await readFile(lock, 'utf8')).toBe('{"version":1,');
    const called = await opened.run(['call', 's__tool_0', '{}', '--allow', 's__*']);
    expect(called).toMatchObject({ code: 2, stdout: '' });
    expect(called.stderr).toContain(`${lock} cannot be believed: it is damaged.`);
    expect(called.stderr).toContain('The tool "s__tool_0" is held back until you accept');
    const listed = await opened.run(['mcp', 'accept']);
    expect(listed.stderr).toContain('Mend the file, or let servers in again');
    expect(listed.stdout).toContain('+ tool_0: ');
    expect((await opened.run(['mcp', 'accept', 's'])).stdout).toContain('Let in: s.');
    expect((await readdir(path.dirname(lock))).filter((name) => name.includes('.damaged-'))).toHaveLength(1);
    await opened.run(['-p', 'x']);
    expect(offered(opened, 2)).toContain('s__tool_0');
  });

  it('counts as another when its server is started in another way', async () => {
    const opened = await openChanging([DONE, DONE]);
    await opened.run(['-p', 'x']);
    const settings = path.join(opened.tenonHome, 'settings.json');
    await writeFile(settings, (await readFile(settings, 'utf8')).replace('"server.mjs"', '"./server.mjs"'));
    const { stderr } = await opened.run(['-p', 'x']);
    expect(stderr).toContain('held back');
    expect(offered(opened, 1).filter((name) => name.startsWith('s__'))).toEqual([]);
  });
});
