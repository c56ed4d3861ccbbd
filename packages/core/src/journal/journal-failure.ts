import { errorMessage, Failure, systemErrorCode } from '../util/failure.js';

/** System error codes → our code, what to say and what to do. */
const KNOWN: ReadonlyMap<string, readonly [code: string, words: string, advice: string]> = new Map([
  ['ENOSPC', ['no_space_left', 'no space left on the device', 'Free some space there']],
  ['EDQUOT', ['no_space_left', 'the disk quota is used up', 'Free some space there']],
  ['EROFS', ['read_only_file_system', 'the file system is read-only', 'Make it writable']],
  ['EACCES', ['permission_denied', 'permission denied', 'Give yourself write permission on it']],
  ['EPERM', ['permission_denied', 'operation not permitted', 'Give yourself write permission on it']],
  ['EMFILE', ['too_many_open_files', 'too many files are open', 'Close some, or raise the limit (ulimit -n)']],
  ['ENFILE', ['too_many_open_files', 'too many files are open on this system', 'Close some programs']],
]);

/** Why the journal could not be written: then nothing is changed, because it could not be undone. */
export function journalFailure(thrown: unknown, folder: string): Failure {
  if (thrown instanceof Failure) return thrown;
  const [code, words, advice] = KNOWN.get(systemErrorCode(thrown) ?? '') ?? [
    'journal_unusable',
    errorMessage(thrown),
    'Mend that',
  ];
  const message =
    `Nothing was changed, because the journal, without which a change could not be undone, cannot be written: ` +
    `${words} (${folder}). ${advice}, or name another folder in TENON_HOME.`;
  return new Failure(code, message, { cause: thrown });
}
