import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeEffect } from '../effects/describe.js';
import type { Effect, ForeignEffect } from '../effects/effect.js';
import { ApprovalMode } from './approval-mode.js';
import { compileRules } from './compile-rules.js';
import { decide } from './decide.js';
import { denialAdvice } from './denial-advice.js';
import { explain } from './explain.js';
import { lintRules } from './lint-rules.js';
import { covers } from './rule-cover.js';
import { nameProblem } from './rule-names.js';
import type { Rule, RuleList } from './rule.js';
import { suggestChoices } from './suggest-rules.js';
import type { Decision, PolicyContext } from './verdict.js';

const { PLAN, DEFAULT, AUTO_EDIT, YOLO } = ApprovalMode;
const MODES = [PLAN, DEFAULT, AUTO_EDIT, YOLO];
const DOES = ['reads', 'changes', 'destroys', 'unknown'] as const;

function foreign(does: ForeignEffect['does'], more: Partial<ForeignEffect> = {}): ForeignEffect {
  return { kind: 'foreign', from: 'srv', tool: 'do', does, reason: 'nothing is known', ...more };
}

function context(mode: ApprovalMode, lists: Partial<Record<RuleList, readonly string[]>> = {}): PolicyContext {
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (lists[list] ?? []).map((text): Rule => ({ list, text, origin: 'test' })),
  );
  return { mode, rules, roots: ['/work/app'], home: '/home/ann' };
}

function judge(
  effect: Effect,
  mode: ApprovalMode,
  lists: Partial<Record<RuleList, readonly string[]>> = {},
  toolName = 'srv__do',
): Decision {
  return decide({ toolName, effects: [effect] }, context(mode, lists)).decision;
}

const inAllModes = (effect: Effect, lists?: Partial<Record<RuleList, readonly string[]>>): Decision[] =>
  MODES.map((mode) => judge(effect, mode, lists));

describe('a tool that others wrote', () => {
  it.each<[ForeignEffect['does'], [Decision, Decision, Decision, Decision]]>([
    ['reads', ['allow', 'allow', 'allow', 'allow']],
    ['changes', ['deny', 'ask', 'ask', 'allow']],
    ['destroys', ['deny', 'ask', 'ask', 'allow']],
    ['unknown', ['deny', 'ask', 'ask', 'allow']],
  ])('that %s is judged by plan, default, auto_edit and yolo', (does, expected) => {
    expect(inAllModes(foreign(does))).toEqual(expected);
  });

  it.each(['srv__do', 'mcp__srv__do', 'srv__*', 'mcp__srv', 'mcp__srv__*'])(
    'is allowed, asked about and denied by %s',
    (rule) => {
      expect(judge(foreign('destroys'), DEFAULT, { allow: [rule] })).toBe('allow');
      expect(inAllModes(foreign('reads'), { ask: [rule] })).toEqual(['ask', 'ask', 'ask', 'ask']);
      expect(inAllModes(foreign('reads'), { deny: [rule] })).toEqual(['deny', 'deny', 'deny', 'deny']);
    },
  );

  it('runs in plan mode where nothing is known of it and a rule names it, and never where it is known to change things', () => {
    expect(judge(foreign('unknown'), PLAN, { allow: ['srv__do'] })).toBe('allow');
    expect(judge(foreign('unknown'), PLAN, { allow: ['srv__*', 'srv__do(x)'] })).toBe('deny');
    expect(judge(foreign('changes'), PLAN, { allow: ['srv__do'] })).toBe('deny');
    expect(judge(foreign('destroys'), PLAN, { allow: ['srv__do'] })).toBe('deny');
    expect(judge(foreign('unknown'), PLAN, { allow: ['srv__do'], ask: ['srv__do'] })).toBe('ask');
  });

  it.each(['Read(.env)', 'Bash(rm *)', 'WebFetch(domain:evil.example)', 'Edit(src/**)'])(
    'may do what deny %s speaks of, unless a rule names it',
    (deny) => {
      const verdict = decide({ toolName: 'srv__do', effects: [foreign('unknown')] }, context(YOLO, { deny: [deny] }));
      expect(verdict).toMatchObject({ decision: 'ask', rule: { text: deny } });
      expect(verdict.reason).toContain('what do of the server srv touches is not seen, so the deny rule');
      expect(judge(foreign('unknown'), YOLO, { deny: [deny], allow: ['srv__do'] })).toBe('allow');
      expect(judge(foreign('reads'), YOLO, { deny: [deny] })).toBe('allow');
    },
  );

  it('may do what an administrator denies, whoever else names it', () => {
    const rules: Rule[] = [
      { list: 'deny', text: 'Read(.env)', origin: 'managed', isManaged: true },
      { list: 'allow', text: 'srv__do', origin: 'user' },
    ];
    const call = { toolName: 'srv__do', effects: [foreign('unknown')] };
    expect(decide(call, { ...context(YOLO), rules }).decision).toBe('ask');
  });

  it('is asked about under a rule on its very name that speaks of paths, even if it only reads', () => {
    expect(judge(foreign('reads'), YOLO, { deny: ['srv__do(secret/**)'] })).toBe('ask');
    expect(judge(foreign('reads'), YOLO, { deny: ['srv__other(secret/**)'] })).toBe('allow');
  });

  it('lies where its server is reached: rules against the host speak of it, rules for the host do not', () => {
    const remote = foreign('reads', { at: { host: 'api.example.com', url: 'https://api.example.com/mcp' } });
    expect(judge(remote, DEFAULT, { deny: ['WebFetch(domain:example.com)'] })).toBe('deny');
    expect(judge(remote, DEFAULT, { ask: ['WebFetch'] })).toBe('ask');
    const unknown = { ...remote, does: 'unknown' as const };
    expect(judge(unknown, DEFAULT, { allow: ['WebFetch', 'WebFetch(domain:example.com)'] })).toBe('ask');
  });

  it('is told by its name, what it may do and why', () => {
    const at = { host: 'h.example', url: 'https://h.example/' };
    expect(describeEffect(foreign('destroys', { at, reason: 'it says so' }))).toBe(
      'call do of the server srv at h.example, which may destroy things, since it says so',
    );
    expect(describeEffect(foreign('unknown', { from: 'discovered' }))).toContain('call the discovered tool do');
    const call = { toolName: 'srv__do', effects: [foreign('unknown')] };
    const text = explain(call, context(DEFAULT));
    expect(text).toContain('not certain: what do of the server srv touches is not seen');
    expect(text).toContain('decision: ask, because default mode asks before calling do of the server srv');
    const verdict = decide(call, context(PLAN));
    expect(denialAdvice(verdict, call, { context: context(PLAN), readCommand: () => [] })).toContain('In plan mode');
    const denied = context(DEFAULT, { deny: ['srv__do'] });
    expect(denialAdvice(decide(call, denied), call, { context: denied, readCommand: () => [] })).toBeUndefined();
  });

  it('is never loosened in plan mode when it is said to change things (property)', () => {
    const rule = fc.record({
      list: fc.constantFrom<RuleList>('allow', 'ask', 'deny'),
      text: fc.constantFrom('srv__do', 'srv__*', 'mcp__srv', 'Read', 'Edit', 'Bash', 'WebFetch', 'srv__do(a)'),
      origin: fc.constant('law'),
    });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), fc.constantFrom(...DOES), (rules, does) => {
        const { decision } = decide({ toolName: 'srv__do', effects: [foreign(does)] }, { ...context(PLAN), rules });
        if (does === 'changes' || does === 'destroys') expect(decision).toBe('deny');
        const isNamed = rules.some(({ list, text }) => list === 'allow' && text === 'srv__do');
        if (does === 'unknown' && !isNamed) expect(decision).toBe('deny');
      }),
    );
  });
});

describe('"always" for a tool of a server', () => {
  const choices = (effect: ForeignEffect, toolName = 'srv__do', lists = {}) =>
    suggestChoices({ toolName, effects: [effect] }, context(DEFAULT, lists));

  it('means its exact name, or all tools of its server unless it destroys (S53)', () => {
    const exact = { kind: 'exact', rules: ['srv__do'] };
    expect(choices(foreign('unknown'))).toEqual([exact, { kind: 'general', rules: ['srv__*'] }]);
    expect(choices(foreign('changes'))).toHaveLength(2);
    expect(choices(foreign('destroys'))).toEqual([exact]);
    expect(choices(foreign('reads'))).toEqual([]);
  });

  it('means the name alone for a discovered tool, whatever it is called', () => {
    expect(choices(foreign('unknown', { from: 'discovered' }), 'a__b')).toEqual([{ kind: 'exact', rules: ['a__b'] }]);
    expect(choices(foreign('unknown', { from: 'discovered' }), 'lookup')).toEqual([
      { kind: 'exact', rules: ['lookup'] },
    ]);
  });

  it('is not offered under an ask rule, nor for a name that a rule would not mean', () => {
    expect(choices(foreign('unknown'), 'srv__do', { ask: ['srv__do'] })).toEqual([]);
    expect(choices(foreign('unknown', { from: 'discovered' }), 'Bash')).toEqual([]);
    expect(choices(foreign('unknown', { from: 'discovered' }), 'a b')).toEqual([]);
  });

  it('answers a deny rule that may be met', () => {
    expect(choices(foreign('unknown'), 'srv__do', { deny: ['Read(.env)'] })).toHaveLength(2);
  });
});

describe('names of servers in rules', () => {
  it('that are no names of their tools: a rule for a built-in tool means no tool called alike', () => {
    for (const toolName of ['mcp__edit', 'mcp__grep_search', 'mcp__Bash'])
      expect(judge(foreign('unknown'), DEFAULT, { allow: ['edit', 'grep_search', 'Bash', 'Edit'] }, toolName)).toBe(
        'ask',
      );
  });

  it('mcp__* means all servers and nothing else, in deny and ask rules; as an allow rule it is refused', () => {
    const read: Effect = { kind: 'read', path: '/work/app/a', requested: '/work/app/a', zone: 'workspace' };
    for (const deny of ['mcp__*', 'mcp__s*']) {
      expect(judge(foreign('reads'), YOLO, { deny: [deny] })).toBe('deny');
      expect(judge(read, YOLO, { deny: [deny] }, 'read_file')).toBe('allow');
      expect(judge(foreign('reads', { from: 'discovered' }), YOLO, { deny: [deny] }, 'lookup')).toBe('allow');
    }
    for (const text of ['mcp__*', 'mcp__s*', 's*', '*'])
      expect(compileRules([{ list: 'allow', text, origin: 'test' }], context(DEFAULT)).problems).toMatchObject([
        { problem: expect.stringContaining('only for the tools of one server (alias__*)') as string },
      ]);
  });

  it('mean one server: not another whose alias begins alike', () => {
    for (const rule of ['a__*', 'mcp__a', 'mcp__a__*']) {
      expect(judge(foreign('unknown'), DEFAULT, { allow: [rule] }, 'a__t')).toBe('allow');
      expect(judge(foreign('unknown'), DEFAULT, { allow: [rule] }, 'ab__t')).toBe('ask');
      expect(judge(foreign('unknown'), DEFAULT, { allow: [rule] }, 'a_b__t')).toBe('ask');
    }
  });

  it('cover each other as they say, and are no typing errors', () => {
    const odd = compileRules([{ list: 'deny', text: 'read__file', origin: 'test' }], context(DEFAULT)).rules;
    expect(odd.map((each) => nameProblem(each, ['read_file']))).toEqual([undefined]);
    const rules = ['mcp__*', 'srv__*', 'mcp__other__tool'].map((text): Rule => ({
      list: 'deny',
      text,
      origin: 'test',
    }));
    const found = lintRules(compileRules(rules, context(DEFAULT)), {
      places: context(DEFAULT),
      readCommand: () => [],
      known: ['read_file', 'edit'],
    });
    expect(found.map(({ kind, rule }) => [kind, rule.text])).toEqual([
      ['shadowed', 'srv__*'],
      ['shadowed', 'mcp__other__tool'],
    ]);
  });

  it.each<[list: RuleList, text: string, tool: string, matches: boolean]>([
    ['deny', 'get_env', 'srv__get_env', true],
    ['ask', 'get_env', 'mcp__srv__get_env', true],
    ['deny', 'get_env', 'srv__get_env_all', false],
    ['deny', 'edit', 'srv__edit', false],
    ['deny', 'x__y', 'srv__x__y', false],
    ['allow', 'get_env', 'srv__get_env', false],
    ['allow', 'srv__get_env', 'srv__get_env', true],
  ])('%s %s speaks of %s: %s, for strict rules take the name that a server has for its tool (K19)', (...row) => {
    const [list, text, tool, matches] = row;
    const [rule] = compileRules([{ list, text, origin: 't' }], context(DEFAULT)).rules;
    expect(rule?.match(tool, foreign('reads'))).toBe(matches ? 'yes' : 'no');
  });

  it('cover another name only where each tool of that one is theirs (law)', () => {
    const part = fc.constantFrom('mcp', 'a', 'b', 'ab', '_', 'edit');
    const name = fc
      .array(part, { minLength: 1, maxLength: 3 })
      .chain((parts) => fc.constantFrom(parts.join('__'), parts.join('_'), parts.join('')));
    const rule = fc.tuple(name, fc.constantFrom('', '', '*', '__*')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(rule, rule, fc.array(name, { minLength: 20, maxLength: 20 }), (wide, narrow, tools) => {
        const [outer, inner] = [wide, narrow].map(
          (text) => compileRules([{ list: 'deny', text, origin: 't' }], context(DEFAULT)).rules[0],
        );
        if (outer === undefined || inner === undefined) return;
        if (!covers({ list: 'deny', parsed: outer.parsed }, { list: 'deny', parsed: inner.parsed })) return;
        for (const tool of tools) {
          const effect = foreign('reads');
          if (inner.match(tool, effect) === 'yes')
            expect(outer.match(tool, effect), `${wide} ${narrow} ${tool}`).toBe('yes');
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('never let an allow rule of one server speak of another one, nor of a tool of none (law)', () => {
    const alias = fc.constantFrom('a', 'b', 'ab', 'a_b', 'edit', 'read_file');
    const own = fc.constantFrom('t', 'edit', '_x', 'x__y', 'mcp__z', 'a__t');
    fc.assert(
      fc.property(
        alias,
        own,
        alias,
        own,
        fc.constantFrom('s', 't', 'm', 'mt', 'ms'),
        (server, tool, of, other, form) => {
          const text =
            { s: `${of}__*`, t: `${of}__${other}`, m: `mcp__${of}`, mt: `mcp__${of}__${other}`, ms: `mcp__${of}__*` }[
              form
            ] ?? '';
          const isAllowed = judge(foreign('unknown'), DEFAULT, { allow: [text] }, `${server}__${tool}`) === 'allow';
          expect(isAllowed).toBe(server === of && (form === 's' || form === 'm' || form === 'ms' || tool === other));
          expect(judge(foreign('unknown'), DEFAULT, { allow: [text] }, tool.replaceAll('__', '_'))).toBe('ask');
        },
      ),
    );
  });
});
