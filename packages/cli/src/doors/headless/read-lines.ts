import type { Input } from '../../surroundings.js';

/** One line of an input, counted from 1; or why it cannot be taken. Empty lines are passed over. */
export type InputLine =
  { readonly number: number; readonly text: string } | { readonly number: number; readonly problem: string };

const NEWLINE = 0x0a;

/**
 * The lines of an input as they come, the last one also without its end. A line that is too long or not UTF-8 costs
 * itself only. Reads no further ahead than it is asked. Ends with the input, or when the signal is aborted.
 */
export async function* readLines(input: Input, maxBytes: number, signal: AbortSignal): AsyncGenerator<InputLine> {
  let number = 0;
  let pieces: Buffer[] = [];
  let size = 0;
  const take = (): InputLine | undefined => {
    number += 1;
    const line = size > maxBytes ? tooLong(number, maxBytes) : decode(number, Buffer.concat(pieces));
    pieces = [];
    size = 0;
    return 'text' in line && line.text.trim() === '' ? undefined : line;
  };
  for await (const chunk of chunksOf(input, signal)) {
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      size += piece.length;
      // What is too long already is not kept.
      if (size <= maxBytes) pieces.push(piece);
      if (end === -1) break;
      const line = take();
      if (line !== undefined) yield line;
      start = end + 1;
    }
  }
  const last = size === 0 || signal.aborted ? undefined : take();
  if (last !== undefined) yield last;
}

async function* chunksOf(input: Input, signal: AbortSignal): AsyncGenerator<Buffer> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const chunks = input[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([chunks.next(), aborted]);
    if (next === undefined || next.done === true) return;
    yield typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
  }
}

function decode(number: number, bytes: Buffer): InputLine {
  try {
    return { number, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { number, problem: 'The line is not UTF-8 text.' };
  }
}

function tooLong(number: number, maxBytes: number): InputLine {
  return {
    number,
    problem: `The line is longer than ${maxBytes} bytes. Save what is large in the workspace and name the file with "attach".`,
  };
}
