import { realpathSync } from 'node:fs';
import type { ToolRuntime } from '../../runtime.js';
import { readRepository, topOf, type KnownState } from '../../trust/repository-state.js';
import type { Worktree } from './worktree.js';

/**
 * Whether commands that only look run nothing that the repository names, as for the agent above (`repositoryTrust`): the
 * worktree is as trusted as what it was made from, for as long as nothing in it is remarkable. Of other folders the agent above
 * knows.
 */
export function trustInWorktree(
  { folder: tree, from }: Pick<Worktree, 'folder' | 'from'>,
  above: Pick<ToolRuntime, 'isTrustedRepository'>,
): (folder: string) => boolean {
  let known: KnownState | undefined;
  return (folder) => {
    try {
      if (topOf(realpathSync.native(folder)) !== tree) return above.isTrustedRepository(folder);
      if (!above.isTrustedRepository(from)) return false;
      known = readRepository(tree, known);
      return known.state.reasons.length === 0;
    } catch {
      return false;
    }
  };
}
