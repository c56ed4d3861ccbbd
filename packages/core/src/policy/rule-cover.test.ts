import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPathEffect, type Effect, type RunEffect } from '../effects/effect.js';
import { ApprovalMode } from './approval-mode.js';
import { compileRules } from './compile-rules.js';
import { decide } from './decide.js';
import type { Rule, RuleList } from './rule.js';
import { covers } from './rule-cover.js';

const places = { roots: ['/w'], home: '/home/ann' };
const TOOL = 'run_shell_command';

function compiled(list: RuleList, text: string) {
  const [rule] = compileRules([{ list, text, origin: 't' }], places).rules;
  if (rule === undefined) throw new Error(`not a rule: ${text}`);
  return rule;
}

function isCovered(wide: readonly [RuleList, string], narrow: readonly [RuleList, string]): boolean {
  const [outer, inner] = [compiled(...wide), compiled(...narrow)];
  return covers({ list: wide[0], parsed: outer.parsed }, { list: narrow[0], parsed: inner.parsed });
}

type Listed = readonly [RuleList, string];

describe('covers', () => {
  it.each([
    ['Bash(git *)', 'Bash(git push *)'],
    ['Bash(git push *)', 'Bash(git push origin *)'],
    ['Bash(npm run t* *)', 'Bash(npm run test *)'],
    ['Bash', 'Bash(git push *)'],
    ['run_shell_command', 'run_shell_command(ls *)'],
    ['Read(src/**)', 'Read(src/a/b.ts)'],
    ['Edit(src/**)', 'Write(src/**)'],
    ['Edit(**)', 'Edit(src/**)'],
    ['WebFetch(domain:example.com)', 'WebFetch(domain:a.example.com)'],
    ['WebFetch', 'WebFetch(domain:x.org)'],
    ['alias__*', 'alias__tool'],
    ['Agent(x)', 'Agent(x)'],
  ])('in the allow list %s covers %s', (wide, narrow) => {
    expect(isCovered(['allow', wide], ['allow', narrow])).toBe(true);
    if (wide !== 'Edit(src/**)' && wide !== 'Agent(x)')
      expect(isCovered(['allow', narrow], ['allow', wide])).toBe(false);
  });

  it.each([
    ['a whole command, which is also allowed outside', 'allow', 'Bash(cat *)', 'allow', 'Bash(cat /etc/hosts)'],
    ['a longer name', 'allow', 'Bash(git *)', 'allow', 'Bash(gitk *)'],
    ['the folder itself', 'allow', 'Edit(src/**)', 'allow', 'Edit(src)'],
    ['another class', 'deny', 'Read(src/**)', 'allow', 'Edit(src/**)'],
    ['a rule of a stricter list', 'allow', 'Bash', 'deny', 'Bash(rm *)'],
    ['commands that name a path', 'deny', 'Read', 'deny', 'Read(.env)'],
    ['what lies below a name with a wildcard', 'allow', 'Edit(*)', 'allow', 'Edit(src)'],
    ['other options', 'deny', 'Bash(rm -rf *)', 'deny', 'Bash(rm -r *)'],
    ['names that go on', 'deny', 'Bash(npm run test)', 'deny', 'Bash(npm run test:*)'],
    ['names that go on behind a star', 'deny', 'Bash(rm *)', 'deny', 'Bash(rm*)'],
    ['a variable', 'deny', 'Bash(A=b npm test)', 'deny', 'Bash(npm test)'],
    ['an absolute path', 'deny', 'Read(etc/x)', 'deny', 'Read(/etc/x)'],
  ] as const)('never claims %s', (_, wideList, wide, narrowList, narrow) => {
    expect(isCovered([wideList, wide], [narrowList, narrow])).toBe(false);
  });

  const word = fc.constantFrom('git', 'push', '-f', 'a', 'A', 'ab', 'a:b', 'x y', '', '-rf', 'rm', 'env');
  const patternWord = fc.constantFrom(
    'git',
    'push',
    '-f',
    'a',
    'A',
    'a*',
    '*b',
    '"x y"',
    'rm',
    '-*',
    'env',
    '""',
    'a*b*',
    'V=1',
  );
  const commandText = fc
    .tuple(fc.array(patternWord, { minLength: 1, maxLength: 3 }), fc.constantFrom('', ' *', ':*'))
    .map(([words, end]) => `${words.join(' ')}${end}`);
  const segment = fc.constantFrom('a', 'b', 'A', '*', 'a*', '**', '?', '[ab]', '.env');
  const pathText = fc
    .tuple(
      fc.constantFrom('', '/', '//', '~/', './'),
      fc.array(segment, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '/', '/**'),
    )
    .map(([start, names, end]) => `${start}${names.join('/')}${end}`);
  const hostText = fc.constantFrom(
    'domain:x.org',
    'domain:a.x.org',
    'domain:*.x.org',
    'domain:*.a.x.org',
    'domain:1.2.3.4',
  );
  const ruleText = fc.oneof(
    fc.tuple(fc.constantFrom('Bash', TOOL), commandText).map(([name, text]) => `${name}(${text})`),
    fc.tuple(fc.constantFrom('Read', 'Edit', 'read_file'), pathText).map(([name, text]) => `${name}(${text})`),
    hostText.map((text) => `WebFetch(${text})`),
    fc.constantFrom(
      'Bash',
      TOOL,
      'Read',
      'Edit',
      'WebFetch',
      'read_file',
      '*',
      'read_*',
      'a__*',
      'a__b',
      'Agent',
      'Agent(x)',
    ),
  );
  const list = fc.constantFrom<RuleList>('allow', 'ask', 'deny');
  const run = fc.record({
    kind: fc.constant('run' as const),
    argv: fc.array(word, { minLength: 1, maxLength: 5 }),
    directory: fc.constantFrom('/w', '/w/a', '/x'),
    zone: fc.constantFrom('workspace' as const, 'outside' as const),
    readOnly: fc.boolean(),
  });
  const runEffect = fc
    .tuple(run, fc.constantFrom('', '', 'V=1 '))
    .map(([effect, variable]): RunEffect => ({ ...effect, command: variable + effect.argv.join(' ') }));
  const name = fc.constantFrom('a', 'b', 'A', 'ab', '.env', 'c');
  const path = fc
    .tuple(fc.constantFrom('/w', '/', '/home/ann', '/other'), fc.array(name, { maxLength: 4 }))
    .map(([start, names]) => [start === '/' ? '' : start, ...names].join('/') || '/');
  const effect: fc.Arbitrary<Effect> = fc.oneof(
    runEffect,
    fc
      .record({
        kind: fc.constantFrom('read' as const, 'write' as const, 'delete' as const),
        path,
        isTree: fc.boolean(),
        by: fc.option(runEffect, { nil: undefined }),
      })
      .map(({ kind, path: where, isTree, by }): Effect => ({
        kind,
        path: where,
        requested: where,
        zone: where.startsWith('/w') ? 'workspace' : 'outside',
        ...(isTree && { scope: 'tree' }),
        ...(by !== undefined && { by }),
      })),
    fc
      .constantFrom('x.org', 'a.x.org', 'b.a.x.org', '1.2.3.4', 'xx.org')
      .map((host): Effect => ({ kind: 'fetch', host, url: `https://${host}/` })),
    fc.constantFrom<Effect>(
      { kind: 'unknown', reason: 'r' },
      { kind: 'delegate', agent: 'x' },
      { kind: 'delegate', agent: 'X' },
    ),
  );

  /** What makes a rule a narrower one, or nearly. */
  const NARROWINGS: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => text.replace(/\*\)$/, 'a *)'),
    (text) => text.replace(/ \*\)$/, ' push)'),
    (text) => text.replace(/(?: \*|:\*)\)$/, ')'),
    (text) => text.replace(/\*\*\)$/, 'a/**)'),
    (text) => text.replace(/\)$/, '/a)'),
    (text) => text.replace('*', 'a'),
    (text) => text.replace('a', 'A'),
    (text) => (text.includes('(') ? text : `${text}(a *)`),
    (text) => text.replace(/^Bash/, TOOL),
  ];
  const order: readonly RuleList[] = ['allow', 'ask', 'deny'];

  it('is never claimed where some call is decided by the narrow rule and not by the wide one (property)', () => {
    let claimed = 0;
    fc.assert(
      fc.property(
        fc
          .tuple(list, ruleText, list, fc.oneof(ruleText, fc.func(fc.nat(NARROWINGS.length - 1))))
          .map(([outer, wide, inner, other]): readonly [Listed, Listed] => [
            [outer, wide],
            [inner, typeof other === 'string' ? other : (NARROWINGS[other(wide)]?.(wide) ?? wide)],
          ]),
        fc.array(fc.tuple(effect, fc.constantFrom(TOOL, 'read_file', 'a__b')), { minLength: 40, maxLength: 60 }),
        ([wide, narrow], calls) => {
          if (order.indexOf(wide[0]) < order.indexOf(narrow[0])) return;
          const rule = (each: readonly [RuleList, string]): Rule => ({ list: each[0], text: each[1], origin: 't' });
          const both = compileRules([rule(wide), rule(narrow)], places);
          const [outer, inner] = both.rules;
          if (both.problems.length > 0 || outer === undefined || inner === undefined) return;
          if (!covers({ list: wide[0], parsed: outer.parsed }, { list: narrow[0], parsed: inner.parsed })) return;
          claimed += 1;
          for (const [each, toolName] of calls) {
            // A path that a command touches stands beside the command itself.
            const by = isPathEffect(each) ? each.by : undefined;
            const effects = by === undefined ? [each] : [by, each];
            for (const mode of [ApprovalMode.DEFAULT, ApprovalMode.YOLO]) {
              const judge = (rules: readonly Rule[]) =>
                decide({ toolName, effects }, { mode, rules, ...places }).decision;
              // The narrow rule makes no difference once the wide one is there.
              expect([wide, narrow, each, judge([rule(wide), rule(narrow)])]).toEqual([
                wide,
                narrow,
                each,
                judge([rule(wide)]),
              ]);
            }
          }
        },
      ),
      { numRuns: 1200 },
    );
    expect(claimed).toBeGreaterThan(50);
  });
});
