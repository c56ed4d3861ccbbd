import { readdir, stat } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import { ShellTool } from '../tools/shell.js';
import { createTempConfig, type TempConfig } from './temp-config.js';

const { signal } = new AbortController();
const all: TempConfig[] = [];

async function made(...options: Parameters<typeof createTempConfig>): Promise<TempConfig> {
  const one = await createTempConfig(...options);
  all.push(one);
  return one;
}

afterEach(async () => {
  for (const one of all.splice(0)) await one.remove();
});

describe('createTempConfig', () => {
  it('makes a config on folders of its own, which its tools can use', async () => {
    const { config, workspace, temp } = await made({ entries: { 'a.txt': 'one\n' } });
    expect(config.getTargetDir()).toBe(workspace.root);
    expect(config.getTempDir()).toBe(temp.root);
    expect(config.getApprovalMode()).toBe(ApprovalMode.DEFAULT);
    const tool = config.getToolRegistry().getTool('read_file');
    const result = await tool?.execute({ absolute_path: workspace.path('a.txt') }, signal);
    expect(result?.llmContent).toBe('1→one');
  });

  it('gives child processes the environment that it is told, or a bare PATH', async () => {
    const bare = await made();
    expect(bare.config.getChildEnvironment()).toEqual({ PATH: '/usr/bin:/bin' });
    const { config } = await made({ childEnvironment: { PATH: '/usr/bin:/bin', WORD: 'told' } });
    expect((await new ShellTool(config).execute({ command: 'echo $WORD' }, signal)).llmContent).toBe('told');
  });

  it('takes a mode and more roots, and leaves roots that it did not make', async () => {
    const other = await made({ entries: { 'b.txt': '' } });
    const { config, workspace, remove } = await made({
      approvalMode: ApprovalMode.PLAN,
      moreRoots: [other.workspace.root],
    });
    expect(config.getApprovalMode()).toBe(ApprovalMode.PLAN);
    expect(config.getWorkspaceContext().getDirectories()).toEqual([workspace.root, other.workspace.root]);
    await remove();
    expect(await other.workspace.read('b.txt')).toBe('');
  });

  it('is as at the beginning again after a reset', async () => {
    const { config, workspace, temp, reset } = await made({ entries: { 'a.txt': 'one', 'sub/': '' } });
    await workspace.write({ 'a.txt': 'two', 'sub/deep/b.txt': '', link: { linkTo: 'sub' } });
    await temp.write({ 'spilled.txt': '' });
    config.setApprovalMode(ApprovalMode.YOLO);
    await reset();
    expect(await workspace.read('a.txt')).toBe('one');
    expect((await readdir(workspace.root, { recursive: true })).toSorted()).toEqual(['a.txt', 'sub']);
    expect(await readdir(temp.root)).toEqual([]);
    expect(config.getApprovalMode()).toBe(ApprovalMode.DEFAULT);
  });

  it('ends what still runs and removes its folders, twice without complaint', async () => {
    const { config, workspace, temp, remove } = await made();
    const running = new ShellTool(config).execute({ command: 'echo $$ > pid; sleep 30' }, signal);
    await expect.poll(() => workspace.read('pid').catch(() => '')).toMatch(/\n/);
    await remove();
    expect((await running).llmContent).toContain('SIGKILL');
    await remove();
    for (const { root } of [workspace, temp]) await expect(stat(root)).rejects.toThrow('ENOENT');
  });
  it('leaves no folder behind when the config cannot be made', async () => {
    const folders: string[] = [];
    const making = createTempConfig({
      extraTools: (config) => {
        folders.push(config.getTargetDir(), config.getTempDir());
        throw new Error('no such tool');
      },
    });
    await expect(making).rejects.toThrow('no such tool');
    expect(folders).toHaveLength(2);
    for (const folder of folders) await expect(stat(folder)).rejects.toThrow('ENOENT');
  });
});
