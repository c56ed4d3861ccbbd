import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvalView, type ApprovalViewInput } from './approval-view.js';

const plain = { colour: false };

function request(more: Partial<ApprovalViewInput> = {}): ApprovalViewInput {
  return {
    description: 'npm test',
    effects: [
      {
        kind: 'run',
        command: 'npm test',
        argv: ['npm', 'test'],
        directory: '/w',
        zone: 'workspace',
        readOnly: false,
      },
    ],
    details: { type: 'exec', title: 'Run', command: 'npm test' },
    reason: 'default mode asks before running a command',
    alwaysRules: ['run_shell_command(npm test)'],
    changedSinceApproval: false,
    ...more,
  };
}

describe('approvalView', () => {
  it('names the subagent that asks, in one line, whatever it is called', () => {
    const [first, second] = approvalView(request({ agent: 'explore (a1)' }), plain).split('\n');
    expect([first, second]).toEqual(['The subagent explore (a1) asks:', 'Run: npm test']);
    const hostile = approvalView(request({ agent: `\u001b[2J\n\u202e${'x'.repeat(500)}` }), plain);
    expect(hostile.split('\n')[1]).toBe('Run: npm test');
    expect(hostile.split('\n')[0]?.length).toBeLessThan(160);
    expect(hostile).not.toMatch(/[\u001b\u202e]/);
  });

  it('shows command, size, effects, reason and the rules that would be saved (S52)', () => {
    expect(approvalView(request(), plain)).toBe(
      [
        'Run: npm test',
        'Command (1 line, 8 bytes):',
        '  npm test',
        'It would:',
        '  • run npm test',
        'Why you are asked: default mode asks before running a command',
        '"Always" would save:',
        '  allow run_shell_command(npm test)',
      ].join('\n'),
    );
  });

  it('says of a question what is asked, and no more', () => {
    const asks = { effects: [{ kind: 'ask' }], alwaysRules: [] } as const;
    const plan = { type: 'plan', title: 'Carry out this plan?', plan: '1. Read\n2. Write' } as const;
    expect(approvalView(request({ ...asks, details: plan }), plain)).toBe(
      'Carry out this plan?\n  1. Read\n  2. Write',
    );
    const options = [
      { label: 'a\u001b[2J', description: 'one' },
      { label: 'b', description: '' },
    ];
    const questions = [{ question: 'Which?\nReally?', options, multiSelect: true }];
    const details = { type: 'question', title: 'A question for you', questions } as const;
    expect(approvalView(request({ ...asks, details }), plain)).toBe(
      [
        'A question for you',
        '  Which?',
        '  Really?',
        '  (several may be chosen)',
        String.raw`  • a\u{1b}[2J: one`,
        '  • b',
      ].join('\n'),
    );
  });

  it('shows padding, escapes and further lines of a command', () => {
    const command = `# harmless\u001b[8m${' '.repeat(300)}x\nrm -rf y\r`;
    const shown = approvalView(request({ details: { type: 'exec', title: 'Run', command } }), plain);
    expect(shown).toContain(String.raw`  # harmless\u{1b}[8m[300 blanks]x`);
    expect(shown).toContain(String.raw`  rm -rf y\r`);
    expect(shown).toContain('2 lines');
  });

  it('shows head and tail of a long command and of a long line, with counts', () => {
    const command = [...Array.from({ length: 200 }, (_, i) => `echo ${i}`), `${'a'.repeat(5000)}; rm -rf z`].join('\n');
    const shown = approvalView(request({ details: { type: 'exec', title: 'Run', command } }), {
      ...plain,
      maxLines: 9,
    });
    expect(shown).toContain('  echo 0\n');
    expect(shown).toContain('193 lines not shown');
    expect(shown).toContain('4010 characters not shown');
    expect(shown).toContain('; rm -rf z');
  });

  it('shows where a path really leads and what is outside', () => {
    const shown = approvalView(
      request({ effects: [{ kind: 'write', requested: '/w/link', path: '/etc/x', zone: 'outside', scope: 'tree' }] }),
      plain,
    );
    expect(shown).toContain('• write /w/link → really /etc/x and everything below [outside the workspace]');
  });

  it('shows in which folder a command runs when that is not in the workspace', () => {
    const run = { kind: 'run', command: 'npm test', argv: ['npm', 'test'], readOnly: false } as const;
    const line = (directory: string, zone: 'workspace' | 'temp' | 'outside'): string =>
      approvalView(request({ effects: [{ ...run, directory, zone }] }), plain);
    expect(line('/w/sub', 'workspace')).toContain('  • run npm test\n');
    expect(line('/t', 'temp')).toContain('  • run npm test in /t [the temp folder]\n');
    expect(line('/x', 'outside')).toContain('  • run npm test in /x [outside the workspace]\n');
  });

  it('shows a change as a diff with counts (S54)', () => {
    const fileDiff =
      'Index: "\\303\\251"\n===\n--- "\\303\\251"\tCurrent\n+++ "\\303\\251"\tProposed\n@@ -1 +1 @@\n-a\n+é\n';
    const details = {
      type: 'edit',
      title: 'Confirm Write: f',
      fileDiff,
      originalContent: 'a\n',
      newContent: 'é\n',
    } as const;
    const shown = approvalView(request({ details }), plain);
    expect(shown).toContain('Confirm Write: f');
    expect(shown).toContain('Change: 1 line added, 1 removed; 1 line, 2 bytes → 1 line, 3 bytes\n@@ -1 +1 @@\n');
    expect(shown).not.toContain('303');
    expect(shown).toContain('  1 +é');
    expect(approvalView(request({ details: { ...details, originalContent: null } }), plain)).toContain('a new file →');
  });

  it('tells a file that goes from one that is emptied', () => {
    const fileDiff = 'Index: f\n===\n--- f\tCurrent\n+++ f\tProposed\n@@ -1,1 +0,0 @@\n-a\n';
    const details = {
      type: 'edit',
      title: 'Confirm Patch: f',
      fileDiff,
      originalContent: 'a\n',
      newContent: '',
    } as const;
    const path = { requested: '/w/f', path: '/w/f', zone: 'workspace' } as const;
    const shown = (kind: 'delete' | 'write'): string =>
      approvalView(request({ details, effects: [{ kind, ...path }] }), plain);
    expect(shown('delete')).toContain('Change: the file is deleted; 0 lines added, 1 removed\n');
    expect(shown('write')).toContain('Change: 0 lines added, 1 removed; 1 line, 2 bytes → 0 lines, 0 bytes\n');
  });

  it('names files in the title where nothing below does', () => {
    const headers = '===\n--- p.ts\tCurrent\n+++ q.ts\tProposed\n';
    const details = { type: 'edit', title: 'Confirm Patch: q.ts', originalContent: 'a\n', newContent: 'a\n' } as const;
    const first = (fileDiff: string): string =>
      approvalView(request({ description: 'src/p.ts', details: { ...details, fileDiff } }), plain).split('\n')[0] ?? '';
    expect(first(`Index: q.ts\n${headers}`)).toBe('Confirm Patch: src/p.ts');
    expect(first('')).toBe('Confirm Patch: q.ts: src/p.ts');
  });

  it('leaves nothing out where all of it is wanted', () => {
    const rows = Array.from({ length: 200 }, (_, i) => `+${i === 99 ? 'a'.repeat(5000) : ''}line ${i}.`).join('\n');
    const fileDiff = `Index: f\n===\n--- f\tCurrent\n+++ f\tProposed\n@@ -0,0 +1,200 @@\n${rows}\n`;
    const details = {
      type: 'edit',
      title: 'Confirm Write: f',
      fileDiff,
      originalContent: '',
      newContent: 'x',
    } as const;
    const effects = Array.from({ length: 40 }, (_, i) => {
      const path = `/w/file-${i}.ts`;
      return { kind: 'write', requested: path, path, zone: 'workspace' } as const;
    });
    const whole = approvalView(request({ details, effects }), { ...plain, whole: true });
    for (let i = 0; i < 200; i += 1) expect(whole).toContain(`line ${i}.`);
    for (const { path } of effects) expect(whole).toContain(path);
    expect(whole).not.toContain('not shown');
    const command = `${'echo 1\n'.repeat(200)}${'b'.repeat(3000)} end`;
    const asked = request({ details: { type: 'exec', title: 'Run', command } });
    expect(approvalView(asked, { ...plain, whole: true })).not.toContain('not shown');
    expect(approvalView(asked, plain)).toContain('lines not shown');
  });

  it('names the file once, and nothing when nothing changes', () => {
    const details = {
      type: 'edit',
      title: 'Confirm Write: é.txt',
      fileDiff: '',
      originalContent: '',
      newContent: '',
    } as const;
    const first = (description: string): string =>
      approvalView(request({ description, details, effects: [] }), plain).split('\n')[0] ?? '';
    expect(first('é.txt')).toBe('Confirm Write: é.txt');
    expect(first('docs/é.txt')).toBe('Confirm Write: docs/é.txt');
    expect(first('other')).toBe('Confirm Write: é.txt: other');
    expect(approvalView(request({ details }), plain)).toContain(
      'Change: 0 lines added, 0 removed; 0 lines, 0 bytes → 0 lines, 0 bytes\nIt would',
    );
  });

  it('says when an approved call has changed, and offers nothing where nothing can be saved', () => {
    const shown = approvalView(request({ changedSinceApproval: true, alwaysRules: [] }), plain);
    expect(shown).toContain('has changed since you approved it');
    expect(shown).not.toContain('Always');
  });

  it('cannot be made to print a control character or forge a line (property)', () => {
    const text = fc.string({ unit: fc.constantFrom('\u001b', '\r', '\u202e', 'a', ' ', '\u0007', '\u2028', '\n') });
    fc.assert(
      fc.property(text, text, text, (description, reason, rule) => {
        const shown = approvalView(request({ description, reason, alwaysRules: [rule] }), plain);
        expect(shown).not.toMatch(/(?!\n)[\p{Cc}\u202e\u2028]/u);
        expect(shown.split('\n')).toHaveLength(8);
      }),
    );
  });
});
