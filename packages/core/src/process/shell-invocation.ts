import { Failure } from '../util/failure.js';
import type { CommandRequest } from './command-types.js';
import type { ChosenShell, ShellProgram } from './shell-program.js';

/** The longest command line that Windows takes is 32,767 characters, with the program and all its options. */
const LONGEST_ON_WINDOWS = 32_000;
/** That of cmd.exe is 8,191. */
const LONGEST_IN_CMD = 8_000;

/**
 * PowerShell answers 1 for any program that failed, whatever it said itself. Two line breaks in front: a text may end in a
 * comment, or in a backtick, which takes the next one away.
 */
const PASS_EXIT_CODE = '\n\nif ($?) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }';

/**
 * What has the shell run the text and nothing before it: no profile, no AutoRun, no questions. The text reaches the
 * shell as it is written; only PowerShell's is followed by what passes the exit code of its last command on.
 * @throws Failure `command_unfit` when the shell would read something else than the text (see `problemOfText`)
 */
export function shellInvocation(
  { program, path }: ChosenShell,
  text: string,
  platform: NodeJS.Platform,
): CommandRequest['command'] {
  const problem = problemOfText(program, text, platform);
  if (problem !== undefined) throw new Failure('command_unfit', problem);
  switch (program) {
    case 'bash':
      return path === undefined ? { shell: text } : { argv: [path, '-c', text] };
    case 'powershell':
    case 'pwsh': {
      const script = `${text}${PASS_EXIT_CODE}`;
      return { argv: [path ?? program, '-NoLogo', '-NoProfile', '-NonInteractive', '-Command', script] };
    }
    case 'cmd':
      // `/s` takes away the outer quotes and no other ones, whatever stands between them.
      return { argv: [path ?? 'cmd.exe', '/d', '/s', '/c', `"${text}"`], isVerbatim: true };
    default:
      return program satisfies never;
  }
}

/** Why the shell cannot be given this text, and what to do instead; undefined when it can. */
export function problemOfText(program: ShellProgram, text: string, platform: NodeJS.Platform): string | undefined {
  if (program === 'cmd' && /[\r\n]/.test(text)) {
    return 'cmd.exe runs the first line of a text only. Join the lines with &&, or write them to a .cmd file and run that.';
  }
  const longest = program === 'cmd' ? LONGEST_IN_CMD : platform === 'win32' ? LONGEST_ON_WINDOWS : undefined;
  // What is a quote or a backslash takes two characters on the command line.
  const length = text.length + (program === 'cmd' ? 0 : (text.match(/["\\]/g)?.length ?? 0));
  if (longest === undefined || length <= longest) return undefined;
  return `On Windows this command is too long for a command line (at most ${longest} characters). Write it to a file and run the file.`;
}
