import { errorMessage, Failure, systemErrorCode } from '../util/failure.js';

const FREE_SPACE = 'Free some space, then try again.';
const FEWER_FILES = 'Try again with fewer calls at once, or when other programs have ended.';

/** System error codes → our code, what it means, and what to do where that is not plain. */
const KNOWN: ReadonlyMap<string, readonly [code: string, words: string, advice?: string]> = new Map([
  ['ENOENT', ['file_not_found', 'it does not exist']],
  ['EACCES', ['permission_denied', 'permission denied', 'Check the owner and the mode with ls -l.']],
  [
    'EPERM',
    [
      'permission_denied',
      'operation not permitted',
      'The file may belong to another user, or be immutable or append-only: lsattr shows that, chattr -i ends it.',
    ],
  ],
  [
    'EROFS',
    [
      'read_only_file_system',
      'the file system is read-only',
      'Write to another folder, or ask for it to be mounted writable.',
    ],
  ],
  ['ENOSPC', ['no_space_left', 'no space left on the device', FREE_SPACE]],
  ['EDQUOT', ['no_space_left', 'the disk quota is used up', FREE_SPACE]],
  ['EISDIR', ['target_is_directory', 'it is a folder']],
  ['ENOTDIR', ['path_is_not_a_directory', 'a part of the path is not a folder']],
  ['ENAMETOOLONG', ['invalid_path', 'a name is too long for the file system', 'Use a shorter name.']],
  ['ELOOP', ['invalid_path', 'too many links lead to each other', 'Use the path of the file itself.']],
  ['EMFILE', ['too_many_open_files', 'this process has too many files open', FEWER_FILES]],
  ['ENFILE', ['too_many_open_files', 'the system has too many files open', FEWER_FILES]],
  ['ETXTBSY', ['file_busy', 'it is a program that is running', 'End it first.']],
  ['EBUSY', ['file_busy', 'it is in use', 'Try again when whatever uses it has ended.']],
]);

/** A system error as a `Failure`; one that is a `Failure` already stays as it is. */
export function systemFailure(thrown: unknown, what: string): Failure {
  if (thrown instanceof Failure) return thrown;
  const [code, words, advice] = KNOWN.get(systemErrorCode(thrown) ?? '') ?? ['execution_failed', errorMessage(thrown)];
  return new Failure(code, `${what}: ${words}.${advice === undefined ? '' : ` ${advice}`}`, { cause: thrown });
}
