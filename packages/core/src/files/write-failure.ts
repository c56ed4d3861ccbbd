import { Failure, systemErrorCode } from '../util/failure.js';
import { systemFailure } from './system-failure.js';

/** What a write may meet beyond what reads meet, or what is to be told apart there. */
const KNOWN: ReadonlyMap<string, readonly [code: string, words: string]> = new Map([
  ['EROFS', ['read_only_file_system', 'the file system is read-only']],
  ['EMFILE', ['too_many_open_files', 'too many files are open. Close some, or raise the limit (ulimit -n)']],
  ['ENFILE', ['too_many_open_files', 'too many files are open on this system. Close some programs']],
]);

/** A system error of a write as a `Failure`; one that is a `Failure` already stays as it is. */
export function writeFailure(thrown: unknown, what: string): Failure {
  const known = thrown instanceof Failure ? undefined : KNOWN.get(systemErrorCode(thrown) ?? '');
  return known === undefined
    ? systemFailure(thrown, what)
    : new Failure(known[0], `${what}: ${known[1]}.`, { cause: thrown });
}
