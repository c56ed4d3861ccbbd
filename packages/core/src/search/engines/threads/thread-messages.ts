import type { MessagePort } from 'node:worker_threads';
import type { LearnAnswer, LearnRequest } from '../../content/learn-worker.js';
import type { StatRequest } from '../../content/stat-worker.js';
import type { FinderModule } from '../finder/finder-module.js';
import type { LineTuple } from '../javascript/worker-messages.js';
import type { FileLinesRequest } from '../search-engine.js';
import type { ThreadPattern } from './thread-pattern.js';

/** What one search wants; told to a thread before its pieces. */
export interface ThreadJob {
  /** Counts upwards; see `ThreadSettings.control`. */
  readonly job: number;
  readonly wanted: ThreadPattern;
  /** Where the held folder really is; ends with `/`. */
  readonly base: string;
}

/** Some files of one search. */
export interface ThreadPiece {
  /** Relative to the base. */
  readonly folders: readonly string[];
  /** For each folder its names, joined by NUL. */
  readonly names: readonly string[];
  /** How many files. */
  readonly files: number;
  /** Names or folders hold bytes that are no UTF-8, as `decodeEscaped` writes them. */
  readonly hasEscapes: boolean;
}

/** What was found in a piece. Files are given by their place among all names of the piece. */
export interface PieceAnswer {
  /** Three for each file with matches: which, how many, and its time in milliseconds. */
  readonly counts: Float64Array;
  readonly odd: readonly number[];
  readonly failed: readonly { readonly at: number; readonly reason: string }[];
  /** Not to be searched here: very large, long lines. */
  readonly left: readonly number[];
  /** Time and bytes of the searching alone, without opening and reading. */
  readonly searchMs: number;
  readonly bytes: number;
}

interface ThreadFile extends Omit<FileLinesRequest, 'path'> {
  readonly folder: string;
  readonly name: string;
}

/** Files whose lines are wanted, and how many lines around each match. */
export interface ThreadLines {
  readonly files: readonly ThreadFile[];
  readonly before: number;
  readonly after: number;
  /** See `ThreadPiece`. */
  readonly hasEscapes: boolean;
}

/** By the places of the files; undefined for what is left to another engine. */
export type LinesAnswer = readonly ({ readonly matches: number; readonly lines: readonly LineTuple[] } | undefined)[];

/** All but a job are answered, in their order. */
export type ThreadRequest =
  | { readonly type: 'job'; readonly job: ThreadJob }
  | { readonly type: 'piece'; readonly piece: ThreadPiece }
  | ({ readonly type: 'lines' } & ThreadLines)
  | ({ readonly type: 'look' } & StatRequest)
  /** `job`: the last one that was begun; a later one breaks the learning off. */
  | { readonly type: 'learn'; readonly paths: LearnRequest; readonly job: number };

export type ThreadMessage =
  | { readonly type: 'ready' }
  /** `look` is answered by true: what was found stands in memory that is shared. */
  | { readonly type: 'answer'; readonly answer: PieceAnswer | LinesAnswer | LearnAnswer | true };

/** Places in `ThreadSettings.control`. */
export const CANCELLED = 0;
export const FILES_DONE = 1;
export const BEGUN = 2;

/** What a thread is started with. */
export interface ThreadSettings {
  readonly port: MessagePort;
  /**
   * Shared. Jobs up to the first number are cancelled, and their pieces answered as far as they are done; the second
   * one counts files; the third is the last job that was begun.
   */
  readonly control: Int32Array;
  /** See `READ_FAILURES`. */
  readonly readFailures: Readonly<Record<string, string>>;
  /** See `FINDER_MODULE`. */
  readonly finder: FinderModule | undefined;
}
