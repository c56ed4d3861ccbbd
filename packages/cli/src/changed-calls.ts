import { Failure, openUndo, type Selection, type Undo } from '@tenon/core';
import type { Options } from './arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from './exit-codes.js';
import type { Surroundings } from './surroundings.js';
import { workspaceRoots } from './workspace-roots.js';

/** Longer ones are ids: they may be all digits. */
const MOST_DIGITS = 4;

/** The log of changes of the workspace. Needs no settings: an undo works however broken they are. */
export async function openChanges(surroundings: Surroundings, options: Options): Promise<Undo> {
  const roots = await workspaceRoots(surroundings.cwd, options.cwd, options.addDirs);
  return openUndo({ roots, tenonHome: surroundings.tenonHome });
}

/** Which calls the words and options mean. @throws ExitFailure `USAGE` */
export function selectionOf(word: string | undefined, { turn, to }: Options): Selection {
  const given = [word, turn, to].filter((one) => one !== undefined);
  if (given.length > 1) throw usage('Give a number or an id, --turn or --to: only one of them.');
  if (to !== undefined) return { after: to };
  return wordSelection(turn === undefined ? word : '--turn');
}

/** Where there are words and no options: a number, an id, `--turn`, or nothing. @throws ExitFailure `USAGE` */
export function wordSelection(word: string | undefined): Selection {
  if (word === undefined || word === '') return { last: 1 };
  if (word === '--turn') return { lastTurn: true };
  const count = countOf(word);
  return count === undefined ? { id: word } : { last: count };
}

/** A whole number above 0; undefined for a word that is no number. @throws ExitFailure `USAGE` */
export function countOf(word: string | undefined): number | undefined {
  if (word === undefined || !/^\d+$/.test(word) || word.length > MOST_DIGITS) return undefined;
  const count = Number(word);
  if (count === 0) throw usage('The calls are counted from 1, the last one.');
  return count;
}

/** Gives what was asked for in vain its exit code. */
export async function answering<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    const code = thrown instanceof Failure ? EXIT_CODES.get(thrown.code) : undefined;
    if (!(thrown instanceof Failure) || code === undefined) throw thrown;
    throw new ExitFailure(code, thrown.message, { cause: thrown });
  }
}

const EXIT_CODES: ReadonlyMap<string, ExitCode> = new Map([
  ['nothing_to_undo', ExitCode.NOT_UNDONE],
  ['nothing_to_redo', ExitCode.NOT_UNDONE],
  ['already_undone', ExitCode.NOT_UNDONE],
  ['no_such_change', ExitCode.USAGE],
  ['ambiguous_change', ExitCode.USAGE],
]);

export function usage(message: string): ExitFailure {
  return new ExitFailure(ExitCode.USAGE, message);
}
