import { ExitCode, ExitFailure } from '../../exit-codes.js';
import type { Prompt } from '../../read-prompt.js';
import type { Surroundings } from '../../surroundings.js';
import { loadUserCommands } from './load-user-commands.js';
import { runUserCommand, type FilledCommand, type UserCommandContext } from './run-user-command.js';

export interface SayContext extends Omit<UserCommandContext, 'name' | 'onEvent'> {
  readonly surroundings: Surroundings;
}

const COMMAND = /^\/([\p{L}\p{N}_][\p{L}\p{N}_.:-]*)(?:\s+([\s\S]*))?$/u;
/** What was piped in stands below the words; it is material, not typed. */
const PIPED = '\n\n<stdin>\n';

/**
 * A prompt that says `/name words` of a command that a user wrote, or of a skill, filled as the terminal does. Undefined for
 * any other, which is said as it is.
 * @throws ExitFailure `USAGE` for one of a folder that is not trusted; Failure `not_run` when a command in it does not run
 */
export async function sayCommand({ text, attach }: Prompt, context: SayContext): Promise<FilledCommand | undefined> {
  const at = text.indexOf(PIPED);
  const [typed, piped] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
  const [, name = '', words = ''] = COMMAND.exec(typed.trim()) ?? [];
  if (name === '') return undefined;
  const { preparation, surroundings, agent } = context;
  const { commands } = await loadUserCommands({ preparation, surroundings, taken: [], agent });
  const command = commands.find((each) => each.name.toLowerCase() === name.toLowerCase());
  const file = await command?.open();
  if (command === undefined || file === undefined) return undefined;
  if ('refusal' in file) throw new ExitFailure(ExitCode.USAGE, file.refusal);
  const filled = await runUserCommand(file, words.trim(), { ...context, name: command.name });
  const { prompt } = filled;
  return {
    ...filled,
    prompt: { ...prompt, text: prompt.text + piped, attach: [...new Set([...attach, ...prompt.attach])] },
  };
}
