import { lstatSync, rmdirSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';

/** What was to be followed is not on this machine, or not there any more (EX_UNAVAILABLE of sysexits.h). */
export const NOTHING_TO_FOLLOW = 69;
/** Whoever fed it went away without an end. */
const LOST = 70;

export interface FollowerOutput {
  /** False: full; `drain` comes. */
  write(text: Buffer): boolean;
  once(event: 'drain', listener: () => void): unknown;
  on(event: 'error', listener: () => void): unknown;
}

/**
 * Shows what comes from the socket of that path, and resolves to the exit code that comes at its end: a byte of 0, which is in no
 * text, and the code. It ends with whoever feeds it, however that ended. Loads nothing: a command waits to be seen.
 */
export function followOutput(path: string, out: FollowerOutput): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let isThere = false;
    let isEnding = false;
    let isOver = false;
    const end = (code: number): void => {
      isOver = true;
      socket.destroy();
      resolve(code);
    };
    // Nobody looks any more.
    out.on('error', () => end(LOST));
    socket.on('connect', () => (isThere = true));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (isThere || code === 'ECONNREFUSED') removeName(path);
      end(isThere ? LOST : NOTHING_TO_FOLLOW);
    });
    socket.on('close', () => {
      if (isOver) return;
      removeName(path);
      end(LOST);
    });
    socket.on('data', (chunk: Buffer) => {
      const at = isEnding ? -1 : chunk.indexOf(0);
      const code = isEnding ? chunk[0] : at === -1 ? undefined : chunk[at + 1];
      isEnding ||= at !== -1;
      const text = at === -1 ? chunk : chunk.subarray(0, at);
      const hasRoom = isEnding && at === -1 ? true : text.length === 0 || out.write(text);
      if (code !== undefined) end(code);
      else if (!hasRoom) {
        socket.pause();
        out.once('drain', () => socket.resume());
      }
    });
  });
}

/** Of a socket that nobody listens at any more: whoever made it was killed. Its folder goes with it where that is empty. */
function removeName(path: string): void {
  try {
    if (!lstatSync(path).isSocket()) return;
    unlinkSync(path);
    rmdirSync(dirname(path));
  } catch {
    // Somebody else was faster, or it holds more.
  }
}
