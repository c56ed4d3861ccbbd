import type { ScriptedTurn, TurnFunction } from '@tenon/core/testing';
import { afterEach, describe } from 'vitest';
import { createBench, MAIN, programEnvironment, type Bench, type BenchOptions } from './cli-process.js';
import { openTmux, tmuxProblem, type TmuxTerminal } from './tmux-terminal.js';

/** The built program in a real terminal, over the scripted model. */
export interface TerminalSession {
  readonly bench: Bench;
  readonly terminal: TmuxTerminal;
  /** Types a line and sends it. */
  readonly say: (text: string) => Promise<void>;
  /** The same program once more, in a terminal of its own. */
  readonly open: (
    args: readonly string[],
    size?: { readonly columns?: number; readonly rows?: number },
  ) => Promise<TmuxTerminal>;
  readonly end: () => Promise<void>;
}

export interface SessionOptions extends BenchOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** What the program finds there. */
export function terminalEnvironment(bench: Bench): Readonly<Record<string, string>> {
  return { ...programEnvironment(bench), LANG: 'C.UTF-8' };
}

/** The composer waits for words. */
export const READY = /^[›>] ?$/m;

type Turns = readonly (ScriptedTurn | TurnFunction)[];

/** A group of tests in a terminal; skipped, with the reason in its title, where there is none. */
export function describeInTerminal(title: string, tests: () => void): void {
  const problem = tmuxProblem();
  const skipped = problem === undefined ? '' : ` (skipped: ${problem})`;
  describe.skipIf(problem !== undefined)(`${title}${skipped}`, tests);
}

/** The session of a test, which ends with it. */
export interface TestSession {
  readonly open: (turns: Turns, options?: SessionOptions) => Promise<TerminalSession>;
  /** The one that was opened last. @throws before that */
  readonly current: () => TerminalSession;
}

/** For the tests of one file. */
export function sessionForEachTest(): TestSession {
  let session: TerminalSession | undefined;
  afterEach(async () => {
    await session?.end();
    session = undefined;
  });
  return {
    open: async (turns, options) => (session = await openSession(turns, options)),
    current: () => {
      if (session === undefined) throw new Error('No session was opened.');
      return session;
    },
  };
}

async function openSession(
  turns: Turns,
  { args = [], env = {}, columns, rows, ...options }: SessionOptions = {},
): Promise<TerminalSession> {
  const bench = await createBench(turns, options);
  const opened: TmuxTerminal[] = [];
  const open: TerminalSession['open'] = async (words, size = {}) => {
    const terminal = await openTmux({
      command: [process.execPath, MAIN, ...words],
      cwd: bench.workspace,
      env: { ...terminalEnvironment(bench), ...env },
      ...size,
    });
    opened.push(terminal);
    await terminal.waitFor(READY);
    return terminal;
  };
  const size = { ...(columns !== undefined && { columns }), ...(rows !== undefined && { rows }) };
  const terminal = await open(args, size);
  return {
    bench,
    terminal,
    open,
    async say(text) {
      await terminal.type(text);
      await terminal.press('Enter');
    },
    async end() {
      await Promise.all(opened.map((one) => one.close()));
      await bench.end();
    },
  };
}
