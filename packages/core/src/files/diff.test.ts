import { applyPatch, createPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChangesDiff, createFileDiff } from './diff.js';

describe('createFileDiff', () => {
  it('labels the sides Current and Proposed (S58)', async () => {
    const change = await createFileDiff({ filePath: '/w/src/a.ts', original: 'a\nb\n', proposed: 'a\nc\n' });
    expect(change).toMatchObject({
      fileName: 'a.ts',
      filePath: '/w/src/a.ts',
      originalContent: 'a\nb\n',
      newContent: 'a\nc\n',
    });
    expect(change.fileDiff).toBe(createPatch('a.ts', 'a\nb\n', 'a\nc\n', 'Current', 'Proposed'));
  });

  it.each([
    ['a b.ts', 'a\n', 'b\n'],
    ['new.ts', '', 'a\nb'],
    ['ä.ts', 'a', ''],
    ['same.ts', 'a\n', 'a\n'],
  ])('is what createPatch of the diff package gives: %s (S58)', async (name, original, proposed) => {
    const { fileDiff } = await createFileDiff({ filePath: `/w/${name}`, original, proposed });
    expect(fileDiff).toBe(createPatch(name, original, proposed, 'Current', 'Proposed'));
  });

  it('shows no line of its head as two for a name that contains a line end', async () => {
    const { fileDiff } = await createFileDiff({ filePath: '/w/a\n-b', original: 'a\n', proposed: 'b\n' });
    expect(fileDiff.split('\n')).toEqual([
      '='.repeat(67),
      '--- "a\\n-b"\tCurrent',
      '+++ "a\\n-b"\tProposed',
      '@@ -1,1 +1,1 @@',
      '-a',
      '+b',
      '',
    ]);
  });

  it('shows a new file as added lines', async () => {
    const change = await createFileDiff({ filePath: '/w/a', original: null, proposed: 'x' });
    expect(change).toMatchObject({ originalContent: '', isNewFile: true });
    expect(change.fileDiff).toContain('@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file');
  });

  it('stays correct and quick where a minimal diff would take too long', async () => {
    const lines = (seed: number): string =>
      Array.from({ length: 12_000 }, (_, index) => `${(index * seed) % 99_991}-${seed}\n`).join('');
    const original = `same\n${lines(7919)}end`;
    const proposed = `same\n${lines(104_729)}end`;
    const started = performance.now();
    const { fileDiff } = await createFileDiff({ filePath: '/w/a', original, proposed });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(applyPatch(original, fileDiff)).toBe(proposed);
  });

  it('gives a patch that leads from one to the other', async () => {
    const text = fc.array(fc.constantFrom('a', 'b', '', 'a\r', '\\')).map((list) => list.join('\n'));
    await fc.assert(
      fc.asyncProperty(text, text, async (original, proposed) => {
        const { fileDiff } = await createFileDiff({ filePath: '/w/a', original, proposed });
        expect(applyPatch(original, fileDiff, { autoConvertLineEndings: false })).toBe(proposed);
      }),
    );
  });
});

describe('createChangesDiff', () => {
  it('is the diff of the file where only one changes', async () => {
    const change = { path: '/w/a.ts', original: 'a\n', proposed: 'b\n' };
    expect(await createChangesDiff([change])).toEqual(await createFileDiff({ filePath: '/w/a.ts', ...change }));
  });

  it('names several files by their paths below the folder that they share', async () => {
    const { fileDiff, fileName } = await createChangesDiff([
      { path: '/w/src/a/index.ts', original: 'a\n', proposed: 'b\n' },
      { path: '/w/src/b/index.ts', original: null, proposed: 'n\n' },
      { path: '/w/src/old.ts', original: 'o\n', proposed: null },
    ]);
    expect(fileName).toBe('3 files');
    expect(fileDiff).toContain('--- a/index.ts\tCurrent\n+++ a/index.ts\tProposed\n@@ -1,1 +1,1 @@\n-a\n+b\n');
    expect(fileDiff).toContain('--- /dev/null\n+++ b/index.ts\tProposed\n@@ -0,0 +1,1 @@\n+n\n');
    expect(fileDiff).toContain('--- old.ts\tCurrent\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-o\n');
  });

  it('compares a moved file with what it was', async () => {
    const change = await createChangesDiff([
      { path: '/w/old.ts', original: 'a\nb\n', proposed: null },
      { path: '/w/src/new.ts', original: null, proposed: 'a\nc\n', movedFrom: '/w/old.ts' },
    ]);
    expect(change.fileDiff).toContain('--- old.ts\tCurrent\n+++ src/new.ts\tProposed\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n');
    expect(change).toMatchObject({ fileName: 'new.ts', filePath: '/w/src/new.ts', originalContent: 'a\nb\n' });
  });
});
