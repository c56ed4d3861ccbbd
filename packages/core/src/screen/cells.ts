import { isWide } from './wide-characters.js';

/** A character as people see it, or a code that changes how the text behind it looks. */
export interface Cell {
  readonly text: string;
  /** Index in the text. */
  readonly at: number;
  /** Columns; of a tab those to the next eighth column. Codes have none. */
  readonly width: number;
  readonly isCode: boolean;
}

/** Looks (SGR) and, in lines with images, what moves the cursor and the image itself: only `screen` makes them. */
const CODE = /\u001b(?:\[[\d;]*[A-Za-z]|_[^\u001b]*\u001b\\|\][^\u0007\u001b]*\u0007|[78])/y;
const PLAIN = /^[\x20-\x7e]*$/;
const TAB = 8;

/** The cells of one line of safe text. */
export function* cells(line: string): Generator<Cell> {
  let at = 0;
  let column = 0;
  while (at < line.length) {
    const end = simpleEnd(line, at);
    for (; at < end; at += 1) {
      const text = line.charAt(at);
      const width = text === '\t' ? TAB - (column % TAB) : isWide(line.charCodeAt(at)) ? 2 : 1;
      column += width;
      yield { text, at, width, isCode: false };
    }
    if (at >= line.length) return;
    const code = codeAt(line, at);
    if (code !== undefined) {
      yield { text: code, at, width: 0, isCode: true };
      at += code.length;
      continue;
    }
    const stop = clusterEnd(line, at);
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    for (const { segment, index } of segmenter.segment(line.slice(at, stop))) {
      const width = segment === '\t' ? TAB - (column % TAB) : clusterWidth(segment);
      column += width;
      yield { text: segment, at: at + index, width, isCode: false };
    }
    at = stop;
  }
}

/** Columns that one line takes on a terminal; colours take none, a tab goes to the next eighth column. */
export function displayWidth(line: string): number {
  if (PLAIN.test(line)) return line.length;
  let width = 0;
  for (const cell of cells(line)) width += cell.width;
  return width;
}

/** Up to where each code unit is a cell of its own: what follows the last of them may join with it. */
function simpleEnd(line: string, from: number): number {
  let end = from;
  while (end < line.length && isSimple(line.charCodeAt(end))) end += 1;
  const next = end < line.length ? line.charCodeAt(end) : 0;
  return next > 0xff ? Math.max(from, end - 1) : end;
}

/** A character that joins with no other of these; most text has no other. */
function isSimple(code: number): boolean {
  if (code < 0x7f) return code >= 0x20 || code === 0x09;
  if (code < 0x300) return code >= 0xa0 && code !== 0xad;
  // Greek, Cyrillic, punctuation, arrows and boxes; Chinese, Japanese and Korean.
  if (code < 0x2000) return (code >= 0x370 && code <= 0x482) || (code >= 0x48a && code <= 0x556);
  if (code < 0x2e80) return (code >= 0x2010 && code <= 0x2027) || (code >= 0x2190 && code <= 0x2bff);
  if (code < 0xac00)
    return (code >= 0x3000 && code <= 0x3029) || (code >= 0x3041 && code <= 0x3096) || isLaterCjk(code);
  return code <= 0xd7a3 || (code >= 0xff01 && code <= 0xff60);
}

function isLaterCjk(code: number): boolean {
  return (code >= 0x309b && code <= 0x3247) || (code >= 0x3400 && code <= 0x9fff);
}

function clusterEnd(line: string, from: number): number {
  const next = line.indexOf('\u001b', from + 1);
  return next === -1 ? line.length : next;
}

function codeAt(line: string, at: number): string | undefined {
  if (line.charCodeAt(at) !== 0x1b) return undefined;
  CODE.lastIndex = at;
  return CODE.exec(line)?.[0];
}

/** What makes one picture of several characters: selector, joiner, skin, key cap, tags; and flags. */
const PICTURE = /\ufe0f|\u200d(?=\p{Extended_Pictographic})|\p{Emoji_Modifier}|^\p{RI}\p{RI}|[\u{e0020}-\u{e007f}]/u;
const NO_COLUMN = /[\p{M}\p{Cc}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]/u;

function clusterWidth(text: string): number {
  const first = text.codePointAt(0) ?? 0;
  if (text.length === (first > 0xffff ? 2 : 1)) return characterWidth(first, text);
  if (PICTURE.test(text) && !/^\p{M}/u.test(text)) return 2;
  let width = 0;
  for (const char of text) width += characterWidth(char.codePointAt(0) ?? 0, char);
  return width;
}

function characterWidth(codePoint: number, char: string): number {
  if (NO_COLUMN.test(char)) return 0;
  return isWide(codePoint) ? 2 : 1;
}
