import { Failure } from '../util/failure.js';
import type { CommandExit, Program, StartedCommand, TakeOutput } from './started-command.js';
import { ProcessTree } from './process-tree.js';
import { signalName } from './signal-name.js';

/** What is used of the package: node-pty's face, as `@lydell/node-pty` 1.1.0 has it. */
interface TerminalPackage {
  spawn(
    file: string,
    args: string[] | string,
    options: {
      name: string;
      cols: number;
      rows: number;
      cwd: string;
      env: Readonly<Record<string, string>>;
      encoding: null;
    },
  ): Terminal;
}

interface Terminal {
  readonly pid: number;
  /** Our side of it. */
  readonly fd?: number;
  onData(listener: (data: Buffer) => void): unknown;
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): unknown;
  write(text: string): void;
  pause(): void;
  resume(): void;
  kill(signal?: string): void;
}

const COLUMNS = 120;
const ROWS = 40;
/** End of file, as a terminal takes it. */
const END_OF_FILE = '\x04';

/** Starts the program in a session with a terminal of its own. Undefined where the package is missing or cannot open one. */
export async function startInTerminal(
  { file, args, env, marker, isVerbatim }: Program,
  cwd: string,
  { terminalPackage, terminals: open }: { readonly terminalPackage: string; readonly terminals: Set<number> },
  take: TakeOutput,
): Promise<StartedCommand | undefined> {
  const terminals = await loadTerminals(terminalPackage);
  if (terminals === undefined) return undefined;
  // Here somebody can answer, so that git may ask.
  const { GIT_TERMINAL_PROMPT: _, ...asking } = env;
  let terminal: Terminal;
  try {
    const options = {
      name: 'xterm',
      cols: COLUMNS,
      rows: ROWS,
      cwd,
      env: { ...asking, TERM: 'xterm' },
      encoding: null,
    };
    terminal = terminals.spawn(file, isVerbatim ? args.join(' ') : [...args], options);
  } catch {
    return undefined;
  }
  const started = watchTerminal(terminal, marker, take);
  const { fd } = terminal;
  if (fd !== undefined) {
    open.add(fd);
    void started.exited.then(() => open.delete(fd));
  }
  return started;
}

function watchTerminal(terminal: Terminal, marker: string, take: TakeOutput): StartedCommand {
  const tree = new ProcessTree(terminal.pid, marker);
  let isOver = false;
  terminal.onData((data) => {
    // The package gives text where a platform knows no bytes.
    const pending = isOver ? undefined : take(Buffer.from(data));
    if (pending === undefined) return;
    terminal.pause();
    void pending.then(() => terminal.resume());
  });
  const exited = new Promise<CommandExit>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      isOver = true;
      tree.rootExited();
      const name = signal === undefined || signal === 0 ? null : signalName(signal);
      resolve({ code: name === null ? exitCode : null, signal: name });
    });
  });
  const write = async (text: string): Promise<void> => {
    if (isOver) throw new Failure('input_closed', 'The command has ended: it takes no more input.');
    terminal.write(text);
  };
  return {
    tree,
    exited,
    // The package reports the exit once the terminal was read to its end.
    output: {
      closed: exited.then(() => undefined),
      destroy: () => {
        isOver = true;
      },
    },
    stdin: { isTerminal: true, write, close: () => (isOver ? undefined : terminal.write(END_OF_FILE)) },
    notes: [],
  };
}

async function loadTerminals(terminalPackage: string): Promise<TerminalPackage | undefined> {
  try {
    const loaded: unknown = await import(terminalPackage);
    if (isTerminalPackage(loaded)) return loaded;
    const inner: unknown = typeof loaded === 'object' && loaded !== null && 'default' in loaded && loaded.default;
    return isTerminalPackage(inner) ? inner : undefined;
  } catch {
    return undefined;
  }
}

function isTerminalPackage(value: unknown): value is TerminalPackage {
  return typeof value === 'object' && value !== null && 'spawn' in value && typeof value.spawn === 'function';
}
