import { isAbsolute } from 'node:path';
import type { Refusal } from './workspace-types.js';

/** Linux' PATH_MAX; other systems allow less, and say so themselves. */
const MAX_PATH_BYTES = 4096;

/** What is wrong with a path as text, before the file system is asked: null, or the refusal (S60). */
export function checkPathText(path: string): Refusal | null {
  if (path === '') return invalid('Path must not be empty.');
  if (path.includes('\0')) return invalid('Path must not contain a NUL character.');
  if (hasLoneSurrogate(path))
    return invalid(
      'Path must be valid Unicode: it contains half of a surrogate pair. A name that is no UTF-8 can only be searched for in its folder, by a glob, or changed first.',
    );
  if (!isAbsolute(path)) return { code: 'path_not_absolute', message: `Path must be absolute: ${path}` };
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    return invalid(`Path is too long: ${Buffer.byteLength(path)} bytes, at most ${MAX_PATH_BYTES} are allowed.`);
  }
  return null;
}

/** True for a path that, as text, speaks of a folder: it ends in a slash or in `/.`. */
export function asksForFolder(path: string): boolean {
  return /\/\.?$/.test(path);
}

function invalid(message: string): Refusal {
  return { code: 'invalid_path', message };
}

function hasLoneSurrogate(text: string): boolean {
  return /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}
