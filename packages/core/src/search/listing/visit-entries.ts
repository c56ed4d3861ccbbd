import { opendirSync, readdirSync, type Dirent } from 'node:fs';
import { decodeEscaped, systemPath } from '../../files/escaped-bytes.js';
import { systemErrorCode } from '../../util/failure.js';
import { Pause } from '../tree/pause.js';

/** Looks at the entries of one folder, one after the other, in no order. */
export interface EntryVisitor<T> {
  /** `name` as `decodeEscaped` writes it; of `entry` only the type may be asked. */
  visit(name: string, entry: EntryType): void;
  end(): T;
}

/** What a `Dirent` says of the type of an entry, a link being a link. */
export type EntryType = Pick<
  Dirent,
  'isDirectory' | 'isFile' | 'isSymbolicLink' | 'isFIFO' | 'isSocket' | 'isCharacterDevice' | 'isBlockDevice'
>;

/** Entries read from the system at once. */
const BATCH = 1024;
/** Entries between two looks at the clock. */
const CLOCK_EVERY = 256;

const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Shows a folder to a visitor in memory that does not grow with the number of entries, in half the time of `readdir`
 * with types. `at` may hold names that are no UTF-8. `start` is called again when the reading has to begin anew.
 * @throws what the system says, or the signal's reason once it is aborted
 */
export async function visitEntries<T>(at: string, start: () => EntryVisitor<T>, signal: AbortSignal): Promise<T> {
  try {
    return await visitByBatches(at, start(), signal);
  } catch (thrown) {
    // Where the file system tells no types, Node asks for each by its name, which has to be the true one then.
    if (signal.aborted || systemErrorCode(thrown) !== 'ENOENT') throw thrown;
    return visitAll(at, start());
  }
}

/** Latin-1 keeps every byte of a name, at the cost of plain text. */
async function visitByBatches<T>(at: string, visitor: EntryVisitor<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const folder = opendirSync(systemPath(at), { encoding: 'latin1', bufferSize: BATCH });
  try {
    const pause = new Pause(signal);
    let seen = 0;
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      visitor.visit(nameOf(entry.name), entry);
      if (++seen % CLOCK_EVERY === 0 && pause.isDue()) await pause.take();
    }
    return visitor.end();
  } finally {
    folder.closeSync();
  }
}

function visitAll<T>(at: string, visitor: EntryVisitor<T>): T {
  for (const entry of readdirSync(systemPath(at), { withFileTypes: true, encoding: 'buffer' }))
    visitor.visit(decodeEscaped(entry.name), entry);
  return visitor.end();
}

function nameOf(latin1: string): string {
  return BEYOND_ASCII.test(latin1) ? decodeEscaped(Buffer.from(latin1, 'latin1')) : latin1;
}
