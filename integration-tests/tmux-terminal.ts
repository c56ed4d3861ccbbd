import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './is-alive.js';

const run = promisify(execFile);

/** Why tests in a terminal cannot run here; undefined when they can. CI requires them. */
export function tmuxProblem(): string | undefined {
  const { error } = spawnSync('tmux', ['-V']);
  if (error === undefined) return undefined;
  if (process.env['TENON_TMUX'] === 'required') throw new Error(`tmux is required here: ${error.message}`);
  return 'tmux is not installed';
}

export interface TmuxOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** A program in a real terminal, as a person has it before them. */
export interface TmuxTerminal {
  /** Keys by tmux's names: `Enter`, `C-c`, `Escape`, `BTab`, `Up`. */
  readonly press: (...keys: readonly string[]) => Promise<void>;
  /** As it is, character by character. */
  readonly type: (text: string) => Promise<void>;
  /** As terminals paste: marked, where the program asked for that. */
  readonly paste: (text: string) => Promise<void>;
  readonly resize: (columns: number, rows: number) => Promise<void>;
  /** What can be seen, without blanks at the ends of lines. */
  readonly screen: () => Promise<readonly string[]>;
  /** That, and the scrollback above it. */
  readonly all: () => Promise<readonly string[]>;
  /** Until the screen shows it. @throws with the screen when it does not within the time */
  readonly waitFor: (wanted: string | RegExp, timeoutMs?: number) => Promise<readonly string[]>;
  /** Until the screen does not show it any more. */
  readonly waitGone: (unwanted: string | RegExp, timeoutMs?: number) => Promise<readonly string[]>;
  /** Until the program has ended. tmux itself now and then learns of that late. */
  readonly ended: () => Promise<void>;
  /** Of the program itself. */
  readonly processId: () => Promise<number>;
  /** With colours, as the terminal has them. */
  readonly coloured: () => Promise<string>;
  readonly close: () => Promise<void>;
}

const WAIT_MS = 20_000;
const LOOK_EVERY_MS = 40;

async function untilEnded(id: number, screen: () => Promise<readonly string[]>): Promise<void> {
  const end = performance.now() + WAIT_MS;
  while (isAlive(id)) {
    if (performance.now() > end) throw new Error(`The program runs. The screen:\n${(await screen()).join('\n')}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Text of the terminal as lines, without what is empty at their ends. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

function shows(lines: readonly string[], wanted: string | RegExp): boolean {
  const text = lines.join('\n');
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
}

export async function openTmux({ command, cwd, env, columns = 100, rows = 30 }: TmuxOptions): Promise<TmuxTerminal> {
  const socket = `tenon-test-${randomUUID()}`;
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (
      await run('tmux', ['-L', socket, '-f', '/dev/null', ...args], {
        env: { ...process.env, ...env },
        maxBuffer: 1 << 28,
      })
    ).stdout;
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const size = ['-x', String(columns), '-y', String(rows)];
  // The pane stays when the program has ended, so that its last words can be read.
  await tmux(
    'start-server',
    ';',
    'set-option',
    '-g',
    'remain-on-exit',
    'on',
    ';',
    'set-option',
    '-s',
    'escape-time',
    '0',
    ';',
    'set-option',
    '-g',
    'history-limit',
    '200000',
    ';',
    'new-session',
    '-d',
    '-s',
    'main',
    ...size,
    ...variables,
    '-c',
    cwd,
    ...command,
  );
  const screen = async (): Promise<string[]> => linesOf(await tmux('capture-pane', '-p', '-t', 'main'));
  const processId = async (): Promise<number> =>
    Number((await tmux('display-message', '-p', '-t', 'main', '#{pane_pid}')).trim());
  const until = async (isThere: boolean, wanted: string | RegExp, timeoutMs: number): Promise<readonly string[]> => {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const seen = await screen();
      if (shows(seen, wanted) === isThere) return seen;
      if (performance.now() > end) {
        const what = `${String(wanted)} ${isThere ? 'did not come' : 'did not go'} within ${timeoutMs} ms`;
        throw new Error(`${what}. The screen:\n${seen.join('\n')}`);
      }
      await sleep(LOOK_EVERY_MS);
    }
  };
  return {
    press: async (...keys) => void (await tmux('send-keys', '-t', 'main', ...keys)),
    type: async (text) => void (await tmux('send-keys', '-t', 'main', '-l', text)),
    async paste(text) {
      const child = run('tmux', ['-L', socket, 'load-buffer', '-'], { maxBuffer: 1 << 28 });
      child.child.stdin?.end(text);
      await child;
      await tmux('paste-buffer', '-p', '-t', 'main');
    },
    resize: async (toColumns, toRows) =>
      void (await tmux('resize-window', '-t', 'main', '-x', String(toColumns), '-y', String(toRows))),
    screen,
    all: async () => linesOf(await tmux('capture-pane', '-p', '-S', '-', '-t', 'main')),
    waitFor: (wanted, timeoutMs = WAIT_MS) => until(true, wanted, timeoutMs),
    waitGone: (unwanted, timeoutMs = WAIT_MS) => until(false, unwanted, timeoutMs),
    ended: async () => untilEnded(await processId(), screen),
    processId,
    coloured: async () => tmux('capture-pane', '-p', '-e', '-t', 'main'),
    close: async () => void (await tmux('kill-server').catch(() => undefined)),
  };
}
