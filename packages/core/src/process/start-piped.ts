import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { Socket } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { Failure } from '../util/failure.js';
import { findProgram } from '../util/find-program.js';
import { batchWords, isBatchFile } from './batch-words.js';
import { LivePiped, type PipedStreams } from './live-piped.js';
import type { OutputPipe, OutputPipes } from './output-pipe.js';
import type { PipedProcess, PipedRequest } from './piped-process.js';
import { CALL_MARKER } from './process-table.js';
import { ProcessTree } from './process-tree.js';
import type { RunningRecord } from './running-record.js';
import { closeAll, withoutTerminals } from './start-command.js';
import { describeStartError } from './start-error.js';
import type { Program } from './started-command.js';
import type { SurvivorWatch } from './survivor-watch.js';

/** What starting needs beside the request; the same as for commands. */
export interface PipedContext {
  readonly shell: string;
  readonly terminals: Set<number>;
  readonly pipes: OutputPipes;
  /** Absolute path of a folder in which pipes have a name for a moment; made when it is missing. */
  readonly pipeFolder: string | undefined;
  readonly live: Set<ProcessTree>;
  readonly record: RunningRecord | undefined;
  /** Ends what runs when this process is killed. */
  readonly watch: SurvivorWatch;
}

/** What the system itself takes where there is no PATH. */
const PLAIN_PATH = '/usr/local/bin:/usr/bin:/bin';
const ENDINGS = '.COM;.EXE;.BAT;.CMD';

/** See `StartPiped`. stdin, stdout and stderr stay apart, as they are. */
export async function startPiped(request: PipedRequest, context: PipedContext): Promise<PipedProcess> {
  const marker = randomUUID();
  const { live, record, watch } = context;
  const program = programOf(request, marker, context);
  const pipes = await takePipes(context);
  record?.announce(marker);
  const { child, pid } = await spawnPiped(request, program, pipes).catch((thrown: unknown) => {
    record?.remove(marker);
    throw thrown;
  });
  const tree = new ProcessTree(pid, marker);
  live.add(tree);
  record?.add(tree.root);
  watch.add(tree.root);
  const piped = new LivePiped(child, tree, streamsOf(child, pipes));
  void piped.gone.then(() => {
    live.delete(tree);
    record?.remove(marker);
    watch.remove(tree.root);
  });
  return piped;
}

/** Its words, found and ready for `spawn`. */
function programOf(request: PipedRequest, marker: string, context: PipedContext): Program {
  const [, ...rest] = request.argv;
  const isWindows = process.platform === 'win32';
  const found = isWindows ? locateOnWindows(request) : locate(request);
  const isVerbatim = isWindows && isBatchFile(found);
  const [file, ...args] = withoutTerminals(isVerbatim ? batchWords(found, rest) : [found, ...rest], context);
  return { file, args, env: { ...request.env, [CALL_MARKER]: marker }, marker, isVerbatim };
}

interface OutputEnds {
  readonly stdout: OutputPipe | undefined;
  readonly stderr: OutputPipe | undefined;
}

/**
 * Real pipes, where they can be made: a script that writes to `/dev/stderr` cannot open a socket. Its input stays a
 * socket: a named pipe that has no writer any more makes whoever opens `/dev/stdin` wait for ever.
 */
async function takePipes({ pipes, pipeFolder }: PipedContext): Promise<OutputEnds> {
  if (pipeFolder === undefined || process.platform === 'win32') return { stdout: undefined, stderr: undefined };
  try {
    mkdirSync(pipeFolder, { recursive: true, mode: 0o700 });
  } catch {
    // Then none can be made there.
  }
  const [stdout, stderr] = await Promise.all([pipes.take(pipeFolder), pipes.take(pipeFolder)]);
  return { stdout, stderr };
}

async function spawnPiped(
  request: PipedRequest,
  { file, args, env, isVerbatim }: Program,
  { stdout, stderr }: OutputEnds,
): Promise<{ readonly child: ChildProcess; readonly pid: number }> {
  const { cwd, descriptors = [] } = request;
  // A detached program would open a window on Windows; elsewhere it makes the session and group of its own.
  const platform =
    process.platform === 'win32' ? { windowsHide: true, windowsVerbatimArguments: isVerbatim } : { detached: true };
  let child: ChildProcess | undefined;
  try {
    const stdio: StdioOptions = ['pipe', stdout?.writeEnd ?? 'pipe', stderr?.writeEnd ?? 'pipe', ...descriptors];
    child = spawn(file, args, { cwd, env, stdio, ...platform });
  } catch (thrown) {
    closeAll([stdout?.readEnd, stderr?.readEnd]);
    throw notStarted(request, describeStartError(thrown, cwd, file));
  } finally {
    // Held open here, its output would never end.
    closeAll([stdout?.writeEnd, stderr?.writeEnd]);
  }
  const { pid } = child;
  if (pid !== undefined) return { child, pid };
  closeAll([stdout?.readEnd, stderr?.readEnd]);
  const [error]: unknown[] = await once(child, 'error');
  throw notStarted(request, describeMissing(error, cwd, file));
}

function streamsOf(child: ChildProcess, ends: OutputEnds): PipedStreams {
  const stdout = ends.stdout === undefined ? child.stdout : readEndOf(ends.stdout);
  const stderr = ends.stderr === undefined ? child.stderr : readEndOf(ends.stderr);
  if (child.stdin === null || stdout === null || stderr === null) throw new Error('Started without its pipes.');
  return { stdin: child.stdin, stdout, stderr };
}

function readEndOf({ readEnd }: OutputPipe): Socket {
  return new Socket({ fd: readEnd, readable: true, writable: false });
}

/** Its path, absolute, so that what is not there is said and not found in the working directory. */
function locate(request: PipedRequest): string {
  const [name] = request.argv;
  if (name.includes('/')) return resolve(request.cwd, name);
  const found = findProgram(name, { path: request.env['PATH'] ?? PLAIN_PATH });
  if (found !== undefined) return found.place;
  throw notStarted(request, describeStartError(Object.assign(new Error(), { code: 'ENOENT' }), request.cwd, name));
}

/** Names without an ending are taken with each of PATHEXT, in its order. */
function locateOnWindows(request: PipedRequest): string {
  const [name] = request.argv;
  const { cwd, env } = request;
  const valueOf = (wanted: string): string | undefined =>
    Object.entries(env).find(([each]) => each.toUpperCase() === wanted)?.[1];
  const endings = (valueOf('PATHEXT') ?? ENDINGS).toLowerCase().split(';').filter(Boolean);
  const wanted = /[/\\]/.test(name) && !isAbsolute(name) ? resolve(cwd, name) : name;
  const found = findProgram(wanted, { path: valueOf('PATH') ?? '', endings });
  if (found !== undefined) return found.place;
  throw notStarted(request, describeStartError(Object.assign(new Error(), { code: 'ENOENT' }), cwd, name));
}

/** A script whose interpreter is missing gives the same error as one that is missing itself. */
function describeMissing(error: unknown, cwd: string, file: string): string {
  const text = describeStartError(error, cwd, file);
  const isThere = text.startsWith('Program not found') && findProgram(file, { path: '' }) !== undefined;
  return isThere ? `The interpreter that the first line of ${file} names is not installed. Install it.` : text;
}

function notStarted({ argv: [name] }: PipedRequest, reason: string): Failure {
  return new Failure('program_not_started', `${name} was not started. ${reason}`);
}
