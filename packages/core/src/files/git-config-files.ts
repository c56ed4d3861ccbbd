import { readFileSync, statSync, type Stats } from 'node:fs';
import { isSameFile } from './ignore-files.js';
import { parseGitConfig, type GitSetting } from './git-config.js';

/** What a configuration file says that anyone asks for. */
export interface GitConfigFile {
  readonly settings: readonly GitSetting[];
  readonly bytes: number;
}

/** Of these sections, and what other files are named. Files without these words need no parsing. */
const SECTIONS = /^(?:core|extensions|include|includeif)$/;
const WORDS = /include|excludesfile|ignorecase|worktreeconfig/i;
/** Files remembered; they are learned anew beyond. */
const MAX_KNOWN = 2000;
/** A change so soon after another may bear the same time: some file systems keep whole seconds. */
const YOUNG_MS = 2100;

interface Known extends GitConfigFile {
  readonly stat: Stats;
}

/** Reads configuration files of git, and remembers them as long as their times prove that they are the same. */
export class GitConfigFiles {
  readonly #known = new Map<string, Known>();

  /** Undefined where there is none of at most so many bytes. */
  read(path: string, maxBytes: number): GitConfigFile | undefined {
    const before = Date.now();
    try {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isFile() !== true || stat.size > maxBytes) return undefined;
      const known = this.#known.get(path);
      if (known !== undefined && isSameFile(known.stat, stat)) return known;
      const text = readFileSync(path, 'utf8');
      const all = WORDS.test(text) ? (parseGitConfig(text) ?? []) : [];
      const file = { settings: all.filter(({ section }) => SECTIONS.test(section)), bytes: stat.size, stat };
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      if (before - stat.ctimeMs >= YOUNG_MS) this.#known.set(path, file);
      return file;
    } catch {
      return undefined;
    }
  }
}
