import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readForeignSettings } from './foreign-settings.js';
import { loadSettings } from './load-settings.js';

let root: string;
let home: string;

beforeEach(async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'tenon-foreign-')));
  [root, home] = [join(base, 'project'), join(base, 'home')];
  await Promise.all([mkdir(root), mkdir(home)]);
});

async function put(file: string, content: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
}

interface Row {
  readonly file: string;
  readonly content: unknown;
  /** The rules as `list text`, with exceptions after `-`. */
  readonly rules: readonly string[];
  readonly others?: Readonly<Record<string, number>>;
  readonly unread?: readonly string[];
  readonly without?: readonly string[];
}

const PERMISSIONS = {
  permissions: {
    allow: ['Bash(npm run lint)', 'Bash(git *)'],
    ask: ['Bash(git push:*)'],
    deny: ['Read(./.env)', 'Bash(curl:*)', 'mcp__tickets__delete', 'Bash(a | b)', 'SlashCommand', { rule: 'x' }],
    defaultMode: 'acceptEdits',
  },
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command: 'a' },
          { type: 'command', command: 'b' },
        ],
      },
    ],
  },
  env: { A: '1', B: '2' },
  model: 'm',
};
const OF_PERMISSIONS = {
  rules: ['deny Read(./.env)', 'deny Bash(curl:*)', 'deny mcp__tickets__delete', 'ask Bash(git push:*)'],
  unread: ['Bash(a | b)', 'SlashCommand', '{"rule":"x"}'],
};

const ROWS: readonly Row[] = [
  ...['.claude/settings.json', '.claude/settings.local.json', '~/.claude/settings.json'].map((file) => ({
    file,
    content: PERMISSIONS,
    ...OF_PERMISSIONS,
    others: { 'allow rule': 2, hook: 2, 'environment variable': 2, model: 1 },
  })),
  {
    file: '.qwen/settings.json',
    content: { ...PERMISSIONS, model: { name: 'm' }, tools: { exclude: ['web_fetch'] }, mcpServers: { a: {}, b: {} } },
    ...OF_PERMISSIONS,
    rules: ['deny web_fetch', ...OF_PERMISSIONS.rules],
    without: ['web_fetch'],
    others: { 'allow rule': 2, hook: 2, 'environment variable': 2, model: 1, server: 2 },
  },
  {
    file: '.gemini/settings.json',
    content: {
      tools: { exclude: ['run_shell_command(rm -rf)', 'ShellTool(git push)', 'replace'], allowed: ['glob'] },
      excludeTools: ['WriteFileTool', 'run_shell_command(a | b)'],
    },
    rules: ['deny run_shell_command(rm -rf *)', 'deny run_shell_command(git push *)', 'deny edit', 'deny write_file'],
    without: ['edit', 'write_file'],
    unread: ['run_shell_command(a | b)'],
    others: { 'allow rule': 1 },
  },
  {
    file: '~/.gemini/settings.json',
    content: { excludeTools: ['web_fetch'] },
    rules: ['deny web_fetch'],
    without: ['web_fetch'],
  },
  {
    file: 'opencode.json',
    content: `{
      // comments are fine
      "permission": {
        "bash": { "*": "ask", "git *": "allow", "git push*": "deny", "rm *": "deny", "ls *": "allow" },
        "edit": { "*": "deny", "docs/*.md": "allow" },
        "read": { "*.env": "deny" },
        "webfetch": "deny",
        "external_directory": "deny",
        "task": "allow"
      },
      "tools": { "list": false, "todowrite": true },
      "mcp": { "a": {} },
    }`,
    rules: [
      'ask Bash - git * ls *',
      'deny Bash(git push*)',
      'deny Bash(rm *)',
      'deny Edit - docs/*.md',
      'deny Read(*.env)',
      'deny WebFetch',
      'deny LS',
    ],
    others: { 'allow rule': 4, server: 1 },
  },
  { file: 'opencode.jsonc', content: { permission: { bash: 'deny' } }, rules: ['deny Bash'] },
  {
    file: '~/.config/opencode/opencode.json',
    content: { permission: { '*': 'ask', bash: 'deny', edit: 'allow', 'tickets_*': 'deny' } },
    rules: [
      ...['Read', 'Glob', 'Grep', 'LS', 'WebFetch', 'WebSearch', 'Task', 'Skill', 'lsp', 'TodoWrite', 'ApplyPatch'].map(
        (name) => `ask ${name}`,
      ),
      'deny Bash',
      'deny tickets_*',
    ],
    others: { 'allow rule': 1 },
  },
  {
    file: '.codex/config.toml',
    content: [
      'model = "m"',
      'web_search = "disabled"',
      'default_permissions = "mine"',
      '[mcp_servers.tickets]',
      'command = "x"',
      'disabled_tools = ["delete"]',
      '[permissions.mine.filesystem]',
      '"~/.ssh" = "deny"',
      '"/etc/shadow" = "none"',
      '":minimal" = "read"',
      '[permissions.mine.filesystem.":workspace_roots"]',
      '"**/*.env" = "deny"',
      '[permissions.mine.network.domains]',
      '"tracker.example.com" = "deny"',
      '"example.com" = "allow"',
      '[permissions.other.filesystem]',
      '"/never" = "deny"',
    ].join('\n'),
    rules: [
      'deny tickets__delete',
      'deny WebSearch',
      ...['~/.ssh', '//etc/shadow', '**/*.env'].flatMap((path) => [`deny Read(${path})`, `deny Edit(${path})`]),
      'deny WebFetch(domain:tracker.example.com)',
    ],
    others: { model: 1, server: 1 },
  },
];

describe('the settings of other agents', () => {
  it.each(ROWS)('$file', async ({ file, content, rules, others = {}, unread = [], without = [] }) => {
    await put(file.startsWith('~/') ? join(home, file.slice(2)) : join(root, file), content);
    const [read, ...more] = await readForeignSettings({ root, home });
    expect(more).toEqual([]);
    expect(read?.name).toBe(file);
    expect(read?.problem).toBeUndefined();
    const shown = read?.rules.map(({ list, text, unless }) =>
      [list, text, ...(unless === undefined ? [] : ['-', ...unless])].join(' '),
    );
    expect([...(shown ?? [])].sort()).toEqual([...rules].sort());
    expect(read?.rules.every((rule) => rule.origin === file && rule.isForeign === true)).toBe(true);
    expect(Object.fromEntries(read?.others.map(({ kind, count }) => [kind, count]) ?? [])).toEqual(others);
    expect(read?.unread.map(({ rule }) => rule.text)).toEqual(unread);
    expect(read?.without).toEqual(without);
  });

  it.each([
    ['.claude/settings.json', '{ "permissions": '],
    ['.claude/settings.json', '[1]'],
    ['.claude/settings.json', '\u0000'],
    ['.codex/config.toml', 'a = = b'],
  ])('are not used and never fatal where %s is broken: %j', async (file, content) => {
    await put(join(root, file), content);
    const [read] = await readForeignSettings({ root, home });
    expect(read).toMatchObject({ rules: [], problem: expect.stringMatching(/^It .*\.$/) });
    expect((await loadSettings({ tenonHome: join(home, '.tenon'), projectRoot: root })).problems).toEqual([]);
  });

  it.each([
    '{}',
    '',
    '{"permissions": null, "hooks": 3, "tools": {"exclude": {}}, "env": null}',
    '{"permissions": {"deny": {"Bash": true}}}',
  ])('say nothing where there is nothing to say: %j', async (content) => {
    for (const file of ['.claude/settings.json', '.gemini/settings.json', 'opencode.json'])
      await put(join(root, file), content);
    for (const read of await readForeignSettings({ root, home })) expect(read).toMatchObject({ rules: [], unread: [] });
  });

  it('count beside the own rules, without a yes, and only tighten', async () => {
    await put(join(root, '.claude/settings.json'), PERMISSIONS);
    await put(join(home, '.claude/settings.json'), { permissions: { deny: ['Bash(sudo *)'] } });
    await put(join(root, '.gemini/settings.json'), { excludeTools: ['web_fetch'] });
    const { rules, offered, foreign, trust } = await loadSettings({
      tenonHome: join(home, '.tenon'),
      projectRoot: root,
    });
    expect(rules.map(({ list, text }) => `${list} ${text}`)).toEqual([
      'deny Bash(sudo *)',
      ...OF_PERMISSIONS.rules,
      'deny web_fetch',
    ]);
    expect(offered.without).toEqual(['web_fetch']);
    expect(foreign.map(({ name }) => name)).toEqual([
      '~/.claude/settings.json',
      '.claude/settings.json',
      '.gemini/settings.json',
    ]);
    expect(trust.isOpen).toBe(false);
  });

  it('are read once where the project is the home', async () => {
    await put(join(home, '.claude/settings.json'), PERMISSIONS);
    expect(await readForeignSettings({ root: home, home })).toHaveLength(1);
  });

  it('do not count hooks as unused that the settings import', async () => {
    await put(join(root, '.claude/settings.json'), PERMISSIONS);
    await put(join(home, '.tenon/settings.json'), { hooks: { importFrom: ['.claude/settings.json'] } });
    const { foreign } = await loadSettings({ tenonHome: join(home, '.tenon'), projectRoot: root });
    expect(foreign[0]?.others.map(({ kind }) => kind)).not.toContain('hook');
  });
});
