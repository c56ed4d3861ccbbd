import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings, type LoadedSettings, type SettingsPlaces } from './load-settings.js';

let folder: string;
let root: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-servers-')));
  root = path.join(folder, 'project');
  await mkdir(path.join(folder, 'home', '.tenon'), { recursive: true });
  await mkdir(path.join(folder, 'machine'));
  await mkdir(path.join(root, '.tenon'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const USER = 'home/.tenon/settings.json';
const PROJECT = 'project/.tenon/settings.json';
const SERVERS = 'project/.mcp.json';
const MANAGED = 'machine/settings.json';

async function load(
  files: Readonly<Record<string, unknown>> = {},
  more: Partial<SettingsPlaces> = {},
): Promise<LoadedSettings> {
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(path.join(folder, name), text, { mode: 0o644 });
  }
  return loadSettings({
    tenonHome: path.join(folder, 'home', '.tenon'),
    projectRoot: root,
    managed: { file: path.join(folder, MANAGED), owner: process.getuid?.() },
    ...more,
  });
}

async function loadTrusting(files: Readonly<Record<string, unknown>>): Promise<LoadedSettings> {
  await (await load(files)).trust.accept();
  return load();
}

const used = ({ extensions }: LoadedSettings): string[] =>
  extensions.servers.flatMap(({ alias, origin, definition, unused }) =>
    definition === undefined || unused !== undefined ? [] : [`${alias} (${origin})`],
  );
const why = ({ extensions }: LoadedSettings, alias: string): (string | undefined)[] =>
  extensions.servers.filter((server) => server.alias === alias).map(({ unused }) => unused);
const messages = ({ problems }: LoadedSettings): string => problems.map(({ message }) => message).join('\n');
const runs = (command: string): object => ({ command });

describe('servers in the settings', () => {
  it('are read of the person, of the project and of .mcp.json, each alias once (S133)', async () => {
    const loaded = await loadTrusting({
      [USER]: { mcpServers: { mine: runs('a'), both: runs('a') } },
      [PROJECT]: { mcpServers: { theirs: runs('b'), both: runs('b') } },
      [SERVERS]: { mcpServers: { third: { url: 'http://a/' }, theirs: runs('c') } },
    });
    expect(used(loaded)).toEqual(['mine (user)', 'both (user)', 'theirs (project)', 'third (.mcp.json)']);
    expect(why(loaded, 'both')[1]).toContain(`The one of the same name in user settings (${path.join(folder, USER)}`);
    expect(messages(loaded)).toContain('the server "both": is not used.');
    expect(messages(loaded)).toContain('the server "theirs": is not used.');
  });

  it('as an editor writes them in .mcp.json count as well', async () => {
    expect(used(await loadTrusting({ [SERVERS]: '{ // ours\n "servers": { "a": { "command": "x" }, } }' }))).toEqual([
      'a (.mcp.json)',
    ]);
  });

  it('cost only themselves where one is wrong', async () => {
    const loaded = await load({
      [USER]: { mcpServers: { a: runs('a'), b: 7, c: { command: '${NONE}' }, d: runs('d') } },
    });
    expect(used(loaded)).toEqual(['a (user)', 'd (user)']);
    expect(loaded.problems.map(({ severity }) => severity)).toEqual(['warning', 'warning']);
    expect(messages(loaded)).toContain('${NONE} is not set');
  });

  it('that are broken in the settings of the person are not replaced by the project’s', async () => {
    const loaded = await loadTrusting({
      [USER]: { mcpServers: { a: { command: '${NONE}' } } },
      [PROJECT]: { mcpServers: { a: runs('evil') } },
    });
    expect(used(loaded)).toEqual([]);
  });

  it('take variables and times of the settings', async () => {
    const loaded = await load(
      {
        [USER]: {
          mcpServers: { a: { command: '${WHAT}' } },
          mcp: { callTimeout: 7, maxCallTimeout: 9, startupTimeout: 8 },
        },
      },
      { variables: { WHAT: 'node' } },
    );
    expect(loaded.extensions.servers[0]?.definition).toMatchObject({
      transport: { command: 'node' },
      timeoutMs: 7,
      longestMs: 9,
      startupMs: 8,
    });
  });

  it.each(['mcpServerCommand', 'mcp.mcpServerCommand', 'mcp.serverCommand'])(
    'may be one command, `%s`',
    async (key) => {
      const loaded = await load({ [USER]: nested(key, 'node "my server.js" --x') });
      const isOld = key !== 'mcp.serverCommand';
      const warned = `"${key}" is an old name of "mcp.serverCommand". It still works; rename it.`;
      expect(loaded.problems.map(({ message }) => message.replace(/^.*?: /, ''))).toEqual(isOld ? [warned] : []);
      expect(loaded.extensions.servers[0]?.definition).toMatchObject({
        alias: 'server',
        transport: { command: 'node', args: ['my server.js', '--x'] },
      });
    },
  );

  it('by a command that cannot be split are not used, and it is said why', async () => {
    const loaded = await load({ [USER]: { mcp: { serverCommand: 'a | b' } } });
    expect(used(loaded)).toEqual([]);
    expect(messages(loaded)).toContain('"mcp.serverCommand" is not used');
  });
});

describe('the commands that discover and call tools', () => {
  it.each([
    ['toolDiscoveryCommand', 'toolCallCommand'],
    ['tools.toolDiscoveryCommand', 'tools.toolCallCommand'],
    ['tools.discoveryCommand', 'tools.callCommand'],
  ])('have three spellings, and the old ones are warned about once: %s, %s (K11)', async (discovery, call) => {
    const { values, problems } = await load({
      [USER]: { ...nested(discovery, 'd x'), ...only(discovery, call, 'd x', 'c') },
    });
    const warned = [
      `"${discovery}" is an old name of "tools.discoveryCommand". It still works; rename it.`,
      `"${call}" is an old name of "tools.callCommand". It still works; rename it.`,
    ];
    const isOld = discovery !== 'tools.discoveryCommand';
    expect(problems.map(({ message }) => message.replace(/^.*?: /, ''))).toEqual(isOld ? warned : []);
    expect([values['tools.discoveryCommand']?.value, values['tools.callCommand']?.value]).toEqual(['d x', 'c']);
  });

  it('in two spellings: the first of the reference counts, wherever it stands, and one warning says so', async () => {
    for (const settings of [
      { toolCallCommand: 'old', tools: { toolCallCommand: 'middle', callCommand: 'new' } },
      { tools: { callCommand: 'new' }, toolCallCommand: 'old' },
    ]) {
      const { values, problems } = await load({ [USER]: settings });
      expect(values['tools.callCommand']?.value).toBe('new');
      for (const { severity, message } of problems) {
        expect(severity).toBe('warning');
        expect(message).toMatch(/are one setting: "[\w.]+" counts\. Keep one of them\.$/);
      }
      expect(problems.at(-1)?.message).toContain('"tools.callCommand" counts');
    }
  });
});

describe('servers of a folder that nobody trusts', () => {
  it('are only told of, each file by itself', async () => {
    const files = { [PROJECT]: { mcpServers: { a: runs('a') } }, [SERVERS]: { mcpServers: { b: runs('b') } } };
    const before = await load(files);
    expect(used(before)).toEqual([]);
    expect(why(before, 'a')).toEqual([expect.stringContaining('not trusted')]);
    expect(messages(before)).toContain('"b" is not used, because the folder is not trusted with the file');
    await before.trust.accept();
    expect(used(await load())).toEqual(['a (project)', 'b (.mcp.json)']);
    // One file changed: the other still counts.
    expect(used(await load({ [SERVERS]: { mcpServers: { b: runs('evil') } } }))).toEqual(['a (project)']);
    expect(
      used(
        await load({ [SERVERS]: { mcpServers: { b: runs('b') } }, [PROJECT]: '{"mcpServers":{"a":{"command":"e"}}}' }),
      ),
    ).toEqual(['b (.mcp.json)']);
  });

  it('are shown as they are written, a line each, without values that may be secret', async () => {
    const { trust } = await load(
      {
        [PROJECT]: {
          mcpServers: { x: { command: 'npx', args: ['-y', 'srv', '${A}'], env: { KEY: 'abc' } } },
          tools: { discoveryCommand: 'python3 t.py' },
          lsp: {
            servers: {
              py: { command: 'pyls', args: ['--stdio'] },
              ts: { command: 'tsls', env: { NODE_OPTIONS: '-r ./x' }, settings: { plugin: './evil' } },
            },
          },
        },
        [SERVERS]: {
          mcpServers: {
            y: { url: 'https://h/mcp', headers: { Authorization: 'Bearer ${OPENAI_API_KEY}' } },
            z: {
              url: 'https://i/mcp',
              headersHelper: 'get --realm ${A}',
              oauth: { grant: 'client_credentials', clientId: 'c', clientSecret: '${OPENAI_API_KEY}' },
            },
          },
        },
      },
      { variables: { A: 'expanded', OPENAI_API_KEY: 'sk-1' } },
    );
    expect(trust.entries.map(({ id, lines }) => [id, lines])).toEqual([
      [
        '.tenon/settings.json',
        [
          'mcpServers.x runs npx -y srv ${A} (environment KEY)',
          'tools.discoveryCommand: python3 t.py',
          'lsp.servers.py runs pyls --stdio',
          'lsp.servers.ts runs tsls (environment NODE_OPTIONS=-r ./x) (with {"settings":{"plugin":"./evil"}})',
        ],
      ],
      [
        '.mcp.json',
        [
          'y connects to https://h/mcp (headers Authorization=${OPENAI_API_KEY})',
          'z connects to https://i/mcp (headers from get --realm ${A}; signs in as itself clientId=c, clientSecret=${OPENAI_API_KEY})',
        ],
      ],
    ]);
  });

  it.each([
    ['its program', { command: './run.sh' }],
    ['the script that its interpreter runs', { command: 'node', args: ['--no-warnings', 'tools/run.sh'] }],
    ['what is loaded before it', { command: 'node', args: ['--import', './tools/run.sh', 'own.mjs'] }],
    ['a script behind what is loaded', { command: 'node', args: ['--require=./own.mjs', 'tools/run.sh'] }],
    ['a script below its own folder', { command: 'sh', args: ['run.sh'], cwd: 'tools' }],
    [
      'what a variable has loaded',
      { command: 'npx', args: ['srv'], env: { NODE_OPTIONS: '--require ./tools/run.sh' } },
    ],
    ['what prints its headers', { url: 'https://h/', headersHelper: 'sh tools/run.sh' }],
    ['the program that prints its headers', { url: 'https://h/', headersHelper: ['./run.sh', 'x'] }],
    ['an absolute script', { command: 'sh', args: ['${workspaceFolder}/tools/run.sh'] }],
  ])('are asked about again when %s changes', async (_, raw) => {
    await mkdir(path.join(root, 'tools'));
    const put = async (text: string): Promise<void> => {
      for (const name of ['run.sh', 'tools/run.sh']) await writeFile(path.join(root, name), text);
    };
    await writeFile(path.join(root, 'own.mjs'), '');
    await put('#!/bin/sh\n');
    const first = await load({ [SERVERS]: { mcpServers: { a: raw } } });
    expect(first.trust.entries[0]?.lines.join('\n')).toMatch(
      /^ {2}which runs (tools\/)?run\.sh of this folder \(content [0-9a-f]{12}\)$/m,
    );
    await first.trust.accept();
    expect(used(await load())).toEqual(['a (.mcp.json)']);
    await put('#!/bin/sh\nevil\n');
    const changed = await load();
    expect(used(changed)).toEqual([]);
    expect(changed.trust.entries[0]).toMatchObject({ state: 'changed' });
    await put('#!/bin/sh\n');
    expect(used(await load())).toEqual(['a (.mcp.json)']);
  });

  it('are asked about again when a module of Python changes that they run', async () => {
    await mkdir(path.join(root, 'tools'));
    await writeFile(path.join(root, 'tools', '__main__.py'), 'a');
    const raw = { command: 'python3', args: ['-m', 'tools'] };
    const first = await load({ [SERVERS]: { mcpServers: { a: raw } } });
    await first.trust.accept();
    expect(used(await load())).toEqual(['a (.mcp.json)']);
    await writeFile(path.join(root, 'tools', '__main__.py'), 'evil');
    expect(used(await load())).toEqual([]);
  });

  it('are not asked about again for data that they work with', async () => {
    await writeFile(path.join(root, 'data.sqlite'), 'a');
    await chmod(path.join(root, 'data.sqlite'), 0o644);
    const loaded = await load({
      [SERVERS]: { mcpServers: { a: { command: 'uvx', args: ['db', '--path', './data.sqlite'] } } },
    });
    await loaded.trust.accept();
    await writeFile(path.join(root, 'data.sqlite'), 'b');
    expect(used(await load())).toEqual(['a (.mcp.json)']);
  });

  it('stop nothing when .mcp.json is broken', async () => {
    for (const text of ['{"mcpServers"', '[]', '{}', '{"mcpServers": []}']) {
      const { problems } = await load({ [SERVERS]: text });
      expect(problems).toEqual([{ severity: 'warning', message: expect.stringContaining('.mcp.json') }]);
    }
  });
});

describe('what the administrator says of servers', () => {
  it('counts before all others, and limits them', async () => {
    const loaded = await loadTrusting({
      [MANAGED]: { mcpServers: { own: runs('m') }, mcp: { allowed: ['own', 'good-*'], excluded: ['good-bad'] } },
      [USER]: {
        mcpServers: { own: runs('u'), 'good-one': runs('u'), 'good-bad': runs('u'), other: runs('u') },
        mcp: { allowed: ['*'] },
      },
      [SERVERS]: { mcpServers: { 'good-two': runs('f'), more: runs('f') } },
    });
    expect(used(loaded)).toEqual(['own (managed)', 'good-one (user)', 'good-two (.mcp.json)']);
    expect(why(loaded, 'other')[0]).toContain('"mcp.allowed" of the managed settings');
    expect(why(loaded, 'good-bad')[0]).toContain('"mcp.excluded" of the managed settings');
  });

  it('leaves none where nothing is allowed, and a project may narrow it without trust', async () => {
    const files = { [USER]: { mcpServers: { a: runs('a'), b: runs('b') } } };
    expect(used(await load({ ...files, [MANAGED]: { mcp: { allowed: [] } } }))).toEqual([]);
    await rm(path.join(folder, MANAGED));
    expect(used(await load({ [PROJECT]: { mcp: { excluded: ['a'] } } }))).toEqual(['b (user)']);
    expect(used(await load({ [PROJECT]: { mcp: { allowed: ['*'] } } }))).toEqual(['a (user)', 'b (user)']);
  });

  it('starts nothing where the system does not tell who wrote it', async () => {
    const managed = { file: path.join(folder, MANAGED), owner: undefined };
    const loaded = await load(
      {
        [MANAGED]: { mcpServers: { a: runs('a') }, mcp: { excluded: ['b'] } },
        [USER]: { mcpServers: { b: runs('b') } },
      },
      { managed },
    );
    expect(used(loaded)).toEqual([]);
  });
});

describe('servers of the command line', () => {
  it('come before those of the person, and alone where nothing else is wanted', async () => {
    const file = path.join(folder, 'more.json');
    await writeFile(file, JSON.stringify({ mcpServers: { a: runs('host'), c: runs('host') } }));
    const files = {
      [USER]: { mcpServers: { a: runs('user'), b: runs('user') } },
      [MANAGED]: { mcpServers: { c: runs('m'), d: runs('m') } },
    };
    expect(used(await load(files, { hostServers: { given: [file] } }))).toEqual([
      'c (managed)',
      'd (managed)',
      'a (host)',
      'b (user)',
    ]);
    const text = JSON.stringify({ mcpServers: { e: runs('text') } });
    expect(used(await load({}, { hostServers: { given: [file, text], only: true } }))).toEqual([
      'c (managed)',
      'e (host)',
      'a (host)',
    ]);
    expect(used(await load({}, { hostServers: { given: [], only: true } }))).toEqual([]);
  });

  it('must be there', async () => {
    const { problems } = await load({}, { hostServers: { given: [path.join(folder, 'none.json'), '{"x"'] } });
    expect(problems.map(({ severity }) => severity)).toEqual(['fatal', 'fatal']);
  });
});

describe('language servers in the settings', () => {
  it('are those of the person before the project’s, and of the project only when it is trusted', async () => {
    const files = {
      [USER]: { lsp: { servers: { a: runs('u') } } },
      [PROJECT]: { lsp: { servers: { a: runs('p'), b: runs('p') } } },
    };
    const commands = ({ extensions }: LoadedSettings): unknown =>
      Object.fromEntries(
        Object.entries(extensions.languageServers).map(([name, { value }]) => [name, { ...(value as object) }]),
      );
    expect(commands(await load(files))).toEqual({ a: { command: 'u' } });
    const trusted = await loadTrusting(files);
    expect(commands(trusted)).toEqual({ a: { command: 'u' }, b: { command: 'p' } });
    expect(messages(trusted)).toContain('the language server "a": is not used');
  });
});

/** `a.b` and its value as a file has it. */
function nested(key: string, value: unknown): Record<string, unknown> {
  const [group = '', name] = key.split('.');
  return name === undefined ? { [group]: value } : { [group]: { [name]: value } };
}

/** The same of two keys that may stand in one group. */
function only(one: string, other: string, first: unknown, second: unknown): Record<string, unknown> {
  const [group = '', name] = other.split('.');
  const [, before = ''] = one.split('.');
  return name === undefined ? { [group]: second } : { [group]: { [before]: first, [name]: second } };
}
