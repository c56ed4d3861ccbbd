import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  ApprovalMode,
  createToolSystem,
  prepareReplay,
  replaySession,
  safeText,
  type PreparedReplay,
  type ReplayedCall,
  type ToolSystem,
} from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { usage } from '../changed-calls.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { prepareSession, toolSystemOptions } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeBlock, safeLine } from '../ui/safe-lines.js';
import { warn } from '../ui/say.js';
import { sessionNamed } from './audit.js';

/** Of each text that differs so much is shown. In characters. */
const SHOWN = 2000;

/**
 * `tenon replay SESSION [--json]`: makes the calls of a session again on a copy of its folder, as that was before them, and
 * says which came to something else. Nothing outside the copy is touched: what needs the network, others' tools or a command
 * without a sandbox is left out and counted. Exit code 1 when something came to something else.
 */
export async function replayCommand(
  surroundings: Surroundings,
  [session, ...rest]: readonly string[],
  options: Options,
): Promise<ExitCode> {
  if (session === undefined || rest.length > 0) throw usage('"tenon replay" takes a session: its id or its log.');
  const { tenonHome, tempFolder, out, err, interrupts, exits } = surroundings;
  const preparation = await prepareSession(surroundings, options);
  const [root] = preparation.roots;
  const file = sessionNamed(session, surroundings, root);
  const folder = await mkdtemp(path.join(tempFolder, 'tenon-replay-'));
  const armed = interrupts.arm();
  try {
    const prepared = await prepareReplay({ file, root, tenonHome, folder });
    await warn(err, prepared.problems);
    const home = path.join(folder, 'home');
    await mkdir(home);
    const { shell, environment, userHome, readGitIgnored } = toolSystemOptions(surroundings, preparation);
    const system = await createToolSystem({
      roots: [prepared.copy],
      tenonHome: home,
      userHome,
      approvalMode: ApprovalMode.YOLO,
      rules: [],
      environment,
      ...(shell === undefined ? {} : { shell }),
      ...(readGitIgnored === undefined ? {} : { readGitIgnored }),
      sandbox: { mode: 'auto', network: 'off', mayLeave: false },
      lsp: { enabled: false, isTrusted: false },
    });
    const forget = exits.register(system.endCommands);
    try {
      const calls = await playAgain(prepared, system, userHome, AbortSignal.any([armed.signal, out.closed]));
      await answer(surroundings, { file, prepared, calls }, options);
      return calls.some(({ result }) => result === 'different') ? ExitCode.UNEXPECTED : ExitCode.OK;
    } finally {
      forget();
      await system.close();
    }
  } catch (thrown) {
    if (!armed.signal.aborted) throw thrown;
    throw new ExitFailure(ExitCode.INTERRUPTED, 'Interrupted; the copy is removed.', { cause: thrown });
  } finally {
    armed.release();
    await rm(folder, { recursive: true, force: true });
  }
}

async function playAgain(
  { calls, root, copy }: PreparedReplay,
  { config, runCalls }: ToolSystem,
  home: string,
  signal: AbortSignal,
): Promise<readonly ReplayedCall[]> {
  const context = { mode: ApprovalMode.YOLO, rules: [], roots: [copy], home };
  const examination = { registry: config.getToolRegistry(), gate: config.getWorkspaceGate(), context };
  const replayed: ReplayedCall[] = [];
  for await (const call of replaySession(calls, { runCalls, examination, root, copy }, signal)) replayed.push(call);
  return replayed;
}

interface Replayed {
  readonly file: string;
  readonly prepared: PreparedReplay;
  readonly calls: readonly ReplayedCall[];
}

async function answer({ out }: Surroundings, { file, prepared, calls }: Replayed, options: Options): Promise<void> {
  const { root, restored } = prepared;
  const count = (result: ReplayedCall['result']): number => calls.filter((call) => call.result === result).length;
  const [same, different, skipped] = [count('same'), count('different'), count('skipped')];
  if (options.json) {
    await out.writeData(jsonText({ file, root, restored, same, different, skipped, calls }));
    return;
  }
  await out.write(safeText`${safeLine(`on a copy of ${root}, with ${restored.length} files as they were before`)}\n`);
  for (const call of calls) {
    if (call.result === 'same') continue;
    const by = call.agent === undefined ? '' : `${call.agent} `;
    const reason = call.reason === undefined ? '' : `: ${call.reason}`;
    await out.write(safeText`${safeLine(`${call.result}: ${by}${call.toolName} ${call.title}${reason}`)}\n`);
    for (const [when, outcome] of [['then', call.before] as const, ['now', call.now] as const])
      if (outcome !== undefined)
        await out.write(
          safeText`  ${safeLine(when)} (${safeLine(outcome.status)}): ${safeBlock(shortened(outcome.text))}\n`,
        );
  }
  const counts = `${same} the same, ${different} different, ${skipped} left out`;
  await out.write(safeText`${safeLine(`${calls.length} calls: ${counts}`)}\n`);
}

function shortened(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
