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

/** The same of bytes that are taken for characters one by one, where they stood left aside: many times as quick. */
export function visibleBytes(bytes: Buffer): Buffer {
  let escape = bytes.indexOf(ESCAPE);
  if (escape === -1) return bytes;
  const visible = Buffer.allocUnsafe(bytes.length);
  let [length, start] = [0, 0];
  while (escape !== -1) {
    const end = endOfCode(bytes, escape);
    // What is no code is shown as it stands.
    const from = end === -1 ? escape + 1 : escape;
    for (let at = start; at < from; at += 1) visible[length++] = bytes[at] as number;
    start = end === -1 ? from : end;
    // Codes mostly lie close together, and a call costs as much as some bytes.
    escape = bytes[start] === ESCAPE ? start : bytes.indexOf(ESCAPE, start);
  }
  for (let at = start; at < bytes.length; at += 1) visible[length++] = bytes[at] as number;
  return visible.subarray(0, length);
}

const ESCAPE = 0x1b;
const BELL_BYTE = 7;
const BACKSLASH = 0x5c;

/** Behind the code that begins there; -1 where none does. As `CODES` has it. */
function endOfCode(bytes: Buffer, escape: number): number {
  const first = bytes[escape + 1];
  let at = escape + 2;
  if (first === 0x5b) {
    at = behind(bytes, at, 64, 0x30, 0x3f);
    at = behind(bytes, at, 8, 0x20, 0x2f);
    const last = bytes[at] ?? 0;
    return last >= 0x40 && last <= 0x7e ? at + 1 : -1;
  }
  if (first === 0x5d) {
    const most = at + 2048;
    while (at < most && at < bytes.length && bytes[at] !== BELL_BYTE && bytes[at] !== ESCAPE) at += 1;
    if (bytes[at] === BELL_BYTE) return at + 1;
    return bytes[at] === ESCAPE && bytes[at + 1] === BACKSLASH ? at + 2 : -1;
  }
  at = behind(bytes, escape + 1, 4, 0x20, 0x2f);
  const last = bytes[at] ?? 0;
  return (last >= 0x30 && last <= 0x5a) || last === BACKSLASH || (last >= 0x5e && last <= 0x7e) ? at + 1 : -1;
}

/** Behind at most so many bytes from `least` to `most`. */
function behind(bytes: Buffer, from: number, count: number, least: number, most: number): number {
  let at = from;
  while (at < from + count && at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte < least || byte > most) break;
    at += 1;
  }
  return at;
}
