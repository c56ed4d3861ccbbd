import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPathEffect, type Effect, type PathEffect, type RunEffect } from '../effects/effect.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import type { Rule, RuleList } from './rule.js';
import type { Decision, PolicyContext } from './verdict.js';

const { PLAN, DEFAULT, AUTO_EDIT, YOLO } = ApprovalMode;
const MODES = Object.values(ApprovalMode);

function context(mode: ApprovalMode, rules: Partial<Record<RuleList, string[]>> = {}): PolicyContext {
  const lists: readonly RuleList[] = ['allow', 'ask', 'deny'];
  return {
    mode,
    roots: ['/work/app'],
    home: '/home/ann',
    rules: lists.flatMap((list) => (rules[list] ?? []).map((text): Rule => ({ list, text, origin: 'test' }))),
  };
}

function run(...argv: string[]): RunEffect {
  return { kind: 'run', command: argv.join(' '), argv, directory: '/work/app', zone: 'workspace', readOnly: false };
}

function touch(kind: PathEffect['kind'], path: string, zone: PathEffect['zone'] = 'workspace'): PathEffect {
  return { kind, path, requested: path, zone };
}

const unknown: Effect = { kind: 'unknown', reason: 'a substitution' };
const shell = (...effects: Effect[]) => ({ toolName: 'run_shell_command', effects });
const tool = (...effects: Effect[]) => ({ toolName: 'write_file', effects });

describe('the modes', () => {
  it.each<[string, Effect, [Decision, Decision, Decision, Decision]]>([
    ['a read in the workspace', touch('read', '/work/app/a'), ['allow', 'allow', 'allow', 'allow']],
    ['a read in temp', touch('read', '/tmp/t/a', 'temp'), ['allow', 'allow', 'allow', 'allow']],
    ['a read outside', touch('read', '/opt/a', 'outside'), ['ask', 'ask', 'ask', 'allow']],
    ['a write in the workspace', touch('write', '/work/app/a'), ['deny', 'ask', 'allow', 'allow']],
    ['a delete in the workspace', touch('delete', '/work/app/a'), ['deny', 'ask', 'ask', 'allow']],
    ['a write in temp', touch('write', '/tmp/t/a', 'temp'), ['deny', 'ask', 'allow', 'allow']],
    ['a write outside', touch('write', '/opt/a', 'outside'), ['deny', 'ask', 'ask', 'allow']],
    ['a delete outside', touch('delete', '/opt/a', 'outside'), ['deny', 'ask', 'ask', 'allow']],
    ['a command', run('npm', 'test'), ['deny', 'ask', 'ask', 'allow']],
    ['a read-only command', { ...run('pwd'), readOnly: true }, ['allow', 'allow', 'allow', 'allow']],
    ['a fetch', { kind: 'fetch', host: 'a.b', url: 'https://a.b/' }, ['deny', 'ask', 'ask', 'allow']],
    [
      'reading the web',
      { kind: 'fetch', host: 'a.b', url: 'https://a.b/', onlyReads: true },
      ['ask', 'ask', 'ask', 'allow'],
    ],
    ['a delegation', { kind: 'delegate', agent: 'x' }, ['allow', 'allow', 'allow', 'allow']],
    ['a question', { kind: 'ask' }, ['allow', 'allow', 'allow', 'allow']],
    ['something unknown', unknown, ['deny', 'ask', 'ask', 'allow']],
  ])('%s is judged by plan, default, auto_edit and yolo (S55, S59)', (_, effect, expected) => {
    const decisions = [PLAN, DEFAULT, AUTO_EDIT, YOLO].map((mode) => decide(tool(effect), context(mode)).decision);
    expect(decisions).toEqual(expected);
  });

  it('a call without effects goes through unless a rule on the tool says otherwise (S51)', () => {
    expect(decide(tool(), context(PLAN)).decision).toBe('allow');
    expect(decide(tool(), context(YOLO, { deny: ['write_file'] })).decision).toBe('deny');
    expect(decide(tool(), context(YOLO, { ask: ['write_*'] })).decision).toBe('ask');
    expect(decide(tool(), context(YOLO, { deny: ['Edit', 'write_file(a)'] })).decision).toBe('allow');
  });
});

describe('decide', () => {
  it('takes the strictest part, with its rule, and puts it first', () => {
    const verdict = decide(
      shell(run('npm', 'test'), run('rm', '-rf', 'x')),
      context(DEFAULT, { allow: ['Bash(npm *)'], deny: ['Bash(rm *)'] }),
    );
    expect(verdict).toMatchObject({ decision: 'deny', rule: { text: 'Bash(rm *)' } });
    expect(verdict.parts.map((part) => part.decision)).toEqual(['deny', 'allow']);
    expect(verdict.reason).toBe('deny rule Bash(rm *) (test)');
  });

  it('asks about several commands unless each is allowed', () => {
    const rules = { allow: ['Bash(npm test)', 'Bash(git status)'] };
    expect(decide(shell(run('npm', 'test'), run('git', 'status')), context(DEFAULT, rules)).decision).toBe('allow');
    expect(decide(shell(run('npm', 'test'), run('git', 'push')), context(DEFAULT, rules)).decision).toBe('ask');
  });

  it('prefers deny over ask over allow', () => {
    const all = { allow: ['Bash(git *)'], ask: ['Bash(git push *)'], deny: ['Bash(git push --force *)'] };
    expect(decide(shell(run('git', 'log')), context(DEFAULT, all)).decision).toBe('allow');
    expect(decide(shell(run('git', 'push')), context(YOLO, all)).decision).toBe('ask');
    expect(decide(shell(run('git', 'push', 'x', '--force')), context(YOLO, all)).decision).toBe('deny');
  });

  it('plan mode is not loosened by allow rules', () => {
    const rules = { allow: ['Edit(**)', 'Bash', 'run_shell_command', 'write_file', 'WebFetch'] };
    expect(decide(tool(touch('write', '/work/app/a')), context(PLAN, rules)).decision).toBe('deny');
    expect(decide(shell(run('npm', 'test')), context(PLAN, rules)).decision).toBe('deny');
    expect(decide(shell(unknown), context(PLAN, rules)).decision).toBe('deny');
    const fetch = { kind: 'fetch', host: 'a.b', url: 'https://a.b/' } as const;
    expect(decide(tool(fetch), context(PLAN, { allow: ['WebFetch'] })).decision).toBe('deny');
    const reading = tool({ ...fetch, onlyReads: true });
    expect(decide(reading, context(PLAN, { allow: ['WebFetch(domain:a.b)'] })).decision).toBe('allow');
    expect(decide(reading, context(PLAN, { deny: ['WebFetch(domain:a.b)'] })).decision).toBe('deny');
  });

  it('a rule on reads speaks of every tool that reads', () => {
    const rules = { deny: ['Read(.env)'] };
    for (const toolName of ['read_file', 'grep_search', 'run_shell_command', 'github__upload']) {
      const call = { toolName, effects: [touch('read', '/work/app/.env')] };
      expect(decide(call, context(YOLO, rules)).decision).toBe('deny');
    }
  });

  it('a rule on changes speaks of every tool that changes files: what is written, deleted and moved', () => {
    const effects = [
      touch('read', '/work/app/src/a'),
      touch('delete', '/work/app/src/a'),
      touch('write', '/work/app/b'),
    ];
    for (const toolName of ['edit', 'write_file', 'apply_patch']) {
      const call = { toolName, effects };
      for (const name of ['Edit', 'Write']) {
        expect(decide(call, context(DEFAULT, { allow: [`${name}(src/**)`] })).decision).toBe('ask');
        expect(decide(call, context(DEFAULT, { allow: [`${name}(src/**)`, `${name}(b)`] })).decision).toBe('allow');
        expect(decide(call, context(YOLO, { deny: [`${name}(b)`] })).decision).toBe('deny');
      }
    }
  });

  it('a search over a folder asks when a deny rule speaks of something inside', () => {
    const call = { toolName: 'grep_search', effects: [{ ...touch('read', '/work/app/src'), scope: 'tree' as const }] };
    const verdict = decide(call, context(YOLO, { deny: ['Read(src/secret/**)'], allow: ['Read(**)', 'grep_search'] }));
    expect(verdict.decision).toBe('ask');
    expect(verdict.reason).toContain('speaks of something inside the folder');
  });

  it('something unknown is allowed only by a bare rule', () => {
    expect(decide(shell(unknown), context(DEFAULT, { allow: ['Bash(npm *)'] })).decision).toBe('ask');
    expect(decide(shell(unknown), context(DEFAULT, { allow: ['Bash'] })).decision).toBe('allow');
    expect(decide(shell(unknown), context(DEFAULT, { allow: ['Bash(*)'] })).decision).toBe('allow');
    expect(decide(shell(unknown), context(DEFAULT, { allow: ['run_shell_command'] })).decision).toBe('allow');
    expect(decide(shell(unknown), context(DEFAULT, { allow: ['Read', 'Edit'] })).decision).toBe('ask');
    expect(decide({ toolName: 'x__y', effects: [unknown] }, context(DEFAULT, { allow: ['Bash'] })).decision).toBe(
      'ask',
    );
    expect(decide({ toolName: 'x__y', effects: [unknown] }, context(DEFAULT, { allow: ['x__*'] })).decision).toBe(
      'allow',
    );
  });

  it('something unknown asks where it might meet a deny or ask rule, whatever allows it', () => {
    for (const rules of [{ deny: ['Bash(rm *)'] }, { ask: ['run_shell_command(rm *)'] }, { deny: ['Read(.env)'] }]) {
      const verdict = decide(shell(unknown), context(YOLO, { ...rules, allow: ['Bash', 'run_shell_command'] }));
      expect(verdict.decision).toBe('ask');
      expect(verdict.reason).toContain('not analysed (a substitution)');
    }
    expect(decide(shell(unknown), context(YOLO, { deny: ['Bash'] })).decision).toBe('deny');
    expect(decide(shell(unknown), context(YOLO, { deny: ['other_tool'] })).decision).toBe('allow');
  });

  it('a deny or ask rule that cannot be read makes everything ask', () => {
    const verdict = decide(tool(touch('read', '/work/app/a')), context(YOLO, { deny: ['Bash('], allow: ['Read'] }));
    expect(verdict.decision).toBe('ask');
    expect(verdict.reason).toContain('could not be read');
    expect(decide(tool(), context(YOLO, { ask: [''] })).decision).toBe('ask');
    expect(decide(tool(), context(YOLO, { allow: ['Bash('] })).decision).toBe('allow');
  });

  it('asks before deleting a root, the home folder, or what holds them, in every mode but plan', () => {
    for (const path of ['/', '/work', '/work/app', '/home', '/home/ann', '/HOME/ANN/']) {
      const call = shell({ ...touch('delete', path), scope: 'tree' });
      expect(decide(call, context(YOLO, { allow: ['Edit(//**)', 'run_shell_command'] })).decision).toBe('ask');
      expect(decide(call, context(PLAN)).decision).toBe('deny');
    }
  });
});

describe('laws', () => {
  const path = fc.constantFrom(
    '/work/app/src/a.ts',
    '/work/app/src',
    '/work/app/.env',
    '/work/app',
    '/opt/x',
    '/work/app/.git/config',
    '/home/ann/.bashrc',
  );
  const pathEffect: fc.Arbitrary<Effect> = fc.record({
    kind: fc.constantFrom('read' as const, 'write' as const, 'delete' as const),
    path,
    requested: path,
    zone: fc.constantFrom('workspace' as const, 'outside' as const),
  });
  const tree = pathEffect.map((effect): Effect => (isPathEffect(effect) ? { ...effect, scope: 'tree' } : effect));
  const runEffect = fc
    .array(fc.constantFrom('npm', 'test', 'rm', '-rf', 'git', 'push', 'sudo', 'x; y'), { maxLength: 4 })
    .map((argv): Effect => run(...argv));
  const foreign = fc
    .constantFrom('reads' as const, 'changes' as const, 'destroys' as const, 'unknown' as const)
    .map((does): Effect => ({ kind: 'foreign', from: 'x', tool: 'y', does, reason: '' }));
  const plain = fc.constantFrom<Effect>(unknown, { kind: 'ask' });
  const effect = fc.oneof(pathEffect, tree, runEffect, foreign, plain);
  const call = fc.record({
    toolName: fc.constantFrom('run_shell_command', 'edit', 'x__y'),
    effects: fc.array(effect, { maxLength: 3 }),
  });
  const text = fc.constantFrom(
    'Bash',
    'Bash(rm *)',
    'Bash(npm test)',
    'Bash(git *)',
    'Read',
    'Read(src/**)',
    'Edit',
    'Edit(**)',
    'Edit(//**)',
    'Read(.env)',
    'edit',
    'x__*',
    'x__y(src/**)',
    'run_shell_command',
    'run_shell_command(git push)',
    'Bash(',
    '~',
  );
  const rule = fc.record({ list: fc.constantFrom<RuleList>('allow', 'ask', 'deny'), text, origin: fc.constant('law') });
  const mode = fc.constantFrom(...MODES);
  const contextOf = fc
    .record({ mode, rules: fc.array(rule, { maxLength: 5 }) })
    .map((made): PolicyContext => ({ ...context(made.mode), rules: made.rules }));
  const order: Decision[] = ['allow', 'ask', 'deny'];
  const rank = (decision: Decision): number => order.indexOf(decision);
  const many = { numRuns: 2000 };

  it('the strictest effect wins (property)', () => {
    fc.assert(
      fc.property(call, contextOf, (judged, where) => {
        fc.pre(judged.effects.length > 0);
        const alone = judged.effects.map((each) => decide({ ...judged, effects: [each] }, where).decision);
        expect(decide(judged, where).decision).toBe(order[Math.max(...alone.map(rank))]);
      }),
      many,
    );
  });

  it('adding a deny or ask rule never loosens, adding an allow rule never tightens (property)', () => {
    fc.assert(
      fc.property(call, contextOf, rule, fc.nat(5), (judged, where, added, at) => {
        const rules = where.rules.toSpliced(at, 0, added);
        const before = rank(decide(judged, where).decision);
        const after = rank(decide(judged, { ...where, rules }).decision);
        if (added.list === 'allow') expect(after).toBeLessThanOrEqual(before);
        else expect(after).toBeGreaterThanOrEqual(before);
      }),
      many,
    );
  });

  it('the order of rules does not change the decision (property)', () => {
    fc.assert(
      fc.property(call, contextOf, (judged, where) => {
        const turned = { ...where, rules: where.rules.toReversed() };
        expect(decide(judged, turned).decision).toBe(decide(judged, where).decision);
      }),
      many,
    );
  });

  it('no rule and no mode lets a control file be changed without a question (property)', () => {
    const control = fc.constantFrom(
      '/work/app/.git/config',
      '/work/app/.Tenon/settings.json',
      '/home/ann/.bashrc',
      '/work/app/.MCP.json',
    );
    fc.assert(
      fc.property(
        control,
        fc.boolean(),
        contextOf,
        fc.constantFrom('write' as const, 'delete' as const),
        (target, linked, where, kind) => {
          const asked: Effect = { ...touch(kind, target), ...(linked && { requested: '/work/app/harmless' }) };
          expect(decide(tool(asked), where).decision).not.toBe('allow');
        },
      ),
      many,
    );
  });

  it('plan mode allows nothing but reads, whatever the rules (property)', () => {
    fc.assert(
      fc.property(call, contextOf, (judged, where) => {
        const verdict = decide(judged, { ...where, mode: PLAN });
        // Tools of others: `foreign.test.ts`.
        const changes = judged.effects.some(({ kind }) => kind !== 'read' && kind !== 'ask' && kind !== 'foreign');
        if (changes) expect(verdict.decision).toBe('deny');
      }),
      many,
    );
  });
});
