import { describeBinary } from '../files/media.js';
import type { LineIndexes } from '../files/line-index.js';
import { readTextWindow, type TextWindow } from '../files/read-text-window.js';
import { undecodableText } from '../files/undecodable.js';
import { endAtMinified, fitWindow } from '../output/fit-window.js';
import { numberLines } from '../output/numbered-lines.js';
import { Failure } from '../util/failure.js';
import type { Reading, ReadSource, Seen } from './read-source.js';
import { ToolError, ToolErrorType } from './tool-error.js';

/** Which lines are wanted. */
export interface LineRange {
  /** 0-based. */
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  /** Bytes to skip in the first line, to go on in one that was cut. */
  readonly column?: number | undefined;
}

/** `data` of a result for a text file. */
export interface ReadFileData {
  readonly path: string;
  readonly encoding: string;
  readonly firstLine: number;
  readonly lineCount: number;
  readonly totalLines: number;
  readonly totalIsExact: boolean;
  readonly nextOffset?: number;
}

const DEFAULT_LIMIT = 2000;
/** Both stay below what the scheduler lets through of one result, so that no window is ever cut in its middle. */
export const MAX_TEXT_BYTES = 46 * 1024;
export const MAX_TEXT_TOKENS = 11_400;

/** @throws ToolError `binary_file` */
export async function readText(
  source: ReadSource,
  range: LineRange,
  indexes: LineIndexes,
  notes: readonly string[],
): Promise<Reading> {
  const { name, path, version } = source;
  const { offset = 0, limit = DEFAULT_LIMIT, column = 0 } = range;
  const index = version.stamp === undefined ? {} : { index: { indexes, key: { path, stamp: version.stamp } } };
  let window: TextWindow;
  try {
    window = await readTextWindow({ ...source, offset, limit, column, maxBytes: MAX_TEXT_BYTES, ...index });
  } catch (thrown) {
    throw binaryFile(thrown, source);
  }
  const fitted = fitWindow(endAtMinified(window, offset), {
    offset,
    maxBytes: MAX_TEXT_BYTES,
    maxTokens: MAX_TEXT_TOKENS,
  });
  const { lines, encoding, totalLines, totalIsExact, nextOffset } = fitted;
  const closing = [...windowNotes(fitted, offset, name), ...notes].map((note) => `[${note}]`).join('\n');
  const data: ReadFileData = {
    path: name,
    encoding,
    firstLine: offset,
    lineCount: lines.length,
    totalLines,
    totalIsExact,
    ...(nextOffset === undefined ? {} : { nextOffset }),
  };
  const numbered = numberLines(lines, offset + 1);
  return {
    result: {
      llmContent: [numbered, closing].filter((part) => part !== '').join(lines.length === 0 ? '' : '\n\n'),
      returnDisplay: displayOf(fitted, offset),
      data,
    },
    seen: seenOf(fitted, offset),
    request: `lines ${offset} ${limit} ${column}`,
    part: `Lines ${offset + 1}-${offset + lines.length} of ${totalOf(fitted)}`,
  };
}

/** The lines that were shown to their ends. Who reads the last piece of a long line went on from those before it. */
export function seenOf(window: TextWindow, offset: number): Seen {
  const { lines, startColumn, cutColumn, totalLines, totalIsExact } = window;
  const total = totalIsExact ? totalLines : undefined;
  const end = cutColumn === undefined ? offset + lines.length : offset;
  const isAll = offset === 0 && startColumn === 0 && end === total;
  const text = isAll ? lines.join('\n') + (lines.length > 0 && window.endsWithBreak ? '\n' : '') : undefined;
  return { kind: 'lines', first: offset, end, totalLines: total, text };
}

/** K20: the message says what the file is, with a typed error. Anything else stays as it was thrown. */
function binaryFile(thrown: unknown, { name, head, size }: ReadSource): unknown {
  if (!(thrown instanceof Failure) || thrown.code !== ToolErrorType.BINARY_FILE) return thrown;
  if (undecodableText(head) !== undefined) return thrown;
  const what = `${name} cannot be read as text: it is ${describeBinary(head)} of ${size} bytes`;
  return new ToolError(ToolErrorType.BINARY_FILE, `${what}. Use a command that understands it.`);
}

/** What the model must know beside the lines: how to go on, and what is special about the file. */
function windowNotes(window: TextWindow, offset: number, path: string): string[] {
  const { lines, nextOffset, cutColumn, startColumn, encoding } = window;
  const total = totalOf(window);
  if (lines.length === 0) {
    if (window.totalLines === 0) return [`The file is empty: ${path}`];
    return [
      `offset ${offset} is past the end: the file has ${total} lines, the last is offset ${window.totalLines - 1}.`,
    ];
  }
  const notes: string[] = [];
  if (cutColumn !== undefined) {
    const next = nextOffset === undefined ? '' : ` The next line is offset: ${nextOffset}.`;
    notes.push(
      `Line ${offset + 1} is too long to show whole: this is bytes ${startColumn}-${cutColumn} of it. To go on in it, use offset: ${offset}, column: ${cutColumn}.${next}`,
    );
  } else if (nextOffset !== undefined) {
    notes.push(`Lines ${offset + 1}-${nextOffset} of ${total} are shown. To go on, use offset: ${nextOffset}.`);
  } else if (!window.endsWithBreak) {
    notes.push('No newline at the end of the file.');
  }
  if (startColumn > 0 && cutColumn === undefined)
    notes.push(`Line ${offset + 1} is shown from byte ${startColumn} on.`);
  if (encoding !== 'utf-8') notes.push(encodingNote(window));
  return notes;
}

function encodingNote({ encoding, isGuess }: TextWindow): string {
  return isGuess === true
    ? `The encoding is a guess: ${encoding}. The file has too few characters beyond ASCII to be sure.`
    : `The file is encoded in ${encoding}; edits keep that.`;
}

function displayOf(window: TextWindow, offset: number): string {
  const { lines, totalLines, totalIsExact } = window;
  if (lines.length === 0) return totalLines === 0 ? 'The file is empty' : 'Nothing there: past the end of the file';
  if (offset === 0 && totalIsExact && lines.length === totalLines) return `Read ${totalLines} lines`;
  return `Read lines ${offset + 1}-${offset + lines.length} of ${totalOf(window)}`;
}

function totalOf({ totalLines, totalIsExact }: TextWindow): string {
  return `${totalIsExact ? '' : 'at least '}${totalLines}`;
}
