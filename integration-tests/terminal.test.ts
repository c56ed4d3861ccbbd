import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ScriptedTurn, TurnFunction } from '@tenon/core/testing';
import { until } from './cli-process.js';
import { describeInTerminal, READY, sessionForEachTest } from './terminal-session.js';

const { open, current } = sessionForEachTest();

const write = (file: string, content: string): ScriptedTurn => ({
  text: 'I write it.',
  toolCalls: [{ name: 'write_file', arguments: { file_path: file, content } }],
});

/** Calls a tool on a file of the workspace, wherever that is. */
const onFile =
  (make: (file: string) => ScriptedTurn): TurnFunction =>
  () =>
    make(path.join(current().bench.workspace, 'new.txt'));

const QUESTION = 'May it do this?';

describeInTerminal('a session in a terminal', () => {
  test('begins with the composer, shows the answer as Markdown, and leaves the terminal as it was', async () => {
    const { terminal, say } = await open([{ text: '# Title\n\nSome **bold** words.\n\n- one\n- two\n' }]);
    expect((await terminal.screen())[0]).toMatch(/^tenon \d/);
    await say('hello there');
    await terminal.waitFor('• two');
    const shown = await terminal.screen();
    expect(shown.join('\n')).not.toContain('**bold**');
    await terminal.press('C-d');
    await terminal.ended();
    expect((await terminal.screen()).some((line) => /^[›>] ?$/.test(line))).toBe(false);
    expect((await terminal.screen()).join('\n')).toContain('Some bold words.');
  });

  test('keeps all that was printed in the scrollback, once and in order, while answers stream and the size changes', async () => {
    const words = Array.from({ length: 120 }, (_, index) => `Line ${index + 1} of a long answer.\n\n`).join('');
    const { terminal, say } = await open([{ text: words, chunkSize: 40 }, { text: 'The second answer.' }], {
      columns: 80,
      rows: 20,
      delayMs: 15,
    });
    await say('write much');
    await terminal.waitFor(/Line [45]\d of/);
    await terminal.resize(60, 15);
    await terminal.waitFor(/Line [89]\d of/);
    await terminal.resize(100, 24);
    await terminal.waitFor('Line 120 of');
    await terminal.waitFor(READY);
    await say('and more');
    await terminal.waitFor('The second answer.');
    const numbers = (await terminal.all()).flatMap((line) => /^Line (\d+) of a long answer\.$/.exec(line)?.[1] ?? []);
    expect(numbers.map(Number)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
  });

  test('is drawn in 40 columns, with characters of any width', async () => {
    const { terminal, say } = await open([{ text: '日本語の長い文章がここにあります。絵文字 👩‍👩‍👧‍👦 と é も。' }], {
      columns: 40,
      rows: 20,
    });
    await say('漢字 and emoji 😀');
    await terminal.waitFor('と');
    for (const line of await terminal.screen()) expect(line.length).toBeLessThanOrEqual(40);
    await terminal.waitFor(READY);
  });

  test('has no colours with NO_COLOR', async () => {
    const { terminal, say } = await open([{ text: '# Title\n\n`code` and **bold**' }], { env: { NO_COLOR: '1' } });
    await say('hello');
    await terminal.waitFor('Title');
    await terminal.waitFor(READY);
    expect(await terminal.coloured()).not.toMatch(/\u001b\[[\d;]*(?:3[1-7]|38|48|9\d)/);
  });

  test('takes a paste of a megabyte at once, and sends all of it', async () => {
    const { terminal, bench } = await open([{ text: 'I read it.' }]);
    const text = `${'0123456789 some words\n'.repeat(50_000)}the end`;
    const before = performance.now();
    await terminal.paste(text);
    await terminal.waitFor(/50,?\.?001 lines|Pasted/);
    await terminal.type(' and this');
    await terminal.waitFor('and this');
    // tmux itself takes most of it.
    expect(performance.now() - before).toBeLessThan(10_000);
    await terminal.press('Enter');
    await terminal.waitFor('I read it.');
    expect(bench.model.requests[0]?.bodyText).toContain(JSON.stringify(`${text} and this`).slice(1, -1));
  });

  test('stops the model on Escape, and goes on with the next prompt', async () => {
    const { terminal, say } = await open([{ text: 'never ends', hangAfterChunks: 1 }, { text: 'Here again.' }]);
    await say('first');
    await terminal.waitFor('Esc cancels');
    await terminal.press('Escape');
    await terminal.waitGone('Esc cancels');
    await say('second');
    await terminal.waitFor('Here again.');
  });

  test('has what is typed while the model works read with its next request', async () => {
    const { terminal, say, bench } = await open([
      { toolCalls: [{ name: 'run_shell_command', arguments: { command: 'sleep 1', description: 'waits' } }] },
      { text: 'I heard you.' },
    ]);
    await say('begin');
    await terminal.waitFor('sleep 1');
    await say('use the other file');
    await terminal.waitFor('I heard you.');
    expect(bench.model.requests[1]?.bodyText).toContain('use the other file');
  });

  test('runs commands that the person wrote as files, with their arguments', async () => {
    const { terminal, say, bench } = await open([{ text: 'I looked at it.' }], {
      home: { 'commands/review.md': '---\ndescription: Looks at a file.\n---\nReview the file $1 with care.\n' },
    });
    await terminal.type('/rev');
    await terminal.waitFor('Looks at a file.');
    await terminal.press('C-u');
    await say('/review a.ts');
    await terminal.waitFor('I looked at it.');
    expect(bench.model.requests[0]?.bodyText).toContain('Review the file a.ts with care.');
  });

  test('runs a command behind an exclamation mark, and the model is told with the next prompt', async () => {
    const { terminal, say, bench } = await open([{ text: 'I see.' }]);
    await say('!echo from-the-person');
    await terminal.waitFor('… from-the-person');
    await say('what was that');
    await terminal.waitFor('I see.');
    expect(bench.model.requests[0]?.bodyText).toContain('from-the-person');
    expect((await terminal.all()).join('\n')).not.toContain('The user ran a command');
  });

  test('leaves on the second Ctrl-C, not on the first', async () => {
    const { terminal } = await open([]);
    await terminal.press('C-c');
    await terminal.waitFor('Ctrl-C again leaves');
    await terminal.press('C-c');
    await terminal.ended();
  });
});

describeInTerminal('a question in a terminal', () => {
  const turns = [onFile((file) => write(file, 'first\nsecond\n')), { text: 'All done.' }];

  test('is no when Enter alone is pressed', async () => {
    const { terminal, say, bench } = await open(turns);
    await say('write it');
    expect((await terminal.waitFor(QUESTION)).join('\n')).toContain('no (default)');
    await terminal.waitFor('no (default)');
    await new Promise((resolve) => setTimeout(resolve, 600));
    await terminal.press('Enter');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await terminal.press('Enter');
    await terminal.waitFor('All done.');
    expect(existsSync(path.join(bench.workspace, 'new.txt'))).toBe(false);
  });

  test('is not answered by keys that were typed before it was there (S53)', async () => {
    let goOn: () => void = () => undefined;
    const typed = new Promise<void>((resolve) => (goOn = resolve));
    const slow: TurnFunction = async (request) => {
      await typed;
      return onFile((file) => write(file, 'first\nsecond\n'))(request);
    };
    const { terminal, say, bench } = await open([slow, { text: 'All done.' }]);
    await say('write it');
    // Together they would be a paste: the keys are typed once the words were sent, and the question comes after them.
    await until(() => bench.model.requests.length > 0, 'the request');
    await terminal.type('yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy');
    goOn();
    await terminal.waitFor(QUESTION);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await terminal.screen()).join('\n')).toContain(QUESTION);
    expect(existsSync(path.join(bench.workspace, 'new.txt'))).toBe(false);
  });

  test('with y lets the call run once', async () => {
    const { terminal, say, bench } = await open(turns);
    await say('write it');
    await terminal.waitFor(QUESTION);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await terminal.type('y');
    await terminal.waitFor('All done.');
    expect(await readFile(path.join(bench.workspace, 'new.txt'), 'utf8')).toBe('first\nsecond\n');
  });

  test('shows the rule before it is saved for the project', async () => {
    const { terminal, say, bench } = await open(turns);
    await say('write it');
    await terminal.waitFor(QUESTION);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await terminal.type('p');
    await terminal.waitFor(/allow (Edit|Write)/);
    expect(existsSync(path.join(bench.workspace, 'new.txt'))).toBe(false);
    await terminal.press('Enter');
    await terminal.waitFor('All done.');
    const { stdout } = await bench.run(['policy', 'grants']);
    expect(stdout).toMatch(/Edit|Write/);
  });

  test('lets the person change the proposal in their editor first', async () => {
    const { terminal, say, bench } = await open(turns, {
      env: { VISUAL: 'sh "$HOME/editor.sh"' },
    });
    const editor = path.join(path.dirname(bench.tenonHome), 'editor.sh');
    await writeFile(editor, 'sed -i s/second/changed/ "$1"\n');
    await chmod(editor, 0o755);
    await say('write it');
    await terminal.waitFor(QUESTION);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await terminal.type('e');
    await terminal.waitFor('All done.');
    expect(await readFile(path.join(bench.workspace, 'new.txt'), 'utf8')).toBe('first\nchanged\n');
  });

  test('hands words back to the model with a no', async () => {
    const { terminal, say, bench } = await open(turns);
    await say('write it');
    await terminal.waitFor(QUESTION);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await terminal.type('n');
    await terminal.waitFor('What should it do instead?');
    await terminal.type('call it old.txt');
    await terminal.press('Enter');
    await terminal.waitFor('All done.');
    expect(bench.model.requests[1]?.bodyText).toContain('call it old.txt');
    expect(existsSync(path.join(bench.workspace, 'new.txt'))).toBe(false);
  });
});

describeInTerminal('a session that was killed', () => {
  test('goes on where it was, and files and words go back', async () => {
    const {
      terminal,
      say,
      open: again,
      bench,
    } = await open(
      [onFile((file) => write(file, 'first\n')), { text: 'It is written.' }, { text: 'I remember the file.' }],
      { args: ['--approval-mode', 'auto_edit'] },
    );
    await say('write it');
    await terminal.waitFor('It is written.');
    process.kill(await terminal.processId(), 'SIGKILL');
    const second = await again(['--continue', '--approval-mode', 'auto_edit']);
    await second.waitFor('It is written.');
    await second.type('what did you do');
    await second.press('Enter');
    await second.waitFor('I remember the file.');
    expect(bench.model.requests[2]?.bodyText).toContain('It is written.');
    await second.type('/rewind');
    await second.press('Enter');
    await second.waitFor('write it');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await second.press('Down');
    await second.press('Enter');
    await second.waitFor('What goes back?');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await second.press('Enter');
    await second.waitFor('as it was before that message');
    expect(existsSync(path.join(bench.workspace, 'new.txt'))).toBe(false);
  });
});
