import type { Zone } from '../effects/effect.js';

/** What lies at a path, judged without following the last link out of the roots. */
export type FileKind = 'file' | 'directory' | 'missing' | 'special';

/** Where a path really leads, when it may be touched. */
export interface Resolved {
  /** Absolute path as it was asked for. */
  readonly requested: string;
  /** Absolute path after every link was followed. */
  readonly path: string;
  readonly zone: Zone;
  readonly kind: FileKind;
  /** Set if a file has other names (hard links), which may lie outside. A write to it changes them too. */
  readonly hasOtherNames?: true;
}

/** Why a path may not be touched: a code of `ToolErrorType` and the specification's words (S60–S63). */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** S61. */
export interface WorkspaceContext {
  /** The workspace roots, canonical and absolute; the first is where relative search paths start. */
  getDirectories(): readonly string[];
  isPathWithinWorkspace(path: string): boolean;
}

/** S62. */
export interface FileService {
  shouldQwenIgnoreFile(path: string): boolean;
  shouldGitIgnoreFile(path: string): boolean;
  /** Shows a walk from a folder above (by default its root) nothing that is in the folder? */
  shouldGitIgnoreFolder(path: string, from?: string): boolean;
}

/** A text file as it was read, with what is needed to write it back unchanged around an edit. */
export interface TextFile {
  /** The text without its BOM, line endings as they stand in the file. */
  readonly text: string;
  /** `utf-8`, `utf-16le`, `utf-16be`, or the name of a detected legacy encoding. */
  readonly encoding: string;
  readonly bom: boolean;
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
  /** False: it can be shown but not written back, for the text does not give the same bytes again. */
  readonly faithful?: boolean;
}

export interface ReadOptions {
  /** The canonical path that was judged; a path that leads elsewhere by now is refused with `file_changed`. */
  readonly resolvedPath?: string | undefined;
}

export interface WriteOptions extends ReadOptions {
  /** The hash the file must still have, or `missing`; the write is refused with `file_changed` otherwise. */
  readonly expected?: string | undefined;
  /** True: what the old file holds is of no matter; where it is no sound text, the new one is UTF-8. Refused otherwise. */
  readonly overwrite?: boolean;
}

/** A file that need not be text. */
export interface FileFacts {
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
  readonly bytes: number;
  /** With an article, judged by its first bytes: `gzip data`, `a PNG image`, `a text file`. */
  readonly kind: string;
}

export interface WriteReport {
  readonly path: string;
  readonly created: boolean;
  readonly bytes: number;
}

/**
 * S67: where text is read and written; an editor or a remote host may put its own in place.
 * The local one judges every path through the workspace gate.
 */
export interface FileSystemService {
  /** @throws Failure `file_not_found`, `binary_file`, `target_is_directory`, … */
  readTextFile(path: string, options?: ReadOptions): Promise<TextFile>;
  /** What a file is that `readTextFile` cannot read; without it such a file cannot be overwritten. */
  describeFile?(path: string, options?: ReadOptions): Promise<FileFacts>;
  /** Writes all of it or nothing; keeps BOM, encoding and mode of an existing file, makes missing folders. */
  writeTextFile(path: string, content: string, options?: WriteOptions): Promise<WriteReport>;
}
