import type { FileMatches } from './text-match.js';

/** What an engine tells while it searches. */
export interface SearchSink {
  /** Matches of one file are told at once, when the file is done. */
  found(file: FileMatches): void;
  /** A binary file with a match; its lines are not shown. */
  binary(relativePath: string): void;
  /** A file that could not be read or searched to its end, and why. */
  failed(relativePath: string | undefined, reason: string): void;
}

/** A search for something that stands everywhere ends here. */
export const MAX_MATCHES = 20_000;

/** Matches kept for each file; more are only counted. */
export const KEPT_PER_FILE = 2_000;

/** Searches given files for one pattern, line by line and case-insensitively, in whatever order. */
export interface SearchEngine {
  readonly name: 'ripgrep' | 'javascript';
  /**
   * Paths are relative to the engine's folder. Called for one batch after the other; rejects with the
   * signal's reason when it is aborted, after everything that was started has been ended.
   * @throws Failure `invalid_pattern`; `engine_unavailable` when the engine cannot be started
   */
  search(files: readonly string[], sink: SearchSink, signal: AbortSignal): Promise<void>;
  /** @throws Failure `invalid_pattern` */
  checkPattern(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
