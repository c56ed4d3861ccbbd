import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import createIgnore, { type Ignore } from 'ignore';
import { systemErrorCode } from '../util/failure.js';

/** One ignore file as it was last read. Read again when size, inode or time of change differ. */
interface CachedFile {
  readonly stamp: string;
  readonly rules: Ignore | undefined;
}

/**
 * The rules of one kind of ignore file (`.gitignore`, `.qwenignore`) with git's semantics: nested
 * files, negation, a folder that is ignored cannot be re-included from within. Paths are canonical
 * and absolute; nothing outside the roots is ever ignored. Changes to the files count at once.
 */
export class IgnoreRules {
  readonly fileName: string;
  readonly #roots: readonly string[];
  readonly #extraFiles: readonly string[];
  readonly #files = new Map<string, CachedFile>();

  /** `extraFiles`: files relative to a root whose rules hold at that root with lower rank (`.git/info/exclude`). */
  constructor(fileName: string, roots: readonly string[], extraFiles: readonly string[] = []) {
    this.fileName = fileName;
    this.#roots = roots;
    this.#extraFiles = extraFiles;
  }

  /** True when the path, or a folder on the way to it, is ignored. */
  isIgnored(path: string, isDirectory: boolean): boolean {
    const root = this.#rootOf(path);
    if (root === undefined || path === root) return false;
    const names = relative(root, path).split(sep);
    let current = root;
    for (const [index, name] of names.entries()) {
      current = join(current, name);
      const asFolder = index < names.length - 1 || isDirectory;
      if (this.isEntryIgnored(current, asFolder)) return true;
    }
    return false;
  }

  /** The same for a walker that has already entered the parent folder: judges only the last name. */
  isEntryIgnored(path: string, isDirectory: boolean): boolean {
    const root = this.#rootOf(path);
    if (root === undefined || path === root) return false;
    // The ignore file nearest to the entry has the last word, so look from the inside out.
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const decided = this.#decide(join(folder, this.fileName), folder, path, isDirectory);
      if (decided !== undefined) return decided;
      if (folder === root || folder === dirname(folder)) break;
    }
    for (const extra of this.#extraFiles) {
      const decided = this.#decide(join(root, extra), root, path, isDirectory);
      if (decided !== undefined) return decided;
    }
    return false;
  }

  #decide(file: string, folder: string, path: string, isDirectory: boolean): boolean | undefined {
    const rules = this.#load(file);
    if (rules === undefined) return undefined;
    const name = relative(folder, path).split(sep).join('/');
    const verdict = rules.checkIgnore(isDirectory ? `${name}/` : name);
    if (verdict.ignored) return true;
    return verdict.unignored ? false : undefined;
  }

  #load(file: string): Ignore | undefined {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    const stamp = stat === undefined ? 'missing' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
    const cached = this.#files.get(file);
    if (cached?.stamp === stamp) return cached.rules;
    const rules = stat?.isFile() === true ? parse(readIgnoreFile(file)) : undefined;
    this.#files.set(file, { stamp, rules });
    return rules;
  }

  #rootOf(path: string): string | undefined {
    // The innermost root counts when roots are nested.
    return this.#roots
      .filter((root) => path === root || path.startsWith(root === sep ? sep : root + sep))
      .sort((a, b) => b.length - a.length)[0];
  }
}

function readIgnoreFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    // Gone between stat and read: no rules. Unreadable: fail closed, nothing in this folder may be touched.
    return systemErrorCode(thrown) === 'ENOENT' ? '' : '*';
  }
}

function parse(text: string): Ignore {
  return createIgnore({ allowRelativePaths: true }).add(text.replace(/^\uFEFF/, ''));
}
