import { setImmediate as nextTurn } from 'node:timers/promises';
import { DISCOVERED } from '../../effects/effect.js';
import { cleanDefinition } from '../../mcp/catalog/clean-definition.js';
import { count } from '../../util/count.js';
import { errorMessage, Failure } from '../../util/failure.js';
import { splitWords } from '../../util/split-words.js';
import { DiscoveredTool, type DiscoveredToolHost } from '../discovered-tool.js';
import { lastStderr, problemOf } from './describe-run.js';
import { discoveredName } from './discovered-name.js';
import { readDeclarations, type Declaration } from './read-declarations.js';
import { runProgram, type ProgramPlace } from '../../process/run-program.js';

export interface DiscoverOptions extends ProgramPlace {
  /** Prints the declarations; words as a shell would split them (S130). */
  readonly discoveryCommand: string;
  /** Runs a tool: its name as one more argument, its arguments as JSON on stdin (S131). */
  readonly callCommand?: string | undefined;
  readonly runtime: DiscoveredToolHost['runtime'];
  /** Names that belong to other tools. */
  readonly taken: (name: string) => boolean;
  /** Of the discovery. Default 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Of one call. Default 10 minutes. */
  readonly callTimeoutMs?: number | undefined;
  /** Of one call, of stdout. Default 16 MiB. */
  readonly outputBytes?: number | undefined;
}

export interface DiscoveredTools {
  readonly tools: DiscoveredTool[];
  /** What went wrong, in sentences for the person. */
  readonly problems: string[];
}

const DISCOVERY_MS = 30_000;
const CALL_MS = 600_000;
const MOST_LIST_BYTES = 4 * 1024 * 1024;
const MOST_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Tools that are made in one turn; each takes about a tenth of a millisecond. */
const MADE_AT_ONCE = 100;
/** Problems that are told one by one. */
const MOST_TOLD = 10;

/**
 * Asks the discovery command for its tools (S130). One that cannot be used is left out with the reason and costs no other;
 * none replaces another tool. Rejects with the signal's reason only.
 */
export async function discoverTools(options: DiscoverOptions, signal: AbortSignal): Promise<DiscoveredTools> {
  try {
    const host = hostOf(options);
    const { declarations, problems } = readDeclarations(await runDiscovery(options, signal));
    const made = await toolsOf(declarations, host, options.taken);
    signal.throwIfAborted();
    return { tools: made.tools, problems: shorten([...problems, ...made.problems]) };
  } catch (thrown) {
    signal.throwIfAborted();
    return {
      tools: [],
      problems: [`No tools were discovered by \`${options.discoveryCommand}\`. ${errorMessage(thrown)}`],
    };
  }
}

async function runDiscovery(options: DiscoverOptions, signal: AbortSignal): Promise<string> {
  const limits = { timeoutMs: options.timeoutMs ?? DISCOVERY_MS, mostBytes: MOST_LIST_BYTES };
  const argv = wordsOf(options.discoveryCommand);
  const { connect, environment, folder } = options;
  const run = await runProgram({ argv, input: '', connect, environment, folder, ...limits }, signal);
  const problem = problemOf(run, limits);
  if (problem === undefined) return run.stdout.head + run.stdout.tail;
  throw new Failure('discovery_failed', [problem.message, lastStderr(run)].filter(Boolean).join('\n'));
}

function hostOf(options: DiscoverOptions): DiscoveredToolHost {
  const { callCommand, connect, environment, folder, runtime } = options;
  if (callCommand === undefined || callCommand.trim() === '') {
    const advice = 'Set "tools.callCommand" to the command that runs a tool.';
    throw new Failure('discovery_failed', `There is no command that would run them. ${advice}`);
  }
  const timeoutMs = options.callTimeoutMs ?? CALL_MS;
  const mostBytes = options.outputBytes ?? MOST_OUTPUT_BYTES;
  return { argv: wordsOf(callCommand), connect, environment, folder, timeoutMs, mostBytes, runtime };
}

function wordsOf(command: string): [string, ...string[]] {
  return splitWords(command, { keepsBackslashes: process.platform === 'win32' });
}

async function toolsOf(
  declarations: readonly Declaration[],
  host: DiscoveredToolHost,
  taken: (name: string) => boolean,
): Promise<DiscoveredTools> {
  const tools = new Map<string, DiscoveredTool>();
  const seen = new Set<unknown>();
  const problems: string[] = [];
  for (const [index, declaration] of declarations.entries()) {
    // Thousands of tools must not hold up everything else.
    if (index % MADE_AT_ONCE === MADE_AT_ONCE - 1) await nextTurn();
    const clean = cleanDefinition(declaration, { alias: DISCOVERED, isRemote: false });
    const shown = `The discovered tool ${clean.serverName}`;
    if ('unusable' in clean) problems.push(`${shown} was left out: ${clean.unusable}.`);
    else if (seen.has(declaration.name)) problems.push(`${shown} stands in the list twice; the first one counts.`);
    else {
      seen.add(declaration.name);
      const name = discoveredName(clean.serverName, (each) => taken(each) || tools.has(each));
      if (name === undefined) problems.push(`${shown} was left out: another tool has its name.`);
      else tools.set(name, new DiscoveredTool(name, clean, host));
      problems.push(...clean.notes.map((note) => `${shown}: ${note}.`));
    }
  }
  return { tools: [...tools.values()], problems };
}

function shorten(problems: readonly string[]): string[] {
  const rest = problems.length - MOST_TOLD;
  if (rest <= 1) return [...problems];
  return [...problems.slice(0, MOST_TOLD), `${count(rest, 'more problem')} with discovered tools.`];
}
