const ESC = String.fromCharCode(27);
const BELL = String.fromCharCode(7);
const CODES = new RegExp(
  `${ESC}(?:\\[[0-?]{0,64}[ -/]{0,8}[@-~]|\\][^${BELL}${ESC}]{0,2048}(?:${BELL}|${ESC}\\\\)|[ -/]{0,4}[0-Z\\\\^-~])`,
  'g',
);

/** A text as a terminal shows it, and where its characters stood. */
export interface VisibleText {
  readonly text: string;
  /** Where the character at `index` stood. */
  readonly at: (index: number) => number;
}

/** Without the codes for colours and the like. */
export function visibleText(text: string): VisibleText {
  if (!text.includes(ESC)) return { text, at: (index) => index };
  const pieces: { readonly from: number; readonly start: number; readonly end: number }[] = [];
  let [end, from] = [0, 0];
  const add = (start: number, until: number): void => {
    if (until > start) pieces.push({ from, start, end: until });
    from += until - start;
  };
  for (const match of text.matchAll(CODES)) {
    add(end, match.index);
    end = match.index + match[0].length;
  }
  add(end, text.length);
  const at = (index: number): number => {
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((pieces[middle]?.from ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    const piece = pieces[low];
    return piece === undefined ? index : piece.start + index - piece.from;
  };
  return { text: pieces.map((piece) => text.slice(piece.start, piece.end)).join(''), at };
}
