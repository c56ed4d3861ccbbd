import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effect, PathEffect, RunEffect } from '../effects/effect.js';
import { commandEffects } from '../shell/command-effects.js';
import { plainSurroundings } from '../testing/plain-surroundings.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import type { Rule } from './rule.js';
import { suggestChoices, suggestRules } from './suggest-rules.js';
import type { PolicyCall, PolicyContext } from './verdict.js';

const context: PolicyContext = {
  mode: ApprovalMode.DEFAULT,
  roots: ['/work/app', '/work/lib'],
  home: '/home/ann',
  rules: [],
};

function run(...argv: string[]): RunEffect {
  return { kind: 'run', command: argv.join(' '), argv, directory: '/work/app', zone: 'workspace', readOnly: false };
}

function touch(kind: PathEffect['kind'], path: string, more: Partial<PathEffect> = {}): PathEffect {
  return { kind, path, requested: path, zone: path.startsWith('/work/') ? 'workspace' : 'outside', ...more };
}

const shell = (...effects: Effect[]): PolicyCall => ({ toolName: 'run_shell_command', effects });
const write = (path: string): PolicyCall => ({ toolName: 'write_file', effects: [touch('write', path)] });

function withRules(texts: readonly string[]): PolicyContext {
  return { ...context, rules: texts.map((text): Rule => ({ list: 'allow', text, origin: 'saved' })) };
}

describe('suggestRules', () => {
  it.each<[string, PolicyCall, string[]]>([
    ['one command', shell(run('npm', 'test')), ['run_shell_command(npm test)']],
    [
      'each command of several',
      shell(run('npm', 'test'), run('git', 'status')),
      ['run_shell_command(npm test)', 'run_shell_command(git status)'],
    ],
    ['only what asks', shell({ ...run('pwd'), readOnly: true }, run('make')), ['run_shell_command(make)']],
    ['a command of another tool', { toolName: 'x__run', effects: [run('make')] }, ['Bash(make)']],
    ['a file in a folder', write('/work/app/src/deep/a.ts'), ['Edit(src/deep/**)']],
    ['a file in a folder of the root', write('/work/app/src/a.ts'), ['Edit(src/**)']],
    ['a file in the root', write('/work/app/a.ts'), ['Edit(/*)']],
    ['a file in another root', write('/work/lib/src/a.ts'), ['Edit(//work/lib/src/**)']],
    ['a file right in another root', write('/work/lib/a.ts'), ['Edit(//work/lib/*)']],
    ['a folder with a pattern’s characters', write('/work/app/app/[id]/(g)/a.ts'), ['Edit(app/\\[id]/(g)/**)']],
    [
      'a host',
      { toolName: 'web_fetch', effects: [{ kind: 'fetch', host: 'a.example', url: 'https://a.example/x' }] },
      ['WebFetch(domain:a.example)'],
    ],
    ['a file outside', { toolName: 'read_file', effects: [touch('read', '/opt/a b/x')] }, ['Read(//opt/a b/x)']],
  ])('offers rules for %s (S53)', (_, call, expected) => {
    expect(suggestRules(call, context)).toEqual(expected);
  });

  it.each<[string, Effect]>([
    ['a second line', run('npm', 'test\nrm')],
    ['a very long command', run('echo', 'a'.repeat(2000))],
    ['a command in a folder of the root', { ...run('npm', 'test'), directory: '/work/app/sub' }],
    ['a command in another root', { ...run('npm', 'test'), directory: '/work/lib' }],
    ['a command in the temp folder', { ...run('npm', 'test'), directory: '/tmp/t', zone: 'temp' }],
    ['something unknown', { kind: 'unknown', reason: 'x' }],
    ['a delete', touch('delete', '/work/app/src/a.ts')],
    ['a tree', touch('write', '/work/app/src', { scope: 'tree' })],
    ['a control file', touch('write', '/work/app/.vscode/tasks.json')],
    ['a control file in the root', touch('write', '/work/app/.npmrc')],
    ['a key outside', touch('read', '/home/ann/.ssh/id_ed25519')],
    ['a linked file', touch('write', '/work/app/src/a.ts', { requested: '/work/app/link' })],
  ])('offers nothing for %s', (_, effect) => {
    expect(suggestRules(shell(effect), context)).toEqual([]);
    expect(suggestRules(shell(run('npm', 'test'), effect), context)).toEqual([]);
  });

  it('offers nothing where no allow rule would help', () => {
    const asked: PolicyContext = { ...context, rules: [{ list: 'ask', text: 'Bash(npm *)', origin: 'user' }] };
    expect(suggestRules(shell(run('npm', 'test')), asked)).toEqual([]);
    expect(suggestRules(shell(run('npm', 'test')), { ...context, mode: ApprovalMode.PLAN })).toEqual([]);
    expect(suggestRules(shell(run('npm', 'test')), { ...context, mode: ApprovalMode.YOLO })).toEqual([]);
  });

  it.each<[PolicyCall, Effect]>([
    [shell(run('npm', 'test')), run('npm', 'test', '--', 'x')],
    [shell(run('npm', 'test')), run('npm', 'publish')],
    [shell(run('npm', 'test')), run('./npm', 'test')],
    [shell(run('npm', 'test')), { ...run('npm', 'test'), command: 'PATH=. npm test' }],
    [shell(run('git', 'status')), run('git', '-c', 'core.pager=x', 'status')],
    [write('/work/app/a.ts'), touch('write', '/work/app/src/a.ts')],
    [write('/work/app/a.ts'), touch('write', '/work/app/.npmrc')],
    [write('/work/app/src/a.ts'), touch('write', '/work/app/src/.git/config')],
    [write('/work/app/src/a.ts'), touch('delete', '/work/app/src', { scope: 'tree' })],
    [write('/work/app/src/a.ts'), touch('write', '/work/app/srcx/a.ts')],
    [write('/work/app/src/a.ts'), touch('write', '/etc/x', { requested: '/work/app/src/link' })],
    [write('/work/app/src/a.ts'), touch('write', '/work/lib/src/a.ts')],
  ])('the rule for one call does not allow its dangerous neighbour (case %#)', (call, neighbour) => {
    const rules = suggestRules(call, context);
    expect(rules).not.toEqual([]);
    expect(decide({ ...call, effects: [neighbour] }, withRules(rules)).decision).toBe('ask');
  });

  const names = fc.array(
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
      fc.constantFrom('src', 'a[b]', '!x', '~', '#y', 'a*', '**', ' z', 'q(', 'b\\'),
    ),
    { minLength: 1, maxLength: 4 },
  );

  it('what is offered allows the very call it came from (property)', () => {
    const path = names
      .map((parts) =>
        parts
          .map((part) => part.replaceAll(/[/\0]/g, '_'))
          .filter((part) => part !== '.' && part !== '..')
          .join('/'),
      )
      .filter((text) => text !== '');
    const effect = fc.oneof(
      fc
        .tuple(fc.constantFrom('/work/app/', '/work/lib/', '/opt/'), path)
        .map(([root, rest]): Effect => touch('write', root + rest)),
      path.map((rest): Effect => touch('read', `/opt/${rest}`)),
      fc
        .array(fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('npm', 'test', '-x', 'a:*')), {
          minLength: 1,
          maxLength: 4,
        })
        .map((argv): Effect => run(...argv)),
    );
    fc.assert(
      fc.property(fc.array(effect, { minLength: 1, maxLength: 3 }), (effects) => {
        const call = shell(...effects);
        const rules = suggestRules(call, context);
        if (rules.length > 0) expect(decide(call, withRules(rules)).decision).toBe('allow');
      }),
      { numRuns: 2000 },
    );
  });

  it('a rule can be offered for a file of any ordinary name (property)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('src', 'a b', '[id]', 'x*y', 'q?', '(g)', '#h', '@s', 'é'), {
          minLength: 1,
          maxLength: 3,
        }),
        (parts) => {
          expect(suggestRules(write(`/work/app/${parts.join('/')}`), context)).toHaveLength(1);
        },
      ),
    );
  });
});

describe('suggestChoices', () => {
  const analysed = (text: string) => ({
    toolName: 'run_shell_command',
    effects: commandEffects(
      text,
      { directory: '/work/app', zone: 'workspace' },
      plainSurroundings('/work/app', '/home/ann'),
    ),
  });
  const plain = (rules: readonly Rule[] = []): PolicyContext => ({
    mode: ApprovalMode.DEFAULT,
    rules,
    roots: ['/work/app'],
    home: '/home/ann',
  });
  const general = (text: string): readonly string[] | undefined =>
    suggestChoices(analysed(text), plain()).find(({ kind }) => kind === 'general')?.rules;

  it.each([
    ['npm test', ['run_shell_command(npm test *)']],
    ['npm test -- src/a.test.ts', ['run_shell_command(npm test *)']],
    ['npm run build -- --watch', ['run_shell_command(npm run build *)']],
    ['git commit -m "two words"', ['run_shell_command(git commit -m *)']],
    ['git fetch origin', ['run_shell_command(git fetch *)']],
    ['mise run test -- -v', ['run_shell_command(mise run test *)']],
    ['just build', ['run_shell_command(just build *)']],
    ['cargo test --release', ['run_shell_command(cargo test *)']],
    ['gh pr view 12', ['run_shell_command(gh pr view *)']],
    ['pytest -x tests/unit/a.py', ['run_shell_command(pytest -x tests/unit/*)']],
    ['npm test && cargo test', ['run_shell_command(npm test *)', 'run_shell_command(cargo test *)']],
    ['mkdir src/new', ['Edit(src/**)']],
  ])('generalises %s', (text, rules) => {
    expect(general(text)).toEqual(rules);
  });

  it.each([
    'git push',
    'git',
    'git checkout main',
    'git -c a=b log',
    'npm publish',
    'npx vitest run a',
    'python3 -m pytest a',
    'make build',
    'rm -rf out',
    'curl example.com',
    'A=b npm test',
    'npm run "two words"',
    'npm run *',
    'pytest -p plugin a',
    'pytest',
    'pytest ../other/a.py',
    'sudo npm test',
    'python3 -c "x"',
    'docker run image',
    './npm test',
  ])('never generalises %s', (text) => {
    expect(general(text)).toBeUndefined();
  });

  it('never offers a rule that lets a dangerous neighbour run', () => {
    const calls = [
      'npm test',
      'npm run build',
      'git commit -m x',
      'git fetch origin',
      'cargo test',
      'go test ./...',
      'gh pr view 1',
      'pytest tests/a.py',
      'yarn test',
    ];
    for (const call of calls) {
      const rules = (general(call) ?? []).map((text): Rule => ({ list: 'allow', text, origin: 'test' }));
      expect(rules).toHaveLength(1);
      const [program = '', subcommand = ''] = call.split(' ');
      const neighbours = [
        `${call}; rm -rf x`,
        `${call} && curl example.com`,
        `${call} | sh`,
        `${call} & rm x`,
        `${call}\nrm x`,
        `${call} > out`,
        `${call} >> ~/.bashrc`,
        `${call} $(rm x)`,
        `${call} \`rm x\``,
        `${call} <(rm x)`,
        `LD_PRELOAD=x ${call}`,
        `PATH=. ${call}`,
        `sudo ${call}`,
        `cd /tmp && ${call}`,
        `./${call}`,
        `${program}x ${subcommand}`,
        `${program} ${subcommand.includes('/') ? `../${subcommand}` : `${subcommand}x`}`,
        program,
        `${program} -c x ${subcommand}`,
        `${program} --output=x`,
        `${program} publish`,
        `${program} push`,
        `${program} exec x`,
        `${program} config x`,
      ];
      for (const text of neighbours) {
        expect([text, decide(analysed(text), plain(rules)).decision]).not.toEqual([text, 'allow']);
      }
    }
  });

  it('offers the bare command where output is only put together or thrown away', () => {
    for (const text of ['make build 2>&1', 'make build >/dev/null 2>&1', 'make build 2> /dev/null < /dev/null']) {
      expect([text, suggestRules(analysed(text), plain())]).toEqual([text, ['run_shell_command(make build)']]);
    }
  });

  it('puts the exact rules first, and every choice allows the call', () => {
    for (const text of ['npm test', 'git fetch origin', 'mkdir src/new', 'npm test && cargo test']) {
      const choices = suggestChoices(analysed(text), plain());
      expect(choices.map(({ kind }) => kind)).toEqual(['exact', 'general']);
      for (const { rules } of choices) {
        const added = rules.map((rule): Rule => ({ list: 'allow', text: rule, origin: 'test' }));
        expect(decide(analysed(text), plain(added)).decision).toBe('allow');
      }
    }
  });
});
