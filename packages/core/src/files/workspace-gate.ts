import type { FileHandle } from 'node:fs/promises';
import type { Dirent, Stats } from 'node:fs';
import type { IgnoreRules } from './ignore-rules.js';
import type { Refusal, Resolved } from './workspace-types.js';

export interface GateOptions {
  readonly roots: readonly string[];
  readonly tempDir: string;
  /** `.qwenignore` */
  readonly ignore: IgnoreRules;
}

/** A regular file, pinned: what is read is what was judged. */
export interface ReadHandle {
  readonly resolved: Resolved;
  readonly stat: Stats;
  open(): Promise<FileHandle>;
}

/** A folder, pinned. `workingDirectory` may be given to a child process as its cwd. */
export interface FolderHandle {
  readonly resolved: Resolved;
  readonly workingDirectory: string;
  list(): Promise<Dirent[]>;
}

/** A place to write, pinned by its parent folder. */
export interface WriteHandle {
  readonly resolved: Resolved;
  /** Bytes of the file as it is now; null when there is none. */
  readExisting(): Promise<Buffer | null>;
  /** Temporary file beside, fsync, rename. `expected`: SHA-256 hex the file must still have, or `missing`. @throws Failure `file_changed` */
  replace(bytes: Uint8Array, expected?: string): Promise<void>;
}

export declare class WorkspaceGate {
  constructor(options: GateOptions);
  readonly roots: readonly string[];
  readonly tempDir: string;
  /** Absolute → within the workspace → not ignored, in this order (S63); null when the path may be touched. */
  check(path: string): Refusal | null;
  /** @throws Failure with the code and message of `check` */
  resolve(path: string): Resolved;
  /** @throws Failure also `file_not_found`, `target_is_directory`, `not_a_regular_file` */
  withFile<T>(path: string, use: (handle: ReadHandle) => Promise<T>): Promise<T>;
  /** @throws Failure also `file_not_found`, `path_is_not_a_directory` */
  withFolder<T>(path: string, use: (handle: FolderHandle) => Promise<T>): Promise<T>;
  /** Makes missing parent folders when `replace` is called. @throws Failure also `target_is_directory`, `not_a_regular_file` */
  withTarget<T>(path: string, use: (handle: WriteHandle) => Promise<T>): Promise<T>;
}
