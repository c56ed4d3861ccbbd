import { spawn, spawnSync } from 'node:child_process';
import { MAIN, programEnvironment, until, watch, type Bench, type Finished } from './cli-process.js';

/** util-linux's `script` gives a process a real terminal and hands on what is written to it. */
export const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** The built program at a terminal whose output is read as it comes: for lines, not for screens. */
export interface ScriptTerminal {
  /** Waits until the text was printed after everything that was seen before. */
  readonly sees: (text: string) => Promise<void>;
  readonly types: (keys: string) => void;
  /** All that was printed. */
  readonly screen: () => string;
  readonly finished: Promise<Finished>;
  readonly code: Promise<number | null>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

export function openScript(
  bench: Pick<Bench, 'workspace' | 'tenonHome' | 'model'>,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ScriptTerminal {
  const words = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qfec', words, '/dev/null'], {
    cwd: bench.workspace,
    env: { ...programEnvironment(bench), TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: 'pipe',
  });
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
  const { finished } = watch(child, undefined);
  let seen = 0;
  return {
    screen: () => screen,
    types: (keys) => child.stdin.write(keys),
    finished,
    code: finished.then(({ code }) => code),
    kill: (signal) => child.kill(signal),
    sees: async (text) => {
      await until(() => screen.includes(text, seen), `${JSON.stringify(text)} after\n${screen.slice(seen)}`);
      seen = screen.indexOf(text, seen) + text.length;
    },
  };
}
