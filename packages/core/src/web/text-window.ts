export interface TextWindow {
  readonly text: string;
  /** Characters from the start of the whole text, as of a string. */
  readonly start: number;
  readonly end: number;
  readonly total: number;
}

/** With directions and mark, below what a result may have (`DEFAULT_OUTPUT_LIMITS`). */
const MOST_WINDOW_BYTES = 44_000;
/** How far back a line break is looked for, so that no line is torn. */
const LINE_SHARE = 0.1;

/** A part of a text from `offset` on, at most `limit` characters and what fits into a result; ends with a line where one ends near. */
export function textWindow(text: string, offset: number, limit: number): TextWindow {
  const total = text.length;
  const start = wholeFrom(text, Math.min(offset, total));
  let end = wholeFrom(text, Math.min(total, start + limit));
  while (end > start && Buffer.byteLength(text.slice(start, end)) > MOST_WINDOW_BYTES)
    end = wholeFrom(text, start + Math.floor((end - start) * 0.9));
  if (end < total) {
    const line = text.lastIndexOf('\n', end - 1) + 1;
    if (line > start && end - line < (end - start) * LINE_SHARE) end = line;
  }
  return { text: text.slice(start, end), start, end, total };
}

/** Never between the halves of one character. */
function wholeFrom(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
