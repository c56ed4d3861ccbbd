import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../effects/effect.js';
import { commandEffects } from '../shell/command-effects.js';
import { plainSurroundings } from '../testing/plain-surroundings.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import type { Rule, RuleList } from './rule.js';
import { suggestChoices, suggestRules } from './suggest-rules.js';
import type { Decision, PolicyCall, PolicyContext } from './verdict.js';

const ROOT = '/work/app';
const SURROUNDINGS = plainSurroundings(ROOT, '/home/ann', [`${ROOT}/.env`, `${ROOT}/x.mjs`]);

function callOf(text: string, directory = ROOT, more: readonly Effect[] = []): PolicyCall {
  const effects = commandEffects(text, { directory, zone: 'workspace' }, SURROUNDINGS);
  return { toolName: 'run_shell_command', effects: [...effects, ...more] };
}

type Lists = Partial<Record<RuleList, readonly string[]>>;

function contextOf(lists: Lists = {}, mode: ApprovalMode = ApprovalMode.DEFAULT): PolicyContext {
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (lists[list] ?? []).map((text): Rule => ({ list, text, origin: 'test' })),
  );
  return { mode, rules, roots: [ROOT], home: '/home/ann' };
}

const judge = (text: string, lists: Lists, mode?: ApprovalMode): Decision =>
  decide(callOf(text), contextOf(lists, mode)).decision;

/** Commands with unknown effects, or whose parts' rules would allow more than the user saw. */
const COMMANDS: readonly (readonly [text: string, rule: string])[] = [
  ['node x.mjs', 'node x.mjs'],
  ['npx tsc', 'npx tsc'],
  ['npx tsc --noEmit -p .', 'npx tsc --noEmit -p .'],
  ['python3 x.py', 'python3 x.py'],
  ['python3 -m pytest tests', 'python3 -m pytest tests'],
  ['python3 -c "print(1)"', `'python3 -c "print(1)"'`],
  ["node -e 'console.log(1)'", String.raw`'node -e '\''console.log(1)'\'''`],
  ['uv run pytest', 'uv run pytest'],
  ['bash scripts/x.sh', 'bash scripts/x.sh'],
  ['bash -c "node $X"', `'bash -c "node $X"'`],
  ['sudo make install', 'sudo make install'],
  ['env A=b npm test', 'env A=b npm test'],
  ['A=b npm test', 'A=b npm test'],
  ['docker run --rm image', 'docker run --rm image'],
  ['xargs -n1 node', 'xargs -n1 node'],
  ['rm -rf build', 'rm -rf build'],
  ['git config user.name x', 'git config user.name x'],
  ['find . -exec node {} ";"', `'find . -exec node {} ";"'`],
  ['for f in *.ts; do node $f; done', `'for f in *.ts; do node $f; done'`],
  ['make > out.txt 2>&1', `'make > out.txt 2>&1'`],
  ['cd sub && node x.mjs', `'cd sub && node x.mjs'`],
  ['eval "$CMD"', `'eval "$CMD"'`],
  ['cat x | node -', `'cat x | node -'`],
];

describe('"always, exactly this command"', () => {
  it.each(COMMANDS)('is offered for %s', (text, rule) => {
    const rules = [`run_shell_command(${rule})`];
    expect(suggestRules(callOf(text), contextOf())).toEqual(rules);
    expect(judge(text, { allow: rules })).toBe('allow');
    expect(judge(text, { allow: rules }, ApprovalMode.PLAN)).toBe('deny');
  });

  it.each(COMMANDS)('allows %s and nothing else', (text, rule) => {
    const allow = [`run_shell_command(${rule})`];
    const others = [
      ...['; x', ' && x', ' | x', ' > y', ' x', '\nx', ' $(x)', ' & x'].map((more) => `${text}${more}`),
      ...['x; ', 'sudo ', 'B=c ', 'cd .. && '].map((more) => `${more}${text}`),
    ];
    for (const other of others) expect([other, judge(other, { allow })]).toEqual([other, 'ask']);
  });

  it('holds in the first root alone, because the words mean something else elsewhere', () => {
    const allow = [`Bash('eval "$CMD"')`];
    expect(judge('eval "$CMD"', { allow })).toBe('allow');
    expect(decide(callOf('eval "$CMD"', `${ROOT}/sub`), contextOf({ allow })).decision).toBe('ask');
  });

  it.each([
    ['a control file', 'node x.mjs > .npmrc'],
    ['a control file among the words', 'node x.mjs .git/config'],
    ['the whole workspace', 'rm -rf "$X"'],
    ['an act that nothing brings back', 'mkfs /dev/sdb1'],
    ['such an act among others', 'node x.mjs; git clean -fdx'],
    ['the agent itself', 'npx tenon trust --yes'],
    ['a text of several lines', 'python3 - <<EOF\nprint(1)\nEOF'],
    ['a text that is too long', `node ${'x'.repeat(2000)}`],
  ])('is not offered for %s', (_, text) => {
    expect(suggestChoices(callOf(text), contextOf())).toEqual([]);
  });

  it('never answers what is no part of the text', () => {
    const allow = ['run_shell_command(node x.mjs)'];
    for (const effect of [
      { kind: 'unknown', reason: 'it runs outside the sandbox' },
      { kind: 'secret', name: 'TOKEN', into: 'a command' },
    ] as const) {
      const call = callOf('node x.mjs', ROOT, [effect]);
      expect(decide(call, contextOf({ allow })).decision).toBe('ask');
    }
    const other = { ...callOf('eval "$CMD"'), toolName: 'my_tool' };
    expect(decide(other, contextOf({ allow: [`Bash('eval "$CMD"')`] })).decision).toBe('ask');
  });
});

describe('a rule that is the whole text never answers', () => {
  const allow = [
    'Bash(node x.mjs)',
    "Bash('node x.mjs > .npmrc')",
    "Bash('node x.mjs; git clean -fdx')",
    'Bash(node .env)',
  ];
  it.each<[string, string, Lists, Decision]>([
    ['a deny rule on the command', 'node x.mjs', { deny: ['Bash(node *)'] }, 'deny'],
    ['an ask rule on the command', 'node x.mjs', { ask: ['Bash(node *)'] }, 'ask'],
    ['a deny rule on a path that it names', 'node .env', { deny: ['Read(.env)'] }, 'ask'],
    ['a deny rule on all commands', 'node x.mjs', { deny: ['Bash'] }, 'deny'],
    ['a control file', 'node x.mjs > .npmrc', {}, 'ask'],
    ['an act that nothing brings back', 'node x.mjs; git clean -fdx', {}, 'ask'],
  ])('%s', (_, text, lists, expected) => {
    for (const mode of [ApprovalMode.DEFAULT, ApprovalMode.AUTO_EDIT, ApprovalMode.YOLO])
      expect(judge(text, { ...lists, allow }, mode)).toBe(expected);
  });

  it('but settles deny and ask rules that might be met only because not all is known', () => {
    const lists = { deny: ['Read(.env)', 'Bash(rm *)', 'WebFetch(domain:example.com)'] };
    expect(judge('node x.mjs', lists)).toBe('ask');
    expect(judge('node x.mjs', { ...lists, allow })).toBe('allow');
    const ofManager: Rule = { list: 'deny', text: 'Read(.env)', origin: 'managed', isManaged: true };
    const context = contextOf({ allow });
    const managed = decide(callOf('bash x.sh'), { ...context, rules: [...context.rules, ofManager] });
    expect(managed.decision).toBe('ask');
  });

  it('anything but its own text (property)', () => {
    const piece = fc.constantFrom(
      'node',
      'x.mjs',
      'npx',
      ';',
      '&&',
      '|',
      '>',
      '$x',
      '"',
      "'",
      ' ',
      '  ',
      '-e',
      '$(',
      ')',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const text = pieces.join('');
        if (text.trim() === 'node x.mjs') return;
        const isPlain = /^[\w. -]*$/.test(text);
        // The same words are the same command if nothing else is in the text.
        if (isPlain && text.trim().replaceAll(/ +/g, ' ') === 'node x.mjs') return;
        expect([text, judge(text, { allow: ['Bash(node x.mjs)'] })]).toEqual([text, judge(text, {})]);
      }),
      { numRuns: 500 },
    );
  });
});
