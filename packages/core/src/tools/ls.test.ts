import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** The lines without the header. */
async function lines(params: Partial<ListDirectoryToolParams> = {}): Promise<string[]> {
  const result = await list(params);
  expect(result.error).toBeUndefined();
  return typeof result.llmContent === 'string' ? result.llmContent.split('\n').slice(1) : [];
}

describe('list_directory', () => {
  it('lists folders before files, each sorted by name, folders marked (S113 S114 S115)', async () => {
    await workspace.write({
      'b.txt': '',
      'a.txt': '',
      'Z.txt': '',
      'ä.txt': '',
      'zoo/x': '',
      'art/y': '',
      '.git/HEAD': '',
    });
    expect(await lines()).toEqual(['[DIR] .git', '[DIR] art', '[DIR] zoo', 'Z.txt', 'a.txt', 'b.txt', 'ä.txt']);
    expect((await list()).llmContent).toContain(`${workspace.root} (3 folders, 4 files):`);
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
    expect(await lines()).toEqual([
      '[DIR] folder-link -> real',
      '[DIR] real',
      'broken -> gone (broken link)',
      'file-link -> file.txt',
      'file.txt',
      'outside -> /etc/passwd (leads outside the workspace)',
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

  it('lists ten thousand entries', async () => {
    mkdirSync(workspace.path('many'));
    for (let index = 0; index < 10_000; index++) writeFileSync(workspace.path(`many/${index}`), '');
    const result = await list({ path: workspace.path('many') });
    expect((result.data as ListDirectoryData).entries.length).toBe(10_000);
  }, 60_000);

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
    expect(missing.error?.message).toContain('source');
  });

  it('may list the temp folder of the project (K15 S65)', async () => {
    await temp.write({ 'spilled.txt': '' });
    expect(await lines({ path: temp.root })).toEqual(['spilled.txt']);
  });

  it('needs no confirmation and says what it reads (S117)', async () => {
    await workspace.write({ 'src/a.ts': '' });
    const path = workspace.path('src');
    const invocation = tool.build({ path });
    expect(invocation.getDescription()).toBe('src');
    expect(tool.getDescription({ path: workspace.root })).toBe(workspace.root);
    expect(invocation.toolLocations?.()).toEqual([{ path }]);
    expect(await invocation.effects?.()).toEqual([{ kind: 'read', path, requested: path, zone: 'workspace' }]);
    expect(await invocation.shouldConfirmExecute?.(new AbortController().signal)).toBe(false);
  });
});
