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
  /** Its own file has no say. */
  readonly skipsOwn?: boolean;
}

/**
 * The rules for a folder's entries: those from above and its own file. Where a nested repository begins, the outer one
 * has no say, as git and ripgrep have it.
 */
export function scopeInFolder(above: IgnoreScope, folder: JudgedFolder, sources: IgnoreSources): IgnoreScope {
  const { kind, files } = sources;
  const { path, readFrom, has, skipsOwn = false } = folder;
  const repository = kind.isGit && has?.git !== false ? repositoryAt(path) : undefined;
  const base = repository === undefined ? above : scopeOfRepository(repository, sources);
  return skipsOwn || has?.file === false ? base : base.with(files.inFolder(path, base.kind, readFrom));
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

/** The rules from above for a folder. */
export interface RulesAbove {
  readonly above: IgnoreScope;
  /** It, or a folder on the way to it, is ignored. */
  readonly isHidden: boolean;
}

/**
 * For the folder at the end of the way from a workspace root down. By git's rules a folder that is ignored begins anew: it was named, so
 * what lies in it is judged by the files in it.
 */
export function scopeAbove(root: string, way: readonly string[], sources: IgnoreSources): RulesAbove {
  let above = scopeAboveRoot(root, sources);
  let isHidden = false;
  let path = root;
  for (const name of way) {
    const scope = scopeInFolder(above, { path }, sources);
    const hides = scope.ignores(name, true);
    isHidden ||= hides;
    above = hides && sources.kind.isGit ? withoutRules(scope, sources) : scope.below(name);
    path = join(path, name);
  }
  return { above, isHidden };
}

/** No rules, with case as it counts there. */
function withoutRules({ kind }: IgnoreScope, { empty }: IgnoreSources): IgnoreScope {
  return kind.ignoreCase === empty.kind.ignoreCase ? empty : empty.inAnyCase;
}

/** What holds where a walk begins. */
export interface WalkStart extends RulesAbove {
  /** For `JudgedFolder`. */
  readonly skipsOwn: boolean;
}

/**
 * `scopeAbove` for where a walk begins. A folder whose own file hides everything in it is as good as ignored, and so begins anew as
 * well: that file has no say. A root is no such folder, for it is where all begins.
 */
export function scopeAboveWalk(root: string, way: readonly string[], sources: IgnoreSources): WalkStart {
  const found = scopeAbove(root, way, sources);
  const skipsOwn = way.length > 0 && hidesItself(join(root, ...way), found.above, sources);
  return skipsOwn ? { above: withoutRules(found.above, sources), isHidden: true, skipsOwn } : { ...found, skipsOwn };
}

/** True when a walk that begins at the end of one way from a root down shows nothing that is in the folder at the end of another from there. */
export function isShutOff(
  root: string,
  way: { readonly toStart: readonly string[]; readonly fromThere: readonly string[] },
  sources: IgnoreSources,
): boolean {
  const { toStart, fromThere } = way;
  const start = scopeAboveWalk(root, toStart, sources);
  let { above, skipsOwn } = start;
  let path = join(root, ...toStart);
  for (const name of fromThere) {
    const scope = scopeInFolder(above, { path, skipsOwn }, sources);
    if (scope.ignores(name, true)) return true;
    above = scope.below(name);
    path = join(path, name);
    skipsOwn = false;
  }
  return fromThere.length > 0 && hidesItself(path, above, sources);
}

/** Of other rules than git's nothing is taken back. */
function hidesItself(path: string, { kind }: IgnoreScope, { files }: IgnoreSources): boolean {
  return kind.isGit && files.inFolder(path, kind)?.hidesEverything() === true;
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
