import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { sep } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../../testing/temp-workspace.js';
import { loadSettings, type LoadedSettings } from '../load-settings.js';
import type { Extension } from './extension-types.js';
import { fillHooks } from './fill-hooks.js';
import { readManifest } from './read-manifest.js';

let home: TempWorkspace;
let project: TempWorkspace;

beforeEach(async () => {
  home = await createTempWorkspace({});
  project = await createTempWorkspace({});
});
afterEach(async () => {
  await home.remove();
  await project.remove();
});

async function load(): Promise<LoadedSettings> {
  const managed = { file: home.path('managed.json'), owner: undefined };
  return loadSettings({ tenonHome: home.path('.tenon'), projectRoot: project.root, managed, userHome: home.root });
}

const put = async (place: TempWorkspace, file: string, value: unknown): Promise<void> =>
  place.write({ [file]: typeof value === 'string' ? value : JSON.stringify(value) });
const said = ({ problems }: LoadedSettings): string => problems.map(({ message }) => message).join('\n');
const bundle = ({ extensions }: LoadedSettings, name: string): Extension | undefined =>
  extensions.bundles.find((each) => each.name === name);
const group = (command: string) => [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }];
const OWN = '.tenon/extensions/kit';

describe('extensions of the person', () => {
  it('bring servers, hooks, tools and less tools, each with the name of the extension (S142)', async () => {
    await put(home, `${OWN}/tenon-extension.json`, {
      name: 'kit',
      version: '1.2.0',
      description: 'Brings \u001b[31mthings.',
      mcpServers: {
        db: { command: 'node', args: ['${extensionPath}${/}db.js', '${workspacePath}'], cwd: 'sub', trust: true },
      },
      excludeTools: ['web_fetch', 'run_shell_command(rm -rf)'],
      themes: [],
    });
    await put(home, `${OWN}/hooks/hooks.json`, { hooks: { PreToolUse: group('"${extensionPath}"/check.sh') } });
    await put(home, `${OWN}/tools/greet.js`, 'export const x = 1;');
    const loaded = await load();
    const [server] = loaded.extensions.servers;
    expect(server).toMatchObject({ alias: 'db', origin: 'user', extension: 'kit', key: 'extension' });
    expect(server?.place).toContain('extension kit');
    expect(server?.definition).toMatchObject({
      trust: false,
      transport: { args: [home.path(`${OWN}/db.js`), project.root], cwd: home.path(`${OWN}/sub`) },
    });
    expect(loaded.extensions.hooks).toMatchObject([
      { command: '"${TENON_EXTENSION_DIR}"/check.sh', env: { TENON_EXTENSION_DIR: home.path(OWN) } },
    ]);
    expect(loaded.extensions.hooks[0]?.origin).toContain('extension kit');
    expect(loaded.extensions.toolFolders).toEqual([
      { origin: 'user', folder: home.path(`${OWN}/tools`), extension: 'kit' },
    ]);
    expect(loaded.offered.without).toEqual(['web_fetch']);
    expect(loaded.rules.map(({ list, text }) => [list, text])).toEqual([
      ['deny', 'web_fetch'],
      ['deny', 'run_shell_command(rm -rf *)'],
    ]);
    expect(bundle(loaded, 'kit')).toMatchObject({ state: 'used', version: '1.2.0', description: 'Brings things.' });
    expect(bundle(loaded, 'kit')?.notes.join('\n')).toMatch(/"themes".*\n.*"trust" of the server "db"/);
  });

  it('lose to what the person says of the same server, and count before the project', async () => {
    const server = (command: string) => ({ mcpServers: { a: { command } } });
    await put(home, `${OWN}/tenon-extension.json`, {
      name: 'kit',
      mcpServers: { a: { command: 'two' }, b: { command: 'two' } },
    });
    await put(home, '.tenon/settings.json', server('one'));
    await put(project, '.mcp.json', { mcpServers: { b: { command: 'three' } } });
    await (await load()).trust.accept();
    const used = (await load()).extensions.servers.filter(({ unused }) => unused === undefined);
    expect(used.map(({ alias, raw }) => [alias, (raw as { command: string }).command])).toEqual([
      ['a', 'one'],
      ['b', 'two'],
    ]);
  });

  it('of other agents bring text alone, until they are installed', async () => {
    for (const [folder, manifest] of [
      ['.qwen', 'qwen'],
      ['.gemini', 'gemini'],
    ] as const) {
      const base = `${folder}/extensions/${manifest}-one`;
      await put(home, `${base}/${manifest}-extension.json`, {
        name: `${manifest}-one`,
        mcpServers: { [manifest]: { command: 'x' } },
      });
      await put(home, `${base}/${manifest.toUpperCase()}.md`, 'words');
      await put(home, `${base}/hooks/hooks.json`, { hooks: { Stop: group('x') } });
      await put(home, `${base}/tools/a.js`, '');
    }
    const loaded = await load();
    expect(loaded.extensions).toMatchObject({ servers: [], hooks: [], toolFolders: [] });
    for (const name of ['qwen-one', 'gemini-one']) {
      expect(bundle(loaded, name)).toMatchObject({
        state: 'used',
        brings: { contextFiles: [expect.stringMatching(/MD|md/)] },
      });
      expect(bundle(loaded, name)?.notes.join()).toContain('servers and hooks and tools count only once');
    }
  });

  it('say where their folders are, as Qwen Code has it; one that leads out is left out with a sentence', async () => {
    const put1 = async (name: string, more: object): Promise<void> => {
      await put(home, `.qwen/extensions/${name}/qwen-extension.json`, { name, ...more });
      for (const file of ['cmds/do.md', 'skills/s/SKILL.md', 'more/agents/a.md', 'agents/b.md'])
        await put(home, `.qwen/extensions/${name}/${file}`, 'x');
    };
    await put1('named', { commands: 'cmds', skills: ['./skills/'], agents: 'more/agents' });
    await put1('odd', { commands: '../cmds', skills: 5, agents: ['gone', 'agents', 'cmds'] });
    const loaded = await load();
    const at = (path: string): string => home.path(`.qwen/extensions/${path}`);
    expect(bundle(loaded, 'named')).toMatchObject({
      brings: { commands: at('named/cmds'), skills: at('named/skills'), agents: at('named/more/agents') },
      notes: [],
    });
    expect(bundle(loaded, 'odd')?.brings).toMatchObject({ skills: at('odd/skills'), agents: at('odd/agents') });
    expect(bundle(loaded, 'odd')?.brings).not.toHaveProperty('commands');
    expect(bundle(loaded, 'odd')?.notes).toEqual([
      '"skills" must name a folder in the extension; its own is skills.',
      '"commands" must name a folder in the extension; its own is commands.',
      'gone is not there.',
      'Of its agents, agents alone is read.',
    ]);
  });

  it('that were taken in are not told again to be taken in, where they came from', async () => {
    for (const base of ['.gemini', '.tenon'])
      await put(home, `${base}/extensions/kit/gemini-extension.json`, {
        name: 'kit',
        mcpServers: { s: { command: 'x' } },
      });
    const { extensions } = await load();
    expect(extensions.bundles.map(({ state, notes }) => ({ state, notes }))).toEqual([
      { state: 'used', notes: [] },
      { state: 'shadowed', notes: [] },
    ]);
  });

  it('are read with a BOM and line ends of Windows', async () => {
    const lines = ['\uFEFF{', '  "name": "kit", // its name', '  "contextFileName": "A.md",', '}', ''];
    await put(home, `${OWN}/tenon-extension.json`, lines.join('\r\n'));
    await put(home, `${OWN}/A.md`, 'words');
    expect(bundle(await load(), 'kit')).toMatchObject({ brings: { contextFiles: ['A.md'] }, notes: [] });
  });

  it('are switched off by a setting; a project switches off what helps, never what guards', async () => {
    const guard = { name: 'guard', mcpServers: { s: { command: 'x' } }, excludeTools: ['web_fetch'] };
    await put(home, '.tenon/extensions/guard/tenon-extension.json', guard);
    await put(home, '.tenon/extensions/guard/hooks/hooks.json', { hooks: { PreToolUse: group('check') } });
    await put(project, '.tenon/settings.json', { extensions: { disabled: ['Guard'] } });
    const byProject = await load();
    expect(bundle(byProject, 'guard')).toMatchObject({ state: 'off', why: expect.stringContaining('names it') });
    expect(byProject.extensions.servers).toEqual([]);
    expect(byProject.extensions.hooks).toHaveLength(1);
    expect(byProject.offered.without).toEqual(['web_fetch']);
    await put(home, '.tenon/settings.json', { extensions: { disabled: ['guard'] } });
    const byPerson = await load();
    expect(byPerson.extensions).toMatchObject({ servers: [], hooks: [] });
    expect(byPerson.offered.without).toEqual([]);
  });
});

describe('extensions of a project', () => {
  it('run nothing before the folder is trusted with them, and again not once they changed (S142)', async () => {
    const manifest = (args: readonly string[]) => ({ name: 'kit', mcpServers: { db: { command: 'node', args } } });
    await put(project, `${OWN}/tenon-extension.json`, manifest(['${extensionPath}/db.js']));
    await put(project, `${OWN}/db.js`, '1');
    await put(project, `${OWN}/hooks/hooks.json`, { hooks: { PreToolUse: group('bash ${extensionPath}/check.sh') } });
    await put(project, `${OWN}/check.sh`, 'exit 0\n');
    await put(project, `${OWN}/tools/greet.js`, 'export const x = 1;');
    const before = await load();
    expect(bundle(before, 'kit')).toMatchObject({ state: 'withheld' });
    expect(before.extensions).toMatchObject({ hooks: [], toolFolders: [] });
    expect(before.extensions.servers[0]?.unused).toContain('not trusted');
    expect(said(before)).toContain('tenon trust');
    const lines = before.trust.entries.flatMap((each) => [each.id, ...each.lines]).join('\n');
    for (const named of [
      `${OWN}/tenon-extension.json`,
      `${OWN}/hooks/hooks.json`,
      `${OWN}/tools/greet.js`,
      `runs ${OWN}/db.js`,
      `runs ${OWN}/check.sh`,
    ])
      expect(lines).toContain(named);

    await before.trust.accept();
    const trusted = await load();
    expect(bundle(trusted, 'kit')).toMatchObject({ state: 'used' });
    expect(trusted.extensions.servers[0]?.unused).toBeUndefined();
    expect(trusted.extensions.servers[0]?.definition?.origin).toBe('project');
    expect(trusted.extensions.hooks).toMatchObject([
      { command: `bash \${TENON_PROJECT_DIR}/${OWN}/check.sh`, bound: { scripts: [{ path: `${OWN}/check.sh` }] } },
    ]);
    expect(trusted.extensions.toolFolders).toMatchObject([{ origin: 'project', agreed: [{ path: 'greet.js' }] }]);

    await put(project, `${OWN}/check.sh`, 'curl evil\n');
    await put(project, `${OWN}/tools/greet.js`, 'evil()');
    await put(project, `${OWN}/db.js`, 'evil()');
    const changed = await load();
    expect(changed.extensions).toMatchObject({ hooks: [], toolFolders: [] });
    expect(changed.extensions.servers[0]?.unused).toBeDefined();
  });

  it('never take the name of one of the person, and lead nowhere else', async () => {
    await put(home, '.tenon/extensions/kit/tenon-extension.json', { name: 'kit' });
    await put(home, 'outside/tenon-extension.json', { name: 'far' });
    await put(project, '.tenon/extensions/other/tenon-extension.json', {
      name: 'KIT',
      mcpServers: { x: { command: 'x' } },
    });
    await put(project, '.tenon/extensions/leak/tenon-extension.json', { name: 'leak' });
    await put(project, '.tenon/extensions/leak/hooks/a', '');
    symlinkSync(home.path('outside'), project.path('.tenon/extensions/far'));
    symlinkSync(home.root, project.path('.tenon/extensions/leak/skills'));
    const loaded = await load();
    expect(loaded.extensions.bundles.map(({ name, state }) => [name, state])).toEqual([
      ['kit', 'used'],
      ['leak', 'withheld'],
      ['KIT', 'shadowed'],
    ]);
    expect(loaded.extensions.servers).toEqual([]);
    expect(loaded.trust.entries).toEqual([]);
    expect(said(loaded)).toContain('it leads out of the project');
    expect(bundle(loaded, 'leak')).toMatchObject({ brings: { hooks: false } });
    expect(bundle(loaded, 'leak')?.brings.skills).toBeUndefined();
    expect(bundle(loaded, 'leak')?.notes.join()).toContain('leads out of the extension');
  });
});

describe('hostile and broken extensions', () => {
  it('cost themselves alone, with a sentence each', async () => {
    const at = (name: string): string => `.tenon/extensions/${name}/tenon-extension.json`;
    await put(home, at('bad'), '{');
    await put(home, at('empty'), '[]');
    await put(home, at('nameless'), {});
    await put(home, at('evil'), { name: '../../x' });
    await put(home, at('deep'), `{"name": "deep", "mcpServers": ${'['.repeat(200_000)}}`);
    await put(home, at('large'), `{"name": "large", "x": "${'x'.repeat(1_100_000)}"}`);
    await put(home, at('we ird'), { name: 'weird' });
    await put(home, '.tenon/extensions/none/readme', 'x');
    await put(home, at('good'), { name: 'good', contextFileName: ['../../secret', '/etc/passwd', 'missing.md'] });
    execFileSync('mkfifo', [home.path('.tenon/extensions/none/pipe')]);
    await put(home, '.tenon/extensions/fifo/x', '');
    execFileSync('mkfifo', [home.path(at('fifo'))]);
    const loaded = await load();
    expect(loaded.extensions.bundles.map(({ name }) => name)).toEqual(['good']);
    const text = said(loaded);
    for (const name of ['bad', 'empty', 'nameless', 'evil', 'deep', 'large', 'we ird', 'none', 'fifo'])
      expect(text).toMatch(new RegExp(`extensions/${name} is no extension: .+\\.`));
    expect(bundle(loaded, 'good')?.brings.contextFiles).toEqual([]);
    expect(bundle(loaded, 'good')?.notes.join()).toMatch(/must name files in the extension.*missing\.md is not there/);
  });

  it('of any form are read without an error, and never name a file outside', () => {
    const place = { folder: '/ext', workspace: '/work' };
    const fields = fc.record(
      {
        name: fc.oneof(fc.constant('ok'), fc.jsonValue()),
        contextFileName: fc.oneof(
          fc.array(fc.oneof(fc.string(), fc.constantFrom('../a', '/a', 'C:\\a', 'a/../../b', '..\\b'))),
          fc.jsonValue(),
        ),
        mcpServers: fc.jsonValue(),
        excludeTools: fc.jsonValue(),
        version: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fields, fc.jsonValue()), (value) => {
        const read = readManifest(value, place);
        if ('problem' in read) return read.problem !== '';
        return (read.contextFileNames ?? []).every(
          (name) => !name.startsWith('/') && !name.replaceAll('\\', sep).split(sep).join('/').startsWith('../'),
        );
      }),
    );
  });

  it('fill the blanks of a shell with variables, never with the name of a folder', () => {
    const folder = '/a/$(touch pwned)';
    const filled = fillHooks(
      { Stop: group('x ${extensionPath}${/}y $CLAUDE_PLUGIN_ROOT') },
      { folder, workspace: '/w', below: undefined },
    );
    expect(JSON.stringify(filled)).toContain('"command":"x ${TENON_EXTENSION_DIR}/y ${TENON_EXTENSION_DIR}"');
    const direct = fillHooks(
      { Stop: [{ hooks: [{ command: 'node', args: ['${extensionPath}/y'] }] }] },
      { folder, workspace: '/w', below: 'x' },
    );
    expect(JSON.stringify(direct)).toContain(`"args":["${folder}/y"]`);
  });
});
