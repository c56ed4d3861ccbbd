import { existsSync, realpathSync } from 'node:fs';
import type { ToolRuntime } from '../../runtime.js';
import type { ProjectFolders } from '../../session/project-folders.js';
import { worktreeFolders } from './worktree-record.js';

/** What an earlier process left of worktrees: sentences for people. Costs a look at the disk where there is nothing. Never rejects. */
export async function tendWorktrees(
  config: ToolRuntime,
  { base }: Pick<ProjectFolders, 'base'>,
  tenonHome: string,
): Promise<string[]> {
  try {
    const folders = worktreeFolders(realpathSync.native(tenonHome), base);
    if (!existsSync(folders.records)) return [];
    const { tendLeftBehind } = await import('./left-behind.js');
    return await tendLeftBehind(config, folders);
  } catch {
    return [];
  }
}
