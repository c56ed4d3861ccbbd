import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Both ends of one pipe, as descriptors of this process. */
export interface OutputPipe {
  readonly readEnd: number;
  readonly writeEnd: number;
}

const run = promisify(execFile);

/**
 * A real pipe, which Node cannot make by itself: its own `'pipe'` is a pair of sockets, through
 * which a command can open neither `/dev/stdout` nor `/dev/stderr` (ENXIO), and one for each
 * stream, so that the order of the two is lost. The name of the FIFO is gone before anything runs.
 * Undefined where none can be made (no `mkfifo`, a file system without FIFOs).
 */
export async function openOutputPipe(folder: string): Promise<OutputPipe | undefined> {
  const path = join(folder, `pipe-${randomUUID()}`);
  try {
    await run('mkfifo', ['-m', '600', path], { timeout: 5000 });
  } catch {
    return undefined;
  }
  const ends: number[] = [];
  try {
    // Without O_NONBLOCK this would wait for a writer; the writer below finds its reader at once.
    ends.push(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW));
    ends.push(openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW));
    const [readEnd, writeEnd] = ends;
    if (readEnd === undefined || writeEnd === undefined || !fstatSync(readEnd).isFIFO()) throw new Error('no FIFO');
    return { readEnd, writeEnd };
  } catch {
    for (const end of ends) closeSync(end);
    return undefined;
  } finally {
    unlinkQuietly(path);
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else removed the folder; the pipe does not need its name.
  }
}
