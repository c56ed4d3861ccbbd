import type { TextFile } from './workspace-types.js';

/**
 * Text files as another program has them that shows them to the person: an editor, whose buffers may hold what is not on
 * the disk yet. Paths are absolute. Neither of the two rejects: a host that fails says nothing, or that it did not follow.
 */
export interface HostFiles {
  /** All of a file as the person sees it; undefined where the host does not tell. */
  readText(path: string): Promise<string | undefined>;
  /**
   * The disk has this text now, and what the person sees follows. Resolves to false when the host did not take it. Absent:
   * the host cannot follow, so that a file with unsaved changes is not changed.
   */
  readonly wroteText?: (path: string, text: string) => Promise<boolean>;
}

/** What an editor has of a file beside what is on the disk. */
export interface UnsavedText {
  readonly text: string;
  /** Of this text over this version on the disk: it stands where the hash of a file's bytes stands. */
  readonly hash: string;
}

/** For those who have read a file: what the person sees in its place. */
export interface ShownTexts {
  /** Undefined when it is what was read, or nobody says. `path`: absolute, within the workspace. */
  unsaved(path: string, onDisk: Pick<TextFile, 'text' | 'hash' | 'encoding'>): Promise<UnsavedText | undefined>;
}
