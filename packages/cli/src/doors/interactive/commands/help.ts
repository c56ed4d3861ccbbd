import { safeText } from '@tenon/core';
import { safeLine } from '../../../ui/safe-lines.js';
import type { Command, CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { findCommand, unknownCommand } from './find-command.js';
import { block, columns, completionsOf, say } from './lines.js';

/** `/help [COMMAND]`: what there is, or what one command does. */
export const helpCommand: CommandBody = {
  run: async (typed, context) => {
    if (typed !== '') return helpOf(typed.replace(/^\//, ''), context);
    const theme = context.stage.theme();
    const rows = context.commands().map((command): [string, string] => [callOf(command), command.sentence]);
    const servers = context.agent.mcp.list().length > 0;
    return {
      shown: block([
        safeText`Write what should be done, then Enter. What else there is:`,
        safeText`  @path names a file that goes along, !command runs a command here, /keys lists what the keys do.`,
        safeText``,
        theme.paint('heading', safeText`Commands`),
        ...columns(rows, '  '),
        ...(servers ? columns([['/NAME:PROMPT [key=value …]', 'A prompt of a server; /mcp lists them.']], '  ') : []),
      ]),
    };
  },
  complete: async (typed, { commands }) =>
    completionsOf(
      commands().map(({ name, sentence }) => ({ word: name, detail: sentence })),
      typed,
    ),
};

function helpOf(name: string, { commands }: CommandContext): ReturnType<typeof say> {
  const command = findCommand(name, commands());
  if (command === undefined) return say(unknownCommand(name, commands()));
  const { aliases = [], isAlwaysThere } = command;
  return {
    shown: block([
      safeLine(callOf(command)),
      safeLine(`  ${command.sentence}`),
      ...(aliases.length === 0 ? [] : [safeLine(`  Also: ${aliases.map((each) => `/${each}`).join(', ')}`)]),
      ...(isAlwaysThere === true ? [safeText`  It may be used while the model works.`] : []),
    ]),
  };
}

function callOf({ name, usage }: Command): string {
  return usage === undefined ? `/${name}` : `/${name} ${usage}`;
}
