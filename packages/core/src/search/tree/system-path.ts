import { dirname } from 'node:path';
import { encodeEscaped } from '../../files/escaped-bytes.js';

const ESCAPED = /[\udc80-\udcff]/u;

/** True for a path with names that are no UTF-8, written as `decodeEscaped` does: no program can be given it as text. */
export function isUnnamable(path: string): boolean {
  return ESCAPED.test(path);
}

/** The path as the file system takes it: its true bytes where it is no UTF-8. */
export function systemPath(path: string): string | Buffer {
  return isUnnamable(path) ? encodeEscaped(path) : path;
}

/** The innermost folder on a path's way that can be named as text, and so judged by the gate; the path itself where it can. */
export function namablePart(path: string): string {
  let part = path;
  while (isUnnamable(part)) part = dirname(part);
  return part;
}
