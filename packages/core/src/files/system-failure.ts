import { errorMessage, Failure, systemErrorCode } from '../util/failure.js';

/** System error codes → our code and what to say. */
const KNOWN: ReadonlyMap<string, readonly [code: string, words: string]> = new Map([
  ['ENOENT', ['file_not_found', 'it does not exist']],
  ['EACCES', ['permission_denied', 'permission denied']],
  ['EPERM', ['permission_denied', 'operation not permitted']],
  ['EROFS', ['permission_denied', 'the file system is read-only']],
  ['ENOSPC', ['no_space_left', 'no space left on the device']],
  ['EDQUOT', ['no_space_left', 'the disk quota is used up']],
  ['EISDIR', ['target_is_directory', 'it is a folder']],
  ['ENOTDIR', ['path_is_not_a_directory', 'a part of the path is not a folder']],
  ['ENAMETOOLONG', ['invalid_path', 'a name is too long for the file system']],
  ['EMFILE', ['execution_failed', 'too many files are open']],
]);

/** A system error as a `Failure`; one that is a `Failure` already stays as it is. */
export function systemFailure(thrown: unknown, what: string): Failure {
  if (thrown instanceof Failure) return thrown;
  const [code, words] = KNOWN.get(systemErrorCode(thrown) ?? '') ?? ['execution_failed', errorMessage(thrown)];
  return new Failure(code, `${what}: ${words}.`, { cause: thrown });
}
