import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChangesDiff, createFileDiff } from '../files/diff.js';
import { countDiff, countFiles, diffHunks, diffView, namesFiles } from './diff-view.js';

const plain = { colour: false };

describe('diffView', () => {
  it('numbers the lines of both files', () => {
    const diff = '--- a\n+++ b\n@@ -9,3 +9,3 @@\n same\n-old\n+new\n last\n';
    expect(diffView(diff, plain)).toBe(
      ['--- a', '+++ b', '@@ -9,3 +9,3 @@', ' 9  9  same', '10    -old', '   10 +new', '11 11  last'].join('\n'),
    );
  });

  it('leaves out the names of the files where that is asked for, and nothing that could be content', () => {
    const head = 'Index: a\n=====\n--- a\tCurrent\n+++ a\tProposed\n';
    const hunk = '@@ -1 +1 @@\n-a\n+b\n';
    const bare = { ...plain, header: false };
    expect(diffView(head + hunk, bare)).toBe('@@ -1 +1 @@\n1   -a\n  1 +b');
    expect(diffView(head, bare)).toBe('');
    expect(diffView(`rm -rf x\n${head}${hunk}`, bare)).toContain('rm -rf x\nIndex: a');
    expect(diffView(`${head}${hunk}--- more\n+++ more\n`, bare)).toContain('--- more');
  });

  it('has one line with the name above each of several files, and above one that is moved', () => {
    const ruler = '='.repeat(67);
    const changed = `Index: a\n${ruler}\n--- a\tCurrent\n+++ a\tProposed\n@@ -1,1 +1,1 @@\n-a\n+b\n`;
    const added = `${ruler}\n--- /dev/null\n+++ b\tProposed\n@@ -0,0 +1,1 @@\n+n\n`;
    const deleted = `${ruler}\n--- c\tCurrent\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-o\n`;
    const moved = `${ruler}\n--- old\tCurrent\n+++ new\tProposed\n`;
    const bare = { ...plain, header: false };
    expect(diffView(changed + added + deleted + moved, bare)).toBe(
      [
        'a',
        '@@ -1,1 +1,1 @@',
        '1   -a',
        '  1 +b',
        'b (new)',
        '@@ -0,0 +1,1 @@',
        '  1 +n',
        'c (deleted)',
        '@@ -1,1 +0,0 @@',
        '1   -o',
        'old → new',
      ].join('\n'),
    );
    expect(countFiles(changed + added + deleted + moved)).toBe(4);
    expect(diffView(moved, bare)).toBe('old → new');
    expect(diffView(changed, bare)).toBe('@@ -1,1 +1,1 @@\n1   -a\n  1 +b');
  });

  it('says of a single file that it goes', () => {
    const diff = 'Index: a\n===\n--- a\tCurrent\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n';
    expect(diffView(diff, { ...plain, header: false })).toBe('a (deleted)\n@@ -1,1 +0,0 @@\n1   -x');
    expect([namesFiles(diff), namesFiles(diff.replace('/dev/null', 'a\tProposed'))]).toEqual([true, false]);
  });

  it('takes lines for content that only look like the names of another file', () => {
    const ruler = '='.repeat(67);
    const diff = createTwoFilesPatch('a', 'a', `${ruler}\n-- x\nkeep\n`, `${ruler}\n++ y\nkeep\n`);
    expect(countFiles(diff)).toBe(1);
    expect(diffView(diff, { ...plain, header: false })).toContain('2   --- x\n  2 +++ y');
  });

  it('cuts lines at the width of the terminal', () => {
    const diff = `@@ -1 +1 @@\n-${'中'.repeat(40)}\n+b\n`;
    expect(diffView(diff, { ...plain, columns: 12 })).toBe(`@@ -1 +1 @@\n1   -中中中…\n  1 +b`);
  });

  it('takes removed lines for lines, whatever they look like', () => {
    const diff = createTwoFilesPatch('a', 'b', '-- x\n@@ -1 +1 @@\nkeep\n', '++ y\nkeep\n');
    expect(countDiff(diff)).toEqual({ added: 1, removed: 2 });
    expect(diffView(diff, plain)).toContain('1   --- x');
    expect(diffView(diff, plain)).toContain('2   -@@ -1 +1 @@');
    expect(diffView(diff, plain)).toContain('  1 +++ y');
  });

  it('shows hidden characters in the lines', () => {
    const diff = '--- a\n+++ b\n@@ -1 +1 @@\n-a\r\n+\u001b[2Jb\u202e\n';
    expect(diffView(diff, plain)).toContain(String.raw`+\u{1b}[2Jb\u{202e}`);
    expect(diffView(diff, plain)).toContain(String.raw`-a\r`);
  });

  it('colours added and removed lines, and nothing without colour', () => {
    const diff = '@@ -1 +1 @@\n-a\n+b\n';
    expect(diffView(diff, { colour: true })).toContain('\u001b[32m+b\u001b[39m');
    expect(diffView(diff, { colour: true })).toContain('\u001b[31m-a\u001b[39m');
    expect(diffView(diff, plain)).not.toContain('\u001b');
  });

  it('shows head and tail of a long diff and counts the rest', () => {
    const diff = createTwoFilesPatch('a', 'b', '', Array.from({ length: 100 }, (_, i) => `line ${i}\n`).join(''));
    const lines = diffView(diff, { ...plain, maxLines: 11 }).split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[5]).toMatch(/^… \d+ lines not shown …$/);
    expect(lines.at(-1)).toContain('line 99');
  });
});

describe('diffHunks', () => {
  it('say what stood there and what stands there now: put in its place, each makes the new text of the old one', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '-- x', '++ y', '@@ -1 +1 @@', '', '\\ No newline at end of file'), {
        maxLength: 40,
      })
      .map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(text, text, async (original, proposed) => {
        const { fileDiff } = await createFileDiff({ filePath: '/w/a.ts', original, proposed });
        const hunks = diffHunks(fileDiff);
        let result = original;
        for (const { before, after, line } of hunks) {
          const place =
            result
              .split('\n')
              .slice(0, line - 1)
              .join('\n').length + (line > 1 ? 1 : 0);
          expect(result.startsWith(before, place)).toBe(true);
          result = result.slice(0, place) + after + result.slice(place + before.length);
        }
        expect(result).toBe(proposed);
        expect(hunks.every(({ oldName, newName }) => oldName === 'a.ts' && newName === 'a.ts')).toBe(true);
      }),
    );
  });

  it('of several files name each; a side where there is no file has no name', async () => {
    const { fileDiff } = await createChangesDiff([
      { path: '/w/src/a.ts', original: 'a\n', proposed: 'b\n' },
      { path: '/w/new.ts', original: null, proposed: 'n\n' },
      { path: '/w/old.ts', original: 'o\n', proposed: null },
    ]);
    expect(diffHunks(fileDiff)).toEqual([
      { oldName: 'src/a.ts', newName: 'src/a.ts', before: 'a\n', after: 'b\n', line: 1, isWhole: false },
      { oldName: undefined, newName: 'new.ts', before: '', after: 'n\n', line: 1, isWhole: true },
      { oldName: 'old.ts', newName: undefined, before: 'o\n', after: '', line: 1, isWhole: false },
    ]);
    expect(diffHunks('')).toEqual([]);
  });
});
