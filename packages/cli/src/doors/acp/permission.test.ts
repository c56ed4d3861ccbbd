import { ToolConfirmationOutcome, type ApprovalRequest } from '@tenon/core';
import { describe, expect, it } from 'vitest';
import { clientPaths } from './client-paths.js';
import { permissionChoices } from './permission-choices.js';
import { permissionContent } from './permission.js';
import { rulesInWords } from './rule-words.js';

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

const COMMAND = { type: 'exec', title: '', command: 'ls' } as const;

function ids(changes: Partial<ApprovalRequest>, canSayWhy: boolean): string[] {
  return permissionChoices({ ...request(COMMAND), ...changes }, canSayWhy).map(({ option }) => option.optionId);
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
    expect(ids({}, false)).toEqual(['once', 'no', 'no-stop']);
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

  it.each([
    ['run_shell_command(npm test)', 'run `npm test`'],
    ['Bash(git commit *)', 'run `git commit` with any arguments'],
    ['Bash(npm run test:*)', 'run `npm run test` with any arguments'],
    ['Bash(npx vitest run src/*)', 'run commands like `npx vitest run src/*`'],
    [String.raw`Bash(ls \*.ts)`, 'run `ls *.ts`'],
    ['Edit(src/deep/**)', 'change everything in src/deep'],
    ['Edit(/*)', 'change files in the workspace folder, not below it'],
    ['Edit(//opt/x/**)', 'change everything in /opt/x'],
    ['Edit(//opt/x/*)', 'change files in /opt/x, not below it'],
    [String.raw`Edit(app/\[id]/(g)/**)`, 'change everything in app/[id]/(g)'],
    ['Edit(//opt/x.txt)', 'change /opt/x.txt'],
    ['Read(//opt/a b/x)', 'read /opt/a b/x'],
    ['Read(//opt/a/**)', 'read everything in /opt/a'],
    ['WebFetch(domain:a.example)', 'fetch from a.example'],
    ['Secret(GITHUB_TOKEN)', 'use the secret GITHUB_TOKEN'],
    ['web_search', 'search the web'],
    ['github__create_issue', 'use create_issue of the server github'],
    ['github__*', 'use all tools of the server github'],
    ['deploy', 'use deploy'],
    ['Other(x)', 'Other(x)'],
    ['Bash(a\u202eb)', 'run `a\\u{202e}b`'],
  ])('says in words what %s allows', (rule, words) => {
    expect(rulesInWords([rule])).toBe(words);
    const names = permissionChoices({ ...request(COMMAND), alwaysRules: [rule] }, true).map(
      ({ option }) => option.name,
    );
    expect(names.slice(1, 3)).toEqual([`Always in this session: ${words}`, `Always in this project: ${words}`]);
  });

  it('offers to edit first what can be edited, plans too, as the terminal does', () => {
    const edit = { type: 'edit', title: '', fileDiff: '', originalContent: null, newContent: 'x' } as const;
    expect(ids({ details: edit }, true)).toEqual(['once', 'edit', 'no', 'no-because']);
    expect(ids({ details: edit, canModify: false }, true)).toEqual(['once', 'no', 'no-because']);
    expect(ids({ details: { type: 'plan', title: '', plan: 'x' } }, true)).toEqual([
      'once',
      'edit',
      'no',
      'no-because',
    ]);
  });

  it('lets nobody end the turn by what a subagent asks', () => {
    expect(ids({ agent: 'explore (a1)' }, false)).toEqual(['once', 'no']);
  });

  it('takes nothing but the person’s choice for a yes, and keeps the whole rule beside a long name', () => {
    const rule = `Bash(${'x'.repeat(500)})`;
    const choices = permissionChoices({ ...request(COMMAND), alwaysRules: [rule] }, true);
    expect(choices.at(-1)?.answer).toEqual({ outcome: ToolConfirmationOutcome.Cancel });
    const [, session] = choices;
    expect(session?.option.name.length).toBeLessThan(160);
    expect(session?.option._meta).toEqual({ tenon: { rules: [rule] } });
  });
});
