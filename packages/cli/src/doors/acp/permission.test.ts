import { ToolConfirmationOutcome, type ApprovalRequest } from '@tenon/core';
import { describe, expect, it } from 'vitest';
import { clientPaths } from './client-paths.js';
import { permissionChoices, permissionContent } from './permission.js';

const paths = clientPaths([]);

function request(details: ApprovalRequest['details']): ApprovalRequest {
  return {
    callId: 'c',
    toolName: 't',
    displayName: 'T',
    description: 'd',
    effects: [],
    details,
    reason: 'it runs a command',
    alwaysRules: [],
    canModify: true,
    changedSinceApproval: false,
  };
}

describe('what a person is asked in an editor', () => {
  it('shows what could hide in a command, within a fence that the command cannot leave', () => {
    const command = 'echo \u202egnp.exe\u001b[2J\n```\nrm -rf x';
    const [shown] = permissionContent(request({ type: 'exec', title: '', command }), paths);
    expect(shown).toEqual({
      type: 'content',
      content: { type: 'text', text: '````\necho \\u{202e}gnp.exe\\u{1b}[2J\n```\nrm -rf x\n````' },
    });
  });

  it('offers "always" only with rules to save, and words with a no only where they can be asked for', () => {
    const ids = (...args: Parameters<typeof permissionChoices>): string[] =>
      permissionChoices(...args).map(({ option }) => option.optionId);
    expect(ids({ alwaysRules: [] }, false)).toEqual(['once', 'no']);
    expect(ids({ alwaysRules: ['Bash(ls)'], generalRules: ['Bash(ls *)'] }, true)).toEqual([
      'once',
      'session',
      'project',
      'kind-session',
      'kind-project',
      'no',
      'no-because',
    ]);
  });

  it('takes nothing but the person’s choice for a yes, and keeps the whole rule beside a long name', () => {
    const rule = `Bash(${'x'.repeat(500)})`;
    const choices = permissionChoices({ alwaysRules: [rule] }, false);
    expect(choices.at(-1)?.answer).toEqual({ outcome: ToolConfirmationOutcome.Cancel });
    const [, session] = choices;
    expect(session?.option.name.length).toBeLessThan(160);
    expect(session?.option._meta).toEqual({ tenon: { rules: [rule] } });
  });
});
