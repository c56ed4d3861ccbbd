import type { CallContext } from '../effects/call-context.js';

/** One file of a change: what it must be now, and what it is to be. */
export interface TextChange {
  /** Absolute, as it was asked for; a link is written through to its target. */
  readonly path: string;
  /** The canonical path that was judged; a path that leads elsewhere by now is refused with `file_changed`. */
  readonly resolvedPath?: string | undefined;
  /** SHA-256 (hex) of the bytes that the file must have, or `missing`. */
  readonly expected: string;
  /** The whole new text, without a BOM; null deletes the file. */
  readonly content: string | null;
  /** True: what the old file holds is of no matter; where it is no sound text, the new one is UTF-8. Refused otherwise. */
  readonly overwrite?: boolean;
  /** Absolute path of the file that a new one takes its mode, encoding and BOM from: where a moved file was. */
  readonly movedFrom?: string;
}

/** What became of one file. */
export interface ChangedFile {
  /** Canonical. */
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
  /** Size afterwards; 0 for a deleted file. */
  readonly bytes: number;
  /** SHA-256 (hex) of the bytes afterwards, or `missing`. */
  readonly hash: string;
  /** Names of the file, when it has more than one: all of them show the new content. */
  readonly links?: number;
}

/** What a command changed in the workspace; absolute canonical paths, sorted. */
export interface CommandChanges {
  readonly created: readonly string[];
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
  /** One sentence when changes may have been missed, or cannot be undone, and why. */
  readonly uncovered?: string;
}

/** A command that goes on after the call that started it has its result. */
export interface GoesOn {
  /** Resolves when it is over. Never rejects. */
  readonly ended: Promise<unknown>;
  /** Called once. `changes`: all that was found since the result, after the end; never rejects. */
  readonly follow: (changes: Promise<CommandChanges>) => void;
}

/** How tools change files: every change is a transaction that can be undone. */
export interface FileChanges {
  /**
   * Makes all of the changes or none of them.
   * @throws Failure `file_changed`, `permission_denied`, `no_space_left`, `file_write_failure`, …: nothing was changed
   */
  apply(changes: readonly TextChange[], context?: CallContext): Promise<readonly ChangedFile[]>;
  /**
   * Runs something that may change any file of the workspace, and finds out what it changed so that it can be undone.
   * `goesOn`: what of it goes on behind the result, whose changes are found out too.
   */
  watch<T>(
    run: () => Promise<T>,
    context?: CallContext,
    goesOn?: (result: T) => GoesOn | undefined,
  ): Promise<{ readonly result: T; readonly changes: CommandChanges }>;
  /**
   * What `apply` would refuse for what the person has in hand, before anybody is asked about it. Absent: nothing.
   * @throws Failure `file_has_unsaved_changes`
   */
  refuse?(changes: readonly Pick<TextChange, 'path' | 'expected'>[]): void;
  /** Whether anything was changed for a prompt that can be undone, by its calls or those of subagents in the same workspace. Absent: not known. */
  changedIn?(prompt: Pick<CallContext, 'sessionId' | 'turn'>): boolean;
  /** Tells of a change that was written to the journal past it. */
  noteChange?(prompt: Pick<CallContext, 'sessionId' | 'turn'>): void;
  /** What goes on in the background has changed files until now: that is written down, so that it can be undone. */
  catchUp(): Promise<void>;
}
