import type { CommandRequest } from '../process/command-types.js';
import type { CommandSupervisor } from '../process/command-supervisor.js';
import { fillCommand } from '../secrets/fill-command.js';
import type { Secrets } from '../secrets/secrets.js';

type Commands = Pick<CommandSupervisor, 'run' | 'start'>;

/** Commands whose output holds no secrets, wherever it is kept, and that get those that the call was lent. */
export function secretCommands(commands: Commands, secrets: Secrets | undefined): Commands {
  if (secrets === undefined) return commands;
  const prepared = (request: CommandRequest): CommandRequest => {
    const filtered = { ...request, outputFilter: secrets.outputFilter };
    const lent = secrets.lent();
    if (lent === undefined || !('shell' in request.command)) return filtered;
    const filled = fillCommand(request.command.shell, lent);
    if ('problem' in filled) return filtered;
    return { ...filtered, command: { shell: filled.command }, env: { ...request.env, ...filled.variables } };
  };
  return {
    run: (request, signal) => commands.run(prepared(request), signal),
    start: (request) => commands.start(prepared(request)),
  };
}
