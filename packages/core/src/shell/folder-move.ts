import type { ParsedScript } from 'unbash';
import type { SimpleCommand } from './syntax-walk.js';

/** `none`: every command runs where the text starts. `to`: all but the first run there. */
export type FolderMove = 'none' | 'uncertain' | { readonly to: string };

/**
 * Where the commands of a text run. `cd folder && …` is certain: what follows runs only when the folder was
 * reached. Any other `cd` before another command (`cd a; b`, `cd a || b`, `cd a & b`) may leave it in either.
 */
export function readMove(script: ParsedScript, commands: readonly SimpleCommand[]): FolderMove {
  const moves = commands.filter(({ argv }) => argv[0] === 'cd');
  if (moves.length === 0 || (moves.length === 1 && commands.at(-1) === moves[0])) return 'none';
  const [first] = commands;
  const [, to = '', ...more] = first?.argv ?? [];
  const isPlain = to !== '' && more.length === 0 && !/^-|[*?[\\]/.test(to);
  return moves.length === 1 && moves[0] === first && isPlain && startsChain(script) ? { to } : 'uncertain';
}

/** True when the text is one `a && b && …` whose first part is a single command. */
function startsChain({ commands: statements }: ParsedScript): boolean {
  const [statement, ...others] = statements;
  if (statement === undefined || others.length > 0 || statement.background === true) return false;
  const { command } = statement;
  if (command.type !== 'AndOr' || command.operators.some((operator) => operator !== '&&')) return false;
  return command.commands[0]?.type === 'Command';
}
