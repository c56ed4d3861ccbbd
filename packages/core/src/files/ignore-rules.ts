import { sep } from 'node:path';
import { framesAbove, isIgnoredBy, pushFrame, type IgnoreKind } from './ignore-stack.js';

/**
 * The rules of one kind of ignore file (`.gitignore`, `.qwenignore`), asked about single paths, with git's
 * semantics: nested files, negation, a folder that is ignored cannot be re-included from within. Paths are
 * canonical and absolute; nothing outside the roots is ever ignored. The files are read anew for every
 * question, so that a change counts at once; a walker, which asks thousands, keeps frames instead.
 */
export class IgnoreRules {
  readonly kind: IgnoreKind;
  readonly #roots: readonly string[];

  constructor(kind: IgnoreKind, roots: readonly string[]) {
    this.kind = kind;
    this.#roots = roots;
  }

  /** True when the path, or a folder on the way to it, is ignored. */
  isIgnored(path: string, isDirectory: boolean): boolean {
    const root = innermostRoot(path, this.#roots);
    if (root === undefined || path === root) return false;
    // Both are canonical: what follows the root is the way to it.
    const way = path.slice(root.endsWith(sep) ? root.length : root.length + 1);
    const relativePath = sep === '/' ? way : way.split(sep).join('/');
    const slash = relativePath.lastIndexOf('/');
    const folder = slash === -1 ? '' : relativePath.slice(0, slash);
    const above = framesAbove(root, folder, this.kind);
    if (above.ignored) return true;
    const frame = pushFrame(above.frame, this.kind, `${root}/${folder}`, folder);
    return isIgnoredBy(frame, relativePath, relativePath.slice(slash + 1), isDirectory);
  }
}

/** The root that holds the path, the innermost one where roots are nested. */
export function innermostRoot(path: string, roots: readonly string[]): string | undefined {
  return roots
    .filter((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep))
    .sort((a, b) => b.length - a.length)[0];
}
