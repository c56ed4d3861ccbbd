import { safeText, sliceSafe, type Safe } from './safe-text.js';

const SGR = /\u001b\[[\d;]*m/y;
/** East Asian Wide and Fullwidth (UAX 11), by blocks. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
const PLAIN = /^[\x20-\x7e]*$/;

/** Columns that one line takes on a terminal; colours take none, a tab goes to the next eighth column. */
export function displayWidth(line: string): number {
  if (PLAIN.test(line)) return line.length;
  let width = 0;
  for (const cell of cells(line)) width += cellWidth(cell.text, width);
  return width;
}

/** The line cut to at most `width` columns, with `…` where something is missing. Colours that were on go off again. */
export function truncateToWidth(line: Safe, width: number): Safe {
  if (displayWidth(line) <= width) return line;
  if (width < 1) return safeText``;
  let used = 0;
  let end = 0;
  let codes = safeText``;
  let isCut = false;
  for (const { text, at } of cells(line)) {
    if (isSgr(text)) {
      // Everything up to the cut is taken as it is; behind it only the codes count.
      if (isCut) codes = safeText`${codes}${sliceSafe(line, at, at + text.length)}`;
      else end = at + text.length;
      continue;
    }
    const columns = cellWidth(text, used);
    isCut ||= used + columns > width - 1;
    if (isCut) continue;
    used += columns;
    end = at + text.length;
  }
  return safeText`${sliceSafe(line, 0, end)}…${codes}`;
}

interface Cell {
  readonly text: string;
  readonly at: number;
}

function* cells(line: string): Generator<Cell> {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let at = 0;
  while (at < line.length) {
    SGR.lastIndex = at;
    const code = SGR.exec(line)?.[0];
    if (code !== undefined) {
      yield { text: code, at };
      at += code.length;
      continue;
    }
    const next = line.indexOf('\u001b[', at + 1);
    const end = next === -1 ? line.length : next;
    for (const { segment, index } of segmenter.segment(line.slice(at, end))) yield { text: segment, at: at + index };
    at = end;
  }
}

function isSgr(text: string): boolean {
  return text.startsWith('\u001b[') && text.endsWith('m');
}

function cellWidth(text: string, column: number): number {
  if (isSgr(text)) return 0;
  if (text === '\t') return 8 - (column % 8);
  if (/^[\p{M}\p{Cc}\p{Cf}]+$/u.test(text)) return 0;
  return WIDE.test(text) || EMOJI.test(text) ? 2 : 1;
}
