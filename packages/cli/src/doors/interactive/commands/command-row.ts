import type { Command } from './command.js';

/** What a command does: the part of it that is loaded when it is used. */
export type CommandBody = Pick<Command, 'run' | 'complete'>;

/** What is known of a command before it is used. `completes`: its body says what may follow its name. */
export type CommandHead = Omit<Command, 'run' | 'complete'> & { readonly completes?: true };

/** A command whose body is loaded with its first use, so that a long list of them costs the start nothing. */
export function commandRow({ completes, ...head }: CommandHead, load: () => Promise<CommandBody>): Command {
  const run: Command['run'] = async (typed, context) => (await load()).run(typed, context);
  if (completes !== true) return { ...head, run };
  return {
    ...head,
    run,
    complete: async (typed, context) => (await (await load()).complete?.(typed, context)) ?? [],
  };
}
