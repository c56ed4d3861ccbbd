import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, readAnswerSchema, type AnswerSchema } from '@tenon/core';
import { ExitCode, ExitFailure } from '../../exit-codes.js';

/** The schema of `--json-schema`: the JSON itself, or a file relative to `cwd`. @throws ExitFailure `USAGE` */
export async function readSchema(given: string, cwd: string): Promise<AnswerSchema> {
  const isJson = given.trimStart().startsWith('{');
  const from = isJson ? '--json-schema' : `--json-schema ${given}`;
  try {
    const text = isJson ? given : await readFile(path.resolve(cwd, given), 'utf8');
    return readAnswerSchema(JSON.parse(text) as unknown);
  } catch (thrown) {
    throw new ExitFailure(ExitCode.USAGE, `${from} cannot be used: ${errorMessage(thrown)}`, { cause: thrown });
  }
}
