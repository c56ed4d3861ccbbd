import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isServerKey } from './server-layers.js';
import { loadSettings, type LoadedSettings } from './load-settings.js';
import type { SingleKey } from './looseness.js';
import { managedPlace } from './managed-place.js';
import { managedRefusal } from './managed-values.js';
import { findSetting, SETTINGS, type SettingKey } from './schema.js';

let folder: string;
let file: string;
const me = process.getuid?.();

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-managed-')));
  for (const name of ['machine', 'home', 'project/.tenon']) await mkdir(path.join(folder, name), { recursive: true });
  await chmod(path.join(folder, 'machine'), 0o755);
  file = path.join(folder, 'machine', 'settings.json');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

type Content = string | Partial<Record<SettingKey, unknown>>;

/** Dotted keys become groups. */
function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  const root: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(content)) {
    const [group = '', name] = key.split('.');
    root[group] = name === undefined ? value : { ...(root[group] as object | undefined), [name]: value };
  }
  return JSON.stringify(root);
}

interface Contents {
  readonly managed?: Content;
  readonly user?: Content;
  readonly project?: Content;
}

async function load(contents: Contents, owner: number | undefined = me): Promise<LoadedSettings> {
  const write = async (name: string, content: Content | undefined): Promise<void> => {
    if (content !== undefined) await writeFile(path.join(folder, name), textOf(content), { mode: 0o644 });
  };
  await write('machine/settings.json', contents.managed);
  await write('home/settings.json', contents.user);
  await write('project/.tenon/settings.json', contents.project);
  return loadSettings({
    tenonHome: path.join(folder, 'home'),
    projectRoot: path.join(folder, 'project'),
    managed: { file, owner },
  });
}

/** With the project's folder trusted: then its file may say most. */
async function loadTrusting(contents: Contents): Promise<LoadedSettings> {
  await (await load(contents)).trust.accept();
  return load({});
}

const messages = ({ problems }: LoadedSettings, severity: 'fatal' | 'warning'): string[] =>
  problems.filter((problem) => problem.severity === severity).map(({ message }) => message);

/** Two values of each setting; of the ordered ones the first is the stricter, and no stricter than the default. */
const ORDERED: Partial<Record<SingleKey, readonly [unknown, unknown]>> = {
  'permissions.grantDays': [3, 30],
  approvalMode: ['plan', 'yolo'],
  'limits.maxTurns': [5, 5000],
  'limits.maxToolCalls': [6, 6000],
  'limits.maxSeconds': [60, 6000],
  'limits.maxCost': [0.5, 50],
  'agents.maxTurns': [5, 5000],
  'agents.maxSeconds': [60, 6000],
  'agents.maxParallel': [2, 20],
  'agents.maxDepth': [1, 5],
  'files.readGitIgnored': [false, true],
  sandbox: ['required', 'off'],
  sandboxNetwork: ['off', 'on'],
  sandboxHosts: [['one.example'], ['one.example', 'localhost:5432']],
  'mcp.toolBudget': [1000, 90_000],
  'context.maxMemoryBytes': [1000, 90_000],
  'lsp.enabled': [false, true],
  'hooks.mayAllow': [false, true],
  'hooks.disableAll': [false, true],
  'web.allowPrivateHosts': [['one.example'], ['one.example', 'localhost:5432']],
  'web.askAfterUntrusted': [true, false],
  'webSearch.askAfterUntrusted': [true, false],
  'secrets.enabled': [true, false],
  'web.upgradeHttp': [true, false],
  'web.maxMegabytes': [2, 200],
  'telemetry.enabled': [false, true],
  'telemetry.content': [false, true],
  'ui.images': ['off', 'auto'],
};
const UNORDERED: Partial<Record<SingleKey, readonly [unknown, unknown]>> = {
  'web.timeout': [1000, 2000],
  'model.provider': ['openai', 'anthropic'],
  'model.name': ['one', 'other'],
  'model.baseUrl': ['http://one.example/v1', 'http://other.example/v1'],
  'model.apiKeyEnv': ['ONE', 'OTHER'],
  'model.apiKeyCommand': ['one', ['other', 'word']],
  'model.headers': [{ a: 'b', c: 'd' }, { a: 'x' }],
  'model.contextWindow': [8000, 200_000],
  'model.maxOutputTokens': [1000, 32_000],
  'model.idleTimeout': [60, 3600],
  'model.reasoningEffort': ['low', 'high'],
  'model.extraBody': [{ temperature: 0 }, { temperature: 1, stop: null }],
  'model.callsInText': [true, false],
  'model.prices': [
    { input: 1, output: 2 },
    { input: 3, output: 4 },
  ],
  'context.compactAt': [0.5, 0.9],
  'shell.program': ['bash', 'pwsh'],
  'shell.onTimeout': ['end', 'background'],
  'shell.persistent': [true, false],
  'mcp.startupTimeout': [1000, 90_000],
  'mcp.callTimeout': [1000, 900_000],
  'mcp.maxCallTimeout': [1000, 900_000],
  'tools.discoveryCommand': ['one', 'other'],
  'tools.callCommand': ['one', 'other'],
  'tools.discoveryTimeout': [1000, 90_000],
  'lsp.diagnostics': ['off', 'always'],
  'lsp.idleMinutes': [1, 60],
  'webSearch.provider': ['searxng', 'exa'],
  'webSearch.default': ['brave', 'google'],
  'webSearch.providers': [{ exa: {} }, { brave: {} }],
  'plans.directory': ['one', 'other'],
  'telemetry.endpoint': ['http://one.example', 'http://other.example'],
  'telemetry.headers': [{ a: 'b' }, { a: 'x' }],
  'telemetry.metricsIntervalSeconds': [10, 90],
  'ui.theme': ['dark', 'light'],
  'ui.screenReader': [true, false],
  'ui.keys': [{ cancel: 'escape' }, { cancel: 'ctrl+c' }],
  'ui.diff': ['unified', 'side-by-side'],
  'ui.editor': ['one', 'other'],
  'ui.bell': [true, false],
  'ui.welcomeBack': [true, false],
};
const LISTS: readonly SettingKey[] = SETTINGS.flatMap(({ key, type }) =>
  type === 'rules' || type === 'texts' || isServerKey(key) ? [key] : [],
);
const rows = (table: Partial<Record<SingleKey, readonly [unknown, unknown]>>) =>
  Object.entries(table).map(([key, [one, other]]) => [key as SingleKey, one, other] as const);

describe('the administrator’s settings', () => {
  it('are tried here for every setting there is', () => {
    // A setting that other work adds stands in the table of orders; here its two values are missing.
    const tried = [...Object.keys(ORDERED), ...Object.keys(UNORDERED), ...LISTS];
    expect(tried.toSorted()).toEqual(SETTINGS.map(({ key }) => key).toSorted());
  });

  it.each(rows(ORDERED))('%s: nobody is looser, anybody may be stricter', async (key, strict, loose) => {
    for (const contents of [
      { managed: { [key]: strict }, user: { [key]: loose } },
      { managed: { [key]: strict }, user: {}, project: { [key]: loose } },
    ]) {
      const held = await loadTrusting(contents);
      expect(held.values[key]).toEqual({ value: strict, origin: `managed settings (${file}:1:${columnOf(key)})` });
      expect(messages(held, 'warning').join('\n')).toContain('is ignored here');
      expect(held.managed[key]?.value).toEqual(strict);
    }
    const tightened = await load({ managed: { [key]: loose }, user: { [key]: strict }, project: '{}' });
    expect(tightened.values[key]?.value).toEqual(strict);
    expect(tightened.values[key]?.origin).toContain('user settings');
    expect(tightened.problems).toEqual([]);
    const upTo = await load({ managed: { [key]: loose }, user: { [key]: loose } });
    expect([upTo.values[key]?.value, upTo.problems]).toEqual([loose, []]);
  });

  it.each([
    ['approvalMode', ['plan', 'default', 'auto_edit', 'yolo']],
    ['sandbox', ['required', 'auto', 'off']],
  ] as const)('%s: of any two values the stricter counts, whoever gave it', async (key, strictestFirst) => {
    for (const [mine, managed] of strictestFirst.entries())
      for (const [theirs, user] of strictestFirst.entries()) {
        const { values } = await load({ managed: { [key]: managed }, user: { [key]: user } });
        expect([managed, user, values[key]?.value]).toEqual([managed, user, strictestFirst[Math.min(mine, theirs)]]);
      }
  });

  it.each(rows(ORDERED))('%s: alone it is a bound, and never loosens the default', async (key, strict, loose) => {
    expect((await load({ managed: { [key]: strict } })).values[key]?.value).toEqual(strict);
    const inForce = (await load({ managed: { [key]: loose } })).values[key]?.value ?? findSetting(key)?.default;
    expect(inForce).toEqual(findSetting(key)?.default ?? loose);
  });

  it.each(rows(UNORDERED))('%s: it is fixed', async (key, one, other) => {
    const held = await loadTrusting({
      managed: { [key]: one },
      user: { [key]: other },
      project: { [key]: other, 'permissions.allow': ['Bash(x)'] },
    });
    const origin = `managed settings (${file}:1:${columnOf(key)})`;
    expect(held.values[key]).toEqual({ value: one, origin });
    const [warning = ''] = messages(held, 'warning');
    expect(warning).toContain(`${path.join(folder, 'home', 'settings.json')}:1:`);
    expect(warning).toContain(`"${key}" is ignored here: it is fixed by the ${origin}`);
    expect(messages(held, 'warning')).toHaveLength(2);
    const same = await load({ user: { [key]: one }, project: '{}' });
    expect([same.values[key], same.problems]).toEqual([{ value: one, origin }, []]);
    expect(managedRefusal(key, other, held.managed)).toContain('fixed');
    expect(managedRefusal(key, held.values[key]?.value, held.managed)).toBeUndefined();
  });

  it('opens no host where it allows no network and names none', async () => {
    const closed = await load({ managed: { sandboxNetwork: 'off' }, user: { sandboxHosts: ['one.example'] } });
    expect(closed.values.sandboxHosts?.value).toEqual([]);
    expect(messages(closed, 'warning')).toEqual([expect.stringContaining('"sandboxHosts" is ignored here')]);
    const named = { sandboxNetwork: 'off', sandboxHosts: ['one.example', 'two.example'] };
    expect((await load({ managed: named })).values.sandboxHosts?.value).toEqual(['one.example']);
    await rm(path.join(folder, 'home', 'settings.json'));
    expect((await load({})).values.sandboxHosts?.value).toEqual(['one.example', 'two.example']);
  });

  it('opens no other host where it lists some, for the whole network neither', async () => {
    const loose = await load({ managed: { sandboxHosts: ['one.example'] }, user: { sandboxNetwork: 'on' } });
    expect(loose.values.sandboxNetwork?.value).toBe('off');
    expect(messages(loose, 'warning')).toEqual([expect.stringContaining('"sandboxNetwork" is ignored here')]);
    const open = { sandboxHosts: ['one.example'], sandboxNetwork: 'on' };
    expect((await load({ managed: open })).values.sandboxNetwork?.value).toBe('on');
  });

  it('fixes where the key of the model is from, whichever of both ways it says', async () => {
    const [variable, command] = ['model.apiKeyEnv', 'model.apiKeyCommand'] as const;
    for (const [fixed, other] of [
      [variable, command],
      [command, variable],
    ] as const) {
      const held = await load({ managed: { [fixed]: 'one' }, user: { [other]: 'two' } });
      expect([held.values[fixed]?.value, held.values[other]]).toEqual(['one', undefined]);
      expect(messages(held, 'warning')).toEqual([
        expect.stringContaining(`"${other}" is ignored here: it is fixed by`),
      ]);
    }
  });

  it('says what may be instead, where a value is too loose', async () => {
    const { problems } = await load({ managed: { approvalMode: 'auto_edit' }, user: { approvalMode: 'yolo' } });
    expect(problems).toEqual([
      {
        severity: 'warning',
        message: `${path.join(folder, 'home', 'settings.json')}:1:2: "approvalMode" is ignored here: it may be stricter than in the managed settings (${file}:1:2), which say "auto_edit", never looser.`,
      },
    ]);
  });

  it('lists rules of all layers, the administrator’s first and marked, and takes tools out for good', async () => {
    const { rules, offered } = await load({
      managed: {
        'permissions.deny': ['Bash(curl *)', { rule: 'Read(.env)', match: ['.env'] }],
        'permissions.allow': ['Bash(ls)'],
        'tools.exclude': ['glob'],
        'tools.core': ['run_shell_command(git)', 'glob', 'grep_search'],
      },
      user: { 'permissions.allow': ['Bash(curl *)'], 'tools.core': ['grep_search', 'edit', 'glob'] },
    });
    expect(rules.map(({ list, text, isManaged }) => [list, text, isManaged])).toEqual([
      ['deny', 'Bash(curl *)', true],
      ['deny', 'Read(.env)', true],
      ['allow', 'Bash(ls)', true],
      ['deny', 'glob', true],
      ['deny', 'Bash', true],
      ['allow', 'Bash(curl *)', undefined],
    ]);
    expect(rules[0]?.origin).toBe(`managed settings (${file}:1:25)`);
    expect([offered.only?.toSorted(), offered.without]).toEqual([['glob', 'grep_search'], ['glob']]);
  });
});

function columnOf(key: SettingKey): number {
  return textOf({ [key]: 0 }).indexOf(`"${key.slice(key.indexOf('.') + 1)}"`) + 1;
}

describe('the file of the administrator', () => {
  it('has one place on each system, which no variable moves', () => {
    expect(managedPlace('linux')).toEqual({ file: '/etc/tenon/settings.json', owner: 0 });
    expect(managedPlace('darwin')).toEqual({
      file: '/Library/Application Support/Tenon/settings.json',
      owner: 0,
    });
    expect(managedPlace('win32')).toEqual({ file: 'C:\\ProgramData\\Tenon\\settings.json', owner: undefined });
  });

  it.each([
    ['broken', '{"permissions": {"deny": ["Bash'],
    ['no object', '[]'],
    ['a value of another kind', '{"approvalMode": "none"}'],
    ['a limit of another kind', '{"limits": {"maxTurns": 0}}'],
    ['an unknown setting', '{"colour": 1}'],
    ['a key that stands there twice', '{"limits": {"maxTurns": 1, "maxTurns": 2}}'],
  ])('stops the start when it holds what cannot be read: %s', async (_, text) => {
    const [problem = '', ...more] = messages(await load({ managed: text }), 'fatal');
    expect(more).toEqual([]);
    expect(problem).toMatch(/settings\.json:\d+:\d+: .*nothing starts before its administrator mends it\.$/);
    expect(problem).toContain(file);
  });

  it('stops the start when it lists what is no tool, where another file only warns', async () => {
    const strange = { 'tools.allowed': ['glob(x)'] };
    const loaded = await load({ managed: strange, user: strange });
    expect(messages(loaded, 'fatal')).toEqual([expect.stringContaining(`managed settings (${file}:1:`)]);
    expect(messages(loaded, 'warning')).toEqual([expect.stringContaining('user settings (')]);
  });

  it('stops the start when it is no file, or a link that leads nowhere', async () => {
    await mkdir(file);
    expect(messages(await load({}), 'fatal')).toEqual([expect.stringContaining('is not a regular file')]);
    await rm(file, { recursive: true });
    await symlink('gone.json', file);
    expect(messages(await load({}), 'fatal')).toEqual([expect.stringContaining('leads nowhere')]);
    await rm(path.join(folder, 'machine'), { recursive: true });
    await symlink('gone', path.join(folder, 'machine'));
    expect(messages(await load({}), 'fatal')).toEqual([expect.stringContaining('leads nowhere')]);
  });

  it.skipIf(me === undefined)('is not believed, and stops the start, when others own or may write it', async () => {
    const managed = { 'permissions.deny': ['Bash'] };
    expect((await load({ managed })).problems).toEqual([]);
    const strange = await load({ managed }, (me ?? 0) + 1);
    expect(messages(strange, 'fatal')).toEqual([expect.stringContaining(`it belongs to user ${me}, not to user`)]);
    expect(strange.rules).toEqual([]);
    for (const mode of [0o664, 0o646]) {
      await chmod(file, mode);
      expect(messages(await load({}), 'fatal')).toEqual([expect.stringContaining('may write it')]);
    }
    await chmod(file, 0o644);
    await chmod(path.join(folder, 'machine'), 0o777);
    expect(messages(await load({}), 'fatal')).toEqual([expect.stringContaining('may write its folder')]);
  });

  it.skipIf(me === undefined)('is judged where links really lead, and on the way', async () => {
    const open = path.join(folder, 'open');
    const closed = path.join(folder, 'closed');
    for (const place of [open, closed]) await mkdir(place);
    await chmod(open, 0o777);
    await chmod(closed, 0o755);
    await writeFile(path.join(closed, 'real.json'), '{"approvalMode": "plan"}', { mode: 0o644 });
    await symlink(path.join(closed, 'real.json'), file);
    expect((await load({})).values.approvalMode?.value).toBe('plan');
    await rm(file);
    await symlink('../closed/real.json', path.join(open, 'hop'));
    await symlink('../open/hop', file);
    expect(messages(await load({}), 'fatal')).toEqual([expect.stringContaining(`may write its folder ${open}`)]);
    // Whoever may rename a folder on the way can put another one in its place.
    const inner = path.join(open, 'inner');
    await mkdir(inner);
    await chmod(inner, 0o755);
    await writeFile(path.join(inner, 'settings.json'), '{"approvalMode": "plan"}', { mode: 0o644 });
    await rm(file);
    await symlink(path.join(inner, 'settings.json'), file);
    const above = [expect.stringContaining(`may write the folder ${open} above it`)];
    expect(messages(await load({}), 'fatal')).toEqual(above);
    await rm(path.dirname(file), { recursive: true });
    await symlink(inner, path.dirname(file));
    expect(messages(await load({}), 'fatal')).toEqual(above);
    await chmod(open, 0o1777);
    expect((await load({})).values.approvalMode?.value).toBe('plan');
  });

  it('only tightens where the system does not tell who wrote it', async () => {
    const managed = {
      'permissions.allow': ['Bash'],
      'tools.allowed': ['edit'],
      'permissions.deny': ['Bash(rm *)'],
      'model.baseUrl': 'http://evil.example/v1',
      approvalMode: 'auto_edit',
      sandbox: 'required',
    };
    const loaded = await loadSettings({
      tenonHome: path.join(folder, 'home'),
      projectRoot: path.join(folder, 'project'),
      managed: { file: await written(managed), owner: undefined },
    });
    expect(loaded.rules.map(({ list }) => list)).toEqual(['deny']);
    expect(Object.keys(loaded.values)).toEqual(['sandbox']);
    expect(loaded.managed.approvalMode?.value).toBe('auto_edit');
    expect(messages(loaded, 'warning')).toEqual(
      ['permissions.allow', 'tools.allowed', 'model.baseUrl'].map((key) =>
        expect.stringContaining(`"${key}" is ignored here: this system does not tell`),
      ),
    );
  });

  async function written(content: Content): Promise<string> {
    await writeFile(file, textOf(content));
    return file;
  }
});
