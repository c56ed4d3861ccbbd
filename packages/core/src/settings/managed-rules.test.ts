import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effect, RunEffect } from '../effects/effect.js';
import { ApprovalMode, isLooserMode } from '../policy/approval-mode.js';
import { decide } from '../policy/decide.js';
import type { Rule, RuleList } from '../policy/rule.js';
import { suggestChoices } from '../policy/suggest-rules.js';
import type { PolicyCall, PolicyContext } from '../policy/verdict.js';
import { mergeLayers, type SettingsLayer } from './merge-layers.js';
import type { SettingEntry } from './parse-settings-text.js';

const command: RunEffect = {
  kind: 'run',
  command: 'git push',
  argv: ['git', 'push'],
  directory: '/work/app',
  zone: 'workspace',
  readOnly: false,
};
const place = { roots: ['/work/app'], home: '/home/ann' };
const unknown: Effect = { kind: 'unknown', reason: 'nobody knows' };

const run = fc
  .record({
    argv: fc.array(fc.constantFrom('npm', 'test', 'rm', '-rf', 'git', 'push', 'sudo', '.env'), {
      minLength: 1,
      maxLength: 4,
    }),
    isRead: fc.boolean(),
  })
  .map(({ argv, isRead }): Effect => {
    const text = argv.join(' ');
    // The whole text of a shell that is not analysed, or the words of a command.
    return isRead ? { ...command, command: text, argv } : { ...command, command: text, argv: [text], unread: 'why' };
  });
const touch = fc
  .record({
    kind: fc.constantFrom('read' as const, 'write' as const, 'delete' as const),
    path: fc.constantFrom('/work/app/src/a.ts', '/work/app/.env', '/work/app', '/opt/x', '/work/app/.git/config'),
    isTree: fc.boolean(),
  })
  .map(({ kind, path, isTree }): Effect => ({
    kind,
    path,
    requested: path,
    zone: path.startsWith('/work') ? 'workspace' : 'outside',
    ...(isTree && { scope: 'tree' as const }),
  }));
const fetched = fc.constant<Effect>({ kind: 'fetch', host: 'example.com', url: 'https://example.com/' });
const call: fc.Arbitrary<PolicyCall> = fc.record({
  toolName: fc.constantFrom('run_shell_command', 'edit', 'my_tool'),
  effects: fc.array(fc.oneof(run, touch, fetched, fc.constant(unknown)), { maxLength: 3 }),
});

const texts = fc.uniqueArray(
  fc.constantFrom(
    'Bash',
    'Bash(rm *)',
    'Bash(git *)',
    'Bash(git push)',
    "run_shell_command('git push')",
    "Bash('rm .env')",
    'Read',
    'Read(.env)',
    'Read(src/**)',
    'Edit',
    'Edit(//**)',
    'WebFetch',
    'edit',
    'my_tool',
  ),
  { maxLength: 3 },
);
const tools = fc.uniqueArray(fc.constantFrom('edit', 'my_tool', 'run_shell_command(git)', 'run_shell_command'), {
  maxLength: 2,
});
const mode = fc.constantFrom(...Object.values(ApprovalMode));
const layerOf = (layer: SettingsLayer['layer']): fc.Arbitrary<SettingsLayer> =>
  fc
    .record(
      {
        'permissions.allow': texts,
        'permissions.ask': texts,
        'permissions.deny': texts,
        'tools.allowed': tools,
        'tools.exclude': tools,
        'tools.core': tools,
        approvalMode: mode,
      },
      { requiredKeys: [] },
    )
    .map((values) => ({
      layer,
      file: `/${layer}.json`,
      isTrusted: true,
      isProven: true,
      entries: Object.entries(values).map(([key, value]) => ({ key, value, at: '1:1' }) as SettingEntry),
    }));
const rank = (decision: string): number => ['allow', 'ask', 'deny'].indexOf(decision);

describe('what the administrator denies or asks about', () => {
  it('is loosened by no other layer, no rule of the command line, no grant and no mode (property)', () => {
    const later = fc.record({ list: fc.constantFrom<RuleList>('allow', 'ask', 'deny'), texts });
    fc.assert(
      fc.property(
        call,
        layerOf('managed'),
        fc.tuple(layerOf('user'), layerOf('project')),
        fc.array(later, { maxLength: 2 }),
        fc.tuple(mode, mode),
        (judged, managed, layers, more, [one, other]) => {
          const alone: PolicyContext = { ...place, mode: one, rules: mergeLayers([managed]).rules };
          const held = decide(judged, alone).parts.filter(({ rule }) => rule?.isManaged === true);
          const added = more.flatMap(({ list, texts: of }) =>
            of.map((text): Rule => ({ list, text, origin: 'later' })),
          );
          const rules = [...mergeLayers([managed, ...layers]).rules, ...added];
          const all = decide(judged, { ...place, mode: other, rules });
          for (const { decision } of held)
            if (decision !== 'allow') expect(rank(all.decision)).toBeGreaterThanOrEqual(rank(decision));
          // Wherever a rule stands in the list.
          expect(decide(judged, { ...place, mode: other, rules: rules.toReversed() }).decision).toBe(all.decision);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('goes for the mode as well (property)', () => {
    fc.assert(
      fc.property(layerOf('managed'), layerOf('user'), layerOf('project'), (managed, user, project) => {
        const { values, managed: held } = mergeLayers([managed, user, project]);
        const inForce = values.approvalMode?.value ?? ApprovalMode.DEFAULT;
        if (held.approvalMode !== undefined) expect(isLooserMode(inForce, held.approvalMode.value)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('is not answered by naming the tool, unless the administrator names it', () => {
    const judged: PolicyCall = { toolName: 'my_tool', effects: [unknown] };
    const deny: Rule = { list: 'deny', text: 'Read(.env)', origin: 'm', isManaged: true };
    const allow: Rule = { list: 'allow', text: 'my_tool', origin: 'u' };
    const decided = (...rules: Rule[]) => decide(judged, { ...place, mode: ApprovalMode.DEFAULT, rules }).decision;
    expect(decided(deny, allow)).toBe('ask');
    expect(decided({ ...deny, isManaged: undefined } as unknown as Rule, allow)).toBe('allow');
    expect(decided(deny, allow, { ...allow, isManaged: true })).toBe('allow');
  });

  it('is never offered "always"', () => {
    const ask: Rule = { list: 'ask', text: 'Bash(git push *)', origin: 'm', isManaged: true };
    const judged: PolicyCall = { toolName: 'run_shell_command', effects: [command] };
    const context = { ...place, mode: ApprovalMode.DEFAULT, rules: [ask] };
    expect(decide(judged, context).decision).toBe('ask');
    expect(suggestChoices(judged, context)).toEqual([]);
    expect(suggestChoices({ toolName: 'my_tool', effects: [unknown] }, context)).toEqual([]);
  });
});
