import type { CommandRequest } from '../process/command-types.js';
import type { CommandSupervisor } from '../process/command-supervisor.js';
import { fillCommand } from '../secrets/fill-command.js';
import type { Secrets } from '../secrets/secrets.js';

type Commands = Pick<CommandSupervisor, 'run' | 'start'>;

/** Wraps commands: their output holds no secrets, and they get only the secrets lent to the call. */
export function secretCommands(commands: Commands, secrets: Secrets | undefined): Commands {
  if (secrets === undefined) return commands;
  const prepared = (request: CommandRequest): CommandRequest => {
    const withheld = secrets.withheldFrom(request.env);
    const env = Object.fromEntries(Object.entries(request.env).filter(([name]) => !Object.hasOwn(withheld, name)));
    const filtered = { ...request, env, outputFilter: secrets.outputFilter };
    const lent = secrets.lent();
    if (lent === undefined || !('shell' in request.command)) return filtered;
    const filled = fillCommand(request.command.shell, lent.placeholders);
    if ('problem' in filled) return filtered;
    return { ...filtered, command: { shell: filled.command }, env: { ...env, ...filled.variables } };
  };
  return {
    run: (request, signal) => commands.run(prepared(request), signal),
    start: (request) => commands.start(prepared(request)),
  };
}
