import { errorMessage, Failure, safeText } from '@tenon/core';
import { parseArguments, type Options, type ParsedArguments } from './arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from './exit-codes.js';
import { keepCompiled } from './keep-compiled.js';
import { jsonLine } from './ui/json-line.js';
import type { Surroundings } from './surroundings.js';
import { safeLine } from './ui/safe-lines.js';
import { sayLines } from './ui/say.js';

/** Runs one command line to its exit code. Never throws: whatever went wrong is one plain message on stderr. */
export async function runCli(surroundings: Surroundings): Promise<ExitCode> {
  let format: Options['outputFormat'] = 'text';
  try {
    const parsed = parseArguments(surroundings.args);
    format = parsed.options.outputFormat;
    keepCompiled(surroundings.tenonHome);
    return await dispatch(surroundings, parsed);
  } catch (thrown) {
    return fail(surroundings, thrown, format);
  }
}

async function dispatch(surroundings: Surroundings, { command, words, options }: ParsedArguments): Promise<ExitCode> {
  const { out, version } = surroundings;
  switch (command) {
    case 'version':
      await out.write(safeText`${safeLine(version)}\n`);
      return ExitCode.OK;
    case 'help':
      await out.writeData((await import('./arguments/help-text.js')).helpText(words[0]));
      return ExitCode.OK;
    case 'demo':
      return (await import('./commands/demo.js')).demoCommand(surroundings, options.quiet);
    case 'start':
      return (await import('./commands/start.js')).startCommand(surroundings, options);
    case 'run':
      return (await import('./commands/run.js')).runCommand(surroundings, options, words);
    case 'undo':
    case 'redo':
      return (await import('./commands/undo.js')).undoCommand(surroundings, command, words, options);
    case 'log':
      return (await import('./commands/log.js')).logCommand(surroundings, words, options);
    case 'diff':
      return (await import('./commands/diff.js')).diffCommand(surroundings, words, options);
    case 'policy':
      return (await import('./commands/policy.js')).policyCommand(surroundings, words, options);
    case 'mcp':
      return (await import('./commands/mcp.js')).mcpCommand(surroundings, words, options);
    case 'trust':
      return (await import('./commands/trust.js')).trustCommand(surroundings, options);
    case 'acp':
      return (await import('./commands/acp.js')).acpCommand(surroundings, words, options);
    case 'audit':
      return (await import('./commands/audit.js')).auditCommand(surroundings, words, options);
    case 'replay':
      return (await import('./commands/replay.js')).replayCommand(surroundings, words, options);
    case 'memory':
      return (await import('./commands/memory.js')).memoryCommand(surroundings, options);
    case 'skills':
      return (await import('./commands/skills.js')).skillsCommand(surroundings, words, options);
    case 'agents':
      return (await import('./commands/agents.js')).agentsCommand(surroundings, words, options);
    case 'extensions':
      return (await import('./commands/extensions.js')).extensionsCommand(surroundings, words, options);
    case 'secrets':
      return (await import('./commands/secrets.js')).secretsCommand(surroundings, words, options);
    case 'sessions':
      return (await import('./commands/sessions.js')).sessionsCommand(surroundings, words, options);
    case 'stats':
      return (await import('./commands/stats.js')).statsCommand(surroundings, options);
    case 'doctor':
      return (await import('./commands/doctor.js')).doctorCommand(surroundings, options);
    case 'tools':
    case 'call':
    case 'config':
    default:
      return (await import('./commands/without-model.js')).withoutModel(surroundings, command, words, options);
  }
}

/** A failure that was meant says its line and its code; any other says its message, and its stack only when asked to. */
async function fail(
  { err, out, env }: Surroundings,
  thrown: unknown,
  format: Options['outputFormat'],
): Promise<ExitCode> {
  const exitCode = exitCodeOf(thrown);
  const message = errorMessage(thrown);
  // Programs that read JSON get JSON, whatever happened.
  if (format !== 'text') await out.writeData(jsonLine({ type: 'run-failed', exitCode, message }));
  await sayLines(err, [message]);
  if ((env['TENON_DEBUG'] ?? '') !== '') await sayLines(err, [debugText(thrown)]);
  return exitCode;
}

/** What is refused before anything was run, by the code of its `Failure`. */
const REFUSALS: Readonly<Record<string, ExitCode>> = {
  // Settings, grants and logs live in the home: as much of a wrong setting as any.
  home_unusable: ExitCode.SETTINGS,
  shell_unusable: ExitCode.SETTINGS,
  no_session: ExitCode.USAGE,
  session_open: ExitCode.USAGE,
  no_workspace: ExitCode.WORKSPACE,
};

function exitCodeOf(thrown: unknown): ExitCode {
  if (thrown instanceof ExitFailure) return thrown.exitCode;
  return (thrown instanceof Failure ? REFUSALS[thrown.code] : undefined) ?? ExitCode.UNEXPECTED;
}

function debugText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '(no stack)';
  const cause = thrown.cause === undefined ? '' : `\ncaused by ${debugText(thrown.cause)}`;
  return (thrown.stack ?? thrown.message) + cause;
}
