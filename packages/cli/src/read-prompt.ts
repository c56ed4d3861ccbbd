import { findMentions } from '@tenon/core';
import { ExitCode, ExitFailure } from './exit-codes.js';
import { MAX_PROMPT_BYTES, readInput } from './read-input.js';
import type { Surroundings } from './surroundings.js';
import { sayLines } from './ui/say.js';

/** By then most programs whose output is piped in have said something. */
const WAITING_MS = 3_000;

/** What is asked, and the files that the person named in their own words with `@`. */
export interface Prompt {
  readonly text: string;
  readonly attach: readonly string[];
}

/**
 * The prompt of this run: the words, and what was piped in below them. Undefined when there is neither and
 * standard input is a terminal: then a session is opened.
 * @throws ExitFailure `USAGE` for a prompt that is empty, too large, or holds a NUL.
 */
export async function readPrompt(
  surroundings: Surroundings,
  words: string | undefined,
  signal: AbortSignal,
): Promise<Prompt | undefined> {
  if (words !== undefined) checkPrompt(words);
  const note = words === undefined ? undefined : setTimeout(() => void sayThatItWaits(surroundings), WAITING_MS);
  const reading = await readInput(surroundings.stdin(), words !== undefined, signal).finally(() => clearTimeout(note));
  if (reading.silent) {
    await sayLines(surroundings.err, [
      'standard input is open but silent; going on without it. (`< /dev/null` says so at once.)',
    ]);
  }
  const text = joinPrompt(words, reading.text);
  if (text === undefined) return undefined;
  checkPrompt(text);
  // What was piped in below a prompt is material: an `@` in it names nothing.
  return { text, attach: findMentions(words ?? text) };
}

/** A pipe that whoever started this never closes looks like work that takes long: the reason should be seen. */
function sayThatItWaits({ err }: Surroundings): Promise<void> {
  return sayLines(err, [
    'waiting for standard input to end, for it is part of the prompt. (`< /dev/null` does without.)',
  ]);
}

/** What was piped in stands below the words, marked, so that the model can tell the two apart. Pure. */
export function joinPrompt(words: string | undefined, piped: string | undefined): string | undefined {
  if (words === undefined || piped === undefined || piped.trim() === '') return words ?? piped;
  return `${words}\n\n<stdin>\n${piped.endsWith('\n') ? piped : `${piped}\n`}</stdin>`;
}

/** @throws ExitFailure `USAGE` */
export function checkPrompt(prompt: string): void {
  if (prompt.trim() === '') {
    throw new ExitFailure(
      ExitCode.USAGE,
      'The prompt is empty. Give it as an argument, with -p, or on standard input.',
    );
  }
  if (prompt.includes('\0')) {
    throw new ExitFailure(ExitCode.USAGE, 'The prompt holds a NUL character. Remove it: it is not text.');
  }
  if (Buffer.byteLength(prompt) > MAX_PROMPT_BYTES) {
    throw new ExitFailure(
      ExitCode.USAGE,
      `The prompt is larger than ${MAX_PROMPT_BYTES} bytes. Save it in the workspace and name the file in the prompt instead.`,
    );
  }
}
