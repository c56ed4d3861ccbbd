import { closeSync, lstatSync, readSync } from 'node:fs';
import { systemPath } from '../../../files/escaped-bytes.js';
import type { HeldFolder } from '../../held-folder.js';
import { pathBelow } from '../../paths.js';
import { Pause } from '../../tree/pause.js';
import { openInPlace } from '../open-in-place.js';
import type { TargetFolder } from '../search-engine.js';
import { wideEncoding } from './lines-at-places.js';

/**
 * ripgrep takes a whole line into memory, however long it is, and what is no text may have none: an image of a disk is one
 * line of NUL bytes. Larger files are judged by their head first.
 */
export const LARGE_BYTES = 64 * 1024 * 1024;
/** So that it passes over larger ones in folders; what is named to it, it searches all the same. */
export const NO_LARGE_FILES = `--max-filesize=${LARGE_BYTES}`;
const HEAD_BYTES = 8192;

/** Those of folders that ripgrep is given as a whole. @throws the signal's reason */
export async function largeFilesIn(
  folder: HeldFolder,
  whole: readonly TargetFolder[],
  signal: AbortSignal,
): Promise<string[]> {
  const pause = new Pause(signal);
  const large: string[] = [];
  for (const { folder: below, names } of whole) {
    for (const name of names) {
      const path = pathBelow(below, name);
      if (sizeOf(`${folder.workingDirectory}/${path}`) > LARGE_BYTES) large.push(path);
      if (pause.isDue()) await pause.take();
    }
  }
  return large;
}

/** Whether the first bytes hold a NUL, and no mark of UTF-16; false for what cannot be read, which others tell. */
export function beginsWithNul(folder: HeldFolder, path: string): boolean {
  try {
    const { fd } = openInPlace(folder, path);
    try {
      const buffer = Buffer.alloc(HEAD_BYTES);
      const head = buffer.subarray(0, readSync(fd, buffer, 0, HEAD_BYTES, 0));
      return wideEncoding(head) === undefined && head.includes(0);
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}

function sizeOf(path: string): number {
  try {
    return lstatSync(systemPath(path), { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}
