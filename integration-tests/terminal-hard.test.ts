import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ScriptedTurn } from '@tenon/core/testing';
import { createBench, MAIN, type Bench } from './cli-process.js';
import { describeInTerminal, READY, sessionForEachTest, terminalEnvironment } from './terminal-session.js';
import { openTmux, type TmuxTerminal } from './tmux-terminal.js';

const { open } = sessionForEachTest();

const touch: ScriptedTurn = {
  toolCalls: [{ name: 'run_shell_command', arguments: { command: 'touch made.txt', description: 'makes it' } }],
};
/** Longer than keys are taken for those of somebody who was typing already. */
const SEEN_MS = 600;

/** After it has taken the terminal, the process has no time to read for a while. */
const BUSY_ONCE_TAKEN = `
  import { ReadStream } from 'node:tty';
  const { setRawMode } = ReadStream.prototype;
  ReadStream.prototype.setRawMode = function (isRaw) {
    setRawMode.call(this, isRaw);
    const until = performance.now() + 300;
    while (performance.now() < until);
    return this;
  };
`;

/** A command in a terminal that nobody waits for, beside a model with one answer. */
async function besideModel(
  commandFor: (bench: Bench) => readonly string[] | Promise<readonly string[]>,
  act: (terminal: TmuxTerminal, bench: Bench) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const bench = await createBench([{ text: 'The answer.' }]);
  try {
    const command = await commandFor(bench);
    const terminal = await openTmux({ command, cwd: bench.workspace, env: { ...terminalEnvironment(bench), ...env } });
    try {
      await act(terminal, bench);
    } finally {
      await terminal.close();
    }
  } finally {
    await bench.end();
  }
}

describeInTerminal('a terminal that makes it hard', () => {
  test('of few rows has nothing of a question in its scrollback once that is answered', async () => {
    const { terminal, say, bench } = await open([touch, { text: 'The end.' }], { columns: 40, rows: 10 });
    await say('make it');
    await terminal.waitFor('[y] once');
    expect((await terminal.screen()).join('\n')).toContain('touch made.txt');
    await sleep(SEEN_MS);
    await terminal.press('y');
    await terminal.waitFor('The end.');
    await terminal.waitFor(READY);
    expect((await terminal.all()).join('\n')).not.toMatch(/\[y\]|\[n\]|May it do this|Why you are asked/);
    expect(existsSync(path.join(bench.workspace, 'made.txt'))).toBe(true);
  });

  test('too small to show what is asked takes no yes, until it is larger', async () => {
    const { terminal, say, bench } = await open([touch, { text: 'The end.' }]);
    await terminal.resize(20, 6);
    await say('make it');
    await terminal.waitFor('too');
    await sleep(SEEN_MS);
    await terminal.press('y', 'Enter');
    await sleep(SEEN_MS);
    expect(existsSync(path.join(bench.workspace, 'made.txt'))).toBe(false);
    await terminal.resize(100, 30);
    await terminal.waitFor('touch made.txt');
    await sleep(SEEN_MS);
    await terminal.press('y');
    await terminal.waitFor('The end.');
    expect(existsSync(path.join(bench.workspace, 'made.txt'))).toBe(true);
  });

  test.each([
    ['', `${process.execPath} ${MAIN}`],
    [' with the script that started it', `bash -c '${process.execPath} ${MAIN}; true'`],
  ])('comes back from the background%s as it was, also when nothing was under way', async (_, start) => {
    const shell = ['bash', '--norc', '--noprofile'];
    await besideModel(
      () => shell,
      async (terminal, bench) => {
        await terminal.waitFor('shell:');
        await terminal.type(start);
        await terminal.press('Enter');
        await terminal.waitFor(READY);
        await terminal.type('half a sen');
        await terminal.press('C-z');
        await terminal.waitFor('Stopped');
        await terminal.type('fg');
        await terminal.press('Enter');
        await terminal.waitFor('half a sen', 5_000);
        await terminal.type('tence');
        await terminal.press('Enter');
        await terminal.waitFor('The answer.');
        expect(JSON.stringify(bench.model.requests[0]?.body.messages)).toContain('half a sentence');
        await terminal.type('/quit');
        await terminal.press('Enter');
        await terminal.waitFor(/^shell:\s*$/m);
      },
      { PS1: 'shell: ', HISTFILE: '' },
    );
  });

  test('where no shell could bring it back, Ctrl-Z says so and the session goes on', async () => {
    const { terminal, say } = await open([{ text: 'The answer.' }]);
    await terminal.type('half a sen');
    await terminal.press('C-z');
    await terminal.waitFor('no shell could bring Tenon back');
    await say('tence');
    await terminal.waitFor('The answer.');
  });

  test('whose end mark of a paste is lost gives the keyboard back', async () => {
    const { terminal, say } = await open([{ text: 'The answer.' }]);
    await terminal.type('\u001b[200~unfinished');
    await terminal.press('C-c');
    await terminal.waitGone('unfinished');
    await terminal.type('\u001b[200~unfinished again');
    await terminal.waitFor('unfinished again');
    await say(', said');
    await terminal.waitFor('The answer.');
  });

  test.each(['a fast', 'a slow'])(
    'into which somebody types before it is taken sends what they sent, on %s machine',
    async (machine) => {
      const late = async ({ tenonHome }: Bench): Promise<readonly string[]> => {
        const slow = path.join(tenonHome, 'slow.mjs');
        await writeFile(slow, machine === 'a slow' ? BUSY_ONCE_TAKEN : '');
        return ['bash', '-c', `sleep 1; exec ${process.execPath} --import ${slow} ${MAIN}`];
      };
      await besideModel(late, async (terminal, bench) => {
        await terminal.type('said too early');
        await terminal.press('Enter');
        await terminal.waitFor('The answer.');
        expect(JSON.stringify(bench.model.requests[0]?.body.messages)).toContain('said too early');
      });
    },
  );

  test('into which somebody types before all is ready shows what they said once', async () => {
    const withCommands = async ({ tenonHome }: Bench): Promise<readonly string[]> => {
      const commands = path.join(tenonHome, 'commands');
      await mkdir(commands);
      for (let index = 0; index < 400; index += 1) await writeFile(path.join(commands, `c${index}.md`), 'Do it.\n');
      return [process.execPath, MAIN];
    };
    await besideModel(withCommands, async (terminal) => {
      // The composer is there before the commands are read.
      await terminal.waitFor('/help shows');
      await terminal.type('said early');
      await terminal.press('Enter');
      await terminal.waitFor('The answer.');
      await terminal.waitFor(READY);
      const all = await terminal.all();
      expect(all.filter((line) => line === '› said early')).toHaveLength(1);
      expect(all.filter((line) => line === 'The answer.')).toHaveLength(1);
    });
  });
});
