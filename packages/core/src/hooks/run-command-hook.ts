import { join } from 'node:path';
import type { StartPiped } from '../process/piped-process.js';
import { runProgram } from '../process/run-program.js';
import { shellInvocation } from '../process/shell-invocation.js';
import type { ChosenShell } from '../process/shell-program.js';
import { expectSameScripts } from '../trust/shell-scripts.js';
import { errorMessage } from '../util/failure.js';
import type { CommandHook } from './hook-types.js';
import { PROJECT_VARIABLES, projectVariables } from './project-variables.js';
import { readCommandAnswer, type Reply } from './read-answer.js';

export interface CommandPlace {
  readonly connect: StartPiped;
  /** That of commands. */
  readonly environment: Readonly<Record<string, string>>;
  readonly shell: ChosenShell;
  /** The first folder of the workspace. Absolute. */
  readonly folder: string;
  /** The person's. Absolute. */
  readonly home: string;
}

/** Bytes of standard output from which on a hook is ended. */
export const MOST_BYTES = 1024 * 1024;

/** Runs it to its end, or ends it with everything that it started. Rejects with the signal's reason only. */
export async function runCommandHook(
  hook: CommandHook,
  { input, ...place }: CommandPlace & { readonly input: string },
  signal: AbortSignal,
): Promise<Reply> {
  try {
    const { bound, timeoutMs } = hook;
    if (bound !== undefined) await expectSameScripts(hookText(hook), { ...bound, variables: PROJECT_VARIABLES });
    const environment = { ...place.environment, ...hook.env, ...projectVariables(place.folder) };
    const request = { argv: wordsOf(hook, place), input, timeoutMs, mostBytes: MOST_BYTES, environment };
    const { ending, exit, stdout, stderr } = await runProgram(
      { ...request, connect: place.connect, folder: place.folder },
      signal,
    );
    if (ending === 'timed-out') return failed(`did not end within ${timeoutMs / 1000} s, and was ended`);
    if (ending === 'too-much') return failed(`printed more than ${MOST_BYTES / 1024 / 1024} MB, and was ended`);
    return readCommandAnswer(hook.event, {
      code: exit.code,
      stdout: stdout.head + stdout.tail,
      stderr: stderr.head + stderr.tail,
    });
  } catch (thrown) {
    signal.throwIfAborted();
    return failed(`could not be run: ${errorMessage(thrown)}`);
  }
}

/** All that a shell or the system would be given, for finding out what it runs. */
export function hookText({ command, args = [] }: Pick<CommandHook, 'command' | 'args'>): string {
  return [command, ...args].join(' ');
}

function wordsOf(
  { command, args, shell }: CommandHook,
  { shell: chosen, home }: Pick<CommandPlace, 'shell' | 'home'>,
): [string, ...string[]] {
  if (args !== undefined) return [command.startsWith('~/') ? join(home, command.slice(2)) : command, ...args];
  const wanted: ChosenShell =
    shell === 'powershell' && chosen.program !== 'powershell' ? { program: 'pwsh' } : shellFor(shell, chosen);
  if (wanted.program === 'cmd') throw new Error('cmd.exe runs no hooks; say "shell": "powershell", or give "args".');
  const invocation = shellInvocation(wanted, command, process.platform);
  return 'shell' in invocation ? ['bash', '-c', command] : firstOf(invocation.argv);
}

function shellFor(shell: CommandHook['shell'], chosen: ChosenShell): ChosenShell {
  return shell === 'bash' && chosen.program !== 'bash' ? { program: 'bash' } : chosen;
}

function firstOf([program = '', ...rest]: readonly string[]): [string, ...string[]] {
  return [program, ...rest];
}

function failed(problem: string): Reply {
  return { answer: {}, problem };
}
