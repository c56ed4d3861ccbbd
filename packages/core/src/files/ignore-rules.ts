import { basename, dirname, sep } from 'node:path';
import { IgnoreFiles } from './ignore-files.js';
import { isShutOff, scopeAbove, scopeInFolder, type IgnoreSources } from './ignore-scope.js';
import type { GitUser } from './ignore-settings.js';
import { IgnoreScope, type IgnoreKind } from './ignore-stack.js';
import { isWithin, withSeparator } from '../util/paths-below.js';

/**
 * The rules of one kind of ignore file (`.gitignore`, `.qwenignore`), asked about single paths, with git's
 * semantics: nested files, negation, a folder that is ignored cannot be re-included from within. Paths are
 * canonical and absolute; nothing outside the roots is ever ignored. The files are read anew for every
 * question, so that a change counts at once; a walker, which asks thousands, keeps scopes instead.
 */
export class IgnoreRules {
  readonly kind: IgnoreKind;
  readonly #roots: readonly string[];
  readonly #gitUser: GitUser | undefined;

  /** `gitUser`: whose configuration counts beside that of repositories, for git's rules. */
  constructor(kind: IgnoreKind, roots: readonly string[], gitUser?: GitUser) {
    this.kind = kind;
    this.#roots = roots;
    this.#gitUser = gitUser;
  }

  /** True when the path, or a folder on the way to it, is ignored. */
  isIgnored(path: string, isDirectory: boolean): boolean {
    // The root of one work tree may lie in another.
    return !this.#roots.includes(path) && this.inFolder(dirname(path))(basename(path), isDirectory);
  }

  /** `isIgnored` for a folder's entries that are no roots: the ignore files are read once for all. */
  inFolder(folder: string): (name: string, isDirectory: boolean) => boolean {
    const root = innermostRoot(folder, this.#roots);
    if (root === undefined) return () => false;
    const sources = newSources(this.kind, this.#gitUser);
    const { above, isHidden } = scopeAbove(root, namesBetween(root, folder), sources);
    if (isHidden) return () => true;
    const scope = scopeInFolder(above, { path: folder }, sources);
    return (name, isDirectory) => scope.ignores(name, isDirectory);
  }

  /** `isIgnored`, or a folder of which no walk from its root shows what is in it. */
  keepsOff(path: string, isDirectory: boolean): boolean {
    return isDirectory ? this.isShutOff(path) : this.isIgnored(path, false);
  }

  /** True when a walk from a folder above, the root where none is given, shows nothing that is in the folder. */
  isShutOff(folder: string, from?: string): boolean {
    const root = innermostRoot(folder, this.#roots);
    if (root === undefined) return false;
    const start = from !== undefined && isWithin(from, root) ? from : root;
    const way = { toStart: namesBetween(root, start), fromThere: namesBetween(start, folder) };
    return isShutOff(root, way, newSources(this.kind, this.#gitUser));
  }
}

/** Both are canonical: what follows the one is the way to the other. */
function namesBetween(above: string, folder: string): string[] {
  return folder === above ? [] : folder.slice(withSeparator(above).length).split(sep);
}

/** Reads every file when it is asked for. */
export function newSources(kind: IgnoreKind, gitUser: GitUser | undefined): IgnoreSources {
  return { kind, files: new IgnoreFiles(), empty: IgnoreScope.empty(kind), gitUser };
}

/** The root that holds the path, the innermost one where roots are nested. */
export function innermostRoot(path: string, roots: readonly string[]): string | undefined {
  return roots.filter((root) => isWithin(path, root)).sort((a, b) => b.length - a.length)[0];
}
