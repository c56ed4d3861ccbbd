import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedToolCall } from '@tenon/core/testing';
import { createBench, until, type Bench } from './cli-process.js';
import { hasScript, openScript } from './script-terminal.js';

let bench: Bench | undefined;

afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

const at = (name: string): string => path.join(bench?.workspace ?? '', name);

interface Asked {
  /** Waits for the next question, and gives what was printed since the one before. */
  readonly question: () => Promise<string>;
  readonly answer: (key: string) => void;
  /** Everything behind the last question, when the run is over. */
  readonly rest: () => Promise<string>;
}

/** A run at a terminal that makes one call. */
async function ask(files: Readonly<Record<string, string>>, call: () => ScriptedToolCall): Promise<Asked> {
  bench = await createBench([() => ({ toolCalls: [call()] }), { text: 'Done.' }], { files });
  const { screen, types, code } = openScript(bench, ['-p', 'x'], { NO_COLOR: '1' });
  let seen = 0;
  const since = (end: number): string => {
    const text = screen().slice(seen, end).replaceAll('\r\n', '\n');
    seen = end;
    return text;
  };
  const MARK = '[n] no (default)';
  return {
    question: async () => {
      await until(() => screen().includes(MARK, seen), `a question after\n${screen().slice(seen)}`);
      return since(screen().indexOf(MARK, seen) + MARK.length);
    },
    answer: (key) => types(`${key}\r`),
    rest: async () => {
      expect(await code).toBe(0);
      return since(screen().length);
    },
  };
}

const patch = (...lines: string[]): ScriptedToolCall => ({
  name: 'apply_patch',
  arguments: { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') },
});

describe.runIf(hasScript)('a person who is asked about a change', () => {
  it('sees the diff once, hidden characters made visible, and the counts when it was made (S54)', async () => {
    const { question, answer, rest } = await ask({ 'a.txt': 'one\ntwo\n' }, () => ({
      name: 'edit',
      arguments: { file_path: at('a.txt'), old_string: 'two', new_string: 'red\u001b[31m\u202efdp' },
    }));
    const asked = await question();
    expect(asked).toContain(String.raw`  2 +red\u{1b}[31m\u{202e}fdp`);
    answer('y');
    const after = await rest();
    expect(after).toContain('✓ 1 line added, 1 removed');
    expect(after).not.toContain('+red');
    expect(asked + after).not.toMatch(/\u001b\[31m|\u202e/);
  });

  it('is asked again, with the new diff, when the file changes before the answer', async () => {
    const { question, answer, rest } = await ask({ 'a.txt': 'one\ntwo\n' }, () => ({
      name: 'edit',
      arguments: { file_path: at('a.txt'), old_string: 'two', new_string: 'TWO' },
    }));
    expect(await question()).not.toContain('has changed');
    await writeFile(at('a.txt'), 'zero\none\ntwo\n');
    answer('y');
    const again = await question();
    expect(again).toContain('What this call would do has changed since you approved it.');
    expect(again).toContain('1 1  zero');
    expect(await readFile(at('a.txt'), 'utf8')).toBe('zero\none\ntwo\n');
    answer('y');
    await rest();
    expect(await readFile(at('a.txt'), 'utf8')).toBe('zero\none\nTWO\n');
  });

  it('is told that a file goes, and where one is moved', async () => {
    const { question, answer, rest } = await ask({ 'gone.txt': 'g\n' }, () => patch('*** Delete File: gone.txt'));
    expect(await question()).toContain('Change: the file is deleted; 0 lines added, 1 removed');
    answer('y');
    await rest();
    await expect(stat(at('gone.txt'))).rejects.toThrow('ENOENT');
    await bench?.end();
    const moved = await ask({ 'a.txt': 'a\n' }, () => patch('*** Update File: a.txt', '*** Move to: sub/b.txt'));
    expect(await moved.question()).toMatch(/Confirm Patch: a\.txt\n.*\na\.txt → sub\/b\.txt\n/);
    moved.answer('y');
    await moved.rest();
    expect(await readFile(at('sub/b.txt'), 'utf8')).toBe('a\n');
  });

  it('can see all of a change that is too long to be shown at once', async () => {
    const names = Array.from({ length: 30 }, (_value, index) => `file-${index}.txt`);
    const { question, answer, rest } = await ask({}, () =>
      patch(...names.flatMap((name) => [`*** Add File: ${name}`, `+first of ${name}`, `+second of ${name}`])),
    );
    const short = await question();
    expect(short).toContain('lines not shown');
    expect(short).toContain('[s] show all');
    expect(short).not.toContain('first of file-15.txt');
    answer('s');
    const whole = await question();
    for (const name of names) {
      expect(whole).toContain(`second of ${name}`);
      expect(whole).toContain(`write ${at(name)}`);
    }
    answer('y');
    await rest();
    expect(await readFile(at('file-15.txt'), 'utf8')).toBe('first of file-15.txt\nsecond of file-15.txt\n');
  });
});
