import { decodeEscaped } from '../../../files/escaped-bytes.js';
import { fromArgument } from './ripgrep-arguments.js';

/** Reads `path NUL rest`, where the rest ends with a given byte; names may hold anything but NUL. */
function recordReader(hasCount: boolean, told: (relativePath: string, count: number) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let nul = bytes.indexOf(0); nul !== -1; nul = bytes.indexOf(0, from)) {
      const end = hasCount ? bytes.indexOf(10, nul) : nul;
      if (end === -1) break;
      told(fromArgument(decodeEscaped(bytes.subarray(from, nul))), hasCount ? numberAt(bytes, nul + 1, end) : 1);
      from = end + 1;
    }
    rest = bytes.subarray(from);
  };
}

/** Reads the output of `--count --null`: `path NUL count LF`. */
export function countReader(counted: (relativePath: string, matches: number) => void): (chunk: Buffer) => void {
  return recordReader(true, counted);
}

/** Reads the output of `--files-with-matches --null`: `path NUL`. */
export function pathReader(found: (relativePath: string) => void): (chunk: Buffer) => void {
  return recordReader(false, found);
}

/** The decimal number that begins there. */
function numberAt(bytes: Buffer, from: number, end: number): number {
  let value = 0;
  for (let at = from; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return value;
}
