/** How a line feed is written in an encoding: its code unit, byte by byte. No other unit of it looks the same. */
export type LineFeed = readonly number[];

const NARROW: LineFeed = [0x0a];
const WIDE: ReadonlyMap<string, LineFeed> = new Map([
  ['utf-16le', [0x0a, 0]],
  ['utf-16be', [0, 0x0a]],
  ['utf-32le', [0x0a, 0, 0, 0]],
  ['utf-32be', [0, 0, 0, 0x0a]],
]);

/** After so many lines it is judged whether they are so short that a call for each is too dear. */
const SHORT_LINES = 64;
const SHORT_LINE_BYTES = 32;

/**
 * The line feed of an encoding. In all encodings of single bytes and in UTF-8, Shift_JIS (second bytes from 0x40),
 * Big5 and GB18030 (from 0x30) and EUC (from 0xA1), a byte 0x0A is a line feed and never a part of a character.
 */
export function lineFeedOf(encoding: string): LineFeed {
  return WIDE.get(encoding) ?? NARROW;
}

/** How many line feeds there are; bytes behind the last whole unit do not count. */
export function countLineFeeds(bytes: Uint8Array, feed: LineFeed): number {
  if (feed.length === 1) return countNarrow(bytes);
  let count = 0;
  for (let at = 0; at + feed.length <= bytes.length; at += feed.length) if (isFeed(bytes, at, feed)) count += 1;
  return count;
}

/** Where the unit after the line feed number `nth` (1 is the first) begins; -1 when there are fewer. */
export function afterLineFeed(bytes: Uint8Array, feed: LineFeed, nth: number): number {
  let left = nth;
  if (feed.length === 1) {
    let at = 0;
    for (; left > 0; left -= 1) {
      at = bytes.indexOf(0x0a, at) + 1;
      if (at === 0) return -1;
    }
    return at;
  }
  for (let at = 0; at + feed.length <= bytes.length; at += feed.length) {
    if (!isFeed(bytes, at, feed)) continue;
    left -= 1;
    if (left === 0) return at + feed.length;
  }
  return -1;
}

/** Where the unit after the last line feed begins; -1 when there is none. */
export function afterLastLineFeed(bytes: Uint8Array, feed: LineFeed): number {
  if (feed.length === 1) return bytes.lastIndexOf(0x0a) + 1 || -1;
  const whole = bytes.length - (bytes.length % feed.length);
  for (let at = whole - feed.length; at >= 0; at -= feed.length) if (isFeed(bytes, at, feed)) return at + feed.length;
  return -1;
}

function isFeed(bytes: Uint8Array, at: number, feed: LineFeed): boolean {
  for (let index = 0; index < feed.length; index += 1) if (bytes[at + index] !== feed[index]) return false;
  return true;
}

/** Most of the work of reading far into a large file: the system's search, but where lines are very short. */
function countNarrow(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) {
    count += 1;
    if (count % SHORT_LINES === 0 && at < count * SHORT_LINE_BYTES) return count + countDense(bytes.subarray(at + 1));
  }
  return count;
}

/** Four bytes at a time. */
function countDense(bytes: Uint8Array): number {
  let count = 0;
  let at = 0;
  while (at < bytes.length && (bytes.byteOffset + at) % 4 !== 0) if (bytes[at++] === 0x0a) count += 1;
  if (at === bytes.length) return count;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + at, (bytes.length - at) >> 2);
  let others = 0;
  for (let index = 0; index < words.length;) {
    // Each byte of the sum counts bytes that are no line feeds: they leave a one, so that 255 words are the most.
    const end = Math.min(words.length, index + 255);
    let sum = 0;
    for (; index < end; index += 1) {
      const word = (words[index] ?? 0) ^ 0x0a0a0a0a;
      sum = (sum + (((((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) >>> 7) & 0x01010101)) | 0;
    }
    others += (sum & 255) + ((sum >>> 8) & 255) + ((sum >>> 16) & 255) + (sum >>> 24);
  }
  count += words.length * 4 - others;
  for (at += words.length * 4; at < bytes.length; at += 1) if (bytes[at] === 0x0a) count += 1;
  return count;
}
