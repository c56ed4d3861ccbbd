import { existsSync, lstatSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { PathEffect } from '../effects/effect.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import { decide } from '../policy/decide.js';
import type { Rule, RuleList } from '../policy/rule.js';
import type { Decision, PolicyContext } from '../policy/verdict.js';
import { readRulesOf } from '../policy/withheld-below.js';
import { createTempConfig } from '../testing/temp-config.js';
import { EditTool } from './edit.js';
import { GlobTool, type GlobData } from './glob.js';
import { GrepTool, type GrepData, type GrepToolParams } from './grep.js';
import { LSTool, type ListDirectoryData } from './ls.js';
import { ReadFileTool } from './read-file.js';
import { ReadManyFilesTool } from './read-many-files.js';
import type { BaseTool, ToolResult } from './tools.js';

let rules: readonly Rule[] = [];
const { config, workspace, reset, remove } = await createTempConfig({
  readRules: readRulesOf(() => ({ rules, roots: config.getWorkspaceGate().roots, home: '/home/ann' })),
});
const grep = new GrepTool(config);
const plainGrep = new GrepTool(config, { engine: 'javascript' });
const glob = new GlobTool(config);
const ls = new LSTool(config);
const readMany = new ReadManyFilesTool(config);

afterEach(async () => {
  rules = [];
  await reset();
});
afterAll(remove);

function setRules(lists: Partial<Record<RuleList, readonly string[]>>): void {
  rules = (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (lists[list] ?? []).map((text): Rule => ({ list, text, origin: 'user settings' })),
  );
}

function context(): PolicyContext {
  return { mode: ApprovalMode.DEFAULT, roots: config.getWorkspaceGate().roots, home: '/home/ann', rules };
}

/** What the policy says to a call, and what the call answers. */
async function call<T extends object>(tool: BaseTool<T>, params: T): Promise<ToolResult & { decision: Decision }> {
  const invocation = tool.build(params);
  const { decision } = decide({ toolName: tool.name, effects: (await invocation.effects?.()) ?? [] }, context());
  return { ...(await invocation.execute(new AbortController().signal)), decision };
}

const textOf = ({ llmContent }: ToolResult): string => JSON.stringify(llmContent);
const relative = (path: string): string => path.slice(workspace.root.length + 1);
const find = async (params: Partial<GrepToolParams> = {}) => call(grep, { pattern: 'needle', ...params });

describe('what rules keep from being read', () => {
  const entries = {
    '.env': 'needle of env',
    'sub/.ENV': 'needle of upper env',
    'sub/deep/.env': 'needle of deep env',
    'secrets/key': 'needle of key',
    'secrets/more/key': 'needle of more',
    'a.ts': 'needle of a',
    'sub/b.ts': 'needle of b',
  };

  it('is left out of a search, and told by rule', async () => {
    await workspace.write(entries);
    setRules({ deny: ['Read(.env)'], ask: ['Read(secrets/**)'] });
    const result = await find();
    expect(result.decision).toBe('allow');
    const text = textOf(result);
    expect(text).toContain('Found 2 matches in 2 files');
    expect(text).toContain(
      '(Left out by rules: 3 files denied by rule Read(.env) (user settings); ' +
        '1 folder that rule Read(secrets/**) (user settings) asks about: give its own path and the user is asked.)',
    );
    expect(text).not.toMatch(/env"|of env|of deep|of upper|of key|of more|secrets\/key/);
    const { total, searchedFiles, leftOutByRules } = result.data as GrepData;
    expect([total, searchedFiles]).toEqual([2, 2]);
    expect(leftOutByRules).toEqual([
      { list: 'deny', rule: 'Read(.env)', origin: 'user settings', files: 3, folders: 0 },
      { list: 'ask', rule: 'Read(secrets/**)', origin: 'user settings', files: 0, folders: 1 },
    ]);
  });

  it('is left out of names, listings and joined files as well', async () => {
    await workspace.write(entries);
    setRules({ deny: ['Read(.env)', 'Read(secrets/**)'] });
    const left = '3 files denied by rule Read(.env) (user settings); 1 folder denied by rule Read(secrets/**)';
    const found = await call(glob, { pattern: '**/*' });
    expect((found.data as GlobData).files.map(relative).sort()).toEqual(['a.ts', 'sub/b.ts']);
    expect((found.data as GlobData).total).toBe(2);
    const listed = await call(ls, { path: workspace.root, depth: 5, details: true });
    expect((listed.data as ListDirectoryData).entries.map(({ name }) => name).sort()).toEqual([
      'a.ts',
      'sub',
      'sub/b.ts',
      'sub/deep',
    ]);
    expect((listed.data as ListDirectoryData).totals).toEqual({ folders: 2, files: 2, isExact: true });
    expect(textOf(listed)).toContain('[DIR] deep (0 entries, 1 left out)');
    const joined = await call(readMany, { paths: ['.'] });
    expect(textOf(joined)).toContain('Read 2 files.');
    for (const result of [found, listed, joined]) {
      expect(result.decision).toBe('allow');
      expect(textOf(result)).toContain(left);
      expect(textOf(result)).not.toMatch(/of env|of key|secrets\/key|\.ENV/);
    }
    const flat = await call(ls, { path: workspace.root });
    expect(textOf(flat)).toContain('(Left out by rules: 1 file denied by rule Read(.env)');
    expect(textOf(flat)).not.toContain('[DIR] secrets');
  });

  it('changes nothing where there is no such rule', async () => {
    await workspace.write(entries);
    const calls = async (): Promise<unknown[]> => {
      const results = [
        await find(),
        await call(glob, { pattern: '**' }),
        await call(ls, { path: workspace.root, depth: 3 }),
        await call(readMany, { paths: ['.'] }),
      ];
      return results.map(({ llmContent, data }) => JSON.stringify([llmContent, data]).replaceAll(/"tookMs":\d+/g, ''));
    };
    const plain = await calls();
    setRules({ allow: ['Read(.env)'], deny: ['Edit(.env)', 'Bash(cat *)'] });
    expect(await calls()).toEqual(plain);
    expect(plain.join()).not.toContain('Left out by rules');
  });

  it('is denied or asked about as before when it is named', async () => {
    await workspace.write(entries);
    await workspace.write({ shown: { linkTo: '.env' }, pub: { linkTo: 'secrets' } });
    setRules({ deny: ['Read(.env)'], ask: ['Read(secrets/**)'] });
    const decisions = async (params: readonly Partial<GrepToolParams>[]): Promise<Decision[]> =>
      Promise.all(params.map(async (each) => (await find(each)).decision));
    expect(await decisions([{ path: '.env' }, { path: 'shown' }, { path: 'sub/.ENV' }])).toEqual(Array(3).fill('deny'));
    expect(await decisions([{ glob: '.env' }, { glob: '**/.env' }, { glob: ['{.env,.ENV}', '!x'] }])).toEqual(
      Array(3).fill('deny'),
    );
    expect(await decisions([{ path: 'secrets' }, { path: 'pub' }, { glob: 'secrets/key' }])).toEqual(
      Array(3).fill('ask'),
    );
    expect(await decisions([{ glob: '.env*' }, { glob: ['.env', 'a.ts'] }, { glob: '!.env' }])).toEqual(
      Array(3).fill('allow'),
    );
    expect((await call(glob, { pattern: ['./.env', 'sub/.ENV'] })).decision).toBe('deny');
    expect((await call(glob, { pattern: `${workspace.root}/secrets/key` })).decision).toBe('ask');
    expect((await call(readMany, { paths: ['a.ts', '.env'] })).decision).toBe('deny');
    expect((await call(readMany, { paths: ['{.env,sub/.env}'] })).decision).toBe('deny');
    expect((await call(ls, { path: workspace.path('secrets') })).decision).toBe('ask');
  });

  it('is read after all when an ask rule was answered with the very place or file', async () => {
    await workspace.write(entries);
    setRules({ deny: ['Read(more)'], ask: ['Read(secrets/**)', 'Read(key)'] });
    const inside = await find({ path: 'secrets' });
    expect(inside.decision).toBe('ask');
    expect((inside.data as GrepData).files).toEqual([]);
    expect(textOf(inside)).toContain('1 file that rule Read(key) (user settings) asks about');
    expect(textOf(inside)).toContain('1 folder denied by rule Read(more)');
    const named = await find({ path: 'secrets', glob: 'key' });
    expect((named.data as GrepData).files.map(({ path }) => relative(path))).toEqual(['secrets/key']);
    const listed = await call(glob, { pattern: 'secrets/key' });
    expect(listed.decision).toBe('ask');
    expect((listed.data as GlobData).files.map(relative)).toEqual(['secrets/key']);
  });

  it('gives no hint of matches in it', async () => {
    await workspace.write({ '.gitignore': '.env\nout', '.env': 'hay', 'out/.env': 'hay', 'out/x': 'straw', a: 'b' });
    setRules({ deny: ['Read(.env)'] });
    const result = await find({ pattern: 'hay' });
    expect(textOf(result)).toContain('No matches found');
    expect(textOf(result)).not.toContain('ignored by .gitignore ha');
    expect(textOf(await find({ pattern: 'straw' }))).toContain('1 file ignored by .gitignore has some');
    const loose = await call(glob, { pattern: '.ENV?' });
    expect(textOf(loose)).not.toContain('would match');
    expect(textOf(await call(glob, { pattern: '*.E*' }))).not.toContain('would match');
  });

  it('is named by no hint where something was looked for in vain', async () => {
    await workspace.write({ '.env': '', 'secrets/key': '', 'sub/secret-key': '', shown: { linkTo: '.env' }, open: '' });
    setRules({ deny: ['Read(.env)', 'Read(secrets/**)', 'Read(*-key)'] });
    const missed = ['.enw', 'secret', 'showm', 'opem'];
    for (const name of missed) {
      const path = workspace.path(name);
      const results = [
        await find({ path: name }),
        await call(glob, { pattern: '*', path: name }),
        await call(ls, { path }),
        await call(new ReadFileTool(config), { absolute_path: path }),
        await call(new EditTool(config), { file_path: path, old_string: 'a', new_string: 'b' }),
      ];
      for (const result of results) {
        expect(textOf(result)).toContain(`not found: ${path}.`);
        expect(textOf(result)).not.toMatch(/(?:names in .*|spelled .*)(?:\.env|secrets|shown)/);
        expect(textOf(result).includes(': open.')).toBe(name === 'opem');
      }
    }
    const elsewhere = await call(new ReadFileTool(config), { absolute_path: workspace.path('secret-key') });
    expect(textOf(elsewhere)).not.toContain('of that name');
  });

  it('tells the same of folders whatever a glob says of their names', async () => {
    await workspace.write({ 'a-secret/x': '', 'other/y': '', 'to-secret': { linkTo: 'a-secret' } });
    setRules({ deny: ['Read(*-secret/**)'] });
    const told = async (pattern: string): Promise<unknown> => {
      const { data, llmContent } = await call(glob, { pattern });
      expect(llmContent).not.toMatch(/is a folder|through a link/);
      return (data as GlobData).leftOutByRules;
    };
    const all = await told('zz*/x');
    expect(all).toMatchObject([{ folders: 1 }]);
    for (const pattern of ['a*/x', 'a-secret/*', 'a-secret/', 'to-secret/*']) expect(await told(pattern)).toEqual(all);
  });

  it('keeps pages exact, and begins anew when the rules change', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}.txt`, 'needle']));
    await workspace.write({ ...many, 'f3.env': 'needle', 'g/f4.env': 'needle' });
    setRules({ deny: ['Read(*.env)'] });
    const pages = [];
    for (const offset of [0, 10, 20, 30]) pages.push(await find({ limit: 10, offset }));
    const data = pages.map((page) => page.data as GrepData);
    expect(data.map(({ total, next }) => [total, next])).toEqual([
      [30, 10],
      [30, 20],
      [30, undefined],
      [30, undefined],
    ]);
    expect(new Set(data.flatMap(({ files }) => files.map(({ path }) => path))).size).toBe(30);
    for (const page of pages) expect(textOf(page)).toContain('2 files denied by rule Read(*.env)');
    setRules({ deny: ['Read(*.env)', 'Read(f1*)'] });
    expect(((await find({ limit: 10, offset: 10 })).data as GrepData).total).toBe(19);
  });
});

describe('by whatever rules, in whatever tree', () => {
  const name = fc.constantFrom('a', 'b.ts', '.env', '.ENV', 'key.pem', 'secrets', 'src', 'é', 'e\u0301', 'x y');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const segment = fc.constantFrom('*', '**', '*.pem', '.env*', 'a', '.env', 'secrets', 'SRC', '?', 'b.ts', 'É');
  const pattern = fc
    .tuple(fc.constantFrom('', '', '/'), fc.array(segment, { minLength: 1, maxLength: 2 }), fc.constantFrom('', '/**'))
    .map(([start, segments, end]) => start + segments.join('/') + end);
  const rule = fc
    .tuple(
      fc.constantFrom<RuleList>('deny', 'deny', 'ask', 'allow'),
      fc.constantFrom('Read', 'Read', 'grep_search'),
      pattern,
    )
    .map(([list, subject, text]): Rule => ({ list, text: `${subject}(${text})`, origin: 'test' }));

  /** Files and links that were really made; what is in the way of something else is not. */
  function make(files: readonly string[], links: readonly (readonly [string, string])[]): string[] {
    const made = (place: string, create: (at: string) => void): boolean => {
      try {
        mkdirSync(dirname(workspace.path(place)), { recursive: true });
        create(workspace.path(place));
        return true;
      } catch {
        return false;
      }
    };
    const all = files.filter((file) => made(file, (at) => writeFileSync(at, `needle ${file}#\n`)));
    for (const [link, target] of links)
      if (!existsSync(workspace.path(link)) && made(link, (at) => symlinkSync(workspace.path(target), at)))
        all.push(link);
    return [...new Set(all)].filter((each) => {
      try {
        if (!statSync(workspace.path(each)).isFile()) return false;
      } catch {
        return false;
      }
      return realpathSync(dirname(workspace.path(each))) === dirname(workspace.path(each));
    });
  }

  function mayRead(toolName: string, file: string, all: readonly Rule[]): boolean {
    const requested = workspace.path(file);
    const effect: PathEffect = { kind: 'read', path: realpathSync(requested), requested, zone: 'workspace' };
    return decide({ toolName, effects: [effect] }, { ...context(), rules: all }).decision === 'allow';
  }

  it('no content, name or count of a file that may not be read is told, and of all others everything (property)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(path, { minLength: 1, maxLength: 14 }),
        fc.array(fc.tuple(path, path), { maxLength: 3 }),
        fc.array(rule, { minLength: 1, maxLength: 3 }),
        async (files, links, generated) => {
          await reset();
          rules = generated;
          const made = make(files, links);
          const isLink = (file: string): boolean => lstatSync(workspace.path(file)).isSymbolicLink();
          const plain = made.filter((file) => !isLink(file));
          const open = (tool: BaseTool, among = plain): string[] =>
            among.filter((file) => mayRead(tool.name, file, generated)).sort();
          for (const tool of [grep, plainGrep]) {
            const result = await call(tool, { pattern: 'needle', context: 0 });
            if (result.decision !== 'allow') return;
            const data = result.data as GrepData;
            const allowed = open(tool);
            expect(data.files.map((file) => relative(file.path)).sort()).toEqual(allowed);
            expect([data.total, data.searchedFiles]).toEqual([allowed.length, allowed.length]);
            for (const file of plain)
              expect(textOf(result).includes(JSON.stringify(`needle ${file}#`).slice(1, -1))).toBe(
                allowed.includes(file),
              );
          }
          const found = await call(glob, { pattern: '**' });
          expect((found.data as GlobData).files.map(relative).sort()).toEqual(open(glob, made));
          expect((found.data as GlobData).total).toBe(open(glob, made).length);
          const listed = (await call(ls, { path: workspace.root, depth: 5, details: true })).data as ListDirectoryData;
          const shown = listed.entries.filter(({ kind, target }) => kind === 'file' && target === undefined);
          expect(shown.map((entry) => entry.name).sort()).toEqual(open(ls));
          for (const entry of listed.entries.filter(({ target, note }) => target !== undefined && note === undefined))
            expect(mayRead(ls.name, entry.name, generated)).toBe(true);
          const joined = await call(readMany, { paths: ['.'] });
          const { read = [] } = (joined.data ?? {}) as { read?: string[] };
          expect(read.map(relative).sort()).toEqual(open(readMany));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('a place that is reached through a link is judged by both of its paths', async () => {
    await workspace.write({ 'real/a': 'needle', 'real/b': 'needle', alias: { linkTo: 'real' } });
    setRules({ deny: ['Read(alias/a)', 'Read(real/b)'] });
    const result = await find({ path: join(workspace.root, 'alias') });
    expect(result.decision).toBe('allow');
    expect((result.data as GrepData).total).toBe(0);
    expect(((await find({ path: 'real' })).data as GrepData).total).toBe(1);
  });
});
