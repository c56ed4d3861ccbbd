import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createTempConfig, type TempConfig, type TempConfigOptions } from '../testing/temp-config.js';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { listWorkspaceFiles } from './list-workspace-files.js';

const made: { remove: () => Promise<void> }[] = [];

async function configWith(options: TempConfigOptions): Promise<TempConfig> {
  const temp = await createTempConfig(options);
  made.push(temp);
  return temp;
}

afterEach(async () => {
  for (const each of made.splice(0)) await each.remove();
});

const signal = new AbortController().signal;

it('lists files, links and folders of the workspace that no rule hides, hidden ones too', async () => {
  const { config } = await configWith({
    entries: {
      '.gitignore': 'dist\n*.log\n',
      '.git/HEAD': 'ref',
      'src/a.ts': '',
      'src/deep/er/b b.ts': '',
      'src/link.ts': { linkTo: 'a.ts' },
      'dist/out.js': '',
      'x.log': '',
      '.env': '',
    },
  });
  const { paths, isWhole } = await listWorkspaceFiles(config, signal);
  expect(isWhole).toBe(true);
  expect(paths.toSorted()).toEqual(
    [
      '.env',
      '.gitignore',
      'src/',
      'src/a.ts',
      'src/link.ts',
      'src/deep/',
      'src/deep/er/',
      'src/deep/er/b b.ts',
    ].toSorted(),
  );
});

it('lists other roots by the way to them from the first one', async () => {
  const other = await createTempWorkspace({ 'lib/c.ts': '', 'inner/d.ts': '' });
  made.push(other);
  const { config, workspace } = await configWith({
    entries: { 'a.ts': '' },
    moreRoots: [other.root, join(other.root, 'inner')],
  });
  const { paths } = await listWorkspaceFiles(config, signal);
  const name = other.root.slice(workspace.root.lastIndexOf('/') + 1);
  expect(paths[0]).toBe('a.ts');
  expect(paths.toSorted()).toEqual([
    `../${name}/`,
    `../${name}/inner/`,
    `../${name}/inner/d.ts`,
    `../${name}/lib/`,
    `../${name}/lib/c.ts`,
    'a.ts',
  ]);
});

it('sees what was made and deleted since', async () => {
  const { config, workspace } = await configWith({ entries: { 'a.ts': '' } });
  expect((await listWorkspaceFiles(config, signal)).paths).toEqual(['a.ts']);
  await workspace.write({ 'new/b.ts': '' });
  expect((await listWorkspaceFiles(config, signal)).paths).toEqual(['a.ts', 'new/', 'new/b.ts']);
});

it('ends with the signal', async () => {
  const { config } = await configWith({ entries: { 'a.ts': '' } });
  const reason = new Error('no longer wanted');
  await expect(listWorkspaceFiles(config, AbortSignal.abort(reason))).rejects.toBe(reason);
});
