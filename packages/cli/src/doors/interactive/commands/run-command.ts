import { errorMessage, Failure } from '@tenon/core';
import { safeBlock } from '../../../ui/safe-lines.js';
import type { CommandAnswer, CommandContext } from './command.js';
import { findCommand, parseCommand, unknownCommand } from './find-command.js';
import { say } from './lines.js';

/**
 * Runs what a line with a slash means: a command, or a prompt of a server as `/alias:prompt`. Undefined for a text that is
 * none. What went wrong is the answer, in the words of the failure; `context.signal` ends it with "Cancelled."
 */
export async function runCommand(text: string, context: CommandContext): Promise<CommandAnswer | undefined> {
  const typed = parseCommand(text);
  if (typed === undefined) return undefined;
  const commands = context.commands();
  const command = findCommand(typed.name, commands);
  try {
    if (command !== undefined) return await command.run(typed.rest, context);
    const { serverCommand } = await import('../server-commands.js');
    const answer = await serverCommand(text.trim(), context.agent.mcp, context.signal);
    if (answer === undefined) return say(unknownCommand(typed.name, commands));
    return 'shown' in answer
      ? { shown: safeBlock(answer.shown) }
      : { prompt: { text: text.trim(), content: answer.content } };
  } catch (thrown) {
    if (context.signal.aborted) return say('Cancelled.');
    if (!(thrown instanceof Failure)) throw thrown;
    return say(errorMessage(thrown));
  }
}
