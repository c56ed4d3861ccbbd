import { join, relative, sep } from 'node:path';
import type { IgnoreFiles } from './ignore-files.js';
import { excludeFileOf, workTreeTop } from './ignore-repository.js';
import type { IgnoreKind, IgnoreScope } from './ignore-stack.js';

/** What the rules of one kind are made of. */
export interface IgnoreSources {
  readonly kind: IgnoreKind;
  readonly files: IgnoreFiles;
  /** No rules: the first of the family of scopes that the answers belong to. */
  readonly empty: IgnoreScope;
  /** The file of the person's own excludes, for git's rules. */
  readonly userExcludes: string | undefined;
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
  const exclude = kind.isGit && has?.git !== false ? excludeFileOf(path) : undefined;
  const base = exclude === undefined ? above : outermostScope(sources).with(files.read(exclude, kind));
  return has?.file === false ? base : base.with(files.inFolder(path, kind, readFrom));
}

/** What holds before any ignore file of a work tree is read. */
function outermostScope({ kind, files, empty, userExcludes }: IgnoreSources): IgnoreScope {
  return kind.isGit && userExcludes !== undefined ? empty.with(files.read(userExcludes, kind)) : empty;
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
    above = hides && sources.kind.isGit ? outermostScope(sources) : scope.below(name);
    path = join(path, name);
  }
  return { above, isHidden };
}

/**
 * Git's rules hold in a whole work tree: where the root is a folder in one, the files above it count too, unless they hide
 * the root itself.
 */
function scopeAboveRoot(root: string, sources: IgnoreSources): IgnoreScope {
  const outermost = outermostScope(sources);
  const top = sources.kind.isGit ? workTreeTop(root) : undefined;
  if (top === undefined || top === root) return outermost;
  let above = outermost;
  let path = top;
  for (const name of relative(top, root).split(sep)) {
    const scope = scopeInFolder(above, { path }, sources);
    if (scope.ignores(name, true)) return outermost;
    above = scope.below(name);
    path = join(path, name);
  }
  return above;
}
