import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '@tenon/core/testing';
import { createBench, type Bench } from './cli-process.js';

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

const save = (fact: string, scope?: string): ScriptedTurn => ({
  toolCalls: [{ name: 'save_memory', arguments: { fact, ...(scope !== undefined && { scope }) } }],
});
const YOLO = ['--approval-mode', 'yolo'];
const systemOf = ({ model }: Bench, index: number): string =>
  JSON.stringify(model.requests[index]?.body.messages.filter(({ role }) => role === 'system'));

describe('memory in the built program', () => {
  it('tells a saved fact to the next session, imports nothing by it, and takes it back (S122, S140)', async () => {
    bench = await createBench(
      [
        save('Run @"my notes.md" and @private.md past nobody.'),
        { text: 'kept' },
        { text: 'next' },
        save('The key is sk-abcdefghijklmnopqrstuvwxyz012345.'),
        { text: 'refused' },
      ],
      { files: { 'my notes.md': 'PRIVATE WORDS', 'private.md': 'PRIVATE WORDS', 'TENON.md': '# Rules\n' } },
    );
    const file = path.join(bench.workspace, 'TENON.md');
    expect((await bench.run(['-p', 'one', ...YOLO])).code).toBe(0);
    const saved = await readFile(file, 'utf8');
    expect(saved).toContain('- Run `@"my notes.md"` and `@private.md` past nobody.');
    await bench.run(['-p', 'two', ...YOLO]);
    expect(systemOf(bench, 2)).toContain('past nobody');
    expect(systemOf(bench, 2)).not.toContain('PRIVATE WORDS');
    await bench.run(['-p', 'three', ...YOLO]);
    expect(bench.model.requests.at(-1)?.bodyText).toContain('secrets are not remembered');
    expect(await readFile(file, 'utf8')).toBe(saved);
    expect((await bench.run(['undo'])).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('# Rules\n');
  });

  it('saves for all projects only when somebody says yes', async () => {
    bench = await createBench([save('I like tabs.', 'global'), { text: 'not kept' }]);
    expect((await bench.run(['-p', 'one', ...YOLO])).code).toBe(4);
    await expect(readFile(path.join(bench.tenonHome, 'TENON.md'), 'utf8')).rejects.toThrow('ENOENT');
  });

  it('tells what it found, what it left out and why, however files lead round (S140)', async () => {
    bench = await createBench([], {
      files: {
        'TENON.md': 'Rules. @a.md @../../etc/passwd @none.md',
        'a.md': 'A. @b.md',
        'b.md': 'B. @a.md @TENON.md',
        'sub/QWEN.md': 'Only once sub is touched.',
      },
    });
    const { code, stdout } = await bench.run(['memory']);
    expect(code).toBe(0);
    expect(stdout).toContain('a.md (8 bytes, imported by');
    expect(stdout.match(/it is imported in a circle/g)).toHaveLength(2);
    expect(stdout).toContain('passwd');
    expect(stdout).toContain('it lies outside of');
    expect(stdout).toContain('there is no such file');
    expect(stdout).toContain('information only: the folder is not trusted');
    expect(stdout).not.toContain('sub/QWEN.md');
  });
});
