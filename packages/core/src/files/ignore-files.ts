import { lstatSync, readFileSync, statSync, type Stats } from 'node:fs';
import { systemErrorCode } from '../util/failure.js';
import { systemPath } from './escaped-bytes.js';
import { compileIgnoreFile, type IgnoreSet } from './ignore-set.js';
import type { IgnoreKind } from './ignore-stack.js';

/** Git has the same limit. */
const MAX_BYTES = 100 * 1024 * 1024;
/** Files remembered; they are learned anew beyond. */
const MAX_KNOWN = 20_000;

/**
 * Reads ignore files. With a `mayTrust` it remembers them, and gives the same object as long as the text is the same,
 * looking again whenever the file's times could hide a change.
 */
export class IgnoreFiles {
  readonly #mayTrust: ((stat: Stats, before: number) => boolean) | undefined;
  readonly #known = new Map<string, Known>();

  /** `mayTrust`: would any change since the moment `before` show in what `lstat` says? */
  constructor(mayTrust?: (stat: Stats, before: number) => boolean) {
    this.#mayTrust = mayTrust;
  }

  /** The rules of a folder's own file. `readFrom`: where to read the folder, when that is another path. */
  inFolder(folder: string, kind: IgnoreKind, readFrom = folder): IgnoreSet | undefined {
    const path = `${folder}/${kind.fileName}`;
    // Git follows no link from a work tree. A link instead of the file hides more, which is what is wanted of the other.
    return this.read(path, kind, { follow: !kind.isGit, readFrom: `${readFrom}/${kind.fileName}` });
  }

  /** Undefined when there is no such file, or no rule in it. */
  read(path: string, kind: IgnoreKind, { follow = true, readFrom = path } = {}): IgnoreSet | undefined {
    const before = Date.now();
    try {
      const stat = (follow ? statSync : lstatSync)(systemPath(path), { throwIfNoEntry: false });
      if (stat === undefined || !stat.isFile()) return undefined;
      const key = `${kind.fileName}\0${kind.ignoreCase}\0${path}`;
      const known = this.#known.get(key);
      if (known?.stat !== undefined && isSameFile(known.stat, stat)) return known.set;
      const bytes = stat.size > MAX_BYTES ? Buffer.from(kind.isGit ? '' : '*') : readFileSync(systemPath(readFrom));
      if (this.#mayTrust === undefined) return compileIgnoreFile(bytes, kind.ignoreCase);
      const set = known?.bytes.equals(bytes) === true ? known.set : compileIgnoreFile(bytes, kind.ignoreCase);
      if (this.#known.size > MAX_KNOWN) this.#known.clear();
      this.#known.set(key, { bytes, set, stat: this.#mayTrust(stat, before) ? stat : undefined });
      return set;
    } catch (thrown) {
      const code = systemErrorCode(thrown);
      // Gone meanwhile: no rules. Unreadable: git has none either; of a promise everything in this folder is kept.
      const isGone = code === 'ENOENT' || code === 'ENOTDIR';
      return isGone || kind.isGit ? undefined : compileIgnoreFile(Buffer.from('*'), kind.ignoreCase);
    }
  }
}

interface Known {
  readonly bytes: Buffer;
  readonly set: IgnoreSet | undefined;
  /** Absent when a change might not show. */
  readonly stat: Stats | undefined;
}

/** By all that tells of a change. */
export function isSameFile(a: Stats, b: Stats): boolean {
  const isSameInode = a.dev === b.dev && a.ino === b.ino;
  return isSameInode && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}
