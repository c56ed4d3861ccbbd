import { partitionPoint } from '../util/partition-point.js';

export type LineEnding = '\n' | '\r\n';

/** The one line ending that all lines of the text have; undefined when they differ or there are none. */
export function uniformLineEnding(text: string): LineEnding | undefined {
  let found: LineEnding | undefined;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    const ending = text[at - 1] === '\r' ? '\r\n' : '\n';
    if (found !== undefined && found !== ending) return undefined;
    found = ending;
  }
  return found;
}

/** The line ending at a place: within it, else the next one after it, else the last one before it. */
export function lineEndingAt(text: string, start: number, end: number): LineEnding | undefined {
  const inside = text.indexOf('\n', start);
  const at = inside === -1 ? text.lastIndexOf('\n', end) : inside;
  if (at === -1) return undefined;
  return text[at - 1] === '\r' ? '\r\n' : '\n';
}

export function withLineEnding(text: string, ending: LineEnding): string {
  const plain = text.replaceAll('\r\n', '\n');
  return ending === '\n' ? plain : plain.replaceAll('\n', '\r\n');
}

/** A text in which every line ends with a line feed alone, and the way back to places in the original. */
export interface FlatText {
  readonly text: string;
  /** A place just before a line feed leads to the place before its carriage return. */
  readonly toOriginal: (index: number) => number;
}

export function flattenLineEndings(original: string): FlatText {
  /** Where, in the flat text, a line feed stands that had a carriage return. */
  const dropped: number[] = [];
  for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2)) {
    dropped.push(at - dropped.length);
  }
  if (dropped.length === 0) return { text: original, toOriginal: (index) => index };
  const toOriginal = (index: number): number =>
    index + partitionPoint(dropped.length, (at) => (dropped[at] ?? 0) < index);
  return { text: original.replaceAll('\r\n', '\n'), toOriginal };
}
