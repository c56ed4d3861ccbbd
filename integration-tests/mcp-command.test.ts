import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createBench, type Bench, type BenchOptions } from './cli-process.js';

const SERVER = fileURLToPath(new URL('mcp/scripted-server.mjs', import.meta.url));

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.end();
  bench = undefined;
});
const open = async (options: BenchOptions = {}): Promise<Bench> =>
  (bench = await createBench([{ text: 'Done.' }, { text: 'Done.' }, { text: 'Done.' }], options));
const settingsOf = async ({ tenonHome }: Bench): Promise<string> =>
  readFile(path.join(tenonHome, 'settings.json'), 'utf8');
const runs = (...words: string[]): object => ({ command: process.execPath, args: [SERVER, ...words] });

describe('tenon mcp', () => {
  it('adds, shows, switches and removes servers, and leaves the rest of the file as it was', async () => {
    const settings = '{\n  // mine\n  "approvalMode": "default", // as ever\n}\n';
    const { run, tenonHome } = await open({ settings });
    const opened = bench as Bench;
    const file = path.join(tenonHome, 'settings.json');
    await run(['config']);
    expect(await run(['mcp', 'list'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('There are no servers.'),
    });
    const added = await run([
      'mcp',
      'add',
      'a b',
      '--env',
      'KEY=s3cret',
      '--trust',
      '--',
      process.execPath,
      SERVER,
      '--x',
    ]);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toContain(`Added a b to ${file}.`);
    expect(added.stdout).not.toContain('s3cret');
    expect(await settingsOf(opened)).toContain(
      '  // mine\n  "approvalMode": "default", // as ever\n  "mcpServers": {\n',
    );
    const [listed] = JSON.parse((await run(['mcp', 'list', '--json'])).stdout);
    expect(listed).toEqual({
      name: 'a b',
      origin: 'user',
      place: expect.stringContaining(file),
      state: 'used',
      reason: null,
      definition: { command: process.execPath, args: [SERVER, '--x'], env: { KEY: '(hidden)' }, trust: true },
    });
    expect((await run(['mcp', 'disable', 'a b'])).stdout).toContain('Switched a b off');
    expect((await run(['mcp', 'list'])).stdout).toMatch(/^off {7}"a b" {2}runs /);
    await run(['mcp', 'enable', 'a b']);
    const shown = await run(['mcp', 'get', 'a b']);
    expect(shown.stdout).toContain('"a b": used');
    expect(shown.stdout).not.toMatch(/s3cret|disabled/);
    await run(['mcp', 'remove', 'a b']);
    expect(await settingsOf(opened)).toBe(settings.replace('ever\n', 'ever\n  "mcpServers": {},\n'));
  });

  it('adds addresses and JSON, to the project too, where the folder must be trusted with them', async () => {
    const { run, workspace } = await open();
    const add = await run([
      'mcp',
      'add',
      'far',
      'https://h.example/mcp?k=v',
      '--header',
      'X-Key: ${KEY:-none}',
      '--scope',
      'mcp.json',
    ]);
    expect(add).toMatchObject({ code: 0, stderr: '' });
    expect(add.stdout).toContain('`tenon trust --yes`');
    const json = await run([
      'mcp',
      'add-json',
      'near',
      JSON.stringify({ ...runs(), env: { A: 'b' } }),
      '--scope',
      'project',
    ]);
    expect(json.stderr).toContain('is read by everybody who has the project');
    expect(JSON.parse(await readFile(path.join(workspace, '.mcp.json'), 'utf8'))).toEqual({
      mcpServers: { far: { url: 'https://h.example/mcp?k=v', headers: { 'X-Key': '${KEY:-none}' } } },
    });
    const before = (await run(['mcp', 'list'])).stdout;
    expect(before).toContain('connects to https://h.example/mcp?k=(hidden) (headers X-Key=${KEY:-…})  (.mcp.json)');
    expect(before.match(/^not used/gm)).toHaveLength(2);
    await run(['trust', '--yes']);
    expect((await run(['mcp', 'list'])).stdout.match(/^used/gm)).toHaveLength(2);
  });

  it.each([
    [['lst'], 'Did you mean "list"?'],
    [['get', 'flies'], 'Did you mean "files"?'],
    [['add', 'x'], 'tenon mcp add files -- npx -y some-server'],
    [['add', 'files', '--', 'x'], 'already'],
    [['add', 'x', 'https://a', '--env', 'A=b'], '--env goes with a command'],
    [['add', 'x', '--header', 'A: b', '--', 'c'], '--header goes with an address'],
    [['add', 'x', '--transport', 'http', '--', 'c'], 'begins with http'],
    [['add', 'x', '--env', 'A', '--', 'c'], '--env KEY=value'],
    [['add', '', '--', 'c'], 'Its name is empty'],
    [['add-json', 'x', '{'], 'That is not JSON'],
    [['add-json', 'x', '{"command": "a", "excludeTool": []}'], 'Did you mean "excludeTools"?'],
    [['list', '--scope', 'user'], '--scope does not go with "tenon mcp list"'],
    [['remove', 'files', '--scope', 'project'], 'which this does not change'],
    [['test', 'off'], 'switched off: `tenon mcp enable off`'],
    [['login', 'files'], 'one does not sign in at'],
  ])('says what is wrong and what to do: %j', async (words, message) => {
    const settings = JSON.stringify({ mcpServers: { files: runs(), off: { ...runs(), disabled: true } } });
    const { code, stderr } = await (await open({ settings })).run(['mcp', ...words]);
    expect(stderr).toContain(message);
    expect(code).toBe(words[0] === 'login' ? 1 : 2);
  });

  it('changes nothing for a command of an agent', async () => {
    const settings = JSON.stringify({ mcpServers: { files: runs() } });
    const { run } = await open({ settings });
    const env = { TENON: '1' };
    for (const words of [
      ['add', 'x', '--', 'y'],
      ['remove', 'files'],
      ['disable', 'files'],
      ['login', 'files'],
      ['accept', 'files'],
    ]) {
      const { code, stderr } = await run(['mcp', ...words], { env });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Only a person') });
    }
    expect(await settingsOf(bench as Bench)).toBe(settings);
  });

  it('tells of a shared file that cannot be read, and goes on', async () => {
    const settings = JSON.stringify({ mcpServers: { files: { ...runs(), zzz: 1 } } });
    const { run } = await open({ settings, files: { '.mcp.json': '{"mcpServers"' } });
    const { code, stdout, stderr } = await run(['mcp', 'list']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^used +files/) });
    expect(stderr).toContain('.mcp.json: is not valid JSON');
    expect(stderr).toContain('the server "files": "zzz" means nothing here.');
  });

  it('leaves settings alone that it cannot read', async () => {
    const { run } = await open({ settings: '{"mcpServers": ' });
    expect(await run(['mcp', 'add', 'x', '--', 'y'])).toMatchObject({ code: 7 });
    expect(await settingsOf(bench as Bench)).toBe('{"mcpServers": ');
  });

  it('connects and says how each server is, with exit code 1 when one fails', async () => {
    const settings = JSON.stringify({
      mcpServers: { well: runs(), ill: { command: 'no-such-program-here' }, off: { ...runs(), disabled: true } },
    });
    const { run } = await open({ settings });
    const { code, stdout } = await run(['mcp', 'status']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ready +well \(\d+ tools, .*protocol 20\d\d-\d\d-\d\d/m);
    expect(stdout).toMatch(/^failed +ill\n +.*no-such-program-here/m);
    const one = await run(['mcp', 'status', 'well', '--json']);
    expect(one.code).toBe(0);
    expect(JSON.parse(one.stdout)).toEqual([expect.objectContaining({ name: 'well', state: 'ready' })]);
  });

  it('tests one server with what it offers and how long that took', async () => {
    const settings = JSON.stringify({ mcpServers: { well: runs(), ill: runs('die-at-start=3') } });
    const { run } = await open({ settings });
    const well = await run(['mcp', 'test', 'well']);
    expect(well.code).toBe(0);
    expect(well.stdout).toMatch(/^tools: \d+ in \d+ ms\n {4}echo$/m);
    const ill = await run(['mcp', 'test', 'ill']);
    expect(ill).toMatchObject({ code: 1, stdout: expect.stringMatching(/^failed +ill\n/) });
    expect(JSON.parse((await run(['mcp', 'test', 'well', '--json'])).stdout)).toMatchObject({
      failure: null,
      state: 'ready',
    });
  });

  it('takes servers of the command line, alone where nothing else is wanted', async () => {
    const { run, workspace } = await open({ settings: JSON.stringify({ mcpServers: { mine: runs() } }) });
    await writeFile(path.join(workspace, 'more.json'), JSON.stringify({ mcpServers: { theirs: runs() } }));
    const both = await run(['mcp', 'list', '--mcp-config', 'more.json']);
    expect(both.stdout).toMatch(/theirs.*\(host\)[\s\S]*mine.*\(user\)/);
    const alone = await run(['mcp', 'list', '--mcp-config', 'more.json', '--strict-mcp-config']);
    expect(alone.stdout).not.toContain('mine');
    expect(await run(['mcp', 'list', '--mcp-config', 'none.json'])).toMatchObject({ code: 7 });
  });
});

describe('a run', () => {
  const offered = async (one: Bench, args: readonly string[] = []): Promise<string[]> => {
    expect(await one.run(['-p', 'x', ...args])).toMatchObject({ code: 0 });
    const body: { tools?: { function: { name: string } }[] } = JSON.parse(one.model.requests.at(-1)?.bodyText ?? '{}');
    return (body.tools ?? []).map((tool) => tool.function.name).filter((name) => name.endsWith('__echo'));
  };

  it.each(['mcpServerCommand', 'mcp.mcpServerCommand', 'mcp.serverCommand'])(
    'offers the tools of the server of `%s` (S132)',
    async (key) => {
      const settings = JSON.stringify({ [key]: `'${process.execPath}' '${SERVER}'` });
      expect(await offered(await open({ settings }))).toEqual(['server__echo']);
    },
  );

  it('offers those of several servers of the settings and of the command line (S133)', async () => {
    const settings = JSON.stringify({
      mcpServers: { a: runs(), b: runs(), off: { ...runs(), disabled: true }, ill: { command: '' } },
    });
    const several = await open({ settings, files: { 'more.json': JSON.stringify({ servers: { c: runs() } }) } });
    expect((await offered(several)).toSorted()).toEqual(['a__echo', 'b__echo']);
    expect((await offered(several, ['--mcp-config', 'more.json'])).toSorted()).toEqual([
      'a__echo',
      'b__echo',
      'c__echo',
    ]);
    expect(await offered(several, ['--mcp-config', 'more.json', '--strict-mcp-config'])).toEqual(['c__echo']);
  });
});
