import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GitUser } from '../files/ignore-settings.js';
import { createTempConfig } from '../testing/temp-config.js';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { GlobTool } from './glob.js';
import { GrepTool } from './grep.js';
import { LSTool } from './ls.js';
import { ReadManyFilesTool } from './read-many-files.js';
import { toParts, type ToolResult } from './tools.js';

const home = await createTempWorkspace({ 'git/ignore': '*.own\n' });
const { config, workspace, remove } = await createTempConfig({
  gitUser: new GitUser(home.root, { XDG_CONFIG_HOME: home.root, GIT_CONFIG_NOSYSTEM: '1' }),
});

beforeAll(async () =>
  workspace.write({
    '.git/HEAD': '',
    '.git/objects/x': '',
    '.git/refs/x': '',
    'a.own': 'needle\n',
    'b.ts': 'needle\n',
  }),
);
afterAll(async () => {
  await remove();
  await home.remove();
});

function textOf({ llmContent }: ToolResult): string {
  return toParts(llmContent)
    .map((part) => ('text' in part ? part.text : ''))
    .join('');
}

describe("a person's own excludes for git", () => {
  const { signal } = new AbortController();

  it.each([
    ['glob', () => new GlobTool(config).execute({ pattern: '**/*' }, signal)],
    ['grep_search', () => new GrepTool(config).execute({ pattern: 'needle', output_mode: 'files' }, signal)],
    ['list_directory', () => new LSTool(config).execute({ path: workspace.root }, signal)],
    ['read_many_files', () => new ReadManyFilesTool(config).execute({ paths: [workspace.root] }, signal)],
  ])('hold for %s (S102 S108 S116)', async (_name, run) => {
    const result = await run();
    expect(result.error).toBeUndefined();
    expect(textOf(result)).toContain('b.ts');
    expect(textOf(result)).not.toContain('a.own');
    expect(textOf(result)).toContain("by git's excludes");
    expect(textOf(result)).not.toContain('.gitignore');
  });

  it('are told beside .gitignore where both have a say, and as the reason why nothing is found', async () => {
    const grep = new GrepTool(config);
    await workspace.write({ '.git/info/exclude': 'c.*\n', 'c.ts': 'straw\n' });
    // What is ignored is looked at for as long as there is time.
    const says = async (expected: string): Promise<void> =>
      vi.waitFor(
        async () => {
          expect(textOf(await grep.execute({ pattern: 'straw' }, signal))).toContain(expected);
        },
        { timeout: 20_000 },
      );
    await says(
      "1 file ignored by git's excludes has some: include_ignored=true shows it.\n(Not searched: 2 entries ignored by git's excludes.)",
    );
    await workspace.write({ '.gitignore': 'd.*\n', 'd.ts': 'straw\n' });
    await says("2 files ignored by .gitignore or git's excludes have some");
    expect(textOf(await new GlobTool(config).execute({ pattern: 'c.*' }, signal))).toContain(
      "1 file would match but for .gitignore or git's excludes",
    );
    expect(textOf(await new LSTool(config).execute({ path: workspace.root }, signal))).toContain(
      "(Left out: 3 by .gitignore or git's excludes.)",
    );
  });

  it('do not hold in a folder that they hide and that is named', async () => {
    await workspace.write({ 'c.own/d.own': 'needle\n', 'c.own/e.own/f.own': 'needle\n' });
    const found = async (path: string): Promise<unknown> =>
      (await new GlobTool(config).execute({ pattern: '**/*', path }, signal)).data;
    expect(await found('c.own')).toMatchObject({ total: 2, ignored: { git: 0 } });
    expect(await found('c.own/e.own')).toMatchObject({ total: 1, ignored: { git: 0 } });
  });
});
