import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage, Failure } from '../util/failure.js';

/** What a command reads from, seen from our side. */
export interface CommandStdin {
  readonly isTerminal: boolean;
  /** Device and number of the pipe, by which the command's end of it is known. Absent for a terminal. */
  readonly pipe?: { readonly dev: number; readonly ino: number };
  /** Resolves once it was taken. @throws Failure `input_closed`, `input_not_taken` */
  write(text: string): Promise<void>;
  /** End of file for the command. */
  close(): void;
}

/** How long a program may leave its input unread before we stop waiting; a pipe takes 64 KiB without any reader. */
const TAKEN_WITHIN_MS = 2000;

/** Owns the writing end of a pipe. */
export function pipeStdin(writeEnd: number): CommandStdin {
  const { dev, ino } = fstatSync(writeEnd);
  const socket = new Socket({ fd: writeEnd, readable: false, writable: true });
  // The command went away or closed its end; whoever writes next is told.
  socket.on('error', () => undefined);
  return {
    isTerminal: false,
    pipe: { dev, ino },
    write: async (text) => {
      if (socket.destroyed || socket.writableEnded) throw inputClosed();
      const written = new Promise<void>((resolve, reject) => {
        socket.write(text, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(inputClosed(errorMessage(error)));
        });
      });
      await takenInTime(written);
    },
    close: () => {
      socket.end();
      // What nobody reads must not keep this process alive.
      socket.unref();
    },
  };
}

function inputClosed(cause?: string): Failure {
  const why = cause === undefined ? '' : ` (${cause})`;
  return new Failure(
    'input_closed',
    `The input of the command is closed${why}: it ended, or nothing reads it any more.`,
  );
}

async function takenInTime(written: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const late = sleep(TAKEN_WITHIN_MS, 'late' as const, { signal: waiting.signal }).catch(() => 'late' as const);
  try {
    if ((await Promise.race([written, late])) !== 'late') return;
    throw new Failure(
      'input_not_taken',
      'The command does not read its input: its pipe is full. Look at its output, or stop it.',
    );
  } finally {
    written.catch(() => undefined);
    waiting.abort();
  }
}
