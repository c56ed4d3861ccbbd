import { childEnvironment } from '../process/child-environment.js';
import { CommandSupervisor } from '../process/command-supervisor.js';
import { runProgram, type ProgramRun } from '../process/run-program.js';
import { ModelError } from '../models/model-error.js';
import { redact } from '../models/provider-error.js';
import { plainLine } from '../mcp/auth/plain-line.js';
import { errorMessage } from '../util/failure.js';
import { findProgram } from '../util/find-program.js';
import { realPath } from '../util/real-path.js';
import { secondsText } from '../util/seconds.js';
import { joinWords } from '../util/split-words.js';

/** Where and how the command runs that prints the key. */
export interface KeyCommandPlace {
  /** Those of the person, from which the command's own are made. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where it runs: absolute, and no folder of a project. */
  readonly userHome: string;
  /** Canonical. A program is not looked up below them. */
  readonly roots: readonly string[];
  /** Default: 30 seconds. */
  readonly timeLimitMs?: number;
}

/** A password manager may want a touch of a sensor first. */
const TIME_LIMIT_MS = 30_000;
const MOST_BYTES = 64 * 1024;
const MOST_SHOWN = 200;
/** What a header can carry, and no blanks: those come with words beside the key. */
const KEY = /^[\x21-\x7e]+$/;

/**
 * Runs the command and gives what it printed, without blanks around it. Nothing that was printed is ever told.
 * @throws ModelError `auth`, with what went wrong and the next step
 */
export async function askForKey(
  argv: readonly [string, ...string[]],
  { environment: own, userHome, roots, timeLimitMs = TIME_LIMIT_MS }: KeyCommandPlace,
): Promise<string> {
  const shown = `\`${plainLine(joinWords(argv), MOST_SHOWN)}\` (model.apiKeyCommand)`;
  const failed = (what: string, advice = 'Run it in a terminal to see why.'): ModelError =>
    new ModelError(`No key for the model: ${shown} ${what} ${advice}`, { kind: 'auth' });
  const environment = childEnvironment(own, { roots, realPath });
  const [name, ...args] = argv;
  const program = programOutside(name, environment['PATH'] ?? '', roots);
  if (program === undefined) throw failed('was not found.', 'Install it, or name it by its full path in the setting.');
  const supervisor = new CommandSupervisor();
  try {
    const place = { connect: supervisor.connect, environment, folder: userHome };
    const limits = { timeoutMs: timeLimitMs, mostBytes: MOST_BYTES };
    const run = await runProgram(
      { ...place, ...limits, argv: [program, ...args], input: '' },
      new AbortController().signal,
    );
    const printed = (run.stdout.head + run.stdout.tail).trim();
    const problem = problemOf(run, printed, timeLimitMs);
    if (problem !== undefined) throw failed(problem.what, problem.advice);
    return printed;
  } catch (thrown) {
    throw thrown instanceof ModelError ? thrown : failed(`could not be started: ${errorMessage(thrown)}`, '');
  } finally {
    supervisor.endAll();
  }
}

/** Nothing below the workspace is taken, however `PATH` leads there; where somebody wrote a path, it is that. */
function programOutside(name: string, path: string, roots: readonly string[]): string | undefined {
  if (process.platform === 'win32' || name.includes('/')) return name;
  return findProgram(name, { path, notBelow: roots })?.place;
}

interface KeyProblem {
  readonly what: string;
  readonly advice?: string;
}

function problemOf(
  { ending, exit: { code, signal }, stderr }: ProgramRun,
  printed: string,
  timeLimitMs: number,
): KeyProblem | undefined {
  const lines = (stderr.head + stderr.tail).split(/[\r\n]+/u).filter((line) => line.trim() !== '');
  const said = plainLine(redact(lines.at(-1) ?? '', [printed]), MOST_SHOWN);
  const wrote = said === '' ? '.' : `: ${/[.!?]$/u.test(said) ? said : `${said}.`}`;
  if (ending === 'timed-out')
    return {
      what: `took longer than ${secondsText(timeLimitMs)} and was ended${wrote}`,
      advice: 'It has no terminal: if it waits for a password, unlock it before.',
    };
  if (ending === 'too-much') return { what: `printed more than ${MOST_BYTES / 1024} kB.`, advice: ONLY_KEY };
  if (signal !== null) return { what: `was ended by the signal ${signal}${wrote}` };
  if (code !== 0) return { what: `failed with exit code ${code ?? 'unknown'}${wrote}` };
  if (printed === '') return { what: `printed nothing${wrote}` };
  const count = printed.split(/\r\n|\r|\n/u).length;
  if (count > 1) return { what: `printed ${count} lines.`, advice: ONLY_KEY };
  return KEY.test(printed) ? undefined : { what: 'printed blanks or letters that no key has.', advice: ONLY_KEY };
}

const ONLY_KEY = 'It must print the key and nothing else: ["sh", "-c", "… | head -n 1"] takes the first line.';
