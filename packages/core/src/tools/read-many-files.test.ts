import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { estimateTokens } from '../output/estimate-tokens.js';
import { createTempConfig } from '../testing/temp-config.js';
import { ReadManyFilesTool, type ReadManyFilesToolParams } from './read-many-files.js';
import { toParts, type ToolResult } from './tools.js';

const { config, workspace, reset, remove } = await createTempConfig();
const tool = new ReadManyFilesTool(config);
afterEach(reset);
afterAll(remove);

describe('ReadManyFilesTool', () => {
  function read(params: ReadManyFilesToolParams): Promise<ToolResult> {
    return tool.execute(params, new AbortController().signal);
  }

  function textOf(result: ToolResult): string {
    return toParts(result.llmContent)
      .map((part) => ('text' in part ? part.text : `<${part.inlineData.mimeType}>`))
      .join('');
  }

  it('joins files, folders and globs under their names, each file once (S118)', async () => {
    await workspace.write({ 'a.txt': 'A\n', 'src/b.ts': 'B', 'src/c.md': 'C\n', 'src/deep/d.ts': 'D\n' });
    const result = await read({ paths: ['a.txt', 'src/**/*.ts', workspace.path('src')] });
    expect(textOf(result)).toBe(
      '--- a.txt ---\nA\n--- src/b.ts ---\nB\n--- src/deep/d.ts ---\nD\n--- src/c.md ---\nC\n\n[Read 4 files.]',
    );
  });

  it('names what git ignores among the files that were named (K21)', async () => {
    await workspace.write({ '.gitignore': 'dist\n', 'a.txt': 'A\n', 'dist/b.txt': 'B\n' });
    const text = textOf(await read({ paths: ['a.txt', 'dist/b.txt'] }));
    expect(text).toMatch(/\[Read 2 files\. Ignored by git: \S*dist\/b\.txt\.\]$/);
  });

  it('narrows folders by include and exclude', async () => {
    await workspace.write({ 'src/a.ts': 'A\n', 'src/a.test.ts': 'T\n', 'src/x.md': 'M\n' });
    const text = textOf(await read({ paths: ['src'], include: ['*.ts'], exclude: ['*.test.ts'] }));
    expect(text).toBe('--- src/a.ts ---\nA\n\n[Read 1 file.]');
  });

  it('counts what it leaves out by reason', async () => {
    await workspace.write({
      '.gitignore': 'dist\n',
      '.qwenignore': 'secret\n',
      'dist/x.js': 'x',
      secret: 's',
      'a.bin': new Uint8Array([0, 1]),
      'a.txt': 'A\n',
    });
    const text = textOf(await read({ paths: ['.', 'none.txt', '/etc/hostname', 'secret', '*.zip'] }));
    expect(text).toContain('--- a.txt ---\nA\n');
    expect(text).not.toContain('--- secret');
    for (const reason of [
      '1 not found (none.txt)',
      '1 path not in workspace (/etc/hostname)',
      '1 path ignored (secret)',
      '1 without a file that matches (*.zip)',
      '1 binary',
      '1 entry ignored by .gitignore',
      '1 entry ignored by .qwenignore',
    ]) {
      expect(text).toContain(reason);
    }
  });

  it('counts a file once, in however many patterns it is', async () => {
    const names = Array.from({ length: 5003 }, (_, index) => `f${index}.txt`);
    await workspace.write(Object.fromEntries(names.map((name) => [name, ''])));
    const { data, returnDisplay } = await read({ paths: ['f1*.txt', '*.txt', '.'] });
    expect(returnDisplay).toContain('3 beyond the first 5000 files');
    expect(data).toMatchObject({ skippedCounts: { 'beyond the first 5000 files': 3 } });
  });

  it('reads a file that git ignores when it is named (K21)', async () => {
    await workspace.write({ '.gitignore': '*.log\n', 'a.log': 'x\n' });
    expect(textOf(await read({ paths: ['a.log'] }))).toContain('--- a.log ---\nx\n');
  });

  it('shares one budget: small files whole, large ones cut with a notice of how to go on (S118)', async () => {
    const large = 'a line of text that is repeated\n'.repeat(10_000);
    await workspace.write({ 'a.txt': large, 'b.txt': 'small\n', 'c.txt': large });
    const text = textOf(await read({ paths: ['a.txt', 'b.txt', 'c.txt'] }));
    expect(text).toContain('--- b.txt ---\nsmall\n');
    const cuts = Array.from(
      text.matchAll(/\[Cut here: (\d+) of 10000 lines\. For the rest use read_file with offset: (\d+)\.\]/g),
    );
    expect(cuts).toHaveLength(2);
    for (const [, shown, next] of cuts) expect(next).toBe(shown);
    // What the small file leaves over is used.
    expect(text.length).toBeGreaterThan(30 * 1024);
    expect(Buffer.byteLength(text)).toBeLessThan(48 * 1024);
    expect(estimateTokens(text)).toBeLessThan(12_000);
  });

  it('stays within the budget for many files, and counts the rest', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`f${index}.txt`, '漢字\n'.repeat(400)]),
    );
    await workspace.write(files);
    const text = textOf(await read({ paths: ['*.txt'] }));
    expect(text).toMatch(/\d+ over the budget of one answer/);
    expect(Buffer.byteLength(text)).toBeLessThan(48 * 1024);
    expect(estimateTokens(text)).toBeLessThan(12_000);
  });

  it('never gives more than its budget, and of every file its first lines or all of them', async () => {
    const text = fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, fc.nat(400)), { minLength: 1, maxLength: 12 }), async (made) => {
        await reset();
        const files = new Map(
          made.map(([lines, times], index) => [
            `f${index}.txt`,
            lines
              .map((line) => `${line.replace(/[^ -~\u00a0-\uffff]/g, '')}\n`)
              .join('')
              .repeat(times),
          ]),
        );
        await workspace.write(Object.fromEntries(files));
        const parts = toParts((await read({ paths: Array.from(files.keys()) })).llmContent);
        const all = parts.map((part) => ('text' in part ? part.text : ''));
        expect(Buffer.byteLength(all.join(''))).toBeLessThanOrEqual(48 * 1024);
        expect(estimateTokens(all.join(''))).toBeLessThanOrEqual(12_000);
        for (const one of all.slice(0, -1)) {
          const [title = ''] = one.split('\n');
          const content = files.get(title.slice(4, -4)) ?? 'no such file';
          const body = one.slice(title.length + 1);
          const cut = /\[Cut here: (?:(\d+) of|\d+ bytes)[^\n]*\]\n$/.exec(body);
          if (cut === null) expect(body).toBe(content);
          else expect(content.startsWith(body.slice(0, cut.index).replace(/\n$/, ''))).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('gives all of many small files rather than parts of them', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `f${index}.txt`);
    await workspace.write(Object.fromEntries(names.map((name) => [name, 'a\n\nb\n'])));
    const text = textOf(await read({ paths: ['*.txt'] }));
    expect(text).toContain('Read 400 files.');
    expect(text).not.toContain('[Cut here');
  });

  it('keeps the order in which files were asked for, whatever their sizes', async () => {
    await workspace.write({ 'a.txt': 'x\n'.repeat(500), 'b.txt': 'B\n', 'c.txt': 'y\n'.repeat(90) });
    const text = textOf(await read({ paths: ['c.txt', 'a.txt', 'b.txt'] }));
    expect(text.match(/--- \w/g)).toEqual(['--- c', '--- a', '--- b']);
  });

  it('shows a picture that is named, not those in a folder', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await workspace.write({ 'img/a.png': png, 'img/a.txt': 'A\n' });
    expect(textOf(await read({ paths: ['img/a.png'] }))).toContain('--- img/a.png ---\n<image/png>');
    const text = textOf(await read({ paths: ['img'] }));
    expect(text).not.toContain('<image/png>');
    expect(text).toContain('1 image or PDF (give its own path)');
  });

  it('is an error when nothing could be read', async () => {
    const result = await read({ paths: ['none.txt'] });
    expect(result.error).toMatchObject({
      type: 'file_not_found',
      message: expect.stringContaining('1 not found (none.txt)'),
    });
  });

  it('takes a slash at the end to mean a folder', async () => {
    await workspace.write({ 'a.txt': 'A', 'src/b.ts': 'B' });
    const result = await read({ paths: ['a.txt/', 'src/'] });
    expect(textOf(result)).toContain('Read 1 file. Left out: 1 path is not a directory (a.txt/).');
  });

  it('states what it reads', async () => {
    await workspace.write({ 'a.txt': 'A', 'src/b.ts': 'B' });
    const invocation = tool.build({ paths: ['a.txt', 'src/**/*.ts', 'none'] });
    const read1 = {
      kind: 'read',
      zone: 'workspace',
      path: workspace.path('a.txt'),
      requested: workspace.path('a.txt'),
    };
    const read2 = { kind: 'read', zone: 'workspace', path: workspace.path('src'), requested: workspace.path('src') };
    // Nothing may come into being there while this call looks.
    const read3 = { kind: 'read', zone: 'workspace', path: workspace.path('none'), requested: workspace.path('none') };
    expect(await invocation.effects?.()).toEqual([read1, { ...read2, scope: 'tree' }, read3]);
    expect(invocation.getDescription()).toBe('a.txt, src/**/*.ts, none');
  });
});
