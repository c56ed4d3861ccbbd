import { join, relative, sep } from 'node:path';
import type { IgnoreFiles } from './ignore-files.js';
import { repositoryAround, repositoryAt, type Repository } from './ignore-repository.js';
import { ignoreSettings, type GitUser } from './ignore-settings.js';
import type { IgnoreKind, IgnoreScope } from './ignore-stack.js';

/** What the rules of one kind are made of. */
export interface IgnoreSources {
  readonly kind: IgnoreKind;
  readonly files: IgnoreFiles;
  /** No rules: the first of the family of scopes that the answers belong to. */
  readonly empty: IgnoreScope;
  /** Whose configuration counts beside that of repositories, for git's rules. */
  readonly gitUser: GitUser | undefined;
}

/** A folder whose entries are judged. */
export interface JudgedFolder {
  /** Canonical and absolute. */
  readonly path: string;
  /** Where to read it, when that is another path. */
  readonly readFrom?: string;
  /** What its listing says of it; it is looked for when nothing is said. */
  readonly has?: { readonly file: boolean; readonly git: boolean };
}

/**
 * The rules for a folder's entries: those from above and its own file. Where a nested repository begins, the outer one
 * has no say, as git and ripgrep have it.
 */
export function scopeInFolder(above: IgnoreScope, folder: JudgedFolder, sources: IgnoreSources): IgnoreScope {
  const { kind, files } = sources;
  const { path, readFrom, has } = folder;
  const repository = kind.isGit && has?.git !== false ? repositoryAt(path) : undefined;
  const base = repository === undefined ? above : scopeOfRepository(repository, sources);
  return has?.file === false ? base : base.with(files.inFolder(path, base.kind, readFrom));
}

function scopeOfRepository(repository: Repository, sources: IgnoreSources): IgnoreScope {
  const outermost = outermostScope(repository, sources);
  return outermost.with(sources.files.read(join(repository.commonFolder, 'info', 'exclude'), outermost.kind), true);
}

/** What holds before any ignore file of a repository is read. */
function outermostScope(
  repository: Repository | undefined,
  { kind, files, empty, gitUser }: IgnoreSources,
): IgnoreScope {
  if (!kind.isGit) return empty;
  const { excludesFile, ignoreCase } = ignoreSettings(gitUser, repository);
  const first = ignoreCase ? empty.inAnyCase : empty;
  return excludesFile === undefined ? first : first.with(files.read(excludesFile, first.kind), true);
}

/**
 * The rules from above for the folder at the end of the way from a workspace root down, and whether it, or a folder on the way,
 * is ignored itself. By git's rules such a folder begins anew: it was named, so what lies in it is judged by
 * the files in it.
 */
export function scopeAbove(
  root: string,
  way: readonly string[],
  sources: IgnoreSources,
): { readonly above: IgnoreScope; readonly isHidden: boolean } {
  let above = scopeAboveRoot(root, sources);
  let isHidden = false;
  let path = root;
  for (const name of way) {
    const scope = scopeInFolder(above, { path }, sources);
    const hides = scope.ignores(name, true);
    isHidden ||= hides;
    above = hides && sources.kind.isGit ? outermostScope(repositoryAround(path), sources) : scope.below(name);
    path = join(path, name);
  }
  return { above, isHidden };
}

/**
 * Git's rules hold in a whole work tree: where the root is a folder in one, the files above it count too, unless they hide
 * the root itself.
 */
function scopeAboveRoot(root: string, sources: IgnoreSources): IgnoreScope {
  const { empty, kind } = sources;
  const repository = kind.isGit ? repositoryAround(root) : undefined;
  if (repository === undefined) return outermostScope(undefined, sources);
  let above = empty;
  let path = repository.workTree;
  // A repository that begins in the root begins anew there.
  if (path === root) return above;
  for (const name of relative(path, root).split(sep)) {
    const scope = scopeInFolder(above, { path }, sources);
    if (scope.ignores(name, true)) return outermostScope(repository, sources);
    above = scope.below(name);
    path = join(path, name);
  }
  return above;
}
