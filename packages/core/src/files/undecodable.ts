/** As much decides. */
const SAMPLE_BYTES = 8192;

/** Letters, digits and the space in all code pages of EBCDIC. */
const EBCDIC_WORDS = byteSet(
  [0x40],
  [0x81, 0x89],
  [0x91, 0x99],
  [0xa2, 0xa9],
  [0xc1, 0xc9],
  [0xd1, 0xd9],
  [0xe2, 0xe9],
  [0xf0, 0xf9],
);
/** Tab and line ends, and the signs that nearly all of the code pages have. */
const EBCDIC_SIGNS = byteSet([0x05], [0x0d], [0x15], [0x25], [0x4a, 0x50], [0x5a, 0x61], [0x6a, 0x6f], [0x79, 0x7f]);
/** Shorter ones may be anything. */
const LEAST_EBCDIC_BYTES = 40;

/** A text of which is certain what it is, but not how to read it: its name, as `text in EBCDIC`. Undefined for all others. */
export function undecodableText(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (isDamagedUtf32(sample)) return 'damaged text in UTF-32';
  return isEbcdic(sample) ? 'text in EBCDIC' : undefined;
}

/** It has the mark, and more than a few of its units are no characters. */
function isDamagedUtf32(sample: Uint8Array): boolean {
  const view = new DataView(sample.buffer, sample.byteOffset, sample.byteLength & ~3);
  if (view.byteLength === 0) return false;
  const isLittle = view.getUint32(0, true) === 0xfeff;
  if (!isLittle && view.getUint32(0) !== 0xfeff) return false;
  let damaged = sample.length % 4 === 0 ? 0 : 1;
  for (let at = 4; at < view.byteLength; at += 4) {
    const unit = view.getUint32(at, isLittle);
    if (unit === 0 || unit > 0x10ffff || (unit >= 0xd800 && unit <= 0xdfff)) damaged += 1;
  }
  return damaged > view.byteLength / 4 / 10;
}

/** Words with spaces of EBCDIC between them, which are `@` in ASCII, and neither a space nor a line feed of ASCII. */
function isEbcdic(sample: Uint8Array): boolean {
  if (sample.length < LEAST_EBCDIC_BYTES || sample.includes(0x20) || sample.includes(0x0a)) return false;
  let [words, spaces, signs] = [0, 0, 0];
  for (const byte of sample) {
    if (EBCDIC_WORDS.has(byte)) words += 1;
    if (EBCDIC_SIGNS.has(byte)) signs += 1;
    if (byte === 0x40) spaces += 1;
  }
  const { length } = sample;
  return words >= length * 0.7 && words + signs >= length * 0.95 && spaces >= length * 0.05;
}

/** All bytes of ranges, ends included. */
function byteSet(...ranges: readonly (readonly number[])[]): ReadonlySet<number> {
  const bytes = new Set<number>();
  for (const [from = 0, to = from] of ranges) for (let byte = from; byte <= to; byte += 1) bytes.add(byte);
  return bytes;
}
