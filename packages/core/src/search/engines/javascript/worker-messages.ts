import type { MessagePort } from 'node:worker_threads';
import type { MatcherTree } from './backtracking/matcher-tree.js';
import type { LinesRequest, NamedText, TextLinesRequest } from '../search-engine.js';
import type { ByteSearch } from './byte-search.js';

/** In JavaScript's notation; or for our own matcher, where that cannot say it. */
export type Expression = string | MatcherTree;

/** What a text is compared with; see `toJavaScriptPattern`. */
export interface JavaScriptPattern {
  /** With `d` a match begins at the last of the groups `s1`, `s2` and so on that took part in it. */
  readonly flags: string;
  /** For any text. */
  readonly general: Expression;
  /** The same and faster, for texts of ASCII without carriage returns. */
  readonly plain: Expression;
  /**
   * `text`: no match can cross a line, so that a whole text is searched at once; `line`: every line is searched by
   * itself, without its end; `span`: matches may span lines.
   */
  readonly unit: 'text' | 'line' | 'span';
  /**
   * As `general`, for lines that end in a line feed alone, where they are searched by themselves: PCRE2 knows the end that the line has,
   * and takes a carriage return within it for one, or not.
   */
  readonly fed?: Expression;
  /** Of a line that is searched by itself, a line feed alone stays in it, as in ripgrep's default engine. */
  readonly keepsFeed?: boolean;
  /** Of such a line a carriage return at its end stays, since the pattern names one; see `namesReturn`. */
  readonly keepsReturn?: boolean;
  /** PCRE2's: which line matches is found in it alone, but where in it, with what stands before it in sight. */
  readonly seesBefore?: boolean;
  readonly spans?: SpanHabits;
  /** Texts are searched in the bytes of their UTF-8, one code unit for each: matches may begin and end within characters. */
  readonly isOfBytes?: boolean;
  /** Set where the pattern is nothing but this text, letter for letter. */
  readonly literal?: string;
  readonly inBytes?: ByteSearch;
}

/** How matches that may span lines are to be counted; see `worker-spans.ts`. */
export interface SpanHabits {
  /** None does in truth, so that lines are searched one by one, and then without a carriage return that ends them. */
  readonly isByLine: boolean;
  /** No match is empty, or another one where less is seen of what stands around it. */
  readonly isSteady: boolean;
  /** Nothing at all is matched between the bytes of a character too, where what stands before is seen. */
  readonly isInside: boolean;
  /** It is where a text begins between the bytes of a character. */
  readonly isAtStart: boolean;
  /** It may be wherever a text begins. */
  readonly isAtAnyStart: boolean;
  /** PCRE2's: no match begins between the halves of a line's end, unless the search does. */
  readonly passesFeeds: boolean;
  /** As `general`, for a text that begins within a character. */
  readonly cut: Expression;
}

/** What a worker is started with. */
export interface WorkerSettings {
  readonly pattern: JavaScriptPattern;
  /** A held folder: the path under which to read it, and where it really is. */
  readonly workingDirectory: string;
  readonly folder: string;
  /** Bytes that may be held at once: what is longer and cannot be searched in parts is left out and told. */
  readonly maxHeldBytes: number;
  /** Code units of a line that are handed over around its match. */
  readonly keptOfLine: number;
  /** See `READ_FAILURES`. */
  readonly readFailures: Readonly<Record<string, string>>;
  /** What is told of a file where JavaScript has no room for all the ways in which the expression may match. */
  readonly tooLongForPattern: string;
  readonly port: MessagePort;
  /** Three numbers: which turn of the journal it is, how many bytes of it are written, and which of the task's files is at work. */
  readonly journalHead: SharedArrayBuffer;
  readonly journal: SharedArrayBuffer;
}

/** A piece of work. One is asked for when the one before is done. */
export type WorkerTask =
  | { readonly type: 'count'; readonly files: readonly string[] }
  | ({ readonly type: 'lines' } & LinesRequest)
  | ({ readonly type: 'count-text' } & NamedText)
  | ({ readonly type: 'lines-of-text' } & TextLinesRequest);

/** Line from 1, column from 1 or 0 for a line that only stands around a match, text, where it begins in its line, length of the line. */
export type LineTuple = readonly [line: number, column: number, text: string, start: number, length: number];

export type WorkerMessage =
  /** What the journal held; see `readRecords`. */
  | { readonly type: 'records'; readonly turn: number; readonly text: string }
  | { readonly type: 'found'; readonly path: string; readonly matches: number; readonly lines: readonly LineTuple[] }
  | { readonly type: 'done' };

/** One record of the journal: `c` counted (detail: how many), `o` odd, `f` failed (detail: why). */
export interface WorkerRecord {
  readonly kind: string;
  readonly path: string;
  readonly detail: string;
}

/** Records are three fields, each ended by NUL, which no path has. */
export function* readRecords(text: string): Generator<WorkerRecord> {
  const fields = text.split('\0');
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [kind = '', path = '', detail = ''] = fields.slice(index, index + 3);
    yield { kind, path, detail };
  }
}
