import type { GitUser } from '../../files/ignore-settings.js';
import type { TargetFolder } from '../engines/search-engine.js';

/** One folder as a walk saw it, lists sorted by code units. What searches all its files takes it as it is, and makes no other object for each folder. */
export interface WalkedFolder extends TargetFolder {
  /** Relative to the walked folder, with `/`; empty for itself. */
  readonly folder: string;
  /** Regular files that no rule hides. A name that is no UTF-8 is written as `decodeEscaped` does (see `systemPath`). */
  readonly names: readonly string[];
  /** Symbolic links that no rule hides, whatever they lead to. */
  readonly links: readonly string[];
  /** All regular files of the folder are in `names` and all names are UTF-8: it may be handed to an engine as a whole. */
  readonly isWhole: boolean;
}

/** What a walk met and left out; filled in while it runs. */
export interface WalkCounts {
  files: number;
  /** Entries: an ignored folder counts once, whatever it holds. */
  gitIgnored: number;
  /** Whether `.gitignore` files had a say where these are, and whether git's excludes (`.git/info/exclude` and the person's own) had. */
  hasGitFiles: boolean;
  hasGitExcludes: boolean;
  qwenIgnored: number;
  /** Symbolic links, which are never followed. */
  links: number;
  /** Devices, FIFOs, sockets. */
  special: number;
  unreadableFolders: number;
  /** The walked folder itself is ignored by `.gitignore`; it was named, so what lies in it is shown. */
  folderIsGitIgnored: boolean;
}

export function newWalkCounts(): WalkCounts {
  return {
    files: 0,
    gitIgnored: 0,
    hasGitFiles: false,
    hasGitExcludes: false,
    qwenIgnored: 0,
    links: 0,
    special: 0,
    unreadableFolders: 0,
    folderIsGitIgnored: false,
  };
}

export interface WalkOptions {
  /** A held folder: where it really is, and the path under which to read it. `FolderHandle` has both. */
  readonly folder: { readonly path: string; readonly workingDirectory: string };
  /** The workspace roots, canonical: `.qwenignore` files hold from the innermost root that contains the folder. */
  readonly roots: readonly string[];
  /** `.gitignore` files, `.git/info/exclude` and the person's own excludes; true by default. `.qwenignore` always holds. */
  readonly respectGitIgnore?: boolean;
  /** Whose configuration of git counts beside that of repositories. */
  readonly gitUser?: GitUser | undefined;
  readonly signal: AbortSignal;
  /** False leaves a folder out unseen; its path is relative to the walked folder. */
  readonly enter?: (relativeFolder: string) => boolean;
  readonly counts?: WalkCounts;
  /** Told the entries that `.gitignore` hides, relative to the walked folder. */
  readonly onGitIgnored?: (relativePath: string, isDirectory: boolean) => void;
}
