import { chmodSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { GlobTool } from './glob.js';
import { GrepTool, type GrepData } from './grep.js';
import { LSTool, type ListDirectoryData } from './ls.js';
import type { ToolResult } from './tools.js';

/** `nobody` on most systems; whatever it is, not the owner of what is closed here. */
const OTHER_USER = 65_534;
const isRoot = process.getuid?.() === 0;
const engines = ['auto', 'javascript'] as const;
const never = new AbortController().signal;

const { config, workspace, reset, remove } = await createTempConfig();
const tools = {
  list: new LSTool(config),
  glob: new GlobTool(config),
  auto: new GrepTool(config),
  javascript: new GrepTool(config, { engine: 'javascript' }),
};
const closed: string[] = [];

/** What is loaded with the first call need not be readable for another user. */
beforeAll(async () => {
  await workspace.write({ 'a.txt': 'needle' });
  await tools.list.execute({ path: workspace.root }, never);
  await tools.glob.execute({ pattern: '*.none' }, never);
  for (const engine of engines) await tools[engine].execute({ pattern: 'needle' }, never);
  await reset();
});
afterEach(async () => {
  for (const path of closed.splice(0)) chmodSync(path, 0o755);
  await reset();
});
afterAll(remove);

function close(name: string, mode: number): string {
  const path = workspace.path(name);
  chmodSync(path, mode);
  closed.push(path);
  return path;
}

/** Root may read everything, so it acts as another user meanwhile. */
async function withoutRights<T>(act: () => Promise<T>): Promise<T> {
  if (!isRoot) return act();
  chmodSync(workspace.root, 0o755);
  process.seteuid?.(OTHER_USER);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}

function textOf({ llmContent, error }: ToolResult): string {
  return error?.message ?? (typeof llmContent === 'string' ? llmContent : '');
}

// There are no modes where there are no users.
describe.skipIf(process.getuid === undefined)('a place that is closed', () => {
  it('and tells names only is listed as what it is, not as ignored', async () => {
    await workspace.write({ 'names/a.ts': '', 'names/b/c': '', 'd.ts': '', 'names/l': { linkTo: 'a.ts' } });
    const path = close('names', 0o444);
    const own = await withoutRights(async () => tools.list.execute({ path }, never));
    expect(textOf(own)).toBe(
      `Nothing to show in ${path}: every entry is left out.\n(Left out: 3 that cannot be looked at, for their folder may not be entered.)`,
    );
    expect((own.data as ListDirectoryData).leftOut).toEqual({ gitIgnore: 0, qwenIgnore: 0, ignore: 0, closed: 3 });
    const params = { path: workspace.root, depth: 2, details: true };
    const tree = await withoutRights(async () => tools.list.execute(params, never));
    expect(textOf(tree).split('\n').slice(1)).toEqual([
      '[DIR] names (may not be entered)',
      'd.ts (0 bytes)',
      '(Left out: 3 that cannot be looked at, for their folder may not be entered.)',
    ]);
  });

  it.each([0o744, 0o700])('has links into it that say so, not that they lead outside, with mode %o', async (mode) => {
    await workspace.write({ 'closed/a.ts': '', 'l.ts': { linkTo: 'closed/a.ts' }, 'out.ts': { linkTo: '/none/b.ts' } });
    close('closed', mode);
    const listed = await withoutRights(async () => tools.list.execute({ path: workspace.root }, never));
    expect(textOf(listed).split('\n').slice(1)).toEqual([
      '[DIR] closed',
      'l.ts -> closed/a.ts (may not be looked at)',
      'out.ts -> /none/b.ts (leads outside the workspace)',
    ]);
  });

  it('and tells names only has matches of glob that are left out', async () => {
    await workspace.write({ 'names/a.ts': '', 'b.ts': '' });
    close('names', 0o444);
    const found = await withoutRights(async () => tools.glob.execute({ pattern: '**/*.ts' }, never));
    expect(found.data).toMatchObject({ total: 1 });
    expect(textOf(found)).toContain('Left out: 1 match, gone meanwhile or not permitted');
  });

  it.each(engines)(
    'leads to an error where nothing else was to be searched, folder or file, with %s',
    async (engine) => {
      await workspace.write({ 'folder/a.txt': 'needle', 'file.txt': 'needle' });
      for (const path of [close('folder', 0), close('file.txt', 0)]) {
        const { error } = await withoutRights(async () => tools[engine].execute({ pattern: 'needle', path }, never));
        expect([path, error?.type]).toEqual([path, 'grep_execution_error']);
        expect(error?.message).toMatch(/^Nothing could be searched for "needle" in /);
      }
      await workspace.write({ 'b.txt': 'nothing' });
      const beside = await withoutRights(async () => tools[engine].execute({ pattern: 'needle', glob: 'b.*' }, never));
      expect(beside.error).toBeUndefined();
      const filtered = await withoutRights(async () =>
        tools[engine].execute({ pattern: 'needle', glob: '*.c' }, never),
      );
      expect(textOf(filtered)).toMatch(/^No matches found .* none of the 2 files there matches the glob/);
      expect(filtered.error).toBeUndefined();
    },
  );

  it.each([...engines, 'glob'] as const)('while a walk is on its way is counted, by %s', async (name) => {
    await workspace.write({ 'a/in.txt': 'needle', 'locked/x.txt': 'needle', 'z/in.txt': 'needle' });
    const { tree } = await config.getSearchIndex();
    const walk = tree.walk.bind(tree);
    tree.walk = (options) =>
      walk({
        ...options,
        enter: (folder) => {
          // It has been seen, and is looked into next.
          if (folder === 'locked') {
            if (isRoot) process.seteuid?.(0);
            close('locked', 0);
            if (isRoot) process.seteuid?.(OTHER_USER);
          }
          return options.enter?.(folder) !== false;
        },
      });
    const result = await withoutRights(async () =>
      name === 'glob'
        ? tools.glob.execute({ pattern: '**/in.txt' }, never)
        : tools[name].execute({ pattern: 'needle' }, never),
    ).finally(() => void (tree.walk = walk));
    expect(result.error).toBeUndefined();
    expect((result.data as GrepData).total).toBe(2);
    expect(textOf(result)).toContain('1 unreadable folder');
    expect(closed).toEqual([workspace.path('locked')]);
  });
});
