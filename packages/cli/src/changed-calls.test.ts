import { Failure } from '@tenon/core';
import { expect, it } from 'vitest';
import { parseArguments } from './arguments/parse-arguments.js';
import { answering, selectionOf } from './changed-calls.js';
import { ExitCode } from './exit-codes.js';

const select = (...args: string[]): unknown => {
  const { words, options } = parseArguments(args);
  return selectionOf(words[0], options);
};

it('reads which calls are meant', () => {
  expect(select('undo')).toEqual({ last: 1 });
  expect(select('undo', '12')).toEqual({ last: 12 });
  expect(select('undo', '12345678')).toEqual({ id: '12345678' });
  expect(select('diff', 'ab12')).toEqual({ id: 'ab12' });
  expect(select('undo', '--turn')).toEqual({ lastTurn: true });
  expect(select('diff', '--to', 'ab12')).toEqual({ after: 'ab12' });
  expect(() => select('undo', '0')).toThrow('counted from 1');
  expect(() => select('undo', '2', '--to', 'x')).toThrow('only one of them');
});

it('gives what was asked for in vain its exit code', async () => {
  const failing = (code: string): Promise<never> => answering(Promise.reject(new Failure(code, 'message')));
  await expect(failing('nothing_to_undo')).rejects.toMatchObject({ exitCode: ExitCode.NOT_UNDONE, message: 'message' });
  await expect(failing('ambiguous_change')).rejects.toMatchObject({ exitCode: ExitCode.USAGE });
  await expect(failing('no_space_left')).rejects.toMatchObject({ code: 'no_space_left' });
});
