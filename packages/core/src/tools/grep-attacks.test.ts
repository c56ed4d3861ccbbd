import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { GrepTool, type GrepData, type GrepOptions, type GrepToolParams } from './grep.js';
import type { ToolResult } from './tools.js';

const outside = await createTempWorkspace({ 'a.txt': 'needle outside\n' });
const { config, workspace, reset, remove } = await createTempConfig();
afterEach(reset);
afterAll(async () => {
  await remove();
  await outside.remove();
});

const engines = ['ripgrep', 'javascript'] as const;

async function grep(params: GrepToolParams, options: GrepOptions = {}): Promise<ToolResult> {
  return new GrepTool(config, options).execute(params, new AbortController().signal);
}

const textOf = ({ llmContent }: ToolResult): string =>
  typeof llmContent === 'string' ? llmContent : JSON.stringify(llmContent);
const dataOf = (result: ToolResult): GrepData => result.data as GrepData;

describe.each(engines)('a file that changes between counting and reading, with %s', (engine) => {
  const changedBy = async (change: (path: string) => void): Promise<string> => {
    await workspace.write({
      'd/a.txt': 'first\nneedle one\n',
      'd/b.txt': 'needle two\n',
      '.qwenignore': 'private\n',
      'private/p.txt': 'needle hidden\n',
    });
    let isDone = false;
    const invocation = new GrepTool(config, { engine, timeLimitMs: 3_000 }).build({ pattern: 'needle' });
    const result = await invocation.execute(new AbortController().signal, () => {
      if (!isDone) change(workspace.path('d/a.txt'));
      isDone = true;
    });
    expect(isDone).toBe(true);
    expect(result.error).toBeUndefined();
    expect(textOf(result)).not.toMatch(/outside|hidden/);
    return textOf(result);
  };

  it.each<[string, (path: string) => void]>([
    ['a link to a file outside', (path) => symlinkSync(outside.path('a.txt'), path)],
    ['a link to a file that is ignored', (path) => symlinkSync(workspace.path('private/p.txt'), path)],
    ['a pipe that nobody writes to', (path) => void execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
  ])('is not shown when it was replaced by %s, and the others are', async (_name, put) => {
    const start = performance.now();
    const text = await changedBy((path) => {
      rmSync(path);
      put(path);
    });
    expect(performance.now() - start).toBeLessThan(2_500);
    expect(text).toContain(`${workspace.path('d/b.txt')}\n1: needle two`);
    expect(text).not.toContain('needle one');
  });

  it('is not shown when its folder became a link to another', async () => {
    const text = await changedBy(() => {
      renameSync(workspace.path('d'), workspace.path('e'));
      symlinkSync(outside.root, workspace.path('d'));
    });
    expect(text).not.toContain('d/a.txt');
  });

  it('is said to have changed when it is gone', async () => {
    const text = await changedBy((path) => rmSync(path));
    expect(text).toContain(`${workspace.path('d/a.txt')}\n[changed while it was searched, or gone: search again]`);
    expect(text).toContain('1: needle two');
  });

  it('is shown with what was added to it', async () => {
    const text = await changedBy((path) => writeFileSync(path, 'needle three\n', { flag: 'a' }));
    expect(text).toContain('2: needle one\n');
  });
});

describe('an answer is true', () => {
  it('about a single file, to which glob and type do not apply', async () => {
    await workspace.write({ 'a.ts': 'needle\n' });
    for (const filter of [{ glob: '*.md' }, { type: 'py' }]) {
      const text = textOf(await grep({ pattern: 'needle', path: 'a.ts', ...filter }));
      expect(text).toContain('a.ts:\n[path is a file: glob and type were not applied.]\n');
      expect(text).not.toContain('files matching');
    }
    expect(textOf(await grep({ pattern: 'nothing', path: 'a.ts', type: 'py' }))).toContain(
      '1 file searched.\n[path is',
    );
  });

  it('about patterns that want to span lines', async () => {
    await workspace.write({ 'a.ts': 'one(\n  two)\n' });
    const hint = '[Lines were searched one by one: multiline=true finds matches that span lines.]';
    for (const engine of engines) {
      for (const pattern of ['one[\\s\\S]*?two', '(?s)one.*two', '\\\\?[\\S\\s]x'])
        expect(textOf(await grep({ pattern }, { engine }))).toContain(hint);
      for (const pattern of ['one\\\\n', 'one[^\\n]*', '\\[\\s\\S]', 'on\\w'])
        expect(textOf(await grep({ pattern }, { engine }))).not.toContain(hint);
      expect(textOf(await grep({ pattern: 'one\\(\\n', multiline: true }, { engine }))).not.toContain(hint);
      expect(textOf(await grep({ pattern: 'one\\n', fixed_strings: true }, { engine }))).not.toContain(hint);
    }
  });

  it('none about carriage returns: who names them finds them at the ends of lines', async () => {
    await workspace.write({ 'a.txt': 'one\r\ntwo\r\n', 'b.txt': 'two\nthree\n' });
    for (const engine of engines) {
      for (const how of [{ multiline: true }, {}]) {
        const found = textOf(await grep({ pattern: 'two\\r', ...how }, { engine }));
        expect([engine, found]).toEqual([engine, expect.stringContaining(`${workspace.path('a.txt')}\n`)]);
        expect([engine, found]).toEqual([engine, expect.stringMatching(/^2: two$/m)]);
        expect(found).not.toContain('changed while it was searched');
        expect(found).not.toContain('multiline');
      }
    }
  });

  it('about patterns that ask for a line break', async () => {
    for (const pattern of ['one\\(\\n\\s*two', '(a|\\n)', '\\r?\\n', '[a]\\n', '\\[\\n]', '\\\\\\n'])
      expect((await grep({ pattern })).error?.message).toContain('asks for a line break (\\n)');
    for (const pattern of ['one\\\\n', 'a[^\\n]*', '[\\]\\n]', '[^]\\n]', '[[:alpha:]\\n]'])
      expect((await grep({ pattern })).error).toBeUndefined();
    for (const how of [{ multiline: true }, { fixed_strings: true }])
      expect((await grep({ pattern: 'a\\n', ...how })).error).toBeUndefined();
  });

  it.each(engines)('about what could not be searched, which is not without matches, with %s', async (engine) => {
    await workspace.write({ 'a.bin': Buffer.from('needle\0\x01\x02'), 'locked.txt': 'needle' });
    const binary = await grep({ pattern: 'needle', path: 'a.bin' }, { engine });
    expect(textOf(binary)).toBe(
      `Nothing could be searched for "needle" in ${workspace.path('a.bin')}.\n(Not searched: 1 binary file.)`,
    );
    expect(binary.returnDisplay).toBe('Nothing could be searched');
    expect(textOf(await grep({ pattern: 'needle', path: 'a.bin' }, { engine }))).not.toContain('No matches');
    chmodSync(workspace.path('locked.txt'), 0);
    const locked = await grep({ pattern: 'needle', path: 'locked.txt' }, { engine });
    // A test that runs as root may read everything.
    if (process.getuid?.() !== 0) {
      expect(locked.error?.type).toBe('grep_execution_error');
      expect(locked.error?.message).toMatch(/^Nothing could be searched .*\n\(1 file could not be searched: .*denied/);
    }
  });

  it('about files in which the engine gave up: what was found elsewhere is not all', async () => {
    await workspace.write({ 'a.txt': `${'x'.repeat(400)}\n`, 'b.txt': 'xxy\n' });
    const find = async (pattern: string): Promise<string> => textOf(await grep({ pattern }, { engine: 'ripgrep' }));
    expect(await find('(?=x)(x+x+)+[yw]')).toMatch(
      /^Found at least 1 match in at least 1 file [^]*\n\(1 file could not be searched: .*match limit/,
    );
    expect(await find('(?=x)(x+x+)+[zw]')).toMatch(
      /^No matches found .* as far as files could be searched: 1 file searched, 1 could not be\./,
    );
  });

  it.each(engines)('about a line feed that is not there for there are CRLF line ends, with %s', async (engine) => {
    await workspace.write({ 'crlf.txt': 'foo\r\nbar\r\n' });
    const find = async (pattern: string, params: Partial<GrepToolParams> = {}): Promise<string> =>
      textOf(await grep({ pattern, multiline: true, ...params }, { engine }));
    const hint =
      /^No matches found .*\n\[\\n is a line feed alone, .*\\r\?\\n, without fixed_strings, matches both\.\]/;
    expect(await find('foo\\nbar')).toMatch(hint);
    expect(await find('foo\nbar', { fixed_strings: true })).toMatch(hint);
    expect(await find('foo\\r?\\nbar')).toMatch(/^Found 1 match/);
    expect(await find('foo\\r?\\nbaz')).not.toContain('line feed');
    expect(await find('bar\\r|foo\\nbar')).not.toContain('line feed');
  });

  it('about an empty type, which is none, and about the root of all', async () => {
    await workspace.write({ 'a.txt': 'needle\n' });
    expect(textOf(await grep({ pattern: 'needle', type: '' }))).toMatch(
      /^Found 1 match in 1 file for "needle" in [^(]*:\n/,
    );
    expect(new GrepTool(config).build({ pattern: 'needle', type: '' }).getDescription()).toBe("'needle'");
    expect((await grep({ pattern: 'x', path: '/' })).error?.message).toContain('Path must be within workspace: /. ');
  });

  it('about pages that cannot be had', async () => {
    await workspace.write({ 'a.txt': 'x\n'.repeat(100_200) });
    const tool = new GrepTool(config);
    const page = async (offset: number): Promise<ToolResult> =>
      tool.execute({ pattern: 'x', offset, limit: 50 }, new AbortController().signal);
    expect(textOf(await page(99_950))).toContain('Next: offset=100000;');
    const last = await page(100_000);
    expect(textOf(last)).toContain(
      '[Page: 100,001-100,050 of 100,200 matches. No later page can be had: narrow pattern, path or glob.]',
    );
    expect(dataOf(last).next).toBeUndefined();
    expect((await page(100_050)).error?.type).toBe('invalid_tool_params');
  });

  it('about one file with more than fits: the pages leave nothing out', async () => {
    await workspace.write({
      'a.txt': Array.from({ length: 1_500 }, (_, line) => `x number ${line} of many`).join('\n'),
    });
    const tool = new GrepTool(config);
    const seen: number[] = [];
    let pages = 0;
    for (let offset: number | undefined = 0; offset !== undefined; pages++) {
      const result = await tool.execute({ pattern: 'x', limit: 2_000, offset }, new AbortController().signal);
      seen.push(...dataOf(result).files.flatMap(({ matches }) => matches.map(({ line }) => line)));
      offset = dataOf(result).next;
    }
    expect(pages).toBeLessThan(5);
    expect(seen).toEqual(Array.from({ length: 1_500 }, (_, index) => index + 1));
  });

  it.each(engines)('deep in one file, with %s', async (engine) => {
    await workspace.write({ 'a.txt': Array.from({ length: 9_000 }, (_, line) => `x ${line}`).join('\n') });
    for (const offset of [1_990, 2_000, 8_990]) {
      const { files } = dataOf(await grep({ pattern: 'x', path: 'a.txt', offset, limit: 5 }, { engine }));
      expect(files[0]?.matches.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5].map((each) => offset + each));
    }
  });

  it('about what was searched before the time ran out', async () => {
    await workspace.write({ 'a.txt': 'ok\n', 'b/evil.txt': `${'a'.repeat(60)}b!\n` });
    const text = textOf(await grep({ pattern: '(a+)+$|ok' }, { engine: 'javascript', timeLimitMs: 500 }));
    expect(text).toMatch(/\(Searched at least 1 file\.\)/);
  });

  it('for ten searches at the same time, each its own', async () => {
    for (let file = 0; file < 200; file++)
      await workspace.write({ [`d${file % 7}/f${file}`]: `number <${file % 10}>\n` });
    const tools = engines.map((engine) => new GrepTool(config, { engine }));
    const searches = Array.from({ length: 10 }, async (_, index) => {
      const tool = tools[index % 2];
      return tool?.execute({ pattern: `<${index}>`, limit: 3 }, new AbortController().signal);
    });
    for (const [index, result] of (await Promise.all(searches)).entries()) {
      if (result === undefined) throw new Error('a result is expected');
      expect(dataOf(result)).toMatchObject({ total: 20, fileCount: 20, searchedFiles: 200 });
      for (const { matches } of dataOf(result).files) expect(matches[0]?.text).toBe(`number <${index}>`);
    }
  });
});

it('hears the signal while a hostile glob is held against the names of one large folder', async () => {
  const names = Array.from({ length: 500 }, (_, at) => `d/${'a'.repeat(200)}${at}`);
  await workspace.write(Object.fromEntries(names.map((name) => [name, ''])));
  // What a first search loads takes a while.
  await grep({ pattern: 'x', path: 'd', glob: '*.ts' });
  // Some 20 ms for each name.
  const params = { pattern: 'x', glob: '!(*!(*!(*a*a)*a)*a)b' };
  const started = performance.now();
  const result = await new GrepTool(config).execute(params, AbortSignal.timeout(100));
  expect(result.error?.type).toBe('cancelled');
  expect(performance.now() - started).toBeLessThan(3_000);
});

it('keeps to its time also where a hostile glob is held against names that are ignored', async () => {
  const names = Array.from({ length: 500 }, (_, at) => `d/${'a'.repeat(200)}${at}`);
  await workspace.write({ '.gitignore': 'd/', ...Object.fromEntries(names.map((name) => [name, ''])) });
  const started = performance.now();
  const result = await grep({ pattern: 'x', glob: '!(*!(*!(*a*a)*a)*a)b' });
  expect(textOf(result)).toContain('Not all that is ignored by .gitignore was looked at');
  expect(performance.now() - started).toBeLessThan(4_000);
});

it('understands the parameter names of other searches', () => {
  expect(new GrepTool(config).parameterAliases).toMatchObject({
    include: 'glob',
    head_limit: 'limit',
    '-C': 'context',
  });
});
