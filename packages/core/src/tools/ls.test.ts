import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { LSTool, type ListDirectoryData, type ListDirectoryToolParams } from './ls.js';
import type { ToolResult } from './tools.js';

const { config, workspace, temp, reset, remove } = await createTempConfig();
const tool = new LSTool(config);
afterEach(reset);
afterAll(remove);

async function list(params: Partial<ListDirectoryToolParams> = {}): Promise<ToolResult> {
  return tool.execute({ path: workspace.root, ...params }, new AbortController().signal);
}

function textOf({ llmContent }: ToolResult): string {
  return typeof llmContent === 'string' ? llmContent : '';
}

/** The lines without the header. */
async function lines(params: Partial<ListDirectoryToolParams> = {}): Promise<string[]> {
  const result = await list(params);
  expect(result.error).toBeUndefined();
  return textOf(result).split('\n').slice(1);
}

/** Makes a file, unless another stands where a folder is wanted, or the other way round. */
function put(names: readonly string[], text: string): void {
  const path = workspace.path(names.join('/'));
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (thrown) {
    if (!['EEXIST', 'ENOTDIR', 'EISDIR'].includes(String((thrown as NodeJS.ErrnoException).code))) throw thrown;
  }
}

/** The paths of files in the lines of a tree. */
function filesIn(tree: readonly string[]): string[] {
  const files: string[] = [];
  let way: string[] = [];
  for (const line of tree) {
    const [, indent = '', mark, name = ''] = /^( *)(\[DIR\] )?(.*)$/.exec(line) ?? [];
    if (name.startsWith('(')) continue;
    way = [...way.slice(0, indent.length / 2), name];
    if (mark === undefined) files.push(way.join('/'));
  }
  return files;
}

/** What git would see in the workspace, which is no repository. */
function filesOfGit(): string[] {
  const gitDir = join(temp.root, 'git');
  const env = { PATH: process.env['PATH'], HOME: temp.root, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]): string =>
    execFileSync('git', [`--git-dir=${gitDir}`, `--work-tree=${workspace.root}`, ...args], {
      encoding: 'utf8',
      env,
      cwd: workspace.root,
    });
  if (!existsSync(gitDir)) git('init', '-q');
  return git('ls-files', '-co', '--exclude-standard', '-z').split('\0').filter(Boolean);
}

describe('list_directory', () => {
  it('lists folders before files, each sorted by name as people sort, folders marked (S113 S114 S115)', async () => {
    await workspace.write({
      'b.txt': '',
      'a.txt': '',
      'Z.txt': '',
      'ä.txt': '',
      'a.bmp': '',
      'README.md': '',
      'zoo/x': '',
      'Art/y': '',
      '.git/HEAD': '',
    });
    const files = ['a.bmp', 'a.txt', 'ä.txt', 'b.txt', 'README.md', 'Z.txt'];
    expect(await lines()).toEqual(['[DIR] .git', '[DIR] Art', '[DIR] zoo', ...files]);
    expect((await list()).llmContent).toContain(`${workspace.root} (3 folders, 6 files):`);
  });

  it('leaves out what .gitignore hides unless told otherwise (S116)', async () => {
    await workspace.write({
      '.gitignore': '*.log\nout/\n/sub/x\n',
      'a.log': '',
      'out/b': '',
      'sub/x': '',
      'sub/y': '',
    });
    expect(await lines()).toEqual(['[DIR] sub', '.gitignore', '(Left out: 2 by .gitignore.)']);
    expect(await lines({ path: workspace.path('sub') })).toEqual(['y', '(Left out: 1 by .gitignore.)']);
    expect(await lines({ respect_git_ignore: false })).toEqual(['[DIR] out', '[DIR] sub', '.gitignore', 'a.log']);
  });

  it('always leaves out what .qwenignore hides (S62 S64)', async () => {
    await workspace.write({ '.qwenignore': 'secret*\n', 'secret.txt': '', 'ok.txt': '' });
    symlinkSync('secret.txt', workspace.path('alias'));
    expect(await lines({ respect_git_ignore: false })).toEqual([
      '.qwenignore',
      'ok.txt',
      '(Left out: 2 by .qwenignore.)',
    ]);
  });

  it('leaves out names that match ignore, where a later !pattern keeps (S113)', async () => {
    await workspace.write({ 'a.log': '', 'keep.log': '', 'node_modules/x': '', '.git/HEAD': '', 'b.ts': '' });
    const ignore = ['*.log', '!keep.log', 'node_modules/', '**/.git', ''];
    expect(await lines({ ignore })).toEqual(['b.ts', 'keep.log', '(Left out: 3 by ignore.)']);
  });

  it('shows where links lead, and marks those that lead outside or nowhere', async () => {
    await workspace.write({ 'real/a': '', 'file.txt': '' });
    symlinkSync('real', workspace.path('folder-link'));
    symlinkSync('file.txt', workspace.path('file-link'));
    symlinkSync('/etc/passwd', workspace.path('outside'));
    symlinkSync('gone', workspace.path('broken'));
    symlinkSync('gone/../file.txt', workspace.path('broken-way'));
    symlinkSync('file.txt/x', workspace.path('through-file'));
    symlinkSync('n'.repeat(300), workspace.path('too-long'));
    expect(await lines()).toEqual([
      '[DIR] folder-link -> real',
      '[DIR] real',
      'broken -> gone (broken link)',
      'broken-way -> gone/../file.txt (broken link)',
      'file-link -> file.txt',
      'file.txt',
      'outside -> /etc/passwd (leads outside the workspace)',
      'through-file -> file.txt/x (broken link)',
      `too-long -> ${'n'.repeat(300)} (broken link)`,
    ]);
  });

  it('names special files and shows a name with a line break as one line', async () => {
    execFileSync('mkfifo', [workspace.path('pipe')]);
    await workspace.write({ 'a\n[DIR] b': '' });
    expect(await lines()).toEqual(['"a\\n[DIR] b"', 'pipe (FIFO)']);
  });

  it('says when a folder is empty, and when everything in it is left out', async () => {
    await workspace.write({ 'empty/': '', 'full/a.log': '' });
    expect((await list({ path: workspace.path('empty') })).llmContent).toBe(
      `The folder is empty: ${workspace.path('empty')}`,
    );
    expect((await list({ path: workspace.path('full'), ignore: ['*.log'] })).llmContent).toBe(
      `Nothing to show in ${workspace.path('full')}: every entry is left out.\n(Left out: 1 by ignore.)`,
    );
  });

  it('shows the first of ten thousand entries and counts the rest by kind', async () => {
    mkdirSync(workspace.path('many/folder'), { recursive: true });
    // Links cost a tenth of files.
    writeFileSync(workspace.path('one'), '');
    for (let index = 0; index < 10_000; index++) {
      const name = `${String(index).padStart(5, '0')}${index % 10 === 0 ? '.md' : '.json'}`;
      linkSync(workspace.path('one'), workspace.path(`many/${name}`));
    }
    const result = await list({ path: workspace.path('many') });
    const data = result.data as ListDirectoryData;
    expect(data.totals).toEqual({ folders: 1, files: 10_000, isExact: true });
    expect([data.entries.length, data.truncated]).toEqual([1_000, true]);
    expect(data.entries.slice(0, 3).map(({ name }) => name)).toEqual(['folder', '00000.md', '00001.json']);
    expect(data.entries.at(-1)?.name).toBe('00998.json');
    const text = textOf(result).split('\n');
    expect(text[0]).toContain('(1 folder, 10,000 files):');
    expect(text.at(-2)).toBe('… 9,001 more files (8,101 .json, 900 .md)');
    expect(text.at(-1)).toBe(
      '[Page: 1-1,000 of 10,001 entries. Next: offset=1000; or narrow by ignore patterns, or find files by name with a glob.]',
    );
    expect(result.returnDisplay).toBe('Listed 1 folder and 10,000 files (1,000 shown)');
  }, 60_000);

  it('shows one page after the other, which together are the folder', async () => {
    for (let index = 0; index < 60; index++) mkdirSync(workspace.path(`many/d${100 + index}`), { recursive: true });
    for (let index = 0; index < 47; index++) writeFileSync(workspace.path(`many/f${100 + index}.${index % 2}`), '');
    const path = workspace.path('many');
    const seen: string[] = [];
    for (let offset = 0; offset < 107; offset += 25) {
      const { entries, truncated } = (await list({ path, limit: 25, offset })).data as ListDirectoryData;
      expect([entries.length, truncated]).toEqual(offset === 100 ? [7, false] : [25, true]);
      seen.push(...entries.map(({ name }) => name));
    }
    const all = (await list({ path })).data as ListDirectoryData;
    expect(seen).toEqual(all.entries.map(({ name }) => name));
    const middle = await list({ path, limit: 25, offset: 50, details: true });
    expect(textOf(middle)).toMatch(/^\S+ \(60 folders, 47 files\):\n\[DIR\] d150 \(0 entries\)\n/);
    expect(textOf(middle)).toMatch(
      /\nf114\.0 \(0 bytes\)\n… 32 more files \(16 \.0, 16 \.1\)\n\[Page: 51-75 of 107 entries\. Next: offset=75; /,
    );
    expect(middle.returnDisplay).toBe('Listed 60 folders and 47 files (25 shown)');
    expect((await lines({ path, limit: 25, offset: 100 })).at(-1)).toBe(
      '[Page: 101-107 of 107 entries; these are the last.]',
    );
    expect(textOf(await list({ path, limit: 25, offset: 107 }))).toBe(
      `${path} (60 folders, 47 files).\n[offset=107 is past the end: there are 107 entries. The last page has offset=82.]`,
    );
    expect(textOf(await list({ path: join(path, 'd100'), offset: 5 }))).toMatch(/^The folder is empty/);
    const deep = await list({ path, depth: 2, offset: 5 });
    expect(deep.error?.message).toContain('offset is for the entries of one folder');
  });

  it('keeps to a length of text whatever the limit, and says so', async () => {
    const long = 'n'.repeat(200);
    for (let index = 0; index < 300; index++) writeFileSync(workspace.path(`${long}${index}`), '');
    const result = await list({ limit: 2_000 });
    const text = textOf(result);
    expect(Buffer.byteLength(text)).toBeLessThan(25_000);
    const shown = (result.data as ListDirectoryData).entries.length;
    expect(shown).toBeGreaterThan(100);
    expect(text).toContain(`… ${300 - shown} more files (${300 - shown} without ending)`);
    expect(text).toContain('[More in one answer would be too long.]\n[Page: 1-');
    expect(text).toContain(` Next: offset=${shown};`);
  });

  it('lists a tree, level by level, each folder before its files (S114)', async () => {
    await workspace.write({
      'a/deep/x/y.ts': '',
      'a/b.ts': '',
      'z.txt': '',
      '.git/HEAD': '',
      'out/x': '',
      '.gitignore': 'out\n',
    });
    symlinkSync('a', workspace.path('link'));
    const left = '(Left out: 1 by .gitignore.)';
    expect(await lines({ depth: 2 })).toEqual([
      '[DIR] .git (not entered)',
      '[DIR] a',
      '  [DIR] deep',
      '  b.ts',
      '[DIR] link -> a',
      '.gitignore',
      'z.txt',
      left,
    ]);
    const result = await list({ depth: 4 });
    expect(textOf(result)).toContain('(5 folders, 4 files within 4 levels):');
    expect((result.data as ListDirectoryData).entries.map(({ name }) => name)).toEqual([
      '.git',
      'a',
      'a/deep',
      'a/deep/x',
      'a/deep/x/y.ts',
      'a/b.ts',
      'link',
      '.gitignore',
      'z.txt',
    ]);
  });

  it('says of .git in a tree that it is not entered, unless it is what is listed', async () => {
    await workspace.write({ '.git/HEAD': '', '.git/refs/x': '', 'sub/.git/HEAD': '', 'sub/b': '' });
    const tree = ['[DIR] .git (not entered)', '[DIR] sub', '  [DIR] .git', '  b'];
    expect(await lines({ depth: 2 })).toEqual(tree);
    expect(await lines({ depth: 2, respect_git_ignore: false })).toEqual(tree);
    expect(await lines({ depth: 3 })).toEqual(tree.with(2, '  [DIR] .git (not entered)'));
    expect((await lines({ depth: 2, details: true }))[0]).toBe('[DIR] .git (not entered, 2 entries)');
    expect(await lines()).toEqual(['[DIR] .git', '[DIR] sub']);
    expect(await lines({ path: workspace.path('.git'), depth: 2 })).toEqual(['[DIR] refs', '  x', 'HEAD']);
  });

  it('shows names that could pass for its own notes as JSON strings, and other names in brackets as they are', async () => {
    const notes = ['(Left out: 9 by .gitignore.)', '[Page: 1-2 of 900 entries. Next: offset=2]'];
    const plain = ['(auth)', '(group).tsx', '[...all].ts', '[id].tsx', '[slug]', 'a [b] c'];
    await workspace.write(Object.fromEntries([...notes, ...plain].map((name) => [name, ''])));
    expect((await lines()).toSorted()).toEqual([...notes.map((name) => JSON.stringify(name)), ...plain].toSorted());
  });

  it('says how many links it did not follow, which it counts as files', { timeout: 60_000 }, async () => {
    mkdirSync(workspace.path('real'));
    mkdirSync(workspace.path('links'));
    for (let index = 0; index < 5_003; index++) symlinkSync('../real', workspace.path(`links/${index}`));
    await workspace.write({ 'links/a.txt': '' });
    const result = await list({ path: workspace.path('links'), limit: 5 });
    expect(textOf(result)).toContain(' (5,000 folders, 4 files):\n');
    expect(textOf(result)).toContain('\n(3 links were not followed, and are counted as files.)');
    expect((result.data as ListDirectoryData).totals).toEqual({
      folders: 5_000,
      files: 4,
      isExact: true,
      unfollowedLinks: 3,
    });
    expect((await lines({ path: workspace.path('links'), ignore: ['[0-9]*'] })).slice(0, 2)).toEqual([
      'a.txt',
      '(Left out: 5,003 by ignore.)',
    ]);
  });

  it('says of a folder how much of it is left out, so that it does not pass for an empty one', async () => {
    await workspace.write({ 'logs/a.log': '', 'logs/b.log': '', 'some/a.log': '', 'some/b': '', 'empty/': '' });
    await workspace.write({ '.gitignore': '*.log\n' });
    const counted = [
      '[DIR] empty (0 entries)',
      '[DIR] logs (0 entries, 2 left out)',
      '[DIR] some (1 entry, 1 left out)',
    ];
    expect((await lines({ details: true })).slice(0, 3)).toEqual(counted);
    const { entries } = (await list({ details: true })).data as ListDirectoryData;
    expect(entries.slice(0, 2)).toEqual([
      { name: 'empty', kind: 'directory', entries: 0 },
      { name: 'logs', kind: 'directory', entries: 0, leftOut: 2 },
    ]);
    expect((await lines({ details: true, depth: 2 })).filter((line) => line.startsWith('['))).toEqual(counted);
    expect(await lines({ depth: 2 })).toEqual([
      '[DIR] empty',
      '[DIR] logs (2 left out)',
      '[DIR] some',
      '  b',
      '.gitignore',
      '(Left out: 3 by .gitignore.)',
    ]);
  });

  it('says of an offset past the end of a folder of one entry what there is', async () => {
    await workspace.write({ 'a.txt': '' });
    expect(await lines({ offset: 3 })).toEqual([
      '[offset=3 is past the end: there is 1 entry. The last page has offset=0.]',
    ]);
  });

  it('says which patterns of what to leave out were taken literally and left nothing out', async () => {
    await workspace.write({ 'a.log': '', 'b.ts': '', '[c': '' });
    const told = (glob: string, bracket: string): string =>
      `(The "${bracket}" in "${glob}" is never closed, so it was taken literally.)`;
    expect(await lines({ ignore: ['[a'] })).toEqual(['[c', 'a.log', 'b.ts', told('[a', '[')]);
    expect(await lines({ ignore: ['*.ts', '*.{log'] })).toEqual([
      '[c',
      'a.log',
      '(Left out: 1 by ignore.)',
      told('*.{log', '{'),
    ]);
    expect(await lines({ ignore: ['[c', '*.ts'] })).toEqual(['a.log', '(Left out: 2 by ignore.)']);
    expect((await lines({ ignore: ['*', '![a'] })).slice(-1)).toEqual([told('![a', '[')]);
    await workspace.write({ '[d/x': '' });
    const path = workspace.path('[d');
    expect(await lines({ path, ignore: [`${path}/y`, `!${path}/z`] })).toEqual(['x']);
    expect(await lines({ path, ignore: [`${path}/[y`] })).toEqual(['x', told('/[y', '[')]);
  });

  it('lets no huge folder of a tree take the place of the others', async () => {
    await workspace.write({ 'small/a': '', 'small/b': '', 'top.txt': '' });
    mkdirSync(workspace.path('huge'));
    for (let index = 0; index < 500; index++) writeFileSync(workspace.path(`huge/${1000 + index}.dat`), '');
    expect(await lines({ depth: 2, limit: 11 })).toEqual([
      '[DIR] huge',
      '  1000.dat',
      '  1001.dat',
      '  1002.dat',
      '  1003.dat',
      '  1004.dat',
      '  1005.dat',
      '  … 494 more files (494 .dat)',
      '[DIR] small',
      '  a',
      '  b',
      'top.txt',
      expect.stringMatching(
        /^\(11 entries shown\. To see others, give a greater limit than 11, or the path of a folder in it, or/,
      ),
    ]);
    expect((await lines({ depth: 2, limit: 4 })).slice(0, -1)).toEqual([
      '[DIR] huge (500 entries not shown)',
      '[DIR] small (2 entries not shown)',
      'top.txt',
    ]);
  });

  it('advises no limit that it would refuse', async () => {
    await workspace.write(Object.fromEntries(Array.from({ length: 2_010 }, (_, at) => [`many/${at}`, ''])));
    expect((await lines({ depth: 2, limit: 2_000 })).at(-1)).toMatch(
      /^\(2,000 entries shown\. To see others, give the path of a folder in it, or ignore patterns/,
    );
  });

  it('fills a tree of many folders up to its limit', async () => {
    for (let folder = 0; folder < 40; folder++) {
      mkdirSync(workspace.path(`d${10 + folder}`));
      for (let file = 0; file < 9; file++) writeFileSync(workspace.path(`d${10 + folder}/${file}`), '');
    }
    const text = await lines({ depth: 2, limit: 100 });
    expect(text.slice(0, 6)).toEqual(['[DIR] d10', '  0', '  1', '  2', '  3', '  … 5 more files (5 without ending)']);
    expect(text.at(-2)).toBe('[DIR] d49 (9 entries not shown)');
    expect(text.at(-1)).toMatch(/^\(100 entries shown\. /);
  });

  it('tells sizes of files and entries of folders when asked', async () => {
    await workspace.write({ 'a/x': '', 'a/y.log': '', '.gitignore': '*.log\n', 'b.txt': 'hello', 'empty/': '' });
    symlinkSync('b.txt', workspace.path('link'));
    const expected = [
      '[DIR] a (1 entry, 1 left out)',
      '[DIR] empty (0 entries)',
      '.gitignore (6 bytes)',
      'b.txt (5 bytes)',
      'link -> b.txt',
    ];
    expect(await lines({ details: true })).toEqual(expected);
    const { entries } = (await list({ details: true })).data as ListDirectoryData;
    expect(entries.find(({ name }) => name === 'b.txt')?.size).toBe(5);
    expect(entries.find(({ name }) => name === 'a')?.entries).toBe(1);
  });

  it('shows names that are no text, or look like something else, as JSON strings', async () => {
    const damaged = Buffer.concat([Buffer.from(`${workspace.root}/caf`), Buffer.from([0xe9])]);
    writeFileSync(damaged, 'x');
    await workspace.write({
      '[DIR] sham': '',
      ' blank': '',
      naïve: '',
      'a -> b': '',
      'c (5 bytes)': '',
      'd\u202e': '',
    });
    const name = JSON.stringify('caf\udce9');
    expect(await lines({ details: true })).toEqual([
      '" blank" (0 bytes)',
      '"[DIR] sham" (0 bytes)',
      '"a -> b" (0 bytes)',
      '"c (5 bytes)" (0 bytes)',
      `${name} (1 byte)`,
      String.raw`"d\u202e" (0 bytes)`,
      'naïve (0 bytes)',
    ]);
    rmSync(damaged);
  });

  it('leaves out by path where a pattern of ignore has a slash', async () => {
    await workspace.write({ 'a/x.ts': '', 'b/x.ts': '' });
    expect(await lines({ depth: 2, ignore: ['a/*.ts'] })).toEqual([
      '[DIR] a (1 left out)',
      '[DIR] b',
      '  x.ts',
      '(Left out: 1 by ignore.)',
    ]);
  });

  it('goes round no loop of links, and says which folder cannot be read', async () => {
    await workspace.write({ 'a/b/c': '', 'locked/x': '' });
    symlinkSync('..', workspace.path('a/up'));
    expect((await list({ depth: 10 })).data).toMatchObject({ totals: { folders: 4, files: 2, isExact: true } });
    chmodSync(workspace.path('locked'), 0);
    const isAdmin = process.getuid?.() === 0;
    expect(await lines({ depth: 3 })).toContain(isAdmin ? '[DIR] locked' : '[DIR] locked (cannot be read)');
    chmodSync(workspace.path('locked'), 0o755);
  });

  it('says of links that lead in a circle what they are, not that they lead outside', async () => {
    symlinkSync('b2', workspace.path('b1'));
    symlinkSync('b1', workspace.path('b2'));
    symlinkSync('me', workspace.path('me'));
    expect(await lines()).toEqual([
      'b1 -> b2 (too many links on its way)',
      'b2 -> b1 (too many links on its way)',
      'me -> me (too many links on its way)',
    ]);
  });

  it('takes patterns of what to leave out from the listed folder on, by a slash or their absolute path', async () => {
    await workspace.write({ 'build/a': '', 'lib/build/b': '', 'src/c.t': '', 'src/d.x': '' });
    const shown = async (ignore: string[]): Promise<string[]> => (await lines({ depth: 3, ignore })).slice(0, -1);
    const rest = ['[DIR] src', '  c.t', '  d.x'];
    expect(await shown(['build'])).toEqual(['[DIR] lib (1 left out)', ...rest]);
    expect(await shown(['/build'])).toEqual(['[DIR] lib', '  [DIR] build', '    b', ...rest]);
    expect(await shown([workspace.path('build')])).toEqual(['[DIR] lib', '  [DIR] build', '    b', ...rest]);
    expect(await shown(['build', 'lib', '!(*.t|src)'])).toEqual(['[DIR] src', '  c.t']);
  });

  it('leaves out what git leaves out, on generated trees and ignore files', { timeout: 60_000 }, async () => {
    const name = fc.constantFrom('a', 'b', 'ab', '.a', 'x.log', 'build');
    const folder = fc.array(name, { maxLength: 2 });
    const line = fc.constantFrom(
      'a',
      'b/',
      '*.log',
      '/ab',
      'build/',
      '!x.log',
      '!a',
      'a/b',
      '**/b',
      'a/*',
      '[ab]',
      '!build/',
    );
    const ignoreFile = fc.tuple(folder, fc.array(line, { minLength: 1, maxLength: 3 }));
    const files = fc.array(fc.tuple(folder, name), { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(files, fc.array(ignoreFile, { maxLength: 3 }), async (made, ignores) => {
        await reset();
        for (const [names, last] of made) put([...names, last], '');
        for (const [names, rules] of ignores) put([...names, '.gitignore'], rules.join('\n'));
        const text = textOf(await list({ depth: 10 }));
        const shown = text.includes(':\n') ? filesIn(text.split('\n').slice(1)) : [];
        expect(shown.toSorted()).toEqual(filesOfGit().toSorted());
      }),
      { numRuns: 30 },
    );
  });

  it('demands an absolute path within the workspace that is not ignored, in this order (S60 S61 S62 S63 K14)', async () => {
    await workspace.write({ '.qwenignore': 'secret\n', 'secret/a': '' });
    const message = async (path: string): Promise<string> => (await list({ path })).error?.message ?? '';
    expect(await message('src')).toContain('Path must be absolute: src');
    expect(await message('/etc')).toContain('Path must be within workspace: /etc');
    const secret = workspace.path('secret');
    expect(await message(secret)).toContain(`Path is ignored by .qwenignore: ${secret}`);
    const code = async (path: string): Promise<string | undefined> => (await list({ path })).error?.type;
    expect([await code('src'), await code('/etc'), await code(secret)]).toEqual([
      'path_not_absolute',
      'path_not_in_workspace',
      'path_ignored',
    ]);
  });

  it('states that it reads a folder that is not there, so that nothing makes it meanwhile', () => {
    const path = workspace.path('none');
    expect(tool.build({ path }).effects?.()).toEqual([{ kind: 'read', path, requested: path, zone: 'workspace' }]);
  });

  it('names the right tool for a file, and the nearest name for a missing folder', async () => {
    await workspace.write({ 'file.txt': '', 'source/a': '' });
    const file = await list({ path: workspace.path('file.txt') });
    expect(file.error?.type).toBe('path_is_not_a_directory');
    expect(file.error?.message).toContain('read_file');
    const missing = await list({ path: workspace.path('sourc') });
    expect(missing.error?.type).toBe('file_not_found');
    expect(missing.error?.message).toMatch(/^Folder not found: .*sourc\. The nearest names in .*: source\.$/);
  });

  it('may list the temp folder of the project (K15 S65)', async () => {
    await temp.write({ 'spilled.txt': '' });
    expect(await lines({ path: temp.root })).toEqual(['spilled.txt']);
  });

  it('needs no confirmation and says what it reads (S117)', async () => {
    await workspace.write({ 'src/a.ts': '' });
    const path = workspace.path('src');
    const invocation = tool.build({ path });
    expect(tool.build({ path, depth: 2 }).effects?.()).toMatchObject([{ kind: 'read', path, scope: 'tree' }]);
    expect(invocation.getDescription()).toBe('src');
    expect(tool.getDescription({ path: workspace.root })).toBe(workspace.root);
    expect(invocation.toolLocations?.()).toEqual([{ path }]);
    expect(await invocation.effects?.()).toEqual([{ kind: 'read', path, requested: path, zone: 'workspace' }]);
    expect(await invocation.shouldConfirmExecute?.(new AbortController().signal)).toBe(false);
  });
});
