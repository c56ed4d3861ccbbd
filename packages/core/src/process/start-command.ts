import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, closeSync, constants, statSync } from 'node:fs';
import { Socket, type ConnectOpts, type SocketConstructorOpts } from 'node:net';
import type { Readable } from 'node:stream';
import { errorMessage, systemErrorCode } from '../util/failure.js';
import type { CommandRequest } from './command-types.js';
import { openOutputPipe } from './output-pipe.js';
import { CALL_MARKER } from './process-table.js';
import { ProcessTree } from './process-tree.js';

/** Takes one piece of output, valid until it returns or its promise resolves; no more is read until then. */
export type TakeOutput = (chunk: Buffer) => Promise<void> | undefined;

export interface StartedCommand {
  readonly child: ChildProcess;
  readonly tree: ProcessTree;
  /** Ends when nothing holds the output open any more. */
  readonly output: Readable;
}

const READ_BYTES = 65_536;
const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];

/** The absolute path of bash, or of the system's `sh` where there is none. Never searched in PATH. */
export function findShell(): string {
  return SHELLS.find(isExecutable) ?? '/bin/sh';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts the command in a session and group of its own, without stdin, stdout and stderr on one pipe.
 * Answers with the reason when it cannot be started.
 */
export async function startCommand(
  request: CommandRequest,
  shell: string,
  pipeFolder: string | undefined,
  take: TakeOutput,
): Promise<StartedCommand | string> {
  const pipe = pipeFolder === undefined ? undefined : await openOutputPipe(pipeFolder);
  const [program, ...args] = 'shell' in request.command ? [shell, '-c', request.command.shell] : request.command.argv;
  const marker = randomUUID();
  const options = { cwd: request.cwd, env: { ...request.env, [CALL_MARKER]: marker }, detached: true };
  let child: ChildProcess;
  try {
    child =
      pipe === undefined
        ? // Without a pipe of our own the order is kept by joining the streams before the program starts.
          spawn('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', program, ...args], {
            ...options,
            stdio: ['ignore', 'pipe', 'ignore'],
          })
        : spawn(program, args, { ...options, stdio: ['ignore', pipe.writeEnd, pipe.writeEnd] });
  } catch (thrown) {
    if (pipe !== undefined) closeSync(pipe.readEnd);
    return describeStartError(thrown, request.cwd, program);
  } finally {
    // Held open here, the pipe would never end.
    if (pipe !== undefined) closeSync(pipe.writeEnd);
  }
  if (child.pid === undefined) {
    if (pipe !== undefined) closeSync(pipe.readEnd);
    const [error]: unknown[] = await once(child, 'error');
    return describeStartError(error, request.cwd, program);
  }
  const tree = new ProcessTree(child.pid, marker);
  child.on('error', () => undefined);
  const output = pipe === undefined ? readStream(child.stdout, take) : readDescriptor(pipe.readEnd, take);
  // An error ends the output as much as its end does; who waits for the end hears of it.
  output.on('error', () => undefined);
  return { child, tree, output };
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

function readStream(stream: Readable | null, take: TakeOutput): Readable {
  if (stream === null) throw new Error('The command was started without its output.');
  stream.on('data', (chunk: Buffer) => {
    const pending = take(chunk);
    if (pending === undefined) return;
    stream.pause();
    void pending.then(() => stream.resume());
  });
  return stream;
}

/** A missing folder and a missing program are both ENOENT to the system; the person must know which. */
function describeStartError(thrown: unknown, cwd: string, program: string): string {
  const code = systemErrorCode(thrown);
  const folder = problemOfFolder(cwd);
  if (folder !== null) return folder;
  if (code === 'ENOENT') return `Program not found: ${program}. Check the name, or give its absolute path.`;
  if (code === 'EACCES') return `Not permitted to run ${program}. Check that it is executable.`;
  if (code === 'E2BIG') return 'The command is too long for the system. Write it to a file and run the file.';
  if (code === 'EAGAIN' || code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM') {
    return `The system is out of processes, memory or open files (${code}). Try again when less is running.`;
  }
  return `The command could not be started: ${errorMessage(thrown)}`;
}

function problemOfFolder(cwd: string): string | null {
  try {
    if (!statSync(cwd).isDirectory())
      return `The working directory is not a directory: ${cwd}. Choose a folder that exists.`;
    accessSync(cwd, constants.X_OK);
    return null;
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'EACCES') return `Not permitted to work in the directory: ${cwd}.`;
    return `The working directory does not exist: ${cwd}. Choose a folder that exists.`;
  }
}
