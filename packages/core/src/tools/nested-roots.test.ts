import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rule } from '../policy/rule.js';
import { readRulesOf } from '../policy/withheld-below.js';
import { createTempConfig } from '../testing/temp-config.js';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { GlobTool, type GlobData } from './glob.js';
import { GrepTool, type GrepData } from './grep.js';
import { LSTool, type ListDirectoryData } from './ls.js';
import { ReadManyFilesTool } from './read-many-files.js';

const outer = await createTempWorkspace({
  '.gitignore': 'inner\nvendor\n*.log\n',
  '.qwenignore': '*.key\n',
  'g.ts': 'needle\n',
  'g.log': 'needle\n',
  'inner/.gitignore': '*.tmp\n',
  'inner/a.ts': 'needle\n',
  'inner/a.log': 'needle\n',
  'inner/a.key': 'needle\n',
  'inner/b.tmp': 'needle\n',
  'plain/e.ts': 'needle\n',
  'plain/sub/f.log': 'needle\n',
  'vendor/d.ts': 'needle\n',
  'vendor/lib/c.ts': 'needle\n',
});
let rules: readonly Rule[] = [];
const roots = ['', 'inner', 'plain', 'vendor/lib'].map((path) => join(outer.root, path));
const { config, remove } = await createTempConfig({
  moreRoots: roots,
  readRules: readRulesOf(() => ({ rules, roots, home: '/home/ann' })),
});
const never = new AbortController().signal;
afterAll(async () => {
  await remove();
  await outer.remove();
});

const below = (paths: readonly string[]): string[] => paths.map((path) => path.slice(outer.root.length + 1)).sort();

async function grepped(more: object = {}): Promise<{ readonly files: string[]; readonly text: unknown }> {
  const result = await new GrepTool(config).execute({ pattern: 'needle', output_mode: 'files', ...more }, never);
  return { files: below((result.data as GrepData).files.map(({ path }) => path)), text: result.llmContent };
}

async function globbed(pattern: string | string[], path?: string): Promise<{ files: string[]; total: number }> {
  const result = await new GlobTool(config).execute({ pattern, ...(path !== undefined && { path }) }, never);
  const { files, total } = result.data as GlobData;
  return { files: below(files), total };
}

const SHOWN = ['g.ts', 'inner/a.key', 'inner/a.log', 'inner/a.ts', 'plain/e.ts', 'plain/sub/f.log', 'vendor/lib/c.ts'];
const TYPESCRIPT = ['g.ts', 'inner/a.ts', 'plain/e.ts', 'vendor/lib/c.ts'];

describe.each(['no repository', 'a repository'])('a workspace root in another one, in %s', (place) => {
  const isRepository = place === 'a repository';
  // In a repository the files above a root count too, unless they hide the root itself.
  const shown = isRepository ? SHOWN.filter((path) => path !== 'plain/sub/f.log') : SHOWN;
  beforeAll(() => {
    if (isRepository) execFileSync('git', ['init', '-q', outer.root]);
  });

  it('is searched by its own rules, whatever those of the other say, and each file once', async () => {
    for (const more of [{}, {}, { path: outer.root }]) {
      const { files, text } = await grepped(more);
      expect(files).toEqual(shown);
      expect(text).toContain(`Found ${shown.length} matches in ${shown.length} files`);
      expect(text).toContain(`Not searched: ${isRepository ? 4 : 3} entries ignored by .gitignore`);
    }
    expect((await grepped({ include_ignored: true })).files).toHaveLength(10);
    expect((await grepped({ path: join(outer.root, 'vendor') })).files).toEqual(['vendor/d.ts', 'vendor/lib/c.ts']);
  });

  it('is looked into for names, by patterns that are relative to it as well', async () => {
    expect(await globbed('**/*.ts')).toMatchObject({ files: TYPESCRIPT, total: 4 });
    expect(await globbed('*.ts')).toMatchObject({ files: TYPESCRIPT, total: 4 });
    expect(await globbed('**/*.ts', outer.root)).toMatchObject({ files: TYPESCRIPT, total: 4 });
    expect(await globbed('inner/*.ts')).toMatchObject({ files: ['inner/a.ts'], total: 1 });
    expect(await globbed([`${outer.root}/**/*.ts`, `${outer.root}/inner/*.ts`])).toMatchObject({ total: 4 });
    expect(await globbed(['**/*.ts', '!vendor'])).toMatchObject({ total: 3 });
  });

  it('is what globs of contents are relative to as well, unless a path is named', async () => {
    expect((await grepped({ glob: 'lib/*.ts' })).files).toEqual([]);
    expect((await grepped({ glob: 'sub/*.log', include_ignored: true })).files).toEqual(['plain/sub/f.log']);
    expect((await grepped({ glob: '/a.{ts,log}' })).files).toEqual(['inner/a.log', 'inner/a.ts']);
    expect((await grepped({ glob: ['*.ts', '!/a.ts'] })).files).toEqual(['g.ts', 'plain/e.ts', 'vendor/lib/c.ts']);
    expect((await grepped({ glob: 'plain/*.ts' })).files).toEqual(['plain/e.ts']);
    expect((await grepped({ glob: '/a.*', path: outer.root })).files).toEqual([]);
    expect((await grepped({ glob: `${outer.root}/a.*` })).files).toEqual([]);
  });

  it('is looked into where a glob names one of its files that must be asked for', async () => {
    rules = [{ list: 'ask', text: 'Read(**/f.log)', origin: 'user settings' }];
    const asked = async (tool: GrepTool | GlobTool, params: object): Promise<unknown> =>
      tool.build({ pattern: 'needle', ...params }).effects?.();
    const named = expect.arrayContaining([expect.objectContaining({ path: join(outer.root, 'plain/sub/f.log') })]);
    expect(await asked(new GlobTool(config), { pattern: 'sub/f.log' })).toEqual(named);
    expect(await asked(new GrepTool(config), { glob: 'sub/f.log' })).toEqual(named);
    expect(await asked(new GrepTool(config), { glob: 'sub/f.log', path: outer.root })).not.toEqual(named);
    rules = [];
  });

  it('is listed, and read with the other', async () => {
    const list = new LSTool(config);
    const { data } = await list.execute({ path: outer.root, depth: 2 }, never);
    const names = (data as ListDirectoryData).entries.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['inner', 'inner/a.log', 'inner/a.ts', 'plain/e.ts']));
    expect(names).not.toContain('inner/b.tmp');
    const { data: less } = await list.execute({ path: outer.root, depth: 2, ignore: ['inner'] }, never);
    expect((less as ListDirectoryData).entries.map(({ name }) => name)).not.toContain('inner');
    const read = await new ReadManyFilesTool(config).execute({ paths: [outer.root] }, never);
    const text = JSON.stringify(read.llmContent);
    for (const path of ['inner/a.log', 'vendor/lib/c.ts']) expect(text).toContain(join(outer.root, path));
    expect(text).not.toContain('d.ts');
  });

  it('is listed with the folders on the way to it, of which nothing else is shown where they are ignored', async () => {
    const list = async (more: object): Promise<ListDirectoryData> =>
      (await new LSTool(config).execute({ path: outer.root, ...more }, never)).data as ListDirectoryData;
    const inVendor = ({ entries }: ListDirectoryData): string[] =>
      entries.flatMap(({ name }) => (name.startsWith('vendor') ? [name] : []));
    const once = await list({});
    expect(inVendor(once)).toEqual(['vendor']);
    expect(inVendor(await list({ depth: 3 }))).toEqual(['vendor', 'vendor/lib', 'vendor/lib/c.ts']);
    expect(inVendor(await list({ depth: 2, respect_git_ignore: false }))).toContain('vendor/d.ts');
    expect(inVendor(await list({ depth: 2, ignore: ['vendor'] }))).toEqual([]);
    // What is hidden in such a folder is counted where it is looked into.
    expect((await list({ depth: 2 })).leftOut.gitIgnore).toBe(once.leftOut.gitIgnore + 2);
    const { entries } = await list({ details: true });
    expect(entries.find(({ name }) => name === 'vendor')).toMatchObject({ entries: 1, leftOut: 1 });
    expect(inVendor(await list({ path: join(outer.root, 'vendor') }))).toEqual([]);
    const named = await list({ path: join(outer.root, 'vendor') });
    expect(named.entries.map(({ name }) => name)).toEqual(['lib', 'd.ts']);
  });

  it('is left out with the folder that it is in, where a rule denies that', async () => {
    rules = [{ list: 'deny', text: 'Read(vendor/**)', origin: 'user settings' }];
    expect((await grepped()).files).toEqual(shown.filter((path) => !path.startsWith('vendor')));
    expect((await globbed('**/*.ts')).files).toEqual(TYPESCRIPT.filter((path) => !path.startsWith('vendor')));
    rules = [];
    expect((await grepped()).files).toEqual(shown);
  });
});

it('the way to a workspace root is listed where .qwenignore hides it, and nothing else of it', async () => {
  const hiding = await createTempWorkspace({ '.qwenignore': 'hidden', 'hidden/own/a.ts': '', 'hidden/b.ts': '' });
  const inner = await createTempConfig({ moreRoots: [hiding.root, hiding.path('hidden/own')] });
  const params = { path: hiding.root, depth: 3, respect_git_ignore: false };
  const { data } = await new LSTool(inner.config).execute(params, never);
  const names = (data as ListDirectoryData).entries.map(({ name }) => name);
  expect(names).toEqual(['hidden', 'hidden/own', 'hidden/own/a.ts', '.qwenignore']);
  await inner.remove();
  await hiding.remove();
});
