import { fstatSync } from 'node:fs';
import { ExitCode, ExitFailure } from './exit-codes.js';
import type { Input } from './surroundings.js';

/** The most bytes a prompt may have, piped input included. Documented in docs/reference/exit-codes.md. */
export const MAX_PROMPT_BYTES = 10 * 1024 * 1024;

/** How long an input that may never say anything is waited for. */
const SILENCE_MS = 500;

export interface InputReading {
  /** Undefined when standard input is a terminal, or stayed silent although a prompt was given. */
  readonly text: string | undefined;
  readonly silent: boolean;
}

/**
 * Everything that standard input brings, as text.
 *
 * A program that starts this one often leaves a socket open as its standard input and never writes to it; with
 * `mayBeSilent` (there is a prompt already) such a socket is given up after half a second without a byte.
 * A pipe, as a shell makes it with `|`, is always read to its end.
 * @throws ExitFailure `USAGE` when it is too large or not UTF-8.
 */
export async function readInput(input: Input, mayBeSilent: boolean, signal: AbortSignal): Promise<InputReading> {
  if (input.isTTY === true) return { text: undefined, silent: false };
  const chunks = await collect(input, mayBeSilent && isSocket(input), signal);
  if (chunks === undefined) return { text: undefined, silent: true };
  return { text: decode(Buffer.concat(chunks)), silent: false };
}

/** The bytes to the end, or undefined when nothing came in time. */
function collect(input: Input, giveUp: boolean, signal: AbortSignal): Promise<Buffer[] | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = giveUp ? setTimeout(() => finish(() => resolve(undefined)), SILENCE_MS) : undefined;
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      input.off('data', onData);
      input.off('end', onEnd);
      input.off('error', onError);
      signal.removeEventListener('abort', onAbort);
      input.pause();
      settle();
    };
    const onData = (chunk: Buffer | string): void => {
      clearTimeout(timer);
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      chunks.push(bytes);
      size += bytes.length;
      if (size > MAX_PROMPT_BYTES) finish(() => reject(tooLarge()));
    };
    const onEnd = (): void => finish(() => resolve(chunks));
    const onError = (error: Error): void =>
      finish(() => reject(new ExitFailure(ExitCode.USAGE, `Standard input cannot be read: ${error.message}`)));
    const onAbort = (): void => finish(() => reject(new ExitFailure(ExitCode.INTERRUPTED, 'Interrupted.')));
    input.on('data', onData).on('end', onEnd).on('error', onError);
    // Listening alone does not wake an input that was paused before.
    input.resume();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ExitFailure(
      ExitCode.USAGE,
      'Standard input is not UTF-8 text. Save it in the workspace and name the file in the prompt instead.',
    );
  }
}

function tooLarge(): ExitFailure {
  return new ExitFailure(
    ExitCode.USAGE,
    `The prompt is larger than ${MAX_PROMPT_BYTES} bytes. Save it in the workspace and name the file in the prompt instead.`,
  );
}

function isSocket(input: Input): boolean {
  try {
    return fstatSync(input.fd ?? 0).isSocket();
  } catch {
    return false;
  }
}
