import { chmodSync, linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { encodeJis } from '../files/iso-2022-jp.js';
import { createTempConfig } from '../testing/temp-config.js';
import { createTempWorkspace, type WorkspaceEntry } from '../testing/temp-workspace.js';
import { GrepTool, type GrepData, type GrepOptions, type GrepToolParams } from './grep.js';
import { findRipgreps } from './ripGrep.js';
import type { ToolResult } from './tools.js';

const { config, workspace, temp, reset, remove } = await createTempConfig();
afterEach(reset);
afterAll(remove);

async function grep(params: GrepToolParams, options: GrepOptions = {}, signal?: AbortSignal): Promise<ToolResult> {
  return new GrepTool(config, options).execute(params, signal ?? new AbortController().signal);
}

function textOf(result: ToolResult): string {
  return typeof result.llmContent === 'string' ? result.llmContent : JSON.stringify(result.llmContent);
}

function dataOf(result: ToolResult): GrepData {
  return result.data as GrepData;
}

/** `relative/path:line` of everything found, sorted. */
function hits(result: ToolResult): string[] {
  const all = dataOf(result).files.flatMap(({ path, matches }) =>
    matches.map(({ line }) => `${path.slice(workspace.root.length + 1)}:${line}`),
  );
  return all.sort();
}

/** Oldest first. */
function setTimes(...paths: string[]): void {
  for (const [index, path] of paths.entries()) utimesSync(workspace.path(path), 1_000 + index, 1_000 + index);
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const encodeInto = (text: string, encoding: string): Buffer => iconv.encode(text, encoding, { addBOM: false });

const engines = ['ripgrep', 'javascript'] as const;

describe.each(engines)('grep_search with %s', (engine) => {
  const find = async (params: GrepToolParams, options: GrepOptions = {}): Promise<ToolResult> =>
    grep(params, { engine, ...options });

  it('returns whole matching lines with path and line number, in any case (S105 S107 S109)', async () => {
    await workspace.write({ 'src/a.ts': 'one\n  // todo: first \n\nTODO second' });
    const result = await find({ pattern: 'ToDo' });
    expect(textOf(result)).toBe(
      `Found 2 matches in 1 file for "ToDo" in ${workspace.root}:\n\n` +
        `${workspace.path('src/a.ts')}\n1- one\n2:   // todo: first \n3- \n4: TODO second\n\n(Searched 1 file.)`,
    );
    expect(result.error).toBeUndefined();
    expect(dataOf(result)).toMatchObject({ engine, total: 2, fileCount: 1, searchedFiles: 1 });
  });

  it('takes a relative path, an absolute one, a file, and a glob (S105 S110 K14)', async () => {
    await workspace.write({ 'src/a.ts': 'x', 'src/deep/b.tsx': 'x', 'src/c.js': 'x', 'other/d.ts': 'x' });
    expect(hits(await find({ pattern: 'x', path: 'src', glob: '*.ts' }))).toEqual(['src/a.ts:1']);
    expect(hits(await find({ pattern: 'x', glob: '**/*.{ts,tsx}' }))).toEqual([
      'other/d.ts:1',
      'src/a.ts:1',
      'src/deep/b.tsx:1',
    ]);
    expect(hits(await find({ pattern: 'x', path: workspace.path('src/c.js') }))).toEqual(['src/c.js:1']);
    expect(hits(await find({ pattern: 'x', path: 'src', glob: 'src/**/*.tsx' }))).toEqual(['src/deep/b.tsx:1']);
    expect(hits(await find({ pattern: 'x', glob: '!*.ts' }))).toEqual(['src/c.js:1', 'src/deep/b.tsx:1']);
  });

  it('takes an absolute glob that goes through a link to the workspace', async () => {
    await workspace.write({ 'src/a.ts': 'x', 'src/deep/b.ts': 'x', 'c.ts': 'x', inner: { linkTo: 'src' } });
    const elsewhere = await createTempWorkspace({ link: { linkTo: workspace.root } });
    const link = elsewhere.path('link');
    expect(hits(await find({ pattern: 'x', glob: `${link}/src/**/*.ts` }))).toEqual(['src/a.ts:1', 'src/deep/b.ts:1']);
    expect(hits(await find({ pattern: 'x', glob: `${link}/*.ts` }))).toEqual(['c.ts:1']);
    expect(hits(await find({ pattern: 'x', glob: `!${link}/src` }))).toEqual(['c.ts:1']);
    expect(hits(await find({ pattern: 'x', glob: workspace.path('inner/*.ts') }))).toEqual(['src/a.ts:1']);
    await elsewhere.remove();
  });

  it('searches hidden files, never .git, never through links, and skips what is ignored (S108)', async () => {
    await workspace.write({
      '.gitignore': 'out\n*.log\n!keep.log\n',
      '.qwenignore': 'secrets/\n',
      '.github/ci.yml': 'needle',
      '.git/config': 'needle',
      'out/a': 'needle',
      'b.log': 'needle',
      'keep.log': 'needle',
      'pkg/.gitignore': '!out\n',
      'pkg/out/c': 'needle',
      'secrets/key': 'needle',
      link: { linkTo: 'secrets/key' },
      'link-folder': { linkTo: 'secrets' },
    });
    const result = await find({ pattern: 'needle' });
    expect(hits(result)).toEqual(['.github/ci.yml:1', 'keep.log:1', 'pkg/out/c:1']);
    expect(textOf(result)).toContain(
      '2 entries ignored by .gitignore, 1 entry ignored by .qwenignore, 2 symbolic links',
    );
    expect(hits(await find({ pattern: 'needle', path: 'pkg' }))).toEqual(['pkg/out/c:1']);
    expect(hits(await find({ pattern: 'needle', path: 'out' }))).toEqual(['out/a:1']);
  });

  it('lists the most recently modified file first and cuts at the limit with exact totals (S105)', async () => {
    await workspace.write({ 'a.txt': 'x\nx\nx\n', 'b.txt': 'x\nx\n', 'c.txt': 'x\n' });
    setTimes('a.txt', 'c.txt', 'b.txt');
    const result = await find({ pattern: 'x', limit: 4 });
    expect(dataOf(result).files.map(({ path, matches }) => [path, matches.length])).toEqual([
      [workspace.path('b.txt'), 2],
      [workspace.path('c.txt'), 1],
      [workspace.path('a.txt'), 1],
    ]);
    expect(textOf(result)).toContain('Found 6 matches in 3 files');
    expect(textOf(result)).toContain('[Page: 1-4 of 6 matches. Next: offset=4; or narrow pattern, path or glob.]');
  });

  it('takes a pattern that begins with a dash, and file names that look like options or results', async () => {
    await workspace.write({ '-e': '--files', 'a\n:12: b.txt': '--files', 'x:12:y': '--files', '-': '--files' });
    const result = await find({ pattern: '--files' });
    expect(hits(result)).toEqual(['-:1', '-e:1', 'a\n:12: b.txt:1', 'x:12:y:1']);
    expect(textOf(result)).toContain(`\n${JSON.stringify(workspace.path('a\n:12: b.txt'))}\n1: --files`);
  });

  it('reads UTF-8 with and without BOM, UTF-16, CRLF and broken bytes', async () => {
    await workspace.write({
      'plain.txt': 'Grüße wörld\n',
      'bom.txt': '\uFEFFwörld\n',
      'utf16.txt': Buffer.from('\uFEFFerste\nwörld\n', 'utf16le'),
      'crlf.txt': 'a\r\nhello wörld\r\n',
      'broken.txt': Buffer.concat([
        Buffer.from('w\u00f6rld '),
        bytes('\xff\n'),
        Buffer.from('größer über süß\n'.repeat(20)),
      ]),
    });
    const result = await find({ pattern: 'WÖRLD' });
    expect(hits(result)).toEqual(['bom.txt:1', 'broken.txt:1', 'crlf.txt:2', 'plain.txt:1', 'utf16.txt:2']);
    const lines = dataOf(result).files.map(({ matches }) => matches[0]?.text ?? '');
    expect(lines.sort((a, b) => (a < b ? -1 : 1))).toEqual([
      'Grüße wörld',
      'hello wörld',
      'wörld',
      'wörld',
      'wörld \uFFFD',
    ]);
    expect(hits(await find({ pattern: '^wörld$' }))).toEqual(['bom.txt:1', 'utf16.txt:2']);
    expect(hits(await find({ pattern: 'hello w\\w+d$' }))).toEqual(['crlf.txt:2']);
  });

  it('searches what is text in any encoding that can be read, and counts what cannot be (S108)', async () => {
    const text = 'one\n検索 needle\n';
    await workspace.write({
      'utf-32le': encodeInto(`\ufeff${text}`, 'utf-32le'),
      'utf-32be': encodeInto(`\ufeff${text}`, 'utf-32be'),
      'utf-16le': encodeInto(`\ufeff${text}`, 'utf-16le'),
      'utf-16be-cut': Buffer.concat([encodeInto(`\ufeff${text}`, 'utf-16be'), bytes('x')]),
      'utf-8-damaged': Buffer.concat([bytes('\xef\xbb\xbf\xff'), Buffer.from(text)]),
      jis: encodeJis(text),
      coloured: '\x1b[31mone\x1b(B\x1b[m\n検索 needle\n',
      short: 'needle=1\0\n',
      // `SEARCH FOR THE NEEDLE IN THE HAYSTACK`
      ebcdic: Buffer.from(
        'e2c5c1d9c3c840c6d6d940e3c8c540d5c5c5c4d3c540c9d540e3c8c540c8c1e8e2e3c1c3d215'.repeat(2),
        'hex',
      ),
      'utf-32-damaged': bytes(`\xff\xfe\0\0${'needle!!'.repeat(4)}`),
    });
    const names = ['coloured', 'jis', 'utf-16be-cut', 'utf-16le', 'utf-32be', 'utf-32le', 'utf-8-damaged'];
    for (const pattern of ['検索 needle', '検.\\sneedle', '(?-i)needle$']) {
      const result = await find({ pattern });
      expect(hits(result)).toEqual(names.map((name) => `${name}:2`));
      expect(textOf(result)).toContain('(Searched 7 files. Not searched: 1 binary file, 2 files not decodable.)');
    }
    expect(textOf(await find({ pattern: '.', path: 'ebcdic' }))).toMatch(
      /^Nothing could be searched for .*\n\(Not searched: 1 file not decodable\.\)$/,
    );
  });

  it('shows every path so that it can be given back', async () => {
    const names = [
      'a ',
      'b\nc',
      '"d"',
      'e\\n',
      'f\u00a0',
      'g:12:h',
      'i (2 matches)',
      "j'k",
      'l\t',
      '-m',
      'n\u202eo',
      ' p',
    ];
    await workspace.write(Object.fromEntries(names.map((name) => [`d/${name}`, 'needle\nneedle\n'])));
    const readBack = (line: string): string => (line.startsWith('"') ? (JSON.parse(line) as string) : line);
    const expected = names.map((name) => workspace.path(`d/${name}`)).sort();
    const heads = textOf(await find({ pattern: 'needle' }))
      .split('\n')
      .filter((line) => /^"?\//.test(line));
    expect(heads.map(readBack).sort()).toEqual(expected);
    const counted = textOf(await find({ pattern: 'needle', output_mode: 'files' })).split('\n');
    const paths = counted.flatMap((line) => /^(.*) \(2 matches\)$/.exec(line)?.[1] ?? []);
    expect(paths.map(readBack).sort()).toEqual(expected);
    for (const path of paths.map(readBack)) {
      const again = await find({ pattern: 'needle', path });
      expect(dataOf(again).total).toBe(2);
    }
  });

  it('skips binary files and counts them', async () => {
    const large = Buffer.concat([Buffer.from([0, 1, 2]), Buffer.alloc(2 << 20, 'match ')]);
    await workspace.write({
      'a.bin': bytes('match\n\0\x01\x02\nmatch\n'),
      'big.bin': large,
      't.txt': 'match',
    });
    const result = await find({ pattern: 'match' });
    expect(hits(result)).toEqual(['t.txt:1']);
    expect(textOf(result)).toContain('(Searched 1 file. Not searched: 2 binary files.)');
    expect(dataOf(result).notSearched.binary).toBe(2);
  });

  it('cuts a long line around its match and says at which column it stands', async () => {
    await workspace.write({ 'min.js': `${'a'.repeat(4_000)}Needle${'b'.repeat(86_000)}\nshort needle\n` });
    const result = await find({ pattern: 'needle' });
    const [first, second] = dataOf(result).files[0]?.matches ?? [];
    expect(first?.text).toBe('a'.repeat(150) + 'Needle' + 'b'.repeat(344));
    expect(first).toMatchObject({ line: 1, column: 4_001, cutBefore: 3_850, cutAfter: 85_656 });
    expect(second).toMatchObject({ line: 2, column: 7, text: 'short needle' });
    expect(textOf(result)).toContain('… [long line cut; match at column 4,001 of 90,006]');
  });

  it.each([
    ['(foo', 'unclosed group', '(foo\n  ^', '\\(foo'],
    ['a)b', 'unopened group', 'a)b\n   ^', 'a\\)b'],
    ['x[a-', 'unclosed character class', 'x[a-\n   ^', 'x\\[a-'],
    ['a**(?<n>b)(?<n>c)', '', '', ''],
  ])('answers the pattern %s with an error that points at the place', async (pattern, reason, place, literal) => {
    await workspace.write({ 'a.txt': 'foo' });
    for (const path of ['.', 'a.txt']) {
      const result = await find({ pattern, path });
      expect(result.error?.type).toBe('invalid_pattern');
      expect(textOf(result)).toContain('Invalid regular expression: ');
      for (const part of [reason, place, literal]) expect(textOf(result)).toContain(part);
    }
  });

  it('refuses a bad pattern also where there is nothing to search', async () => {
    expect((await find({ pattern: '(' })).error?.type).toBe('invalid_pattern');
    expect(textOf(await find({ pattern: 'fine' }))).toMatch(/^No matches found for "fine" in .*: 0 files searched\.$/);
  });

  it.each([
    ['function\\s+\\w+', ['a.ts:1']],
    ['class\\s+(\\w+)\\s+extends', ['a.ts:2']],
    ['(?i)CLASS', ['a.ts:2']],
    ['(?-i)class', ['a.ts:2']],
    ['(?-i)CLASS', []],
    ['foo(?=Bar)', ['a.ts:1']],
    ['(?<!x)\\.test\\(', ['a.ts:3']],
    ['(?P<q>["\']).*\\.log', ['a.ts:4']],
    ['a\\-b\\_c', ['a.ts:4']],
    ['[[:digit:]]{3}', ['a.ts:5']],
    ['\\<ext', ['a.ts:2']],
    ['interface \\{', ['a.ts:6']],
    ['interface {', ['a.ts:6']],
    ['[^\\x{61}-z] [({]', ['a.ts:1']],
    ['^$', ['a.ts:7']],
    ['ünï\\w\\b', ['a.ts:8']],
  ])('understands %s', async (pattern, expected) => {
    await workspace.write({
      'a.ts': 'function fooBar() {}\nclass A extends B\nre.test(x)\n"a-b_c.log"\n123\nInterfacE {\n\nÜNÏt\n',
    });
    const result = await find({ pattern });
    expect(result.error).toBeUndefined();
    expect(hits(result)).toEqual(expected);
  });

  it('tells no match from an error and from a glob that matches no file', async () => {
    await workspace.write({ 'a.txt': 'x' });
    const none = await find({ pattern: 'nowhere' });
    expect(none.error).toBeUndefined();
    expect(textOf(none)).toBe(`No matches found for "nowhere" in ${workspace.root}: 1 file searched.`);
    expect(textOf(await find({ pattern: 'nowhere', glob: '{*.ts' }))).toContain('The "{" in "{*.ts" is never closed');
    expect(textOf(await find({ pattern: 'x', glob: '*.md' }))).toContain('none of the 1 file there matches the glob');
    const missing = await find({ pattern: 'x', path: 'a.tx' });
    expect(missing.error?.type).toBe('file_not_found');
    expect(textOf(missing)).toContain('a.txt');
  });

  it('ends at once when it is aborted', async () => {
    await workspace.write({ 'a.txt': 'a'.repeat(200_000) });
    const controller = new AbortController();
    const running = grep({ pattern: '(a|aa)+$' }, { engine }, controller.signal);
    controller.abort();
    expect((await running).error?.type).toBe('cancelled');
  });

  it('searches thousands of files in several batches', async () => {
    mkdirSync(workspace.path('many'));
    for (let index = 0; index < 100; index++) writeFileSync(workspace.path(`many/f${index}`), `number ${index}\n`);
    // Links cost a tenth of files.
    for (let index = 100; index < 9_000; index++)
      linkSync(workspace.path(`many/f${index % 100}`), workspace.path(`many/f${index}`));
    const result = await find({ pattern: 'number \\d*99$', limit: 2_000 });
    expect(dataOf(result)).toMatchObject({ total: 90, fileCount: 90, searchedFiles: 9_000 });
  }, 60_000);

  it('counts exactly, however much there is, and leaves room for every file', async () => {
    const lines = 'x\n'.repeat(30_000);
    for (let index = 0; index < 5; index++) await workspace.write({ [`f${index}`]: lines });
    await workspace.write({ small: 'x' });
    const result = await find({ pattern: 'x' });
    expect(dataOf(result)).toMatchObject({ total: 150_001, fileCount: 6, step: 'full' });
    const shown = dataOf(result).files.map(({ matches }) => matches.length);
    expect(shown.sort((a, b) => a - b)).toEqual([1, 39, 40, 40, 40, 40]);
    expect(textOf(result)).toMatch(/^Found 150,001 matches in 6 files/);
  });

  it('says which files could not be read', async () => {
    await workspace.write({ 'a.txt': 'x', 'b.txt': 'x' });
    chmodSync(workspace.path('b.txt'), 0);
    const result = await find({ pattern: 'x' });
    // A test that runs as root may read everything.
    if (hits(result).length === 1) expect(textOf(result)).toMatch(/1 file could not be searched: .*b\.txt: /);
    chmodSync(workspace.path('b.txt'), 0o600);
  });
});

describe('grep_search', () => {
  it('gives the same answer with both engines (S106)', async () => {
    const entries: Record<string, WorkspaceEntry> = { '.gitignore': '*.skip\n' };
    const words = ['alpha', 'Beta', 'gamma \u00e9t\u00e9', '', 'x'.repeat(700) + 'beta', 'b-e-t-a', '\tbeta'];
    for (let file = 0; file < 60; file++) {
      const lines = Array.from({ length: 20 }, (_, line) => words[(file + line) % words.length]);
      entries[`d${file % 5}/f${file}.${file % 9 === 0 ? 'skip' : 'txt'}`] = lines.join(file % 2 === 0 ? '\n' : '\r\n');
    }
    await workspace.write(entries);
    setTimes(...Object.keys(entries));
    for (const pattern of ['beta', '^$', 'b.?e', '\\bbeta$', 'ÉTÉ|alpha']) {
      const [first, second] = await Promise.all(
        engines.map(async (engine) => grep({ pattern, limit: 2_000 }, { engine })),
      );
      expect(textOf(first as ToolResult)).toBe(textOf(second as ToolResult));
      expect(dataOf(first as ToolResult).files).toEqual(dataOf(second as ToolResult).files);
      expect(dataOf(first as ToolResult).total).toBeGreaterThan(0);
    }
  });

  it('uses ripgrep where there is one (S106)', async () => {
    await workspace.write({ 'a.txt': 'x' });
    expect(dataOf(await grep({ pattern: 'x' })).engine).toBe('ripgrep');
    expect((await findRipgreps(config)).length).toBeGreaterThan(0);
  });

  it('starts no ripgrep that lies in the workspace or in a relative folder of PATH', async () => {
    await workspace.write({ 'bin/rg': '#!/bin/sh\nexit 0\n' });
    chmodSync(workspace.path('bin/rg'), 0o755);
    const outside = await createTempWorkspace({ rg: '#!/bin/sh\nexit 0\n' });
    chmodSync(outside.path('rg'), 0o755);
    await outside.write({ 'to-workspace/rg': { linkTo: workspace.path('bin/rg') } });
    const found = async (path: string): Promise<string[]> => {
      const other = await createTempConfig({ moreRoots: [workspace.root], childEnvironment: { PATH: path } });
      const programs = await findRipgreps(other.config);
      await other.remove();
      return programs;
    };
    const shipped = await found('');
    expect(await found(`${workspace.path('bin')}:bin:.:${outside.path('to-workspace')}`)).toEqual(shipped);
    expect(await found(`bin:${outside.root}`)).toEqual([...shipped, outside.path('rg')]);
    await outside.remove();
  });

  it('keeps what it found when a pattern takes for ever', async () => {
    await workspace.write({ 'a.txt': `ok aa!\n`, 'b/evil.txt': `${'a'.repeat(60)}b!\n` });
    const result = await grep({ pattern: '(a+)+$|ok' }, { engine: 'javascript', timeLimitMs: 700 });
    expect(hits(result)).toEqual(['a.txt:1']);
    expect(dataOf(result).stopped).toBe('time-limit');
    expect(textOf(result)).toMatch(/^Found at least 1 match in at least 1 file/);
    expect(textOf(result)).toContain('[Stopped at the time limit of 0.7 s');
  });

  it('is cancelled in the middle of a pattern that takes for ever', async () => {
    await workspace.write({ 'evil.txt': `${'a'.repeat(60)}b!\n` });
    const controller = new AbortController();
    const start = performance.now();
    setTimeout(() => controller.abort(), 200);
    const result = await grep({ pattern: '(a+)+$' }, { engine: 'javascript' }, controller.signal);
    expect(result.error?.type).toBe('cancelled');
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('calls a time limit without any match an error of its own', async () => {
    await workspace.write({ 'evil.txt': `${'a'.repeat(60)}b!\n` });
    const result = await grep({ pattern: '(a+)+$' }, { engine: 'javascript', timeLimitMs: 500 });
    expect(result.error?.type).toBe('timed_out');
    expect(textOf(result)).not.toContain('No matches');
  });

  it('refuses places outside and ignored ones in the words of the specification (S60 S61 S62 S63 K13)', async () => {
    await workspace.write({ '.qwenignore': 'secret\n', 'secret/a': 'x' });
    symlinkSync('/etc', join(workspace.root, 'etc'));
    const message = async (path: string): Promise<string> => textOf(await grep({ pattern: 'x', path }));
    expect(await message('/etc')).toContain('Path must be within workspace: /etc');
    expect(await message('../..')).toContain('Path must be within workspace: ');
    expect(await message('etc')).toContain('Path must be within workspace: ');
    expect(await message('secret')).toContain(`Path is ignored by .qwenignore: ${workspace.path('secret')}`);
    expect((await grep({ pattern: 'x', path: 'secret/a' })).error?.type).toBe('path_ignored');
    expect((await grep({ pattern: 'x', path: '/etc' })).error?.type).toBe('path_not_in_workspace');
    expect((await grep({ pattern: '\0', path: '/etc' })).error?.type).toBe('invalid_tool_params');
  });

  it('takes a slash at the end to mean a folder', async () => {
    await workspace.write({ 'file.txt': 'x', 'dir/a': 'x' });
    expect((await grep({ pattern: 'x', path: 'file.txt/' })).error?.type).toBe('path_is_not_a_directory');
    expect((await grep({ pattern: 'x', path: 'dir/' })).error).toBeUndefined();
  });

  it('states that it reads a place that is not there, so that nothing makes it meanwhile', () => {
    const path = workspace.path('none');
    expect(new GrepTool(config).build({ pattern: 'x', path: 'none' }).effects?.()).toEqual([
      { kind: 'read', path, requested: path, zone: 'workspace' },
    ]);
  });

  it('may search the temp folder of the project (K15 S65)', async () => {
    await temp.write({ 'output.txt': 'spilled line' });
    expect(textOf(await grep({ pattern: 'SPILLED', path: temp.path('output.txt') }))).toContain('1: spilled line');
  });

  it('refuses patterns that cannot match a line', async () => {
    expect((await grep({ pattern: 'a\nb' })).error?.message).toContain('line break');
    expect((await grep({ pattern: 'a\0b' })).error?.message).toContain('NUL');
  });

  it('says in one line what it does, where, and which effect that has, and needs no confirmation (S112)', async () => {
    await workspace.write({ 'src/a.ts': 'x' });
    const tool = new GrepTool(config);
    const invocation = tool.build({ pattern: 'TODO', path: 'src', glob: '*.ts' });
    expect(invocation.getDescription()).toBe("'TODO' in src/*.ts");
    expect(tool.getDescription({ pattern: 'TODO' })).toBe("'TODO'");
    expect(invocation.toolLocations?.()).toEqual([{ path: workspace.path('src') }]);
    const place = { kind: 'read', path: workspace.path('src'), requested: workspace.path('src'), zone: 'workspace' };
    expect(await invocation.effects?.()).toEqual([{ ...place, scope: 'tree' }]);
    expect(await tool.build({ pattern: 'x', path: 'src/a.ts' }).effects?.()).toEqual([
      { ...place, path: workspace.path('src/a.ts'), requested: workspace.path('src/a.ts') },
    ]);
    expect(await invocation.shouldConfirmExecute?.(new AbortController().signal)).toBe(false);
    expect(tool.kind).toBe('read');
  });

  it('describes itself in few characters', () => {
    const { name, description, schema } = new GrepTool(config);
    expect(JSON.stringify({ name, description, schema }).length).toBeLessThanOrEqual(2_200);
  });
});
