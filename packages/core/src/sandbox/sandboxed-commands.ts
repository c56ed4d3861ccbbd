import { realpathSync } from 'node:fs';
import type { CommandOutcome, CommandRequest, RunCommand } from '../process/command-types.js';
import type { StartLive } from '../process/command-supervisor.js';
import { withoutStart } from '../process/run-command.js';
import { findShell } from '../process/start-command.js';
import { errorMessage } from '../util/failure.js';
import type { Sandbox, SandboxedCommand } from './sandbox-types.js';

/** What starts commands as they are. */
export interface CommandStarter {
  readonly run: RunCommand;
  readonly start: StartLive;
}

/** What is added to a failure that the sandbox caused, for the model. */
export const HOW_TO_LEAVE = 'Call again with unsandboxed: true to have the person asked to run it outside.';

/**
 * Starts every command in the sandbox, but those of which somebody agreed that they run outside. What the sandbox kept a
 * command from, and control files that it could not keep away, are told with the outcome. Without `mayLeave` nobody's
 * agreement counts: what is to run outside does not run.
 */
export function sandboxedCommands(
  starter: CommandStarter,
  sandbox: () => Promise<Sandbox>,
  mayLeave = true,
): CommandStarter {
  return {
    start: async (request) => {
      const held = await hold(request, sandbox, mayLeave);
      if (typeof held === 'string') return held;
      const live = await starter.start(held.request);
      if (typeof live === 'string') await held.release();
      return live;
    },
    run: async (request, signal) => {
      const held = await hold(request, sandbox, mayLeave);
      if (typeof held !== 'string') {
        const outcome = await starter.run(held.request, signal);
        if (outcome.ending === 'not-started') await held.release();
        return outcome;
      }
      return withoutStart(performance.now(), { ending: 'not-started', startError: held });
    },
  };
}

const MAY_NOT_LEAVE =
  'The administrator of this machine requires the sandbox for every command. Call again without unsandboxed.';

interface Held {
  readonly request: CommandRequest;
  /** For a command that never started. */
  readonly release: () => Promise<void>;
}

/** The reason when it must not run. */
async function hold(request: CommandRequest, open: () => Promise<Sandbox>, mayLeave: boolean): Promise<Held | string> {
  const asItIs: Held = { request, release: async () => Promise.resolve() };
  if (request.isSandboxed === false) return mayLeave ? asItIs : MAY_NOT_LEAVE;
  const sandbox = await open();
  if (sandbox.status.mode === 'off') return asItIs;
  const { command, env, input } = request;
  try {
    // The held folder's name means nothing inside.
    const cwd = realpathSync.native(request.cwd);
    const held = await sandbox.enter({
      argv: 'shell' in command ? [findShell(), '-c', command.shell] : command.argv,
      cwd,
      env,
      terminal: input === 'terminal',
    });
    return {
      request: {
        ...request,
        command: { argv: held.argv },
        env: held.env,
        descriptors: held.descriptors,
        whenEnded: async (outcome) => {
          const told = await withFindings(outcome, { held, sandbox, cwd, mayLeave });
          return (await request.whenEnded?.(told)) ?? told;
        },
      },
      release: async () => void (await held.finish()),
    };
  } catch (thrown) {
    return errorMessage(thrown);
  }
}

interface Findings {
  readonly held: SandboxedCommand;
  readonly sandbox: Sandbox;
  readonly cwd: string;
  readonly mayLeave: boolean;
}

async function withFindings(
  outcome: CommandOutcome,
  { held, sandbox, cwd, mayLeave }: Findings,
): Promise<CommandOutcome> {
  const { controlFiles, refusedHosts = [] } = await held.finish();
  const { exitCode, head, tail, notes = [] } = outcome;
  const denial = sandbox.explainDenial({ exitCode, output: head + tail, cwd, refusedHosts });
  const more = denial === undefined ? [] : [mayLeave ? `${denial.message} ${HOW_TO_LEAVE}` : denial.message];
  return {
    ...outcome,
    ...(notes.length + more.length > 0 && { notes: [...notes, ...more] }),
    ...(controlFiles.length > 0 && { controlFiles }),
  };
}
