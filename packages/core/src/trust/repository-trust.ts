import { realpathSync } from 'node:fs';
import { readRepository, topOf, type KnownState } from './repository-state.js';
import type { TrustStore } from './trust-store.js';

export type RepositoryTrust = (folder: string, isInside: (path: string) => boolean) => boolean;

/** Variables by which git finds another repository or other settings, programs among them; those of `child-environment.ts` do not. */
const TELLING =
  /^GIT_(?!PAGER$|EDITOR$|SEQUENCE_EDITOR$|TERMINAL_PROMPT$|ASKPASS$|SSH|SSL_|OPTIONAL_LOCKS$|AUTHOR_|COMMITTER_|MERGE_AUTOEDIT$|ADVICE$)/;

/**
 * True for a folder of a repository where commands that only look run no program that the repository names: its settings, hooks
 * and index hold nothing that would make git start one. Nothing of what it says beyond that is obeyed, so nobody has to trust
 * it; but the history of a repository that begins above the workspace is shown only where that folder is trusted.
 * Repositories below it, and folders that git would take for one, are not part of it. Cheap enough to be asked for each
 * command: what was read is remembered for as long as the files are the same.
 * `environment`: of the commands. `isInside`: whether a path lies in the workspace.
 */
export function repositoryTrust(
  store: TrustStore,
  environment: Readonly<Record<string, string | undefined>>,
): RepositoryTrust {
  const known = new Map<string, KnownState>();
  if (Object.keys(environment).some((name) => TELLING.test(name))) return () => false;
  return (folder, isInside) => {
    try {
      const top = topOf(realpathSync.native(folder));
      if (top === undefined || !(isInside(top) || store.of(top)?.decision === 'trusted')) return false;
      const read = readRepository(top, known.get(top));
      known.set(top, read);
      return read.state.forLooking.length === 0;
    } catch {
      return false;
    }
  };
}
