import { realpathSync } from 'node:fs';
import { readRepository, topOf, type KnownState } from './repository-state.js';
import type { TrustStore } from './trust-store.js';

export type RepositoryTrust = (folder: string, isInside: (path: string) => boolean) => boolean;

/** Variables by which git finds another repository or other settings, programs among them; those of `child-environment.ts` do not. */
const TELLING =
  /^GIT_(?!PAGER$|EDITOR$|SEQUENCE_EDITOR$|TERMINAL_PROMPT$|ASKPASS$|SSH|SSL_|OPTIONAL_LOCKS$|AUTHOR_|COMMITTER_|MERGE_AUTOEDIT$|ADVICE$)/;

/**
 * Returns a check: do read-only commands in a folder run no program that its repository names? Its settings, hooks and index must hold
 * nothing that makes git start one. Nothing else of it is obeyed, so nobody has to trust it. The history of a repository that begins above
 * the workspace is shown only if that folder is trusted. Repositories below it, and folders that git would take for one, are not part of
 * it. The check is cheap enough for each command: results are kept while the files stay the same.
 * `environment`: that of the commands. `isInside`: whether a path lies in the workspace.
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
