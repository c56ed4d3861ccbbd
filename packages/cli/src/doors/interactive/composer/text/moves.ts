import type { Graphemes } from './graphemes.js';
import type { Position, TextBuffer } from './text-buffer.js';

/** Where a movement leads from a place. Pure. */
export type Move = (buffer: TextBuffer, graphemes: Graphemes, from: Position) => Position;

const WORD = /^[\p{L}\p{N}\p{M}_]/u;
const BLANK = /^\s/;

type Test = (grapheme: string) => boolean;

const isInWord: Test = (grapheme) => WORD.test(grapheme);
const isNoBlank: Test = (grapheme) => !BLANK.test(grapheme);

export const left: Move = (buffer, graphemes, { line, column }) => {
  if (column > 0) return { line, column: graphemes.previous(buffer.line(line), column) };
  return line === 0 ? { line, column } : lineEnd(buffer, graphemes, { line: line - 1, column: 0 });
};

export const right: Move = (buffer, graphemes, { line, column }) => {
  const text = buffer.line(line);
  if (column < text.length) return { line, column: graphemes.next(text, column) };
  return line + 1 < buffer.lines.length ? { line: line + 1, column: 0 } : { line, column };
};

export const lineStart: Move = (_buffer, _graphemes, { line }) => ({ line, column: 0 });

export const lineEnd: Move = (buffer, _graphemes, { line }) => ({ line, column: buffer.line(line).length });

export const textStart: Move = () => ({ line: 0, column: 0 });

export const textEnd: Move = (buffer) => buffer.end;

export const wordLeft: Move = (buffer, graphemes, from) => back(buffer, graphemes, from, isInWord);

export const wordRight: Move = (buffer, graphemes, from) => {
  const { line, column } = from;
  const text = buffer.line(line);
  if (column === text.length) return right(buffer, graphemes, from);
  let at = column;
  const skip = (test: Test): void => {
    for (let next = at; at < text.length; at = next) {
      next = graphemes.next(text, at);
      if (!test(text.slice(at, next))) return;
    }
  };
  skip((grapheme) => !isInWord(grapheme));
  skip(isInWord);
  return { line, column: at };
};

/** Words as a shell counts them: blanks end them, nothing else. */
export const shellWordLeft: Move = (buffer, graphemes, from) => back(buffer, graphemes, from, isNoBlank);

function back(buffer: TextBuffer, graphemes: Graphemes, from: Position, test: Test): Position {
  const { line, column } = from;
  if (column === 0) return left(buffer, graphemes, from);
  const text = buffer.line(line);
  let at = column;
  const skip = (isSkipped: Test): void => {
    for (let before = at; at > 0; at = before) {
      before = graphemes.previous(text, at);
      if (!isSkipped(text.slice(before, at))) return;
    }
  };
  skip((grapheme) => !test(grapheme));
  skip(test);
  return { line, column: at };
}
