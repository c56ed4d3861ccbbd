import { describe, expect, it } from 'vitest';
import type { Effect } from '../effects/effect.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import type { Rule, RuleList } from './rule.js';
import { suggestChoices } from './suggest-rules.js';

const SHELL = 'run_shell_command';
const use = (name: string): Effect => ({ kind: 'secret', name, into: 'a command' });
const context = (mode: ApprovalMode, ...rules: readonly (readonly [RuleList, string])[]) => ({
  mode,
  rules: rules.map(([list, text]): Rule => ({ list, text, origin: 'test' })),
  roots: ['/work'],
  home: '/home/me',
});
const decision = (mode: ApprovalMode, name: string, ...rules: readonly (readonly [RuleList, string])[]) =>
  decide({ toolName: SHELL, effects: [use(name)] }, context(mode, ...rules)).decision;

describe('a secret that goes into a call', () => {
  it.each([ApprovalMode.DEFAULT, ApprovalMode.AUTO_EDIT, ApprovalMode.YOLO])('is asked about in %s mode', (mode) => {
    expect(decision(mode, 'KEY')).toBe('ask');
    expect(decision(mode, 'KEY', ['allow', SHELL], ['allow', 'Bash'], ['allow', 'Bash(curl *)'])).toBe('ask');
    expect(decision(mode, 'KEY', ['allow', 'Secret(OTHER)'], ['allow', 'Secret(KEY_*)'])).toBe('ask');
  });

  it('is allowed by a rule that names it, and by no rule where one denies it or in plan mode', () => {
    for (const rule of ['Secret(KEY)', 'secret(K*)', 'Secret', 'Secret(*)'])
      expect([rule, decision(ApprovalMode.DEFAULT, 'KEY', ['allow', rule])]).toEqual([rule, 'allow']);
    expect(decision(ApprovalMode.DEFAULT, 'A_B', ['allow', 'Secret(A__B)'])).toBe('allow');
    expect(decision(ApprovalMode.DEFAULT, 'AxB', ['allow', 'Secret(A.B)'])).toBe('ask');
    expect(decision(ApprovalMode.YOLO, 'KEY', ['allow', 'Secret'], ['deny', 'Secret(key)'])).toBe('deny');
    expect(decision(ApprovalMode.YOLO, 'KEY', ['allow', 'Secret(KEY)'], ['ask', 'Secret'])).toBe('ask');
    expect(decision(ApprovalMode.YOLO, 'KEY', ['deny', SHELL], ['allow', 'Secret'])).toBe('deny');
    expect(decision(ApprovalMode.PLAN, 'KEY', ['allow', 'Secret(KEY)'])).toBe('deny');
  });

  it('is offered by name for "always", beside what else is asked about', () => {
    const effects: readonly Effect[] = [
      {
        kind: 'run',
        command: 'npm publish',
        argv: ['npm', 'publish'],
        directory: '/work',
        zone: 'workspace',
        readOnly: false,
      },
      use('NPM_TOKEN'),
    ];
    const [choice] = suggestChoices({ toolName: SHELL, effects }, context(ApprovalMode.DEFAULT));
    expect(choice?.rules).toContain('Secret(NPM_TOKEN)');
    expect(choice?.rules).toHaveLength(2);
  });
});
