import {
  auditTrail,
  createPainter,
  errorMessage,
  Failure,
  findSessionFile,
  loadAgentLogs,
  loadSessionLog,
  openUndo,
  safeText,
  verifyAgents,
  verifySession,
  type AgentVerification,
  type SessionVerification,
} from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { usage } from '../changed-calls.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeLine } from '../ui/safe-lines.js';
import { warn } from '../ui/say.js';
import { auditLines } from '../ui/session-lines.js';
import { workspaceRoots } from '../workspace-roots.js';

/**
 * `tenon audit verify [SESSION]`: whether a log, and those of its subagents, are what was written; exit code 1 when they are not. `tenon audit show [SESSION]`: what
 * was done in a session and who let it. Without a session the one last used. Both with `--json`.
 */
export async function auditCommand(
  surroundings: Surroundings,
  [action, session = 'newest', ...rest]: readonly string[],
  options: Options,
): Promise<ExitCode> {
  if ((action !== 'verify' && action !== 'show') || rest.length > 0)
    throw usage('"tenon audit" takes verify or show, and a session: its id or its log.');
  const roots = await workspaceRoots(surroundings.cwd, options.cwd, options.addDirs);
  const file = sessionNamed(session, surroundings, roots[0]);
  return action === 'verify' ? verify(surroundings, file, options) : show(surroundings, { file, roots }, options);
}

/** @throws ExitFailure `USAGE` when there is none */
export function sessionNamed(session: string, { tenonHome, cwd = '/' }: Surroundings, root: string): string {
  try {
    return findSessionFile(session, { root, tenonHome, cwd });
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'no_session') throw thrown;
    throw new ExitFailure(ExitCode.USAGE, errorMessage(thrown), { cause: thrown });
  }
}

async function verify({ out }: Surroundings, file: string, options: Options): Promise<ExitCode> {
  const verification = verifySession(file);
  const agents = verifyAgents(file);
  const lines = [...verdictLines(verification), ...agents.flatMap(agentLines)];
  if (options.json) await out.writeData(jsonText({ ...verification, agents }));
  else for (const line of lines) await out.write(safeText`${safeLine(line)}\n`);
  const isBroken = verification.status === 'broken' || agents.some(({ status }) => BROKEN.has(status));
  return isBroken ? ExitCode.UNEXPECTED : ExitCode.OK;
}

const BROKEN: ReadonlySet<AgentVerification['status']> = new Set(['broken', 'missing']);

function agentLines({ agent, status, ...verification }: AgentVerification): string[] {
  const [file = '', ...rest] =
    status === 'missing'
      ? [verification.file, 'MISSING: there is no such log']
      : verdictLines({ ...verification, status });
  return [`subagent ${agent}: ${file}`, ...rest];
}

function verdictLines({ file, status, lines, chained, faults, torn, head }: SessionVerification): string[] {
  const verdict = {
    intact: `intact: ${chained} of ${lines} lines hold on to the line before, and none was changed, put in, moved or taken out`,
    'not-chained': `not chained: its ${lines} lines have no hashes, as those of older versions, so that nothing can be said`,
    broken: `BROKEN: ${faults.length} of ${lines} lines are not as they were written`,
  }[status];
  return [
    file,
    verdict,
    ...faults.map(({ text }) => text),
    ...(torn === 0 ? [] : [`The last line was cut off (${torn} bytes), as a crash leaves it.`]),
    ...(head === undefined ? [] : [`last hash: ${head} (note it down to be sure of the end later)`]),
  ];
}

async function show(
  { out, err, tenonHome }: Surroundings,
  { file, roots }: { readonly file: string; readonly roots: readonly string[] },
  options: Options,
): Promise<ExitCode> {
  const { events, problems } = loadSessionLog(file);
  await warn(err, problems);
  const agents = loadAgentLogs(file, events);
  await warn(
    err,
    agents.flatMap((agent) => agent.problems),
  );
  const steps = auditTrail(events, await openUndo({ roots, tenonHome }).changes(), agents);
  if (options.json) await out.writeData(jsonText(steps));
  else await out.write(auditLines(steps, createPainter(out.colors)));
  return ExitCode.OK;
}
