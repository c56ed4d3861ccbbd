import { errorMessage } from '@tenon/core';
import { ExitCode, ExitFailure } from '../../exit-codes.js';

/**
 * Whether a text can be the arguments of a call. What a model sends is mended where that is safe; a person is told.
 * @throws ExitFailure `USAGE`
 */
export function checkArguments(text: string): void {
  let value: unknown;
  try {
    // A pipe may begin with a byte order mark; the tools overlook it as well.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    throw refuse(`The arguments are not valid JSON: ${errorMessage(thrown)}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('The arguments must be one JSON object.');
  }
}

function refuse(problem: string): ExitFailure {
  const hint = `Write them as one word for the shell, such as '{"path": "/tmp"}', or give - and pipe them in.`;
  return new ExitFailure(ExitCode.USAGE, `${problem} ${hint}`);
}
