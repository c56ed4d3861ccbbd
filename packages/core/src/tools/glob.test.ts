import { mkdirSync, renameSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { GlobTool, type GlobData, type GlobToolParams } from './glob.js';
import type { ToolResult } from './tools.js';

const { config, workspace, reset, remove } = await createTempConfig();
const tool = new GlobTool(config);
afterEach(reset);
afterAll(remove);

async function glob(params: GlobToolParams): Promise<ToolResult> {
  return tool.execute(params, new AbortController().signal);
}

function dataOf(result: ToolResult): GlobData {
  return result.data as GlobData;
}

/** Relative paths of what was found, sorted. */
async function names(pattern: string | string[], path?: string): Promise<string[]> {
  const result = await glob({ pattern, ...(path !== undefined && { path }) });
  expect(result.error).toBeUndefined();
  return dataOf(result)
    .files.map((file) => file.slice(workspace.root.length + 1))
    .sort();
}

describe('glob', () => {
  it.each([
    ['*.ts', ['a.ts', 'b.ts']],
    ['**/*.ts', ['.hidden/e.ts', 'a.ts', 'b.ts', 'src/c.ts', 'src/deep/d.ts']],
    ['src/**', ['src/c.ts', 'src/deep/d.ts', 'src/x.js', 'src/y.jsx']],
    ['?.ts', ['a.ts', 'b.ts']],
    ['[ab].ts', ['a.ts', 'b.ts']],
    ['[!a].ts', ['b.ts']],
    ['src/*.{js,jsx}', ['src/x.js', 'src/y.jsx']],
    ['!**/*.ts', ['.env', 'src/x.js', 'src/y.jsx']],
    ['!*.ts', ['.env', 'src/x.js', 'src/y.jsx']],
    ['.*', ['.env']],
    ['./src/*.js', ['src/x.js']],
    ['src/c.ts', ['src/c.ts']],
    ['nowhere/**', []],
  ])('matches %s (S99)', async (pattern, expected) => {
    const files = ['a.ts', 'b.ts', '.env', '.hidden/e.ts', 'src/c.ts', 'src/x.js', 'src/y.jsx', 'src/deep/d.ts'];
    await workspace.write(Object.fromEntries(files.map((file) => [file, ''])));
    expect(await names(pattern)).toEqual(expected);
  });

  it('finds files whose names look like patterns', async () => {
    await workspace.write({ 'app/[id]/page.tsx': '', 'app/(auth)/login.tsx': '', 'app/i/page.tsx': '' });
    expect(await names('app/[id]/page.tsx')).toEqual(['app/[id]/page.tsx', 'app/i/page.tsx']);
    expect(await names('app/(auth)/*.tsx')).toEqual(['app/(auth)/login.tsx']);
  });

  it('always answers with absolute paths (S103), from a relative or absolute folder (S98 K14) or pattern', async () => {
    await workspace.write({ 'docs/a.md': '', 'docs/sub/b.md': '', 'c.md': '' });
    expect(await names('*.md', 'docs')).toEqual(['docs/a.md']);
    expect(await names('**/*.md', workspace.path('docs'))).toEqual(['docs/a.md', 'docs/sub/b.md']);
    expect(await names(`${workspace.root}/docs/**/*.md`)).toEqual(['docs/a.md', 'docs/sub/b.md']);
    expect(await names(workspace.path('c.md'))).toEqual(['c.md']);
    expect(await names('../*.md', 'docs')).toEqual(['c.md']);
    expect(dataOf(await glob({ pattern: '**' })).files.every((file) => isAbsolute(file))).toBe(true);
  });

  it('sorts all matches by time of change, newest first, before it cuts at 100 (S100 S101)', async () => {
    mkdirSync(workspace.path('many'));
    const times = new Map<string, number>();
    for (let index = 0; index < 250; index++) {
      const file = workspace.path(`many/f${index}.txt`);
      // Times far apart and in no order, all older than a day.
      const time = 1_000_000 + ((index * 7919) % 250) * 1_000;
      writeFileSync(file, '');
      utimesSync(file, time, time);
      times.set(file, time);
    }
    const expected = [...times].sort((a, b) => b[1] - a[1]).map(([file]) => file);
    const result = await glob({ pattern: '**/*.txt' });
    expect(dataOf(result).total).toBe(250);
    expect(dataOf(result).files).toEqual(expected.slice(0, 100));
    expect(result.llmContent).toContain('Found 250 files');
    expect(result.llmContent).toContain('[Page: 1-100 of 250 files. Next: offset=100; or narrow pattern or path.]');
    const next = await glob({ pattern: '**/*.txt', offset: 100, limit: 120 });
    expect(dataOf(next).files).toEqual(expected.slice(100, 220));
    expect(dataOf(next)).toMatchObject({ total: 250, offset: 100, limit: 120 });
    expect(next.llmContent).toContain('[Page: 101-220 of 250 files. Next: offset=220;');
    const last = await glob({ pattern: '**/*.txt', offset: 220 });
    expect(dataOf(last).files).toEqual(expected.slice(220));
    expect(last.llmContent).toContain('[Page: 221-250 of 250 files; these are the last.]');
    expect((await glob({ pattern: '**/*.txt', offset: 250 })).llmContent).toContain(
      '[offset=250 is past the end: there are 250 files. The last page has offset=150.]',
    );
  });

  it('ends a page where its text is full, and says how to go on', async () => {
    const folder = `${'long name '.repeat(20)}/`.repeat(4);
    await workspace.write(Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`${folder}${at}.ts`, ''])));
    const found = new Set<string>();
    let pages = 0;
    for (let offset: number | undefined = 0; offset !== undefined; pages++) {
      const result = await glob({ pattern: '**/*.ts', offset });
      const { files, next }: GlobData = dataOf(result);
      expect(Buffer.byteLength(result.llmContent as string)).toBeLessThanOrEqual(24_000);
      expect((result.llmContent as string).split('\n').slice(1, files.length + 1)).toEqual(files);
      const end = offset + files.length;
      if (next !== undefined)
        expect(result.llmContent).toContain(
          `[Too long: this page ends after ${files.length} files.]\n[Page: ${offset + 1}-${end} of 90 files. Next: offset=${end}; or narrow pattern or path.]`,
        );
      for (const file of files) found.add(file);
      offset = next;
    }
    expect([found.size, pages]).toEqual([90, 4]);
  });

  it('leaves out what .gitignore and .qwenignore hide, and counts it (S102)', async () => {
    await workspace.write({
      '.gitignore': 'dist\n*.log\n!keep.log\n',
      '.qwenignore': 'secret.txt\n',
      'dist/a.txt': '',
      'b.log': '',
      'keep.log': '',
      'secret.txt': '',
      'sub/secret.txt': '',
      '.git/HEAD': '',
      'ok.txt': '',
    });
    expect(await names('**/*')).toEqual(['.gitignore', '.qwenignore', 'keep.log', 'ok.txt']);
    expect(await names('dist/**')).toEqual([]);
    const result = await glob({ pattern: '**/*.txt' });
    expect(result.llmContent).toContain('2 entries ignored by .gitignore, 2 entries ignored by .qwenignore');
    expect(dataOf(result).ignored).toEqual({ git: 2, qwen: 2 });
  });

  it('follows no link to a folder, and shows a link to a file only when it leads to a readable place', async () => {
    const second = await createTempWorkspace({ 'out.txt': '' });
    await workspace.write({ '.qwenignore': 'hidden.txt\n', 'real/a.txt': '', 'hidden.txt': '' });
    symlinkSync(workspace.path('real'), workspace.path('folder'));
    symlinkSync('real/a.txt', workspace.path('inside.txt'));
    symlinkSync('hidden.txt', workspace.path('to-hidden.txt'));
    symlinkSync(second.path('out.txt'), workspace.path('outside.txt'));
    symlinkSync('missing', workspace.path('broken.txt'));
    expect(await names('**/*.txt')).toEqual(['inside.txt', 'real/a.txt']);
    await second.remove();
  });

  it('shows nothing of a folder that became a link while it was looked elsewhere', async () => {
    const second = await createTempWorkspace({ 'a.txt': '' });
    const mine = await createTempConfig({ entries: { 'd/a.txt': '', 'e/b.txt': '' } });
    const index = await mine.config.getSearchIndex();
    const walk = index.tree.walk.bind(index.tree);
    index.tree.walk = async function* (options) {
      yield* walk(options);
      renameSync(mine.workspace.path('d'), mine.workspace.path('.was'));
      symlinkSync(second.root, mine.workspace.path('d'));
    };
    const result = await new GlobTool(mine.config).execute({ pattern: '**/*.txt' }, new AbortController().signal);
    expect(dataOf(result)).toMatchObject({ total: 1, files: [mine.workspace.path('e/b.txt')] });
    await mine.remove();
    await second.remove();
  });

  it('searches all roots when no path is given', async () => {
    const second = await createTempWorkspace({ 'b.md': '' });
    const both = await createTempConfig({ entries: { 'a.md': '' }, moreRoots: [second.root] });
    const result = await new GlobTool(both.config).execute({ pattern: '*.md' }, new AbortController().signal);
    expect([...dataOf(result).files].sort()).toEqual([both.workspace.path('a.md'), second.path('b.md')].sort());
    await both.remove();
    await second.remove();
  });

  it('says what was looked at when nothing matches, and what a looser pattern would find', async () => {
    await workspace.write({ 'docs/README.md': '', 'a.ts': '' });
    const result = await glob({ pattern: 'readme.md' });
    expect(result.error).toBeUndefined();
    expect(result.llmContent).toContain(`No files found matching "readme.md" in ${workspace.root} (1 file looked at).`);
    expect(result.llmContent).toContain('1 file would match at any depth and in any case');
  });

  it('says that a bracket or brace which never closes was taken literally, when nothing matches', async () => {
    await workspace.write({ 'a.ts': '', '[b': '' });
    expect((await glob({ pattern: '[a' })).llmContent).toContain(
      'The "[" in "[a" is never closed, so it was taken literally.',
    );
    expect((await glob({ pattern: ['x', '{a,b.ts'] })).llmContent).toContain('The "{" in "{a,b.ts" is never closed');
    for (const pattern of ['[x]', '{x,y}', 'x[{]', '\\[x', '\\{x', 'x]', 'x}'])
      expect((await glob({ pattern })).llmContent).not.toContain('never closed');
    expect((await glob({ pattern: '[b' })).llmContent).toMatch(/^Found 1 file/);
    expect((await glob({ pattern: 'x', path: 'gone' })).error?.message).toMatch(/^Folder not found: /);
  });

  it('says why brackets were taken literally, when nothing matches', async () => {
    await workspace.write({ 'a.ts': '' });
    expect((await glob({ pattern: '[a/b]' })).llmContent).toContain(
      'The "[" in "[a/b]" was taken literally, for a "/" cannot stand in brackets.',
    );
    expect((await glob({ pattern: 'x[z-a].ts' })).llmContent).toContain(
      'The "[z-a]" in "x[z-a].ts" was taken literally, for a range in it runs backwards.',
    );
    for (const pattern of ['[!a-z].ts', '[]-a].ts', '[[:upper:]].ts', '\\[z-a].ts'])
      expect((await glob({ pattern })).llmContent).not.toContain('literally');
  });

  it('names what is near a folder that is not there, with which an absolute pattern begins', async () => {
    await workspace.write({ 'src/deep/a.ts': '' });
    for (const pattern of ['SRC/*.ts', 'SRC/deep/none/*.ts'])
      expect((await glob({ pattern: workspace.path(pattern) })).llmContent).toContain(
        `Folder not found: ${workspace.path('SRC')}. The nearest names in ${workspace.root}: src.`,
      );
    expect((await glob({ pattern: '../SRC/*.ts', path: 'src' })).llmContent).toContain(
      `Folder not found: ${workspace.path('SRC')}. The nearest names`,
    );
  });

  it('says that path was not used beside an absolute pattern that leads elsewhere', async () => {
    await workspace.write({ 'src/a.ts': '', 'docs/b.md': '' });
    const text = async (pattern: string | string[], path: string): Promise<unknown> =>
      (await glob({ pattern, path })).llmContent;
    const note = '(path "docs" was not used: the pattern is absolute. For files in it, give a pattern relative to it.)';
    expect(await text(workspace.path('src/*.ts'), 'docs')).toContain(note);
    expect(await text(workspace.path('src/*.js'), 'docs')).toContain(note);
    for (const pattern of [workspace.path('docs/*.md'), [workspace.path('src/*'), '*.md'], '../src/*', '!*.md'])
      expect(await text(pattern, 'docs')).not.toContain('was not used');
  });

  it('refuses places outside, ignored, missing, or that are files', async () => {
    await workspace.write({ '.qwenignore': 'secret\n', 'secret/a': '', 'file.txt': '' });
    const message = async (params: GlobToolParams): Promise<string> => (await glob(params)).error?.message ?? '';
    expect(await message({ pattern: '*', path: '/etc' })).toContain('Path must be within workspace: /etc');
    expect(await message({ pattern: '/etc/*' })).toContain('Path must be within workspace: /etc');
    expect(await message({ pattern: '../../*' })).toContain('Path must be within workspace: ');
    expect(await message({ pattern: '*', path: 'secret' })).toContain('Path is ignored by .qwenignore: ');
    expect(await message({ pattern: '   ' })).toContain('pattern must not be empty');
    expect((await glob({ pattern: '*', path: 'missing' })).error?.type).toBe('file_not_found');
    const file = await glob({ pattern: '*', path: 'file.txt' });
    expect(file.error?.type).toBe('path_is_not_a_directory');
    expect(file.error?.message).toContain('read_file');
  });

  it.each([
    'src/../src/c.ts',
    'src//c.ts',
    './src/./c.ts',
    'src/deep/../c.ts',
    '{src/./c,none}.ts',
    '../WORK/src//c.ts',
  ])('takes %s as the system would', async (pattern) => {
    await workspace.write({ 'src/c.ts': '', 'src/deep/d.ts': '', 'c.ts': '' });
    expect(await names(pattern.replace('WORK', basename(workspace.root)))).toEqual(['src/c.ts']);
  });

  it('says of a pattern that means folders, or leads through a link, what to ask for instead', async () => {
    await workspace.write({ 'src/a.ts': '' });
    symlinkSync('src', workspace.path('link'));
    const text = async (pattern: string): Promise<unknown> => {
      const result = await glob({ pattern });
      expect(result.error).toBeUndefined();
      return result.llmContent;
    };
    expect(await text(workspace.root)).toContain(`"${workspace.root}" is a folder: "${workspace.root}/**" matches`);
    expect(await text('src/**/')).toContain('only files are found: "src/**/*" matches');
    expect(await text('**/')).toContain('only files are found: "**/*" matches');
    expect(await text('link/*.ts')).toContain('"link" leads through a link');
    expect(await names('*.ts', 'link')).toEqual(['src/a.ts']);
    expect(await text('a\nb')).toContain('matching "a\\nb" in');
  });

  it('takes several patterns, of which some exclude (S99)', async () => {
    await workspace.write({ 'a.ts': '', 'a.js': '', 'a.css': '', 'lib/b.ts': '', 'lib/b.test.ts': '' });
    expect(await names(['**/*.ts', '*.js', '!**/*.test.ts'])).toEqual(['a.js', 'a.ts', 'lib/b.ts']);
    expect(await names(['!*.ts', '!*.css'])).toEqual(['a.js']);
    expect(await names([`${workspace.root}/lib/*`, '*.css'])).toEqual(['a.css', 'lib/b.test.ts', 'lib/b.ts']);
    const result = await glob({ pattern: ['*.md', '!x'] });
    expect(result.llmContent).toContain('No files found matching "*.md", "!x" in ');
    expect((await glob({ pattern: [] })).error?.type).toBe('invalid_tool_params');
    expect((await glob({ pattern: ['*', ''] })).error?.type).toBe('invalid_tool_params');
    expect((await glob({ pattern: ['*', '/etc/*'] })).error?.message).toContain('Path must be within workspace: /etc');
    expect((await glob({ pattern: '*', limit: 1001 })).error?.type).toBe('invalid_tool_params');
  });

  it('says when ignored files would match, and when the pattern is a folder', async () => {
    await workspace.write({ '.gitignore': 'dist\n', 'dist/a.js': '', 'dist/b.js': '', 'src/x/y.ts': '' });
    expect((await glob({ pattern: 'dist/**' })).llmContent).toContain('2 files would match but for .gitignore');
    expect((await glob({ pattern: '**/*.js' })).llmContent).toContain('2 files would match but for .gitignore');
    expect(await names('**/*.js', 'dist')).toEqual(['dist/a.js', 'dist/b.js']);
    expect((await glob({ pattern: 'src/x' })).llmContent).toContain('"src/x" is a folder: "src/x/**" matches');
    expect((await glob({ pattern: 'SRC/**' })).llmContent).toContain('1 file would match at any depth and in any case');
  });

  it('shows names that begin with a dash, and names that are no UTF-8 as one line of text', async () => {
    await workspace.write({ '-rf.txt': '' });
    writeFileSync(
      Buffer.concat([Buffer.from(`${workspace.root}/`), Buffer.from([0x61, 0xff]), Buffer.from('.txt')]),
      '',
    );
    const { llmContent } = await glob({ pattern: '*.txt' });
    expect(llmContent).toContain(`\n${workspace.path('-rf.txt')}`);
    expect(llmContent).toContain(`\n"${workspace.root}/a\\udcff.txt"`);
  });

  it('tells links that are not followed for their name, as the listing does', async () => {
    await workspace.write({ 'odd/a.txt': '', 'odd/sub/.keep': '' });
    const link = Buffer.concat([Buffer.from(workspace.path('odd/l')), Buffer.from([0xff])]);
    symlinkSync('a.txt', link);
    const note = '\n(Not followed: 1 symbolic link with a name that is no UTF-8.)';
    const text = async (pattern: string): Promise<unknown> => (await glob({ pattern, path: 'odd' })).llmContent;
    expect(await text('*')).toBe(
      `Found 1 file matching "*" in ${workspace.path('odd')}, most recently modified first:\n${workspace.path('odd/a.txt')}${note}`,
    );
    expect(await text('l*')).toContain(note);
    for (const pattern of ['*.txt', 'sub/*']) expect(await text(pattern)).not.toContain(note);
    unlinkSync(link);
  });

  it('shows a name with a blank at its end in quotes, as the listing does', async () => {
    await workspace.write({ 'h/trail ': '', 'h/ lead': '', 'h/in /a b.txt': '' });
    const { llmContent } = await glob({ pattern: 'h/**' });
    const shown = [
      JSON.stringify(workspace.path('h/trail ')),
      workspace.path('h/ lead'),
      workspace.path('h/in /a b.txt'),
    ];
    expect((llmContent as string).split('\n').slice(1).toSorted()).toEqual(shown.toSorted());
    expect((await glob({ pattern: '*', path: 'h/in ' })).llmContent).toContain(
      ` in "${workspace.path('h/in ')}", most`,
    );
  });

  it('shows a name with a line break as one line', async () => {
    await workspace.write({ 'a\nb.txt': '' });
    expect((await glob({ pattern: '*.txt' })).llmContent).toContain(`\n${JSON.stringify(workspace.path('a\nb.txt'))}`);
  });

  it('looks for what its parameters say when a call is built of them, also of the same object again', async () => {
    await workspace.write({ 'a.ts': '', 'b.js': '' });
    const params = { pattern: '*.ts' };
    const first = tool.build(params);
    params.pattern = '*.js';
    const second = tool.build(params);
    const never = new AbortController().signal;
    const found = [await first.execute(never), await second.execute(never)].map((result) => dataOf(result).files);
    expect(found).toEqual([[workspace.path('a.ts')], [workspace.path('b.js')]]);
  });

  it('ends when it is aborted', async () => {
    await workspace.write({ 'a.txt': '' });
    const result = await tool.execute({ pattern: '**' }, AbortSignal.abort());
    expect(result.error?.type).toBe('cancelled');
  });

  it('needs no confirmation and says what it reads (S104)', async () => {
    await workspace.write({ 'src/a.ts': '' });
    const invocation = tool.build({ pattern: '**/*.ts', path: 'src' });
    expect(invocation.getDescription()).toBe("'**/*.ts' in src");
    expect(invocation.toolLocations?.()).toEqual([{ path: workspace.path('src') }]);
    const path = workspace.path('src');
    expect(await invocation.effects?.()).toEqual([
      { kind: 'read', path, requested: path, zone: 'workspace', scope: 'tree' },
    ]);
    expect(await invocation.shouldConfirmExecute?.(new AbortController().signal)).toBe(false);
  });

  it('describes itself in less than a thousand characters', () => {
    const { name, description, schema } = tool;
    expect(JSON.stringify({ name, description, schema }).length).toBeLessThanOrEqual(1_000);
  });
});
