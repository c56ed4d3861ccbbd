import type { WriteStream } from 'node:tty';
import type { Safe } from '@tenon/core';

/** A stream to write to that loses nothing: every write waits until the text was handed on. */
export interface Output {
  readonly isTerminal: boolean;
  /** Whether colours are wanted. */
  readonly colors: boolean;
  /** How many columns a terminal has by now; infinitely many elsewhere. */
  columns(): number;
  /** Aborted once the reader has gone away; writes do nothing from then on. */
  readonly closed: AbortSignal;
  /** For people. */
  write(text: Safe): Promise<void>;
  /** For programs: JSON, whose unsafe characters are escaped, and results that go to a file or a pipe as they are. */
  writeData(text: string): Promise<void>;
}

/** What `process.stdout` is, as far as it is needed here. */
export type OutputStream = Pick<WriteStream, 'write' | 'on'> & { readonly isTTY?: boolean; readonly columns?: number };

/**
 * Wraps a stream. A reader that went away (EPIPE) is no error: `closed` tells it. Any other failure of
 * the stream (a full disk) ends the same way, with `failed` told its message.
 */
export function createOutput(
  stream: OutputStream,
  environment: Readonly<Record<string, string | undefined>>,
  failed: (message: string) => void,
): Output {
  const gone = new AbortController();
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (gone.signal.aborted) return;
    gone.abort();
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') failed(error.message);
  });
  const isTerminal = stream.isTTY === true;
  const write = (text: string): Promise<void> =>
    new Promise((resolve) => {
      if (gone.signal.aborted || text === '') return resolve();
      // The callback comes when the text left this process, so a slow reader slows the writer down.
      stream.write(text, () => resolve());
    });
  // A terminal that does not know its width says 0.
  const columns = (): number => (isTerminal && stream.columns ? stream.columns : Infinity);
  const colors = wantsColors(isTerminal, environment);
  return { isTerminal, colors, columns, closed: gone.signal, write, writeData: write };
}

/** https://no-color.org and its counterpart FORCE_COLOR; else colours on terminals that know them. */
function wantsColors(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  if ((environment['FORCE_COLOR'] ?? '') !== '') return environment['FORCE_COLOR'] !== '0';
  return isTerminal && environment['TERM'] !== 'dumb';
}
