import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Both ends of one pipe, as descriptors of this process that no child inherits unasked. */
export interface OutputPipe {
  readonly readEnd: number;
  readonly writeEnd: number;
}

const run = promisify(execFile);

/** Pipes that are made at once from the second time on: making them costs a process, as much as a small command does. */
const AT_ONCE = 16;

/** Makes pipes, some of them ahead of time. Everything it holds is closed by `close`. */
export class OutputPipes {
  readonly #ready: OutputPipe[] = [];
  #amount = 1;

  /** A pipe for the output of a command: reading never blocks. Undefined where none can be made. */
  async take(folder: string): Promise<OutputPipe | undefined> {
    const made = this.#ready.pop();
    if (made !== undefined) return made;
    const [first, ...rest] = await openPipes(folder, this.#amount, openForOutput);
    this.#amount = AT_ONCE;
    this.#ready.push(...rest);
    return first;
  }

  /** Closes those that nobody took. More may be taken afterwards. */
  close(): void {
    for (const { readEnd, writeEnd } of this.#ready.splice(0)) {
      closeSync(readEnd);
      closeSync(writeEnd);
    }
  }
}

/** A pipe for the input of a command: writing never blocks, reading waits as programs expect. Undefined as above. */
export async function openInputPipe(folder: string): Promise<OutputPipe | undefined> {
  return (await openPipes(folder, 1, openForInput))[0];
}

/**
 * Real pipes, which Node cannot make by itself: its own `'pipe'` is a pair of sockets, through
 * which a command can open neither `/dev/stdout` nor `/dev/stderr` (ENXIO), and one for each
 * stream, so that the order of the two is lost. The names of the FIFOs are gone before anything runs.
 * None where they cannot be made (no `mkfifo`, a file system without FIFOs).
 */
async function openPipes(folder: string, amount: number, open: (path: string) => OutputPipe): Promise<OutputPipe[]> {
  const paths = Array.from({ length: amount }, () => join(folder, `pipe-${randomUUID()}`));
  const pipes: OutputPipe[] = [];
  try {
    await run('mkfifo', ['-m', '600', ...paths], { timeout: 5000 });
    for (const path of paths) pipes.push(open(path));
  } catch {
    // Those that could be opened serve.
  } finally {
    for (const path of paths) unlinkQuietly(path);
  }
  return pipes;
}

function openForOutput(path: string): OutputPipe {
  return openEnds(path, (ends) => {
    // Without O_NONBLOCK this would wait for a writer; the writer then finds its reader at once.
    const readEnd = ends.open(constants.O_RDONLY | constants.O_NONBLOCK);
    return { readEnd, writeEnd: ends.open(constants.O_WRONLY) };
  });
}

function openForInput(path: string): OutputPipe {
  return openEnds(path, (ends) => {
    const opener = ends.open(constants.O_RDONLY | constants.O_NONBLOCK);
    const writeEnd = ends.open(constants.O_WRONLY | constants.O_NONBLOCK);
    const readEnd = ends.open(constants.O_RDONLY);
    ends.close(opener);
    return { readEnd, writeEnd };
  });
}

interface Ends {
  readonly open: (flags: number) => number;
  readonly close: (end: number) => void;
}

/** Closes what was opened when it cannot be finished. */
function openEnds(path: string, make: (ends: Ends) => OutputPipe): OutputPipe {
  const opened = new Set<number>();
  const close = (end: number): void => {
    opened.delete(end);
    closeSync(end);
  };
  const open = (flags: number): number => {
    const end = openSync(path, flags | constants.O_NOFOLLOW);
    opened.add(end);
    if (!fstatSync(end).isFIFO()) throw new Error('no FIFO');
    return end;
  };
  try {
    return make({ open, close });
  } catch (thrown) {
    for (const end of opened) close(end);
    throw thrown;
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else removed the folder; the pipe does not need its name.
  }
}
