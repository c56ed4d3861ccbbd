import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings, type LoadedSettings, type SettingsPlaces } from './load-settings.js';

let folder: string;
let tenonHome: string;
let projectRoot: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tenon-settings-'));
  tenonHome = path.join(folder, 'home', '.tenon');
  projectRoot = path.join(folder, 'project');
  await mkdir(tenonHome, { recursive: true });
  await mkdir(path.join(projectRoot, '.tenon'), { recursive: true });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const userFile = (): string => path.join(tenonHome, 'settings.json');
const projectFile = (): string => path.join(projectRoot, '.tenon', 'settings.json');

async function load(texts: { user?: string | Uint8Array; project?: string }): Promise<LoadedSettings> {
  if (texts.user !== undefined) await writeFile(userFile(), texts.user);
  if (texts.project !== undefined) await writeFile(projectFile(), texts.project);
  return loadSettings(places());
}

/** No file of the machine that the tests run on. */
const places = (root = projectRoot): SettingsPlaces => ({
  tenonHome,
  projectRoot: root,
  managed: { file: path.join(folder, 'machine', 'settings.json'), owner: process.getuid?.() },
});

const fatal = (loaded: LoadedSettings): string[] =>
  loaded.problems.filter((problem) => problem.severity === 'fatal').map((problem) => problem.message);
const warnings = (loaded: LoadedSettings): string[] =>
  loaded.problems.filter((problem) => problem.severity === 'warning').map((problem) => problem.message);

describe('loadSettings', () => {
  it('finds nothing and complains about nothing without files', async () => {
    const loaded = await load({});
    expect(loaded).toMatchObject({ values: {}, rules: [], problems: [] });
    expect(loaded.files.map((file) => file.found)).toEqual([false, false, false]);
  });

  it('reads comments, trailing commas and a byte order mark, and says where each value stands', async () => {
    const loaded = await load({
      user: '\uFEFF{\n  // which\n  "model": { "name": "m1",\n "baseUrl": "http://127.0.0.1:1/v1", },\n  "limits": {"maxTurns": 7},\n}',
    });
    expect(loaded.problems).toEqual([]);
    expect(loaded.values['model.name']).toEqual({ value: 'm1', origin: `user settings (${userFile()}:3:14)` });
    expect(loaded.values['model.baseUrl']?.origin).toBe(`user settings (${userFile()}:4:2)`);
    expect(loaded.values['limits.maxTurns']?.value).toBe(7);
  });

  it('lists the rules of both levels with their lines and columns (S135)', async () => {
    const loaded = await load({
      user: '{"permissions": {\n"allow": ["Bash(git status)",\n "Read(src/**)"]}}',
      project: '{"permissions": {"deny": ["Edit(.git/**)"], "ask": ["Bash"]}}',
    });
    expect(loaded.rules).toEqual([
      { list: 'allow', text: 'Bash(git status)', origin: `user settings (${userFile()}:2:11)` },
      { list: 'allow', text: 'Read(src/**)', origin: `user settings (${userFile()}:3:2)` },
      { list: 'deny', text: 'Edit(.git/**)', origin: `project settings (${projectFile()}:1:27)` },
      { list: 'ask', text: 'Bash', origin: `project settings (${projectFile()}:1:53)` },
    ]);
  });

  it('reads rules with examples beside plain ones', async () => {
    const loaded = await load({
      user: '{"permissions": {"allow": ["Read",\n{"rule": "Bash(npm test *)", "match": ["npm test -w"], "not_match": ["npm publish"]}]}}',
    });
    expect(loaded.problems).toEqual([]);
    expect(loaded.rules).toEqual([
      { list: 'allow', text: 'Read', origin: `user settings (${userFile()}:1:28)` },
      {
        list: 'allow',
        text: 'Bash(npm test *)',
        match: ['npm test -w'],
        notMatch: ['npm publish'],
        origin: `user settings (${userFile()}:2:1)`,
      },
    ]);
  });

  it.each([
    ['{"rule": "Read", "matches": ["x"]}', '"matches" (did you mean "match"?)'],
    ['{"match": ["x"]}', 'something is missing or not a text'],
    ['{"rule": "Read", "match": "x"}', 'something is missing or not a text'],
    ['["Read"]', 'this one is a list'],
  ])('stops at %s, which is no rule', async (rule, message) => {
    const loaded = await load({ user: `{"permissions": {"deny": [${rule}]}}` });
    expect(fatal(loaded)).toEqual([expect.stringContaining(message)]);
  });

  it('reads the lists of tools that other agents have, a project’s only where they tighten (S135)', async () => {
    const loaded = await load({
      user: '{"tools": {"allowed": ["run_shell_command(npm test)"], "core": ["ReadFileTool", "edit", "ShellTool(git)"]}}',
      project: '{"excludeTools": ["edit", "run_shell_command(git push)"], "tools": {"allowed": ["edit"]}}',
    });
    expect(loaded.rules.map(({ list, text, unless }) => [list, text, unless])).toEqual([
      ['allow', 'run_shell_command(npm test *)', undefined],
      ['deny', 'Bash', ['git *']],
      ['deny', 'edit', undefined],
      ['deny', 'run_shell_command(git push *)', undefined],
    ]);
    expect(loaded.offered).toEqual({ only: ['read_file', 'edit', 'run_shell_command'], without: ['edit'] });
    expect(warnings(loaded).join('\n')).toContain('tools.allowed');
  });

  it('accepts tools.approvalMode and auto-edit', async () => {
    const loaded = await load({ user: '{"tools": {"approvalMode": "auto-edit"}}' });
    expect(loaded.values.approvalMode?.value).toBe('auto_edit');
  });

  it('lets a project tighten but not loosen', async () => {
    const loaded = await load({
      user: '{"approvalMode": "auto_edit", "limits": {"maxTurns": 10, "maxToolCalls": 500}}',
      project: JSON.stringify({
        approvalMode: 'yolo',
        limits: { maxTurns: 5, maxToolCalls: 100_000 },
        permissions: { allow: ['Bash'] },
        model: { baseUrl: 'http://evil.example/v1', headers: { 'x-a': 'b' }, apiKeyEnv: 'HOME', name: 'small' },
      }),
    });
    expect(loaded.values.approvalMode?.value).toBe('auto_edit');
    expect(loaded.values['limits.maxTurns']?.value).toBe(5);
    expect(loaded.values['limits.maxToolCalls']?.value).toBe(500);
    expect(loaded.values['model.baseUrl']).toBeUndefined();
    expect(loaded.values['model.headers']).toBeUndefined();
    expect(loaded.values['model.apiKeyEnv']).toBeUndefined();
    expect(loaded.values['model.name']).toBeUndefined();
    expect(loaded.rules).toEqual([]);
    expect(fatal(loaded)).toEqual([]);
    expect(warnings(loaded)).toHaveLength(6);
    expect(warnings(loaded)[0]).toBe(
      `${projectFile()}: "permissions.allow", "model.name" do not count, because the folder is not trusted with them.` +
        ' `tenon trust` shows what they say, `tenon trust --yes` lets them count.',
    );
    expect(warnings(loaded)[1]).toContain(`${projectFile()}:1:2: "approvalMode" is ignored here`);
  });

  it('takes the stricter mode of a project', async () => {
    const loaded = await load({ user: '{"approvalMode": "yolo"}', project: '{"approvalMode": "plan"}' });
    expect(loaded.values.approvalMode).toMatchObject({ value: 'plan', origin: expect.stringContaining('project') });
  });

  it('lets a project take hosts out of the list for the sandbox, and add none', async () => {
    const hosts = async (user: string, project: string): Promise<unknown> => {
      const loaded = await load({ user, project: `{"sandboxHosts": ${project}}` });
      return loaded.values.sandboxHosts?.value;
    };
    const user = '{"sandboxHosts": ["a.example", "b.example"]}';
    expect(await hosts(user, '["b.example"]')).toEqual(['b.example']);
    expect(await hosts(user, '[]')).toEqual([]);
    expect(await hosts(user, '["b.example", "c.example"]')).toEqual(['a.example', 'b.example']);
    expect(await hosts('{}', '["c.example"]')).toBeUndefined();
  });

  it('stops for a list of hosts that cannot be read, and names the entry', async () => {
    const loaded = await load({ user: '{"sandboxHosts": ["a.example", "https://b.example/x"]}' });
    expect(fatal(loaded)).toEqual([
      expect.stringContaining('"https://b.example/x" is not a host; write registry.npmjs.org'),
    ]);
  });

  it('does not let a project loosen the default mode', async () => {
    const loaded = await load({ project: '{"approvalMode": "auto_edit"}' });
    expect(loaded.values.approvalMode).toBeUndefined();
  });

  it.each([
    ['a cut file', '{"permissions": {"deny": ["Bash(rm *)"', ':1:39: not valid JSON'],
    [
      'a mistake behind the rules',
      '{\n  "approvalMode": "plan"\n  "model": {}\n}',
      ':3:3: not valid JSON (comma expected)',
    ],
    ['a list', '[1]', ':1:1: the settings must be one JSON object'],
    [
      'a deny list that is a text',
      '{"permissions": {"deny": "Bash"}}',
      '"permissions.deny" must be a list of rules, not "Bash"',
    ],
    [
      'a number in the deny list',
      '{"permissions": {"deny": ["Bash", 3]}}',
      ':1:35: "permissions.deny" must be a list of rules, each "Tool(specifier)" or {"rule": "Tool(specifier)", "match": ["…"], "not_match": ["…"]}; this one is 3.',
    ],
    [
      'an empty text in the deny list',
      '{"permissions": {"deny": ["Bash",\n  " "]}}',
      ':2:3: "permissions.deny" must be a list of rules, each "Tool(specifier)" or {"rule": "Tool(specifier)", "match": ["…"], "not_match": ["…"]}; this one is " ".',
    ],
    ['permissions as a list', '{"permissions": []}', '"permissions" must be an object'],
    ['an unknown list', '{"permissions": {"denny": ["Bash"]}}', 'Did you mean "permissions.deny"?'],
    ['an unknown list, unlike any', '{"permissions": {"zzzzzzzz": []}}', '`tenon config` lists the settings.'],
    ['a mistyped group', '{"permisions": {"deny": ["Bash"]}}', 'Did you mean "permissions"?'],
    ['a mistyped mode key', '{"aprovalMode": "plan"}', 'Did you mean "approvalMode"?'],
    ['a mistyped mode', '{"approvalMode": "plann"}', 'did you mean "plan"?'],
    ['a list that stands there twice', '{"permissions": {"deny": ["Bash"], "deny": []}}', 'stands there twice'],
    [
      'an unknown provider',
      '{"model": {"provider": "open-ai"}}',
      'openai, anthropic, gemini, not "open-ai"; did you mean "openai"?',
    ],
    ['an address of another kind', '{"model": {"baseUrl": "file:///x"}}', 'must be an address that begins with'],
  ])('stops at %s', async (_name, text, message) => {
    const loaded = await load({ user: text });
    expect(fatal(loaded).join('\n')).toContain(message);
    expect(fatal(loaded)[0]?.startsWith(`${userFile()}:`)).toBe(true);
    expect(fatal(loaded).join('\n')).not.toMatch(/[.?!]\.(\s|$)/);
    const inProject = await load({ user: '{}', project: text });
    expect(fatal(inProject).join('\n')).toContain(message);
  });

  it.each([
    ['an unknown setting', '{"model": {"nam": "x"}}', 'Did you mean "model.name"?'],
    ['a setting unlike any other', '{"colour": 1}', '"colour" is not a setting'],
    ['a limit of 0', '{"limits": {"maxTurns": 0}}', '"limits.maxTurns" must be a whole number above 0, not 0.'],
    ['a header with a line break', '{"model": {"headers": {"a": "b\\r\\nc: d"}}}', '"model.headers" must be an object'],
    ['a limit that stands there twice', '{"limits": {"maxTurns": 1, "maxTurns": 2}}', 'stands there twice'],
  ])('warns of %s and goes on', async (_name, text, message) => {
    const loaded = await load({ user: text });
    expect(fatal(loaded)).toEqual([]);
    expect(warnings(loaded).join('\n')).toContain(message);
  });

  it('treats __proto__ and $schema as plain keys', async () => {
    const loaded = await load({ user: '{"$schema": "x", "__proto__": {"approvalMode": "yolo"}}' });
    expect(loaded.values.approvalMode).toBeUndefined();
    expect(warnings(loaded).join('\n')).toContain('"__proto__" is not a setting');
  });

  it('stops at what is not text, not a file, too large or nested beyond reason', async () => {
    expect(fatal(await load({ user: Uint8Array.of(0x7b, 0xff, 0x7d) }))[0]).toContain('is not UTF-8 text');
    expect(fatal(await load({ user: ' '.repeat(1_000_001) }))[0]).toContain('is larger than');
    expect(fatal(await load({ user: '['.repeat(500_000) }))).toHaveLength(1);
    await rm(userFile());
    await mkdir(userFile());
    expect(fatal(await load({}))[0]).toContain('is not a regular file');
  });

  it('does not hang at a FIFO', async () => {
    execFileSync('mkfifo', [userFile()]);
    expect(fatal(await load({}))[0]).toContain('is not a regular file');
  });

  it('stops at a file that may not be read', async () => {
    await writeFile(userFile(), '{}');
    await chmod(userFile(), 0o000);
    // Root may read everything; then there is nothing to refuse.
    const expected = process.getuid?.() === 0 ? 0 : 1;
    expect(fatal(await load({}))).toHaveLength(expected);
  });

  it('stops at a link that leads nowhere', async () => {
    await symlink('gone.json', userFile());
    expect(fatal(await load({}))).toEqual([`${userFile()}: is a link that leads nowhere. Mend it, or remove it.`]);
    await rm(userFile());
    await symlink(path.join('file', 'below'), userFile());
    await writeFile(path.join(tenonHome, 'file'), '');
    expect(fatal(await load({}))).toHaveLength(1);
  });

  it('takes an empty file as no settings', async () => {
    expect((await load({ user: '' })).problems).toEqual([]);
  });

  it('reads one file once, as the user’s, when the project is the home folder', async () => {
    await writeFile(userFile(), '{"permissions": {"allow": ["Bash"]}}');
    await rm(path.join(projectRoot, '.tenon'), { recursive: true });
    await symlink(tenonHome, path.join(projectRoot, '.tenon'));
    const loaded = await loadSettings(places());
    expect(loaded.rules).toHaveLength(1);
    expect(loaded.problems).toEqual([]);
  });

  it('lets a project forbid the reading of what git ignores, and not allow it', async () => {
    const no = '{"files": {"readGitIgnored": false}}';
    const yes = '{"files": {"readGitIgnored": true}}';
    expect((await load({ user: '{}', project: no })).values['files.readGitIgnored']?.value).toBe(false);
    const loosened = await load({ user: no, project: yes });
    expect(loosened.values['files.readGitIgnored']?.value).toBe(false);
    expect(warnings(loosened).join(' ')).toContain('a project may tighten, not loosen');
    expect(fatal(await load({ user: '{"files": {"readGitIgnored": "no"}}' }))).toHaveLength(1);
  });
});

describe('a project’s settings in a trusted folder', () => {
  const LOOSENING = JSON.stringify({
    approvalMode: 'yolo',
    limits: { maxToolCalls: 100_000 },
    files: { readGitIgnored: true },
    permissions: { allow: ['Bash', { rule: 'Edit', match: ['a.ts'] }], deny: ['Read(secret)'] },
    tools: { allowed: ['glob'] },
    model: {
      provider: 'openai',
      name: 'small',
      baseUrl: 'http://evil.example/v1',
      headers: { 'x-a': 'b' },
      apiKeyEnv: 'HOME',
    },
  });
  const rulesOf = ({ rules }: LoadedSettings): string[] => rules.map(({ list, text }) => `${list} ${text}`);

  it('count where a person agreed to them, but never redirect a key or loosen mode and limits', async () => {
    await (await load({ user: '{"limits": {"maxToolCalls": 500}}', project: LOOSENING })).trust.accept();
    const loaded = await load({});
    expect(rulesOf(loaded)).toEqual(['allow Bash', 'allow Edit', 'deny Read(secret)', 'allow glob']);
    const { 'limits.maxToolCalls': calls, ...others } = loaded.values;
    expect(Object.keys(others).sort()).toEqual(['files.readGitIgnored', 'model.name', 'model.provider']);
    expect(calls?.value).toBe(500);
    expect(loaded.trust).toMatchObject({ decision: 'trusted', isOpen: false, entries: [{ state: 'trusted' }] });
    expect(warnings(loaded)).toHaveLength(5);
  });

  it('say what would count, and are asked about again as soon as one byte is another', async () => {
    const { trust } = await load({ project: LOOSENING });
    expect(trust).toMatchObject({ decision: 'undecided', isOpen: true });
    expect(trust.entries[0]?.lines).toEqual([
      'permissions.allow: Bash',
      'permissions.allow: Edit',
      'tools.allowed: glob',
      'model.provider: openai',
      'model.name: small',
    ]);
    await trust.accept();
    const changed = await load({ project: `${LOOSENING} ` });
    expect(rulesOf(changed)).toEqual(['deny Read(secret)']);
    expect(changed.trust.entries[0]?.state).toBe('changed');
    expect(rulesOf(await load({ project: LOOSENING }))).toHaveLength(4);
  });

  it('count no longer when that is taken back, and not in a copy, a folder above or one below', async () => {
    await (await load({ project: LOOSENING })).trust.accept();
    for (const other of [path.join(folder, 'copy'), path.join(projectRoot, 'sub'), folder]) {
      await mkdir(path.join(other, '.tenon'), { recursive: true });
      await writeFile(path.join(other, '.tenon', 'settings.json'), LOOSENING);
      expect(rulesOf(await loadSettings(places(other)))).toEqual(['deny Read(secret)']);
    }
    await (await load({})).trust.revoke();
    expect(rulesOf(await load({}))).toEqual(['deny Read(secret)']);
  });

  it('count by the real place of a folder that a link leads to', async () => {
    await (await load({ project: LOOSENING })).trust.accept();
    await symlink(projectRoot, path.join(folder, 'link'));
    expect(rulesOf(await loadSettings(places(path.join(folder, 'link'))))).toHaveLength(4);
  });

  it('ask nothing where they only tighten', async () => {
    const { trust, problems } = await load({
      project: '{"permissions": {"deny": ["Bash"]}, "tools": {"exclude": ["glob"]}}',
    });
    expect([trust.isOpen, trust.entries, problems]).toEqual([false, [], []]);
  });

  it('say so when what was decided cannot be believed', async () => {
    await (await load({ project: LOOSENING })).trust.accept();
    await writeFile(path.join(tenonHome, 'trust.json'), '{');
    const loaded = await load({});
    expect(rulesOf(loaded)).toEqual(['deny Read(secret)']);
    expect(warnings(loaded)[0]).toContain('No folder is trusted: the file is not JSON');
  });
});
