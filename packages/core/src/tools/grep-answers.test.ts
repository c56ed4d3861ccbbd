import { spawnSync } from 'node:child_process';
import { lstatSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { createTempWorkspace, type WorkspaceEntry } from '../testing/temp-workspace.js';
import { GrepTool, type GrepData, type GrepOptions, type GrepToolParams } from './grep.js';
import type { ToolResult } from './tools.js';

const engines = ['ripgrep', 'javascript'] as const;
const outside = await createTempWorkspace({ 'secret.txt': 'needle outside' });

/** Shift-JIS for a line of Japanese (検索する文字列 needle) that is no UTF-8, often enough to be known as such. */
const SHIFT_JIS = Buffer.concat([
  Buffer.from('8c9f8df582b782e995b68e9a97f1', 'hex'),
  Buffer.from(' needle in japanese\n'),
  ...Array.from({ length: 20 }, () => Buffer.from('82b182ea82cd93fa967b8cea82cc95b68fcd82c582b781420a', 'hex')),
]);

const entries: Record<string, WorkspaceEntry> = {
  '.gitignore': '*.skip\n/hidden-by-git/\n',
  '.qwenignore': 'private/\n',
  '.github/workflows/ci.yml': 'run: needle\n',
  'build/made.ts': 'const needle = 1;\n',
  'dist/out.js': 'needle();\nNEEDLE();\n',
  'hidden-by-git/deep/a.ts': 'needle\nonlyIgnored\n',
  'b.skip': 'needle\nonlyIgnored\n',
  'private/key': 'needle\n',
  'src/a.ts': 'import x from "y";\n// Needle one\nfunction first() {\n  return "needle two";\n}\n\nend\n',
  'src/crlf.py': 'def needle():\r\n    pass\r\n\r\ndef other():\r\n    return 1\r\n',
  'src/min.js': `${'var a=1;'.repeat(9_000)}needle${'b'.repeat(20_000)}\n`,
  'src/many.txt': Array.from({ length: 400 }, (_, line) => `line ${line} with needle`).join('\n'),
  'src/spans.txt': 'start\nalpha\nomega\nbetween\nalpha\nomega\n',
  'text/utf16.txt': Buffer.from('\uFEFFeins\nneedle größer\n', 'utf16le'),
  'text/latin1.txt': Buffer.from('stra\xdfe\nneedle gr\xf6\xdfer als die Stra\xdfe\nm\xfcde \xfcber\n', 'latin1'),
  'text/japanese.txt': SHIFT_JIS,
  'text/utf8.md': 'größer\nGRÖSSER needle\n',
  'data.bin': Buffer.concat([Buffer.from('needle\0\x01\x02\x03'), Buffer.alloc(300, 7)]),
  'names/x:12:y': 'needle',
  'names/a\n:3: b': 'needle',
  'names/--files': 'needle --files\n',
  'link-out': { linkTo: outside.path('secret.txt') },
  'link-in': { linkTo: 'src' },
};

const { config, workspace, remove } = await createTempConfig({ entries });
for (const [index, path] of Object.keys(entries).entries())
  if (!lstatSync(workspace.path(path)).isSymbolicLink()) utimesSync(workspace.path(path), 9_000 - index, 9_000 - index);
afterAll(async () => {
  await remove();
  await outside.remove();
});

async function grep(params: GrepToolParams, options: GrepOptions = {}): Promise<ToolResult> {
  return new GrepTool(config, options).execute(params, new AbortController().signal);
}

const textOf = ({ llmContent }: ToolResult): string =>
  typeof llmContent === 'string' ? llmContent : JSON.stringify(llmContent);
const dataOf = (result: ToolResult): GrepData => result.data as GrepData;
const namesOf = (result: ToolResult): string[] =>
  dataOf(result).files.map(({ path }) => path.slice(workspace.root.length + 1));

describe('both engines give the same text', () => {
  it.each<[string, GrepToolParams]>([
    ['a word in any case', { pattern: 'needle' }],
    ['a word in exact case', { pattern: 'Needle', case_sensitive: true }],
    ['the mark for exact case in the pattern', { pattern: '(?-i)NEEDLE' }],
    ['plain text', { pattern: 'first() {', fixed_strings: true }],
    ['a pattern that begins with a dash', { pattern: '--files' }],
    ['a word in another alphabet', { pattern: 'größer' }],
    ['a word in a legacy encoding', { pattern: '検索', path: 'text' }],
    ['empty lines', { pattern: '^$' }],
    ['word bounds and classes', { pattern: '\\bn\\w+e\\b\\s+[a-z]{3}' }],
    ['context', { pattern: 'return', context: 2 }],
    ['context before only', { pattern: 'return', before: 1 }],
    ['context that meets', { pattern: 'needle', path: 'src/a.ts', after: 1, before: 1 }],
    ['names only', { pattern: 'needle', output_mode: 'files' }],
    ['numbers only', { pattern: 'needle', output_mode: 'count', limit: 5 }],
    ['a type', { pattern: 'needle', type: 'ts' }],
    ['a glob and a type', { pattern: 'needle', type: 'js', glob: 'dist/**' }],
    ['globs that include and exclude', { pattern: 'needle', glob: ['src/**', '*.md', '!*.txt'] }],
    ['what is ignored too', { pattern: 'needle', include_ignored: true }],
    ['one file', { pattern: 'NEEDLE', path: 'dist/out.js' }],
    ['a page', { pattern: 'needle', limit: 7, offset: 7 }],
    ['a page of one file', { pattern: 'needle', path: 'src/many.txt', limit: 10, offset: 385 }],
    ['a page past the end', { pattern: 'needle', offset: 9_000 }],
    ['a match that spans lines', { pattern: 'alpha\nomega', multiline: true }],
    ['a match of any lines', { pattern: 'start[\\s\\S]*?omega', multiline: true, context: 1 }],
    ['a dot that matches line breaks', { pattern: 'between.alpha', multiline: true }],
    ['a page of matches that span lines', { pattern: 'alpha\nomega', multiline: true, offset: 1, limit: 1 }],
  ])('for %s', async (_name, params) => {
    const [first, second] = await Promise.all(engines.map(async (engine) => grep(params, { engine })));
    if (first === undefined || second === undefined) throw new Error('two results are expected');
    expect(first.error).toBeUndefined();
    expect(dataOf(first)).toMatchObject({ engine: 'ripgrep' });
    expect(dataOf(second)).toMatchObject({ engine: 'javascript' });
    expect(dataOf(first).total).toBeGreaterThan(0);
    expect(textOf(second)).toBe(textOf(first));
    expect(dataOf(second).files).toEqual(dataOf(first).files);
  });

  it('where nothing is found, with the hint at what is ignored', async () => {
    for (const engine of engines) {
      // It has a tenth of a second, in which nothing comes up on a busy machine.
      await vi.waitFor(
        async () =>
          expect(textOf(await grep({ pattern: 'onlyIgnored' }, { engine }))).toContain(
            '2 files ignored by .gitignore have some: include_ignored=true shows them.',
          ),
        10_000,
      );
      expect(textOf(await grep({ pattern: 'unfindable' }, { engine }))).not.toContain('ignored by .gitignore ha');
      const found = await grep({ pattern: 'onlyIgnored', include_ignored: true }, { engine });
      expect(namesOf(found)).toEqual(['hidden-by-git/deep/a.ts', 'b.skip']);
    }
  });
});

describe('what is searched', () => {
  it('is everything that no ignore file hides: hidden folders, build folders, odd names and encodings', async () => {
    const result = await grep({ pattern: 'needle', output_mode: 'files' });
    expect(namesOf(result).sort()).toEqual(
      Object.keys(entries)
        .filter((name) => !/skip$|^hidden|^private|^link|bin$|^\.(git|qwen)ignore|spans/.test(name))
        .sort(),
    );
    expect(textOf(result)).toContain(
      'Not searched: 2 entries ignored by .gitignore, 1 entry ignored by .qwenignore, 2 symbolic links, 1 binary file.',
    );
    expect(textOf(result)).not.toContain('outside');
    expect(textOf(result)).toContain(`\n${JSON.stringify(workspace.path('names/x:12:y'))} (1 match)\n`);
    expect(textOf(result)).toContain(`\n${JSON.stringify(workspace.path('names/a\n:3: b'))} (1 match)\n`);
  });

  it('is also a file whose name is no UTF-8, shown so that its bytes can be told', async () => {
    const name = Buffer.concat([Buffer.from(`${workspace.root}/names/odd`), Buffer.from([0xff])]);
    writeFileSync(name, 'strange-name');
    for (const engine of engines)
      expect(textOf(await grep({ pattern: 'strange-name' }, { engine }))).toContain(
        `\n"${workspace.root}/names/odd\\udcff"\n1: strange-name\n`,
      );
    expect((await grep({ pattern: 'strange-name', path: 'names/odd\udcff' })).error?.message).toContain(
      'A name that is no UTF-8 can only be searched for in its folder, by a glob',
    );
    expect(dataOf(await grep({ pattern: 'strange-name', path: 'names', glob: 'odd*' })).total).toBe(1);
    rmSync(name);
  });

  it('is no text in a legacy encoding that is too large to be decoded, which is counted', async () => {
    const other = await createTempConfig({ entries: { 'a.txt': 'needle\n' } });
    const large = other.workspace.path('large.txt');
    writeFileSync(large, Buffer.from('needle caf\xe9\n'.repeat(20_000), 'latin1'));
    truncateSync(large, 65 * 1024 * 1024);
    for (const engine of engines) {
      const tool = new GrepTool(other.config, { engine });
      const beside = await tool.execute({ pattern: 'needle' }, new AbortController().signal);
      expect(textOf(beside)).toContain('(Searched 1 file. Not searched: 1 file too large.)');
      const alone = await tool.execute({ pattern: 'needle', path: 'large.txt' }, new AbortController().signal);
      expect(alone.error).toBeUndefined();
      expect(textOf(alone)).toBe(
        `Nothing could be searched for "needle" in ${large}.\n(Not searched: 1 file too large.)`,
      );
    }
    await other.remove();
  });

  it('leaves out by glob and type, and says how many', async () => {
    const result = await grep({ pattern: 'needle', glob: '*.ts', path: 'src' });
    expect(textOf(result)).toContain('(Searched 1 file. Not searched: 4 files left out by glob or type.)');
    expect(textOf(await grep({ pattern: 'needle', type: 'rust', path: 'src' }))).toContain(
      'none of the 5 files there matches the type, so nothing was searched.',
    );
  });

  it('is refused for an unknown type, with the nearest names', async () => {
    expect((await grep({ pattern: 'x', type: 'javscript' })).error?.message).toContain('Did you mean javascript');
    expect((await grep({ pattern: 'a\nb' })).error?.message).toContain('multiline');
  });
});

describe('what is shown', () => {
  it('is not used up by a file with hundreds of hits, nor by a minified one', async () => {
    const result = await grep({ pattern: 'needle', limit: 60 });
    expect(new Set(namesOf(result))).toEqual(new Set(namesOf(await grep({ pattern: 'needle', output_mode: 'files' }))));
    expect(textOf(result)).toContain('[long line cut; match at column 72,001 of 92,006]');
    expect(textOf(result)).toMatch(/\[matches 1-\d+ of 400 in this file\]/);
  });

  it('has context by itself where there are few matches', async () => {
    const one = textOf(await grep({ pattern: 'needle one' }));
    expect(one).toContain('a.ts\n1- import x from "y";\n2: // Needle one\n3- function first() {\n');
    expect(one).toContain('\n7- end\n');
    expect(textOf(await grep({ pattern: 'needle one', context: 0 }))).toContain('a.ts\n2: // Needle one\n\n(');
    expect(textOf(await grep({ pattern: 'needle', path: 'src/many.txt', limit: 1 }))).not.toContain('1- ');
  });

  it('are pages of one answer: together everything, each match once', async () => {
    const tool = new GrepTool(config);
    const page = async (offset: number): Promise<GrepData> =>
      dataOf(await tool.execute({ pattern: 'needle', limit: 50, offset }, new AbortController().signal));
    const { total } = await page(0);
    const seen: string[] = [];
    for (let offset = 0; offset < total; offset += 50)
      for (const { path, matches } of (await page(offset)).files)
        seen.push(...matches.map(({ line }) => `${path}:${line}`));
    expect(seen.length).toBe(total);
    expect(new Set(seen).size).toBe(total);
  });

  it('is searched again when a file of the next page changed meanwhile, and says so', async () => {
    const tool = new GrepTool(config);
    const run = async (offset: number): Promise<string> =>
      textOf(await tool.execute({ pattern: 'needle', limit: 50, offset }, new AbortController().signal));
    await run(0);
    expect(await run(50)).not.toContain('searched again');
    utimesSync(workspace.path('src/many.txt'), 8_500, 8_500);
    expect(await run(50)).toContain('[Files changed since the page before');
    expect(await run(50)).not.toContain('searched again');
  });

  it('is one answer for all roots, by folder where there are too many files to name', async () => {
    const first = await createTempWorkspace();
    const second = await createTempConfig({ moreRoots: [first.root] });
    const many = (folder: string): Record<string, string> =>
      Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [`${folder}/${'long'.repeat(30)}${index}`, 'needle\n']),
      );
    await first.write(many('a/b'));
    await second.workspace.write({ ...many('c'), 'd/e/f/one': 'needle', link: { linkTo: 'c' } });
    const tool = new GrepTool(second.config);
    const run = async (params: Partial<GrepToolParams>): Promise<ToolResult> =>
      tool.execute({ pattern: 'needle', limit: 2_000, ...params }, new AbortController().signal);
    const text = textOf(await run({}));
    expect(text).toContain(`Found 601 matches in 601 files for "needle" in ${second.workspace.root}, ${first.root}`);
    expect(text).toContain(`\n${first.root}/a/b/*: 300 matches in 300 files\n`);
    expect(text).toContain(`\n${second.workspace.root}/c/*: 300 matches in 300 files\n`);
    expect(text).toContain(`\n${second.workspace.root}/d/e/f/*: 1 match in 1 file\n`);
    const names = dataOf(await run({ output_mode: 'files' }));
    expect(names).toMatchObject({ step: 'smaller-page', next: names.files.length });
    expect(names.files.length).toBeGreaterThan(100);
    const page = dataOf(await run({ limit: 200 }));
    expect(page).toMatchObject({ step: 'smaller-page', total: 601 });
    const shown = page.files.flatMap(({ matches }) => matches).length;
    expect(page.next).toBe(shown);
    const next = dataOf(await run({ limit: 200, offset: shown }));
    expect(next.files[0]?.path).not.toBe(page.files[0]?.path);
    await second.remove();
    await first.remove();
  });

  it('comes to a person while the search goes on', async () => {
    const shown: string[] = [];
    const invocation = new GrepTool(config).build({ pattern: 'needle' });
    await invocation.execute(
      new AbortController().signal,
      (output) => void shown.push(typeof output === 'string' ? output : ''),
    );
    expect(shown[0]).toMatch(/^\d+ match(es)? in 1 file so far\n.+: \d+ match/);
  });
});

describe('the truth of ripgrep', () => {
  const word = fc.constantFrom('foo', 'Foo', 'bar', 'foobar', 'ba r', '', 'x.y', 'ünï', 'a-b', '\t');
  const content = fc.array(word, { maxLength: 8 }).map((words) => words.join('\n'));
  const name = fc.constantFrom('a.ts', 'b.js', 'c/d.ts', 'c/e.md', 'build/f.ts', '.hid/g.ts', 'c/-h', 'i j.ts');
  const trees = fc.dictionary(name, content, { minKeys: 1 });
  const patterns = fc.constantFrom(
    'foo',
    'ba.?r',
    '^bar$',
    '\\bfoo\\b',
    'x.y',
    '[a-f]{3}',
    'ÜNÏ',
    '^$',
    'o{2}|r$',
    '-b',
  );

  it('is what both engines count, file by file (S106)', async () => {
    const other = await createTempConfig();
    await fc.assert(
      fc.asyncProperty(trees, patterns, fc.boolean(), async (tree, pattern, caseSensitive) => {
        await other.reset();
        await other.workspace.write(tree);
        const expected = ripgrepCounts(other.workspace.root, pattern, caseSensitive);
        for (const engine of engines) {
          const tool = new GrepTool(other.config, { engine });
          const params = { pattern, case_sensitive: caseSensitive, output_mode: 'files' as const };
          const { files, total } = dataOf(await tool.execute(params, new AbortController().signal));
          const found = files.map((file) => [file.path.slice(other.workspace.root.length + 1), file.total]);
          expect(Object.fromEntries(found)).toEqual(expected);
          expect(total).toBe(Object.values(expected).reduce((sum, each) => sum + each, 0));
        }
      }),
      { numRuns: 12 },
    );
    await other.remove();
  }, 60_000);
});

function ripgrepCounts(folder: string, pattern: string, caseSensitive: boolean): Record<string, number> {
  const flags = ['--no-config', '--hidden', '--no-require-git', '-c', '--null', ...(caseSensitive ? [] : ['-i'])];
  const { status, stdout, stderr } = spawnSync(rgPath, [...flags, '-e', pattern, '.'], {
    cwd: folder,
    encoding: 'utf8',
  });
  // 1: nothing was found.
  if (status !== 0 && status !== 1) throw new Error(`ripgrep ended with ${status}: ${stderr}`);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line): [string, number] => {
      const [path = '', matches] = line.split('\0');
      return [path.replace(/^\.\//, ''), Number(matches)];
    }),
  );
}
