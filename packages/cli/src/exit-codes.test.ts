import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { EXIT_CODE_SENTENCES, ExitCode } from './exit-codes.js';

it('has its reference page say the same', async () => {
  const page = await readFile(new URL('../../../docs/reference/exit-codes.md', import.meta.url), 'utf8');
  const rows = Array.from(page.matchAll(/^\| +(\d+) \| (.*?) +\|$/gm), (row) => [Number(row[1]), row[2]]);
  const expected = Object.entries(EXIT_CODE_SENTENCES).map(([code, sentence]) => [Number(code), sentence]);
  expect(rows).toEqual(expected);
  expect(rows.map(([code]) => code)).toEqual(Object.values(ExitCode));
});
