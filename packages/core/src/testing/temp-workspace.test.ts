import { readlink, realpath, stat } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createTempWorkspace } from './temp-workspace.js';
import type { TempWorkspace } from './temp-workspace.js';

const workspaces: TempWorkspace[] = [];

async function workspaceWith(...entries: Parameters<typeof createTempWorkspace>): Promise<TempWorkspace> {
  const workspace = await createTempWorkspace(...entries);
  workspaces.push(workspace);
  return workspace;
}

afterEach(async () => {
  await Promise.all(workspaces.splice(0).map((workspace) => workspace.remove()));
});

describe('createTempWorkspace', () => {
  it('makes files, folders and links below a canonical root', async () => {
    const workspace = await workspaceWith({
      'src/deep/a.txt': 'Grüße\r\n',
      'bytes.bin': Uint8Array.of(0, 255),
      'empty/': '',
      link: { linkTo: 'src' },
    });
    expect(await realpath(workspace.root)).toBe(workspace.root);
    expect(await workspace.read('src/deep/a.txt')).toBe('Grüße\r\n');
    expect((await stat(workspace.path('bytes.bin'))).size).toBe(2);
    expect((await stat(workspace.path('empty'))).isDirectory()).toBe(true);
    expect(await readlink(workspace.path('link'))).toBe('src');
  });

  it('writes more later and removes everything, twice without complaint', async () => {
    const workspace = await workspaceWith();
    await workspace.write({ 'a.txt': 'one' });
    await workspace.write({ 'a.txt': 'two' });
    expect(await workspace.read('a.txt')).toBe('two');
    await workspace.remove();
    await workspace.remove();
    await expect(stat(workspace.root)).rejects.toThrow('ENOENT');
  });

  it('refuses paths that leave the root', async () => {
    const workspace = await workspaceWith();
    expect(() => workspace.path('../x')).toThrow('leaves the temp workspace');
    await expect(workspace.write({ '/etc/x': '' })).rejects.toThrow('leaves the temp workspace');
    expect(workspace.path('..x')).toBe(`${workspace.root}/..x`);
  });
});
