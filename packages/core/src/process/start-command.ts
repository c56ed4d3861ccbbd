import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { Socket, type ConnectOpts, type SocketConstructorOpts } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { pipeStdin } from './command-stdin.js';
import type { CommandRequest } from './command-types.js';
import { openInputPipe, type OutputPipe, type OutputPipes } from './output-pipe.js';
import { CALL_MARKER } from './process-table.js';
import { ProcessTree } from './process-tree.js';
import { describeStartError } from './start-error.js';
import type { CommandExit, Program, StartedCommand, TakeOutput } from './started-command.js';
import { startInTerminal } from './terminal-command.js';
import { isExecutable } from '../util/is-executable.js';

/** What starting needs beside the request. */
export interface StartContext {
  /** Absolute path of the shell. */
  readonly shell: string;
  readonly pipes: OutputPipes;
  /** The package that opens terminals, as `import()` takes it. */
  readonly terminalPackage: string;
  /** Descriptors of the terminals that are open: the package lets every child inherit them. */
  readonly terminals: Set<number>;
  /** Where the command's pipes have a name for a moment. */
  readonly pipeFolder: string | undefined;
  /** For all that the command starts (`CALL_MARKER`). */
  readonly marker: string;
  /** Default: that of this process. */
  readonly platform?: NodeJS.Platform;
}

const READ_BYTES = 65_536;
const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];
const NO_TERMINAL =
  'There is no terminal for it: the optional package for terminals is not installed. It runs with pipes instead.';

/** The absolute path of bash, or of the system's `sh` where there is none. Never searched in PATH. */
export function findShell(): string {
  return SHELLS.find(isExecutable) ?? '/bin/sh';
}

/**
 * Starts the command in a session and group of its own, stdout and stderr on one pipe (or its terminal), stdin as
 * the request says. Answers with the reason when it cannot be started.
 */
export async function startCommand(
  request: CommandRequest,
  context: StartContext,
  take: TakeOutput,
): Promise<StartedCommand | string> {
  const { command } = request;
  const { marker } = context;
  const words = 'shell' in command ? ([context.shell, '-c', command.shell] as const) : command.argv;
  const [file, ...args] = withoutTerminals(words, context);
  const env = { ...request.env, [CALL_MARKER]: marker };
  const program: Program = { file, args, env, marker, isVerbatim: 'argv' in command && command.isVerbatim === true };
  if (request.input !== 'terminal') return startWithPipes(request, program, context, take);
  const started = canCloseAny(context.shell) ? await startInTerminal(program, request.cwd, context, take) : undefined;
  if (started !== undefined) return started;
  const instead = await startWithPipes({ ...request, input: 'pipe' }, program, context, take);
  return typeof instead === 'string' ? instead : { ...instead, notes: [...instead.notes, NO_TERMINAL] };
}

/** Closes the terminals of other commands before the program starts: it could type into them. */
export function withoutTerminals(
  words: readonly [string, ...string[]],
  { shell, terminals }: Pick<StartContext, 'shell' | 'terminals'>,
): readonly [string, ...string[]] {
  if (terminals.size === 0) return words;
  const closing = Array.from(terminals, (descriptor) => `${descriptor}>&-`).join(' ');
  return [shell, '-c', `exec ${closing}; exec "$@"`, shell, ...words];
}

/** Other shells than bash know descriptors of one digit only. */
function canCloseAny(shell: string): boolean {
  return shell.endsWith('/bash');
}

async function startWithPipes(
  { cwd, input = 'none', descriptors = [] }: CommandRequest,
  program: Program,
  { pipes, pipeFolder, platform = process.platform }: StartContext,
  take: TakeOutput,
): Promise<StartedCommand | string> {
  const pipe = pipeFolder === undefined ? undefined : await pipes.take(pipeFolder);
  const stdin = input === 'none' || pipeFolder === undefined ? undefined : await openInputPipe(pipeFolder);
  const ours = [pipe?.readEnd, stdin?.writeEnd];
  let child: ChildProcess;
  try {
    child = spawnProgram(program, cwd, {
      stdin: stdin?.readEnd,
      output: pipe?.writeEnd,
      more: descriptors,
      platform,
    });
  } catch (thrown) {
    closeAll(ours);
    return describeStartError(thrown, cwd, program.file);
  } finally {
    // Held open here, the output would never end, and nor would the command's writing to nobody.
    closeAll([pipe?.writeEnd, stdin?.readEnd]);
  }
  if (child.pid === undefined) {
    closeAll(ours);
    const [error]: unknown[] = await once(child, 'error');
    return describeStartError(error, cwd, program.file);
  }
  return watchChild(child, child.pid, program.marker, { pipe, stdin, take });
}

/** To be called in the same turn as `spawn`. */
function watchChild(
  child: ChildProcess,
  pid: number,
  marker: string,
  ends: {
    readonly pipe: OutputPipe | undefined;
    readonly stdin: OutputPipe | undefined;
    readonly take: TakeOutput;
  },
): StartedCommand {
  const tree = new ProcessTree(pid, marker);
  child.on('error', () => undefined);
  const exited = new Promise<CommandExit>((resolve) => {
    child.once('exit', (code, signal) => {
      tree.rootExited();
      resolve({ code, signal });
    });
  });
  const output =
    ends.pipe === undefined ? readStream(outputOf(child), ends.take) : readDescriptor(ends.pipe.readEnd, ends.take);
  // An error ends the output as much as its end does.
  output.on('error', () => undefined);
  const closed = finished(output, { writable: false }).catch(() => undefined);
  return {
    tree,
    exited,
    output: { closed, destroy: () => void output.destroy() },
    ...(ends.stdin === undefined ? {} : { stdin: pipeStdin(ends.stdin.writeEnd) }),
    notes: [],
  };
}

function spawnProgram(
  { file, args, env, isVerbatim }: Program,
  cwd: string,
  ends: {
    readonly stdin: number | undefined;
    readonly output: number | undefined;
    readonly more: readonly number[];
    readonly platform: NodeJS.Platform;
  },
): ChildProcess {
  const stdin = ends.stdin ?? 'ignore';
  if (ends.platform === 'win32') {
    // A detached program would open a window. No shell joins the streams there: the order of the two is lost.
    const windows = { cwd, env, windowsHide: true, windowsVerbatimArguments: isVerbatim };
    return spawn(file, args, { ...windows, stdio: [stdin, 'pipe', 'pipe', ...ends.more] });
  }
  const options = { cwd, env, detached: true };
  if (ends.output !== undefined) {
    const stdio: StdioOptions = [stdin, ends.output, ends.output, ...ends.more];
    return spawn(file, args, { ...options, stdio });
  }
  // Without a pipe of our own the order is kept by joining the streams before the program starts.
  const stdio: StdioOptions = [stdin, 'pipe', 'ignore', ...ends.more];
  return spawn('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', file, ...args], { ...options, stdio });
}

export function closeAll(descriptors: readonly (number | undefined)[]): void {
  for (const descriptor of descriptors) if (descriptor !== undefined) closeSync(descriptor);
}

/** Reads through one buffer that is used again and again, so that a flood of output makes no garbage. */
function readDescriptor(descriptor: number, take: TakeOutput): Readable {
  const options: SocketConstructorOpts & ConnectOpts = {
    fd: descriptor,
    readable: true,
    writable: false,
    onread: {
      buffer: Buffer.allocUnsafe(READ_BYTES),
      callback: (count, buffer) => {
        const pending = take(Buffer.from(buffer.buffer, buffer.byteOffset, count));
        void pending?.then(() => socket.resume());
        return pending === undefined;
      },
    },
  };
  const socket = new Socket(options);
  return socket;
}

/** stdout, which carries stderr too unless that came as a stream of its own. */
function outputOf({ stdout, stderr }: ChildProcess): Readable {
  if (stdout === null) throw new Error('The command was started without its output.');
  if (stderr === null) return stdout;
  const both = new PassThrough();
  const open = new Set([stdout, stderr]);
  for (const stream of open) {
    stream.pipe(both, { end: false });
    stream.on('error', () => undefined);
    stream.once('close', () => {
      open.delete(stream);
      if (open.size === 0) both.end();
    });
  }
  return both;
}

function readStream(stream: Readable, take: TakeOutput): Readable {
  stream.on('data', (chunk: Buffer) => {
    const pending = take(chunk);
    if (pending === undefined) return;
    stream.pause();
    void pending.then(() => stream.resume());
  });
  return stream;
}
