import { execFileSync } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { estimateTokens } from '../output/estimate-tokens.js';
import { createTempConfig } from '../testing/temp-config.js';
import { ReadFileTool, type ReadFileToolParams } from './read-file.js';
import { Kind, type ToolResult } from './tools.js';

const { config, workspace, temp, reset, remove } = await createTempConfig();
const tool = new ReadFileTool(config);
afterEach(reset);
afterAll(remove);

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('ReadFileTool', () => {
  function read(name: string, more: Partial<ReadFileToolParams> = {}): Promise<ToolResult> {
    return tool.execute({ absolute_path: workspace.path(name), ...more }, new AbortController().signal);
  }

  function textOf({ llmContent }: ToolResult): string {
    return typeof llmContent === 'string' ? llmContent : JSON.stringify(llmContent);
  }

  it('returns the lines of one file with their numbers, byte for byte (S69, S76)', async () => {
    await workspace.write({ 'a.ts': 'one\n\ttwo  \r\n\nüber\n' });
    expect((await read('a.ts')).llmContent).toBe('1→one\n2→\ttwo  \r\n3→\n4→über');
  });

  it('reads from a 0-based offset for a number of lines, and says how to go on (S68, S73)', async () => {
    await workspace.write({ 'a.txt': '1\n2\n3\n4\n5\n' });
    const { llmContent, data } = await read('a.txt', { offset: 1, limit: 2 });
    expect(llmContent).toBe('2→2\n3→3\n\n[Lines 2-3 of 5 are shown. To go on, use offset: 3.]');
    expect(data).toMatchObject({ firstLine: 1, lineCount: 2, totalLines: 5, nextOffset: 3 });
  });

  it('cuts a long file at 2000 whole lines with an indication (S73)', async () => {
    await workspace.write({ 'a.txt': 'x\n'.repeat(2500) });
    const { llmContent } = await read('a.txt');
    expect(llmContent).toMatch(/\n2000→x\n\n\[Lines 1-2000 of 2500 are shown\. To go on, use offset: 2000\.\]$/);
  });

  it('stays within the size of one answer, whatever the text, so that nothing cuts it again (S73)', async () => {
    await workspace.write({
      'wide.txt': `${'漢字'.repeat(30)}\n`.repeat(2000),
      'long.txt': `${'7'.repeat(200_000)}\nend\n`,
    });
    for (const name of ['wide.txt', 'long.txt']) {
      const text = textOf(await read(name));
      expect(Buffer.byteLength(text)).toBeLessThan(48 * 1024);
      expect(estimateTokens(text)).toBeLessThan(12_000);
    }
  });

  it('goes on inside a line that is too long to show, and names the next line where there is one', async () => {
    const line = 'abcdefghij'.repeat(10_000);
    await workspace.write({ 'min.js': `${line}\nend\n`, 'one.js': line, 'digits.txt': `${'7'.repeat(40_000)}\nend\n` });
    expect(textOf(await read('digits.txt'))).toMatch(/column: \d+\. The next line is offset: 1\.\]$/);
    expect(textOf(await read('one.js'))).toMatch(/use offset: 0, column: \d+\.\]$/);
    let column = 0;
    let text = '';
    for (let step = 0; step < 10; step += 1) {
      const content = textOf(await read('min.js', { offset: 0, limit: 1, column }));
      text += /^1→([a-j]*)/.exec(content)?.[1] ?? '';
      const next = /use offset: 0, column: (\d+)\. The next line is offset: 1\./.exec(content);
      if (next === null) break;
      column = Number(next[1]);
    }
    expect(text).toBe(line);
  });

  it('shows exactly the lines of the file, however often one has to go on (S69, S73)', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((one) => one.replaceAll('\n', '\r'));
    const line = fc.tuple(text, fc.oneof({ weight: 9, arbitrary: fc.nat(3) }, fc.nat(20_000)));
    const content = fc.tuple(fc.array(line, { minLength: 1, maxLength: 40 }), fc.constantFrom('', '\n'));
    await fc.assert(
      fc.asyncProperty(content, fc.option(fc.integer({ min: 1, max: 30 })), async ([made, end], limit) => {
        const lines = made.map(([one, times]) => `x${one.repeat(times)}`);
        await workspace.write({ 'any.txt': lines.join('\n') + end });
        const seen: string[] = [];
        let [offset, column]: (number | undefined)[] = [0, 0];
        for (let step = 0; offset !== undefined && step < 200; step += 1) {
          const range = limit === null ? { offset, column: column ?? 0 } : { offset, column: column ?? 0, limit };
          const answer = textOf(await read('any.txt', range));
          expect(Buffer.byteLength(answer)).toBeLessThan(48 * 1024);
          for (const [, number, shown = ''] of answer.matchAll(/^(\d+)→([^\n]*)$/gms)) {
            const index = Number(number) - 1;
            seen[index] = (seen[index] ?? '') + shown;
          }
          const next: RegExpExecArray | null = /To go on(?: in it)?, use offset: (\d+)(?:, column: (\d+))?/.exec(
            answer,
          );
          offset = next === null ? undefined : Number(next[1]);
          column = next?.[2] === undefined ? undefined : Number(next[2]);
        }
        expect(seen).toEqual(lines);
      }),
      { numRuns: 40 },
    );
  });

  it('says that an offset is past the end, and the total', async () => {
    await workspace.write({ 'a.txt': '1\n2\n' });
    expect((await read('a.txt', { offset: 9 })).llmContent).toBe(
      '[offset 9 is past the end: the file has 2 lines, the last is offset 1.]',
    );
  });

  it('says that a file is empty, or has no final newline', async () => {
    await workspace.write({ 'empty.txt': '', 'open.txt': 'a' });
    expect((await read('empty.txt')).llmContent).toContain('The file is empty');
    expect((await read('open.txt')).llmContent).toBe('1→a\n\n[No newline at the end of the file.]');
  });

  it('returns pictures and PDFs as base64 with the type of their bytes, not of their name (S70, S71)', async () => {
    const png = Buffer.from(PIXEL, 'base64');
    const pdf = Buffer.from('%PDF-1.4\n%\x80\x00\n', 'latin1');
    await workspace.write({ 'a.txt': png, 'b.pdf': pdf });
    expect((await read('a.txt')).llmContent).toEqual({
      inlineData: { data: png.toString('base64'), mimeType: 'image/png' },
    });
    expect((await read('b.pdf')).llmContent).toEqual({
      inlineData: { data: pdf.toString('base64'), mimeType: 'application/pdf' },
    });
  });

  it('returns an SVG as text and as a picture (S70)', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>\n';
    await workspace.write({ 'a.svg': svg });
    expect((await read('a.svg')).llmContent).toEqual([
      { text: `1→${svg.trim()}` },
      { inlineData: { data: Buffer.from(svg).toString('base64'), mimeType: 'image/svg+xml' } },
    ]);
    expect((await read('a.svg', { limit: 1 })).llmContent).toBe(`1→${svg.trim()}`);
  });

  it('refuses images over 32 MB unread', async () => {
    await workspace.write({ 'a.png': Buffer.from('89504e470d0a1a0a', 'hex') });
    await truncate(workspace.path('a.png'), 33 * 1024 * 1024);
    expect((await read('a.png')).error).toMatchObject({ type: 'file_too_large' });
  });

  it('says of a text that cannot be read what it is, and what makes it one that can be (S72, K20)', async () => {
    // `SEARCH FOR THE NEEDLE IN THE HAYSTACK`
    const ebcdic = 'e2c5c1d9c3c840c6d6d940e3c8c540d5c5c5c4d3c540c9d540e3c8c540c8c1e8e2e3c1c3d215';
    await workspace.write({ 'a.cbl': Buffer.from(ebcdic.repeat(2), 'hex') });
    expect((await read('a.cbl')).error).toMatchObject({
      type: 'binary_file',
      message: `${workspace.path('a.cbl')} is text in EBCDIC, which cannot be read. Convert it to UTF-8 by a command such as iconv.`,
    });
  });

  it('refuses other binary files with their type and size (S72, K20)', async () => {
    await workspace.write({ 'a.gz': Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]) });
    const { llmContent, error } = await read('a.gz');
    expect(error?.type).toBe('binary_file');
    expect(llmContent).toContain('it is gzip data of 6 bytes');
    expect(llmContent).toBe(error?.message);
  });

  it('names the nearest files for one that is missing, but none that is ignored (S74)', async () => {
    await workspace.write({ '.gitignore': 'confix.ts\n', 'config.ts': '', 'confix.ts': '', 'other.md': '' });
    const { llmContent, error } = await read('confih.ts');
    expect(error?.type).toBe('file_not_found');
    expect(llmContent).toContain('config.ts');
    expect(llmContent).not.toContain('confix.ts');
    expect((await read('no/such.ts')).llmContent).toContain('does not exist either');
    await workspace.write({ 'src/deep/other.ts': '' });
    expect((await read('src/other.ts')).llmContent).toContain(
      `A file of that name is: ${workspace.path('src/deep/other.ts')}.`,
    );
  });

  it('refuses folders, FIFOs and devices instead of waiting for them', async () => {
    await workspace.write({ 'dir/': '' });
    execFileSync('mkfifo', [workspace.path('pipe')]);
    expect((await read('dir')).error).toMatchObject({
      type: 'target_is_directory',
      message: `Path is a folder, not a file: ${workspace.path('dir')}. Name a file in it. See what is in it with list_directory.`,
    });
    expect((await read('pipe')).error?.type).toBe('not_a_regular_file');
  });

  it('checks absolute, then workspace, then ignored (S60–S63)', async () => {
    await workspace.write({ '.qwenignore': 'secret\n', secret: 'x' });
    const problem = (path: string): string | null => tool.validateToolParams({ absolute_path: path });
    expect(problem('a.ts')).toContain('Path must be absolute: a.ts. In the workspace it is /');
    expect(problem('/etc/passwd')).toContain('Path must be within workspace: /etc/passwd. Give one in /');
    expect(problem(workspace.path('secret'))).toContain(
      `Path is ignored by .qwenignore: ${workspace.path('secret')}. It is kept from you`,
    );
    expect(problem(workspace.path('a.ts'))).toBeNull();
    const code = async (path: string): Promise<string | undefined> =>
      (await tool.execute({ absolute_path: path }, new AbortController().signal)).error?.type;
    expect(await code(workspace.path('secret'))).toBe('path_ignored');
    expect(await code('/etc/passwd')).toBe('path_not_in_workspace');
    expect(await code('a.ts')).toBe('path_not_absolute');
    expect(await code('a\0')).toBe('invalid_path');
    expect(await code('')).toBe('invalid_path');
  });

  it('takes a slash at the end to mean a folder', async () => {
    await workspace.write({ 'a.txt': 'x\n' });
    for (const end of ['/', '/.', '//']) {
      const result = await tool.execute(
        { absolute_path: `${workspace.path('a.txt')}${end}` },
        new AbortController().signal,
      );
      expect(result.error?.type).toBe('path_is_not_a_directory');
    }
  });

  it('reads a file that git ignores when it is named, and says so (K21)', async () => {
    await workspace.write({ '.gitignore': '*.log\n', 'a.log': 'x\n' });
    expect((await read('a.log')).llmContent).toBe('1→x\n\n[This file is ignored by git.]');
  });

  it('reads the project temp folder (S65)', async () => {
    await temp.write({ 'out.txt': 'kept\n' });
    const params = { absolute_path: temp.path('out.txt') };
    expect((await tool.execute(params, new AbortController().signal)).llmContent).toBe('1→kept');
  });

  it('asks nothing, and states what it reads (S75)', async () => {
    await workspace.write({ 'a.txt': 'x' });
    const path = workspace.path('a.txt');
    const invocation = tool.build({ absolute_path: path, offset: 4, limit: 2 });
    expect(await invocation.shouldConfirmExecute?.(new AbortController().signal)).toBe(false);
    expect(await invocation.effects?.()).toEqual([{ kind: 'read', path, requested: path, zone: 'workspace' }]);
    expect(invocation.getDescription()).toBe('a.txt lines 5-6');
    expect([tool.name, tool.displayName, tool.kind]).toEqual(['read_file', 'ReadFile', Kind.Read]);
    expect(tool.parameterAliases).toEqual({ file_path: 'absolute_path', path: 'absolute_path' });
  });

  it('stops when it is cancelled', async () => {
    await workspace.write({ 'a.txt': 'x\n' });
    await truncate(workspace.path('a.txt'), 64 * 1024 * 1024);
    await workspace.write({ 'b.txt': 'y\n'.repeat(600_000) });
    const params = { absolute_path: workspace.path('b.txt'), offset: 500_000 };
    expect((await tool.execute(params, AbortSignal.abort())).error?.type).toBe('cancelled');
  });
});
