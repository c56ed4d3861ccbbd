import { closeSync, constants, fstatSync, openSync, readlinkSync, type Stats } from 'node:fs';
import { systemPath } from '../../files/escaped-bytes.js';
import { Failure } from '../../util/failure.js';
import { absoluteBelow } from '../../util/paths-below.js';
import type { HeldFolder } from '../held-folder.js';

export interface FileInPlace {
  /** To be closed. */
  readonly fd: number;
  readonly stat: Stats;
}

/**
 * Opens a file that was found below the folder; nothing else that may have taken its place.
 * @throws Failure, or a system error
 */
export function openInPlace(folder: HeldFolder, path: string): FileInPlace {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(systemPath(`${folder.workingDirectory}/${path}`), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Failure('not_a_regular_file', 'not a regular file any more');
    refuseMoved(fd, folder.path, path);
    return { fd, stat };
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

/** A folder on the way may have become a link since the file was listed. */
function refuseMoved(fd: number, folder: string, path: string): void {
  if (process.platform !== 'linux') return;
  const expected = Buffer.from(systemPath(absoluteBelow(folder, path)));
  if (!readlinkSync(`/proc/self/fd/${fd}`, 'buffer').equals(expected))
    throw new Failure('file_not_found', 'it was moved or replaced meanwhile');
}
