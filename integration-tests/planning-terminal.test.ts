import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ScriptedTurn } from '@tenon/core/testing';
import { until } from './cli-process.js';
import { describeInTerminal, READY, sessionForEachTest } from './terminal-session.js';

const { open, current } = sessionForEachTest();

const call = (name: string, args: Readonly<Record<string, unknown>>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});
const lastWords = (): string => current().bench.model.requests.at(-1)?.bodyText ?? '';

const PLAN = '# Move the parser\n\n1. **Read** `parse.ts`\n2. Move it\n';
const ASK = call('ask_user', {
  questions: [
    {
      question: 'Which database?',
      header: 'Database',
      options: [{ label: 'SQLite', description: 'one file' }, { label: 'Postgres' }],
    },
    {
      question: 'Which parts?',
      header: 'Parts',
      options: [{ label: 'reader' }, { label: 'writer' }],
      multi_select: true,
    },
  ],
});
/** So long a question has to be seen before a key answers it. */
const seen = (): Promise<void> => sleep(450);

describeInTerminal('planning in a terminal', () => {
  test('a plan is shown as Markdown, changed in the editor, approved, kept in a file and told as it was made (S125)', async () => {
    const { terminal, say, bench } = await open(
      [
        call('enter_plan_mode', { reason: 'It touches every file.' }),
        call('exit_plan_mode', { plan: PLAN }),
        { text: 'I begin.' },
      ],
      { env: { EDITOR: './edit.sh', VISUAL: '' } },
    );
    await writeFile(path.join(bench.workspace, 'edit.sh'), '#!/bin/sh\necho "3. Test it twice" >> "$1"\n');
    await chmod(path.join(bench.workspace, 'edit.sh'), 0o700);
    await say('move the parser');
    await terminal.waitFor('Plan first, before anything is changed?');
    await seen();
    await terminal.press('y');
    await terminal.waitFor('[y] yes, and ask before changes');
    const shown = (await terminal.screen()).join('\n');
    expect(shown).toContain('1. Read parse.ts');
    expect(shown).not.toContain('**Read**');
    await seen();
    await terminal.press('e');
    await terminal.waitFor('3. Test it twice');
    await terminal.waitFor('This is your version');
    await terminal.press('a');
    await terminal.waitFor('I begin.');
    await terminal.waitFor(READY);
    expect(lastWords()).toContain('carry out this plan, not yours');
    expect(lastWords()).toContain('3. Test it twice');
    const status = (await terminal.screen()).join('\n');
    expect(status).toContain('auto_edit');
    const all = (await terminal.all()).join('\n');
    expect(all).toContain('3. Test it twice');
    const [project = ''] = await readdir(path.join(bench.tenonHome, 'projects'));
    const folder = path.join(bench.tenonHome, 'projects', project, 'plans');
    const [file = ''] = await readdir(folder);
    expect(await readFile(path.join(folder, file), 'utf8')).toBe(`${PLAN}3. Test it twice\n`);
    await say('/plan show');
    await terminal.waitFor('The plan that you approved last');
  });

  test('questions are answered step by step, whatever is typed before they are seen and however the window changes', async () => {
    const { terminal, say } = await open([ASK, { text: 'Good.' }], {
      args: ['--approval-mode', 'yolo'],
      columns: 80,
      rows: 24,
    });
    await say('set it up');
    await terminal.waitFor('[ ] Database');
    await terminal.type('11');
    await terminal.waitFor('[ ] Database');
    await terminal.resize(50, 18);
    await terminal.waitFor('› 1 ( ) │ SQLite');
    await seen();
    await terminal.press('Down', 'Enter');
    await terminal.waitFor('Which parts?');
    await seen();
    await terminal.press('Space', '3');
    await terminal.type('and docs');
    await terminal.press('Enter');
    await terminal.waitFor('[x] and docs');
    await terminal.press('Enter');
    await terminal.waitFor('→ reader, and docs');
    await seen();
    await terminal.press('Enter');
    await terminal.waitFor('Good.');
    expect(lastWords()).toContain(
      '1. Which database?\\n   Postgres\\n2. Which parts?\\n   reader; in their own words: and docs',
    );
  });

  test('a question that is left with Ctrl-C ends the run, and the session goes on', async () => {
    const { terminal, say } = await open([ASK, { text: 'Never mind.' }]);
    await say('set it up');
    await terminal.waitFor('[ ] Database');
    await seen();
    await terminal.press('C-c');
    await terminal.waitGone('[ ] Database');
    await terminal.waitFor(READY);
    await say('what now');
    await terminal.waitFor('Never mind.');
  });

  test('todos stand above the composer, fold, and are there again when the session goes on (S124)', async () => {
    const todos = [
      { id: '1', content: 'read it', status: 'completed' },
      { id: '2', content: 'change it', status: 'in_progress' },
      { id: '3', content: 'test it', status: 'pending' },
    ];
    const {
      terminal,
      say,
      open: again,
    } = await open([
      call('todo_write', { todos }),
      { text: 'On my way.' },
      call('todo_write', { todos: todos.map((todo) => ({ ...todo, status: 'completed' })) }),
      { text: 'All done.' },
    ]);
    await say('go');
    await terminal.waitFor('On my way.');
    await terminal.waitFor('Todos: 1 of 3 done');
    await terminal.press('C-t');
    await terminal.waitFor('Todos: 1 of 3 done · now: change it');
    await terminal.press('C-d');
    await terminal.ended();
    const other = await again(['--continue']);
    await other.waitFor('Todos: 1 of 3 done');
    await other.type('on');
    await other.press('Enter');
    await other.waitFor('All done.');
    await other.waitGone('Todos: 1 of 3 done');
  });

  test('todos and the approved plan are told after /compress, and once more where the session goes on behind it (S124, S125)', async () => {
    const todos = [
      { id: 'a', content: 'read it', status: 'completed' },
      { id: 'b', content: 'change it', status: 'in_progress' },
    ];
    const {
      terminal,
      say,
      open: again,
      bench,
    } = await open(
      [
        call('exit_plan_mode', { plan: PLAN }),
        call('todo_write', { todos }),
        { text: 'words '.repeat(4000) },
        { text: `${'more '.repeat(4000)}\n\nI wait.` },
        { text: 'THE SUMMARY' },
        { text: 'I go on.' },
        { text: 'And on.' },
      ],
      { args: ['--approval-mode', 'plan'], settings: '{"model.contextWindow": 20000, "context.compactAt": 0}' },
    );
    await say('move the parser');
    await terminal.waitFor('[y] yes, and ask before changes');
    await seen();
    await terminal.press('y');
    await terminal.waitFor('Todos: 1 of 2 done');
    await terminal.waitFor(READY);
    await say('tell me more');
    await terminal.waitFor('I wait.');
    await terminal.waitFor(READY);
    await say('/compress');
    await until(() => bench.model.requests.length === 5, 'the request for the summary');
    await terminal.waitFor(READY);
    await say('on');
    await terminal.waitFor('I go on.');
    const told = (): void => {
      expect(lastWords()).toContain('THE SUMMARY');
      expect(lastWords()).not.toContain('words words');
      expect(lastWords()).toContain('- [in_progress] b: change it');
      expect(lastWords()).toContain('Move the parser');
    };
    told();
    await terminal.press('C-d');
    await terminal.ended();
    const other = await again(['--continue']);
    await other.waitFor('Todos: 1 of 2 done');
    await other.type('on');
    await other.press('Enter');
    await other.waitFor('And on.');
    told();
    await other.type('/plan show');
    await other.press('Enter');
    await other.waitFor('The plan that you approved last');
  });

  test('in plain lines a plan is changed and approved, and questions are answered by numbers and words', async () => {
    const { terminal, say, bench } = await open([call('exit_plan_mode', { plan: PLAN }), ASK, { text: 'Good.' }], {
      args: ['--plain', '--approval-mode', 'plan'],
      env: { EDITOR: './edit.sh', VISUAL: '' },
    });
    await writeFile(path.join(bench.workspace, 'edit.sh'), '#!/bin/sh\necho "3. Test" >> "$1"\n');
    await chmod(path.join(bench.workspace, 'edit.sh'), 0o700);
    await say('go');
    await terminal.waitFor('yes, and accept edits');
    await say('e');
    await terminal.waitFor('3. Test');
    await seen();
    await say('y');
    await terminal.waitFor('A question for you (1 of 2)');
    await seen();
    await say('2');
    await terminal.waitFor('A question for you (2 of 2)');
    await seen();
    await say('neither of them');
    await terminal.waitFor('Good.');
    expect(lastWords()).toContain('3. Test');
    expect(lastWords()).toContain('Postgres');
    expect(lastWords()).toContain('in their own words: neither of them');
  });
});
