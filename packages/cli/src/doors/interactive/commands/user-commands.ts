import { loadUserCommands, type UserCommand, type UserCommandPlaces } from '../../../slash/user/load-user-commands.js';
import { safeLine } from '../../../ui/safe-lines.js';
import { BUILTIN_COMMANDS } from './command-list.js';
import type { Command, CommandAnswer, CommandContext } from './command.js';
import { block, say } from './lines.js';

/** `taken`: default the names of the terminal's own commands. */
type Places = Omit<UserCommandPlaces, 'taken'> & Partial<Pick<UserCommandPlaces, 'taken'>>;

/** Commands that users wrote as files, as those of the terminal. `problems`: what is wrong with files, a sentence each. */
export async function userCommands({
  taken = BUILTIN_COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  ...places
}: Places): Promise<{ readonly commands: readonly Command[]; readonly problems: readonly string[] }> {
  const { commands, problems } = await loadUserCommands({ ...places, taken });
  return { commands: commands.map(typedCommand), problems };
}

function typedCommand(command: UserCommand): Command {
  const { open, ...listed } = command;
  return {
    ...listed,
    run: async (typed, context) => {
      const file = await open();
      return 'refusal' in file ? say(file.refusal) : fill(file, typed, { ...context, name: listed.name });
    },
  };
}

async function fill(
  file: Exclude<Awaited<ReturnType<UserCommand['open']>>, { readonly refusal: string }>,
  typed: string,
  context: CommandContext & { readonly name: string },
): Promise<CommandAnswer> {
  const { runUserCommand } = await import('../../../slash/user/run-user-command.js');
  const { notes, prompt, back } = await runUserCommand(file, typed, context);
  return {
    ...(notes.length > 0 && { shown: block(notes.map((note) => safeLine(note))) }),
    prompt,
    ...(back !== undefined && { whenPromptEnds: back }),
  };
}
