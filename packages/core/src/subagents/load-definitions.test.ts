import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadDefinitions, type LoadedDefinitions } from './load-definitions.js';
import { readDefinition } from './read-definition.js';
import { toolFilter } from './tool-filter.js';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-agents-')));
  mkdirSync(join(base, 'project'));
  mkdirSync(join(base, 'home'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, text: string): string {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const agent = (name: string, more = '', body = 'Do.'): string =>
  `---\nname: ${name}\ndescription: about ${name}\n${more}\n---\n${body}\n`;

function load(isTrusted = true): Promise<LoadedDefinitions> {
  const userHome = join(base, 'home');
  const places = { roots: [join(base, 'project')], userHome, tenonHome: join(userHome, '.tenon'), isTrusted };
  return loadDefinitions(places, ['general', 'explore']);
}

describe('definitions', () => {
  it('come from the folders of Tenon, Qwen Code and Claude Code, Tenon\u2019s own first', async () => {
    put('project/.claude/agents/a.md', agent('same', '', 'claude'));
    put('project/.qwen/agents/a.md', agent('same', '', 'qwen'));
    put('project/.tenon/agents/a.md', agent('same', '', 'tenon'));
    put('home/.claude/agents/b.md', agent('mine'));
    put('home/.tenon/agents/c.md', agent('same', '', 'home'));
    const { definitions, problems, withheld } = await load();
    expect(definitions.map(({ name, origin, instructions }) => [name, origin, instructions])).toEqual([
      ['same', 'project', 'tenon'],
      ['mine', 'user', 'Do.'],
    ]);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain('describes an agent of the same name');
    expect(withheld).toEqual([]);
  });

  it('may be in folders below, but not in hidden ones, nor behind links; a README is none', async () => {
    put('home/.claude/agents/top.md', agent('top'));
    put('home/.claude/agents/review/security/deep.md', '---\ndescription: named by its file\n---\nDo.\n');
    put('home/.claude/agents/README.md', '# Agents of ours\n');
    put('home/.claude/agents/review/readme.md', '# Review\n');
    put('home/.claude/agents/.git/x.md', agent('hidden'));
    put('home/.claude/agents/node_modules/x/x.md', agent('packed'));
    put('home/other/x.md', agent('other'));
    symlinkSync(join(base, 'home/other'), join(base, 'home/.claude/agents/linked'));
    const file = put('project/.claude/agents/a/b/c.md', agent('c'));
    const { definitions, problems, withheld } = await load(false);
    expect(definitions.map(({ name }) => name)).toEqual(['top', 'deep']);
    expect(definitions[1]?.file).toBe(join(base, 'home/.claude/agents/review/security/deep.md'));
    expect([problems, withheld]).toEqual([[], [file]]);
  });

  it('say what of them is not done, by the names that people write', async () => {
    put('home/.tenon/agents/x.md', agent('x', 'max_turns: none\nskills: pdf, xlsx\nmemory: user\nhooks: {}'));
    const { definitions, problems } = await load();
    expect(definitions).toHaveLength(1);
    expect(problems.map((problem) => problem.replace(/^.*x\.md: /, ''))).toEqual([
      'its hooks are not run.',
      'its skills are not read before it begins.',
      'it has no memory of its own.',
      'its maxTurns must be a number above 0; the usual limit holds.',
    ]);
  });

  it.each(['inherit', 'sonnet', 'Opus', 'haiku', 'opusplan', 'sonnet[1m]'])(
    'that name the model %s mean that of the agent above',
    async (model) => {
      put('home/.claude/agents/x.md', agent('x', `model: ${model}`));
      const { definitions, problems } = await load();
      expect([definitions[0]?.model, definitions.length, problems]).toEqual([undefined, 1, []]);
    },
  );

  it('of a folder that nobody trusts are named and not read', async () => {
    const file = put('project/.tenon/agents/x.md', agent('x'));
    put('home/.tenon/agents/y.md', agent('y'));
    const { definitions, withheld } = await load(false);
    expect(definitions.map(({ name }) => name)).toEqual(['y']);
    expect(withheld).toEqual([file]);
  });

  it('of a project never take the place of built-in ones; the person\u2019s may', async () => {
    put('project/.tenon/agents/general.md', agent('general'));
    const first = await load();
    expect(first.definitions).toEqual([]);
    expect(first.problems[0]).toContain('a project may not take the place of the built-in agent general');
    put('home/.tenon/agents/general.md', agent('general'));
    expect((await load()).definitions).toMatchObject([{ name: 'general', origin: 'user' }]);
  });

  it('read the fields of all three', async () => {
    put(
      'project/.claude/agents/c.md',
      agent(
        'c',
        'tools: Read, Grep, Bash(git log, git diff), mcp__docs__find\ndisallowedTools: [Write]\nmodel: sonnet\npermissionMode: acceptEdits\nmaxTurns: 7\nbackground: true\nisolation: worktree',
      ),
    );
    put(
      'project/.qwen/agents/q.md',
      agent(
        'q',
        'tools:\n  - read_file\nmodelConfig:\n  model: big\nrunConfig:\n  max_turns: 3\n  max_time_minutes: 2',
      ),
    );
    const { definitions, problems } = await load();
    expect(definitions).toMatchObject([
      { name: 'q', tools: ['read_file'], model: 'big', maxTurns: 3, maxSeconds: 120 },
      {
        name: 'c',
        tools: ['read_file', 'grep_search', 'run_shell_command', 'docs__find'],
        disallowedTools: ['write_file'],
        approvalMode: 'auto_edit',
        maxTurns: 7,
        isBackground: true,
        isolation: 'worktree',
      },
    ]);
    expect(definitions[1]).not.toHaveProperty('model');
    expect(problems).toEqual([expect.stringContaining('what is in brackets grants nothing')]);
  });

  it.each([
    ['no description', '---\nname: x\n---\nHi', 'no description'],
    ['a name that is a path', agent('../x'), 'its name must be'],
    ['YAML that cannot be read', '---\nname: x\ntools:\n  - a\n b: [\n---\n', 'its head cannot be read'],
    ['tools that are no names', agent('x', 'tools: {a: b}'), 'tools must be names'],
    ['tools with strange names', agent('x', 'tools: ["rm -rf /"]'), 'no name of a tool'],
    ['isolation that is not known', agent('x', 'isolation: remote'), 'isolation must be worktree'],
    ['no head', 'just text', 'no description'],
  ])('with %s are none, and say why', async (_what, text, why) => {
    put('home/.tenon/agents/x.md', text);
    const { definitions, problems } = await load();
    expect(definitions).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(why)]);
  });

  it('with a mode that is not known work in default mode at most', async () => {
    put('home/.tenon/agents/x.md', agent('x', 'permissionMode: everything'));
    const { definitions, problems } = await load();
    expect(definitions).toMatchObject([{ approvalMode: 'default' }]);
    expect(problems).toHaveLength(1);
  });

  it('are never read from links that lead out, pipes, large files and other kinds of files', async () => {
    const outside = put('outside.md', agent('outside'));
    put('project/.tenon/agents/good.md', agent('good'));
    const folder = join(base, 'project/.tenon/agents');
    symlinkSync(outside, join(folder, 'link.md'));
    symlinkSync(join(folder, 'good.md'), join(folder, 'inner.md'));
    execFileSync('mkfifo', [join(folder, 'pipe.md')]);
    mkdirSync(join(folder, 'folder.md'));
    put('project/.tenon/agents/large.md', agent('large', '', 'x'.repeat(70_000)));
    put('project/.tenon/agents/binary.md', 'a\0b');
    const { definitions, problems } = await load();
    expect(definitions.map(({ name }) => name)).toEqual(['good']);
    const all = problems.join('\n');
    for (const what of ['leads out of its folder', 'larger than 64 KiB', 'it is no text', 'same name'])
      expect(all).toContain(what);
  });

  it('in a folder that leads out of the project are not used', async () => {
    put('elsewhere/agents/x.md', agent('x'));
    symlinkSync(join(base, 'elsewhere'), join(base, 'project/.tenon'));
    const { definitions, problems } = await load();
    expect(definitions).toEqual([]);
    expect(problems[0]).toContain('leads out of');
  });

  it('are at most a hundred for each folder', async () => {
    for (let count = 0; count < 105; count += 1) put(`home/.tenon/agents/n${count}.md`, agent(`n${count}`));
    for (let count = 0; count < 150; count += 1) put(`home/.qwen/agents/f${1000 + count}/x.md`, agent(`q${count}`));
    const { definitions, problems } = await load();
    expect(definitions.filter(({ name }) => name.startsWith('n'))).toHaveLength(100);
    // Nor are more folders than that looked into.
    expect(definitions.filter(({ name }) => name.startsWith('q'))).toHaveLength(99);
    expect(problems).toEqual([expect.stringContaining('more than 100')]);
  });

  it('hold nothing that cannot be seen', async () => {
    put('home/.tenon/agents/x.md', agent('x', '', 'be\u001b[31m good\u202e\u0007'));
    const { definitions } = await load();
    expect(definitions[0]?.instructions).not.toMatch(/[\u001b\u0007]/);
  });

  it('never fail, whatever stands in a file', async () => {
    const file = { file: '/x.md', origin: 'project', baseName: 'x' } as const;
    const heads = fc.array(
      fc.tuple(fc.constantFrom('name', 'tools', 'model', 'description', 'runConfig', 'hooks'), fc.json()),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          heads.map((all) => `---\n${all.map(([key, value]) => `${key}: ${value}`).join('\n')}\n---\nx`),
        ),
        async (text) => {
          const { definition, problems } = await readDefinition(text, file);
          expect(definition !== undefined || problems.length > 0).toBe(true);
        },
      ),
    );
  });
});

describe('the tools of a definition', () => {
  it('only ever become fewer by what it forbids', () => {
    const names = fc.array(fc.constantFrom('read_file', 'edit', 'task', 'docs__find', 'docs__*', '*', 'nothing'));
    fc.assert(
      fc.property(
        fc.option(names, { nil: undefined }),
        names,
        fc.constantFrom('read_file', 'edit', 'task', 'docs__find'),
        (tools, without, name) => {
          const all = toolFilter(tools === undefined ? {} : { tools })(name);
          const less = toolFilter({ ...(tools !== undefined && { tools }), disallowedTools: without })(name);
          expect(less).toBe(all && !toolFilter({ tools: without })(name));
        },
      ),
    );
  });

  it('are found by their wire names, servers by prefix, and none by an empty list', () => {
    expect(toolFilter({ tools: ['task'] })('task')).toBe(true);
    expect(toolFilter({ tools: ['docs__*'] })('docs__find')).toBe(true);
    expect(toolFilter({ tools: [] })('read_file')).toBe(false);
    expect(toolFilter({})('anything')).toBe(true);
  });
});
