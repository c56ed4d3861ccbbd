import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalMode } from '@tenon/core';
import { BUILTIN_COMMANDS } from './command-list.js';
import { commandHint, completeCommand } from './complete-command.js';
import { parseCommand } from './find-command.js';
import { runCommand } from './run-command.js';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';

let bench: CommandBench;

beforeEach(async () => {
  bench = await createCommandBench();
});

afterEach(async () => bench.close());

describe('a line with a slash', () => {
  it.each([
    ['/help', { name: 'help', rest: '' }],
    ['  /diff  2 ', { name: 'diff', rest: '2' }],
    ['/policy explain a\nb', { name: 'policy', rest: 'explain a\nb' }],
    ['/docs:explain topic=x', { name: 'docs:explain', rest: 'topic=x' }],
    ['/?', { name: '?', rest: '' }],
  ])('%j is a command', (text, command) => {
    expect(parseCommand(text)).toEqual(command);
  });

  it.each(['/usr/bin/x is broken', '// a comment', '/', 'say /help', '', '/*.ts'])(
    '%j is said to the model',
    (text) => {
      expect(parseCommand(text)).toBeUndefined();
    },
  );

  it('is answered by its command, by any of its names, in any case', async () => {
    expect(await bench.say('/MODE')).toBe('The mode is default.\n');
    expect(await bench.say('/approval-mode plan')).toBe('The mode is now plan.\n');
    expect(bench.agent.config.getApprovalMode()).toBe(ApprovalMode.PLAN);
    expect(await bench.run('/quit')).toEqual({ leaves: true });
  });

  it('that nothing answers to names what may have been meant', async () => {
    expect(await bench.say('/hlep')).toBe('There is no /hlep. Did you mean /help?\n');
    expect(await bench.say('/xyzzy-nothing')).toBe('There is no /xyzzy-nothing. /help lists what there is.\n');
    expect(await bench.say('/nobody:prompt')).toContain('There is no /nobody:prompt.');
    expect(await runCommand('hello', bench.context)).toBeUndefined();
  });

  it('says what failed, and that it was cancelled', async () => {
    const ended = new AbortController();
    const failing = {
      name: 'fails',
      sentence: '',
      run: async (): Promise<never> => {
        ended.abort();
        throw new Error('anything');
      },
    };
    const context = { ...bench.context, commands: () => [failing], signal: ended.signal };
    expect((await runCommand('/fails', context))?.shown).toBe('Cancelled.\n');
    const still = { ...context, signal: new AbortController().signal };
    await expect(runCommand('/fails', still)).rejects.toThrow('anything');
    expect(await bench.say('/resume nothing-of-that-name')).toContain('There is no session');
  });
});

describe('/help', () => {
  it('lists every command with its sentence, and tells of one', async () => {
    const help = await bench.say('/help');
    for (const { name, sentence } of BUILTIN_COMMANDS) {
      expect(help).toContain(`/${name}`);
      expect(help).toContain(sentence);
    }
    expect(await bench.say('/help compact')).toBe(
      '/compress [FOCUS]\n  Makes the conversation shorter; the words behind it say what is kept above all.\n  Also: /compact\n',
    );
    expect(await bench.say('/help nothing-here')).toContain('There is no /nothing-here.');
  });

  it('has a name, a sentence and no alias twice', () => {
    const names = BUILTIN_COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, sentence } of BUILTIN_COMMANDS) {
      expect(name).toMatch(/^[a-z]+$/);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });
});

it('/keys shows what is bound', async () => {
  expect(await bench.say('/keys')).toContain('enter  sends what is written\n');
});

describe('completion', () => {
  const labels = async (text: string): Promise<readonly string[]> =>
    (await completeCommand(text, bench.context)).map(({ insert }) => insert);

  it('offers all names for the slash alone, each once', async () => {
    expect(await labels('/')).toEqual(BUILTIN_COMMANDS.map(({ name }) => `/${name}`));
  });

  it('offers what begins so first, then what has the letters; aliases lead to their command', async () => {
    expect((await labels('/un'))[0]).toBe('/undo');
    expect(await labels('/rew')).toEqual(['/rewind']);
    expect(await labels('/stng')).toContain('/settings');
    expect(await labels('/comp')).toEqual(['/compress']);
    expect(await labels('/compact')).toEqual(['/compress']);
    expect(await labels('/zzz')).toEqual([]);
    expect(await labels('no slash')).toEqual([]);
  });

  it('offers what a command takes', async () => {
    expect(await labels('/mode ')).toEqual(['plan', 'default', 'auto_edit', 'yolo']);
    expect(await labels('/mode a')).toEqual(['auto_edit']);
    expect(await labels('/help und')).toEqual(['undo']);
    expect(await labels('/tools read_f')).toEqual(['read_file']);
    expect(await labels('/export h')).toEqual(['html']);
    expect(await labels('/policy ex')).toEqual(['explain']);
    expect(await labels('/mcp re')).toEqual(['reconnect']);
    expect(await labels('/settings ui.th')).toEqual(['ui.theme']);
    expect(await labels('/settings ui.theme li')).toEqual(['light']);
    expect(await labels('/theme high')).toEqual(['high-contrast']);
    expect(await labels('/exit ')).toEqual([]);
  });

  it('hints at what follows a name', () => {
    expect(commandHint('/undo', BUILTIN_COMMANDS)).toBe('[N|ID|--turn]');
    expect(commandHint('/undo ', BUILTIN_COMMANDS)).toBe('[N|ID|--turn]');
    expect(commandHint('/undo 2', BUILTIN_COMMANDS)).toBeUndefined();
    expect(commandHint('/keys', BUILTIN_COMMANDS)).toBeUndefined();
  });
});
