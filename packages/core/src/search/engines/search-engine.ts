import type { FileLines } from '../report/shown-line.js';

/** Files of one folder, not of what lies below it. Names that are no UTF-8 as in `WalkedFolder`. */
export interface TargetFolder {
  /** Relative to the engine's folder, with `/`; empty for itself. */
  readonly folder: string;
  /** Those to be searched. */
  readonly names: readonly string[];
  /** `names` are all regular files of the folder: an engine may be given it as a whole, and tell files that came since. */
  readonly isWhole: boolean;
}

/** Where to search. A file is in it once. */
export interface SearchTargets {
  readonly folders: readonly TargetFolder[];
  /** Relative to the engine's folder, with `/`. */
  readonly files: readonly string[];
}

/** What an engine tells while it counts. */
export interface CountSink {
  /** Called once for each file with matches, when the file is done; with its time where the engine knows it. */
  counted(relativePath: string, matches: number, mtimeMs?: number): void;
  /** A file that could not be searched (to its end), and why. */
  failed(relativePath: string | undefined, reason: string): void;
}

export interface TellingSink extends CountSink {
  /**
   * Not UTF-8 (nor UTF-16 with a mark): a NUL byte or bytes that are no character. It is not counted, whatever was
   * found in it: the caller looks at it by other means.
   */
  odd(relativePath: string): void;
}

export interface LinesRequest {
  readonly files: readonly { readonly path: string; readonly maxMatches: number }[];
  /** Lines shown before and after each match. */
  readonly before: number;
  readonly after: number;
}

export interface LinesSink {
  /** Once for each file with matches. */
  found(relativePath: string, lines: FileLines): void;
  failed(relativePath: string | undefined, reason: string): void;
}

/**
 * Searches given files for one pattern. A match is a line that matches, however often; with `multiline` it is an
 * occurrence. Everything rejects with the signal's reason when it is aborted, after all that was started has been
 * ended; what was told until then stands.
 */
export interface SearchEngine {
  readonly name: 'ripgrep' | 'javascript';
  /** Counts matches in files of any kind, telling the odd ones. @throws Failure `invalid_pattern`, `engine_unavailable` when the engine cannot be started */
  countAnything(targets: SearchTargets, sink: TellingSink, signal: AbortSignal): Promise<void>;
  /** The first matches of each file, with their lines. @throws as above */
  lines(request: LinesRequest, sink: LinesSink, signal: AbortSignal): Promise<void>;
  /** @throws Failure `invalid_pattern` that points at the character */
  checkPattern(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
