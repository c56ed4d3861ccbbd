import type { FolderFiles } from '../content/folder-files.js';
import type { FileLines } from '../report/shown-line.js';

/** Files to be searched in a folder below the engine's. */
export interface TargetFolder extends FolderFiles {
  /** `names` are all regular files of the folder: an engine may be given it as a whole, and tell files that came since. */
  readonly isWhole: boolean;
}

/** Where to search. A file is in it once. */
export interface SearchTargets {
  readonly folders: readonly TargetFolder[];
  /** Relative to the engine's folder, with `/`. */
  readonly files: readonly string[];
  /** They were `left` before: threads need not look at them again. */
  readonly wereLeft?: boolean;
  /** All of them are surely text: UTF-8, or UTF-16 with a mark. */
  readonly areText?: boolean;
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
  /** As `counted`, of a file of a folder that was given, by its place among the names. Where it is there, engines may use it. */
  countedIn?(files: FolderFiles, place: number, matches: number, mtimeMs: number): void;
  /**
   * Files for which the engine would have to start a program, and did not: they are to be given again (`wereLeft`),
   * many of them together. Without it they are counted by the same engine.
   */
  readonly left?: ((files: readonly string[]) => void) | undefined;
}

export interface FileLinesRequest {
  readonly path: string;
  readonly maxMatches: number;
  /** Of so many of these no line is wanted but the one in which the next begins, and none of what stands around them; 0 by default. */
  readonly skip?: number;
}

export interface LinesRequest {
  readonly files: readonly FileLinesRequest[];
  /** Lines shown before and after each match. */
  readonly before: number;
  readonly after: number;
}

export interface LinesSink {
  /** Once for each file with matches. */
  found(relativePath: string, lines: FileLines): void;
  failed(relativePath: string | undefined, reason: string): void;
}

/** A text at hand, and the file that it is told of. */
export interface NamedText {
  readonly path: string;
  readonly text: string;
}

export interface TextLinesRequest extends NamedText, FileLinesRequest, Pick<LinesRequest, 'before' | 'after'> {}

/** Searches texts that are at hand, by the laws of `SearchEngine`. */
export interface TextEngine {
  /** @throws Failure `invalid_pattern` */
  count(text: NamedText, sink: CountSink, signal: AbortSignal): Promise<void>;
  /** @throws Failure `invalid_pattern` */
  lines(request: TextLinesRequest, sink: LinesSink, signal: AbortSignal): Promise<void>;
}

/**
 * Searches given files for one pattern. A match is a line that matches, however often; with `multiline` it is an
 * occurrence. Everything rejects with the signal's reason when it is aborted, after all that was started has been
 * ended; what was told until then stands.
 */
export interface SearchEngine {
  readonly name: 'ripgrep' | 'javascript';
  /** For texts that are too much for JavaScript. Absent: it is JavaScript itself. */
  readonly texts?: TextEngine;
  /** Whether it is worth knowing of so many files, with so many bytes together, that they are text (`areText`). Absent: never. */
  wantsText?(files: number, bytes: number): boolean;
  /** So many files were found so far, and there may be many more: what takes time to come up may be started. */
  expect?(files: number): void;
  /** Counts matches in files of any kind, telling the odd ones. @throws Failure `invalid_pattern`, `engine_unavailable` when the engine cannot be started */
  countAnything(targets: SearchTargets, sink: TellingSink, signal: AbortSignal): Promise<void>;
  /** The first matches of each file, with their lines. @throws as above */
  lines(request: LinesRequest, sink: LinesSink, signal: AbortSignal): Promise<void>;
  /** @throws Failure `invalid_pattern` that points at the character */
  checkPattern(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
