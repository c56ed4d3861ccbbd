import type { CallContext } from '../effects/call-context.js';

/** What a file was or became: a regular file, or none. */
export type FileState =
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'file';
      /** SHA-256 (hex) of the bytes, the key in the content store. */
      readonly hash: string;
      readonly bytes: number;
      /** Permission bits, `0o7777`. */
      readonly mode: number;
    };

/** Whether both have the same content and the same mode, or are none. */
export function isSameState(one: FileState, other: FileState): boolean {
  if (one.kind === 'missing' || other.kind === 'missing') return one.kind === other.kind;
  return one.hash === other.hash && one.mode === other.mode;
}

export interface JournalChange {
  /** Canonical. */
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
}

/** Which call a change belongs to; what a person's own `undo` belongs to has none. */
export type JournalCall = Omit<CallContext, 'stillShown'>;

/** What of a call is written down. */
export function journalCall({ callId, toolName, title, agent, sessionId, turn }: CallContext): JournalCall {
  return {
    callId,
    toolName,
    title,
    ...(agent === undefined ? {} : { agent }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(turn === undefined ? {} : { turn }),
  };
}

/** One transaction that was made: the unit of `log`, `undo` and `redo`. */
export interface JournalEntry {
  readonly version: 1;
  /** Sorts by time, unique in the project's journal; a file name. */
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  /** `command`: what a watched command changed; not made by Tenon, only seen. */
  readonly kind: 'change' | 'command' | 'undo' | 'redo';
  /**
   * Of a command that ran in the background: found after its call had returned, so that it may also be the work of the
   * person, who goes on meanwhile. Taken back only when it is named.
   */
  readonly background?: true;
  readonly call?: JournalCall;
  /** For `undo`: ids of the entries that it took back. For `redo`: of the undo entries. */
  readonly reverts: readonly string[];
  readonly changes: readonly JournalChange[];
  /** Folders that the transaction made, outermost first, canonical. */
  readonly madeFolders: readonly string[];
  /** One sentence when some change could not be kept (too large, not looked at). */
  readonly uncovered?: string;
}
