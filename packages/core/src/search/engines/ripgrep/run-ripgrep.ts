import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { Failure, errorMessage, systemErrorCode } from '../../../util/failure.js';
import { killGroup } from '../../../util/kill-group.js';
import { ComplaintReader, type Complaints } from './complaint-reader.js';

export interface RipgrepPlace {
  /** Absolute path of the program. */
  readonly program: string;
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface RipgrepRun {
  readonly place: RipgrepPlace;
  readonly args: readonly string[];
  /** What its standard input holds; nothing by default. */
  readonly input?: Buffer | undefined;
  /** Gets the output as it arrives. Must not throw for anything that ripgrep may print. */
  readonly read: (chunk: Buffer) => void;
  /** Asked after each piece of output: the rest is not needed. */
  readonly isEnough?: () => boolean;
  /** Told each file with which there was an error. */
  readonly failed: (relativePath: string | undefined, reason: string) => void;
  readonly signal: AbortSignal;
}

/** The command line is longer than the system allows. */
export class TooManyArguments extends Error {}

/**
 * Runs ripgrep to its end.
 * @returns what it complained about besides single files; nothing when it was content
 * @throws TooManyArguments; Failure `engine_unavailable`, `grep_execution_error`; the signal's reason, once the process is gone
 */
export async function runRipgrep(run: RipgrepRun): Promise<string | undefined> {
  const { place, args, input, failed, signal } = run;
  signal.throwIfAborted();
  const child = start(place, args, input !== undefined);
  // It may have enough, or be ended, before it has read all.
  child.stdin?.on('error', () => undefined).end(input);
  const complaints = new ComplaintReader(failed);
  const output = readOutput(child, run);
  child.stderr.on('data', (chunk: Buffer) => {
    if (!signal.aborted) complaints.push(chunk);
  });
  const kill = (): void => endGroup(child);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const code = await ended(child, place);
    signal.throwIfAborted();
    if (output.state === 'enough') return undefined;
    if (output.state === 'broken')
      throw new Failure('grep_execution_error', `ripgrep's output could not be read: ${errorMessage(output.cause)}`);
    return judge(code, child.signalCode, complaints.finish());
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

type Started = ChildProcess & {
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

interface Output {
  state: 'wanted' | 'enough' | 'broken';
  cause?: unknown;
}

/** Reads until nothing more is wanted; then the process is ended. */
function readOutput(child: Started, { read, isEnough, signal }: RipgrepRun): Output {
  const output: Output = { state: 'wanted' };
  child.stdout.on('data', (chunk: Buffer) => {
    if (signal.aborted || output.state !== 'wanted') return;
    try {
      read(chunk);
      if (isEnough?.() === true) output.state = 'enough';
    } catch (thrown) {
      output.state = 'broken';
      output.cause = thrown;
    }
    if (output.state !== 'wanted') endGroup(child);
  });
  return output;
}

function start({ program, workingDirectory, env }: RipgrepPlace, args: readonly string[], hasInput: boolean): Started {
  try {
    // In a group of its own: a script in ripgrep's place starts it as a child of its own.
    const how = process.platform === 'win32' ? { windowsHide: true } : { detached: true };
    const all = { cwd: workingDirectory, env, ...how };
    return hasInput
      ? spawn(program, args, { ...all, stdio: ['pipe', 'pipe', 'pipe'] })
      : spawn(program, args, { ...all, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (thrown) {
    throw startFailure(thrown, workingDirectory);
  }
}

/** With what it started; should some of that go on all the same, nobody waits for it. */
function endGroup(child: Started): void {
  if (process.platform !== 'win32') killGroup(child);
  child.kill('SIGKILL');
  child.stdin?.destroy();
  child.stdout.destroy();
  child.stderr.destroy();
}

function startFailure(thrown: unknown, workingDirectory: string): Error {
  const code = systemErrorCode(thrown);
  if (code === 'E2BIG' || code === 'ENAMETOOLONG') return new TooManyArguments();
  const reason = isClosed(workingDirectory) ? 'the folder to search cannot be entered' : errorMessage(thrown);
  return new Failure('engine_unavailable', `ripgrep did not start: ${reason}`, { cause: thrown });
}

/** The system blames the program for a folder in which it may not start. */
function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return false;
  } catch {
    return true;
  }
}

/** The exit code; null when a signal ended it. */
async function ended(child: ChildProcess, { workingDirectory }: RipgrepPlace): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      // An error after the start is one of killing it: its end comes all the same.
      if (child.pid === undefined) reject(startFailure(error, workingDirectory));
    });
    child.once('close', (code) => resolve(code));
  });
}

/** 0: matches, 1: none, 2: an error, be it with one file. */
function judge(code: number | null, endedBy: string | null, { files, others }: Complaints): string | undefined {
  if (code === 0 || code === 1) return undefined;
  if (code === 2 && others !== '') return others;
  if (code === 2 && files > 0) return undefined;
  const end = code === null ? `was ended by ${endedBy ?? 'a signal'}` : `ended with code ${code}`;
  // It died, or is no ripgrep at all: another engine may do better. With code 2 something was wrong with what it was to do.
  const error = code === 2 ? 'grep_execution_error' : 'engine_unavailable';
  throw new Failure(error, `ripgrep ${end}${others === '' ? ', without a reason' : `: ${others}`}`);
}
