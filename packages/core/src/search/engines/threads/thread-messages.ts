import type { MessagePort } from 'node:worker_threads';
import type { JavaScriptPattern } from '../javascript/worker-messages.js';

/** What one search wants; told to a thread before its pieces. */
export interface ThreadJob {
  /** Counts upwards; see `ThreadSettings.control`. */
  readonly job: number;
  readonly pattern: JavaScriptPattern;
  /** Where the held folder really is; ends with `/`. */
  readonly base: string;
  /** A file with a longer line, in bytes, is left to another engine. */
  readonly maxLine: number;
}

/** Some files of one search. */
export interface ThreadPiece {
  /** Relative to the base. */
  readonly folders: readonly string[];
  /** For each folder its names, joined by NUL. */
  readonly names: readonly string[];
  /** Names or folders hold bytes that are no UTF-8, as `decodeEscaped` writes them. */
  readonly hasEscapes: boolean;
}

/** What was found in a piece. Files are given by their place among all names of the piece. */
export interface PieceAnswer {
  /** Three for each file with matches: which, how many, and its time in milliseconds. */
  readonly counts: readonly number[];
  readonly odd: readonly number[];
  readonly failed: readonly { readonly at: number; readonly reason: string }[];
  /** Not to be searched here: large, long lines, UTF-16. */
  readonly left: readonly number[];
  /** Time and bytes of the searching alone, without opening and reading. */
  readonly searchMs: number;
  readonly bytes: number;
}

export type ThreadRequest =
  { readonly type: 'job'; readonly job: ThreadJob } | { readonly type: 'piece'; readonly piece: ThreadPiece };

export type ThreadMessage = { readonly type: 'ready' } | { readonly type: 'answer'; readonly answer: PieceAnswer };

/** What a thread is started with. */
export interface ThreadSettings {
  readonly port: MessagePort;
  /**
   * Shared. Jobs up to the first number are cancelled, and their pieces answered as far as they are done; the second
   * one counts files.
   */
  readonly control: Int32Array;
  /** See `READ_FAILURES`. */
  readonly readFailures: Readonly<Record<string, string>>;
}
