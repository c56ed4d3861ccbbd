import { errorMessage, systemErrorCode } from '../../util/failure.js';

/** Why a file that was listed could not be read, by the system's error code. */
export const READ_FAILURES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'it was deleted meanwhile',
  ENOTDIR: 'its folder was replaced meanwhile',
  ELOOP: 'it became a symbolic link',
  ENXIO: 'not a regular file any more',
  EISDIR: 'not a regular file any more',
};

/** What the system says, and what other programs pass on. */
const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  'Permission denied': 'EACCES',
  'Operation not permitted': 'EPERM',
  'No such file or directory': 'ENOENT',
  'Not a directory': 'ENOTDIR',
  'Too many levels of symbolic links': 'ELOOP',
  'No such device or address': 'ENXIO',
  'Is a directory': 'EISDIR',
};

/** The same reason in the words of `READ_FAILURES`, where it has some. */
export function readFailureInWords(systemWords: string): string {
  return READ_FAILURES[SYSTEM_WORDS[systemWords] ?? ''] ?? systemWords;
}

export function readFailure(thrown: unknown): string {
  return READ_FAILURES[systemErrorCode(thrown) ?? ''] ?? errorMessage(thrown);
}
