import path from 'node:path';
import type { ScriptedTurn, TurnFunction } from '@tenon/core/testing';
import { createBench, MAIN, type Bench, type BenchOptions } from './cli-process.js';
import { openTmux, type TmuxTerminal } from './tmux-terminal.js';

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
export function terminalEnvironment({ tenonHome, model }: Bench): Readonly<Record<string, string>> {
  return {
    HOME: path.dirname(tenonHome),
    TENON_HOME: tenonHome,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'sk-secret-key',
    OPENAI_MODEL: model.model,
    LANG: 'C.UTF-8',
  };
}

/** The composer waits for words. */
export const READY = /^[›>] ?$/m;

export async function openSession(
  turns: readonly (ScriptedTurn | TurnFunction)[],
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
