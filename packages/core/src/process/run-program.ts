import { finished } from 'node:stream/promises';
import { OutputAnnouncer } from './output-announcer.js';
import { clampTimer } from './run-command.js';
import { OutputCollector, type CollectedOutput } from './output-collector.js';
import type { PipedExit, PipedProcess, StartPiped } from './piped-process.js';
import { whenAborted } from '../util/abort.js';

/** Where and how programs run that are asked one thing. */
export interface ProgramPlace {
  readonly connect: StartPiped;
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly folder: string;
}

export interface ProgramRequest extends ProgramPlace {
  readonly argv: readonly [string, ...string[]];
  /** All that it gets to read. */
  readonly input: string;
  readonly timeoutMs: number;
  /** Bytes of stdout from which on it is ended. */
  readonly mostBytes: number;
  /** Told the newest output now and then. */
  readonly onOutput?: (newest: string) => void;
}

export interface ProgramRun {
  readonly ending: 'exited' | 'timed-out' | 'too-much';
  readonly exit: PipedExit;
  readonly stdout: CollectedOutput;
  readonly stderr: CollectedOutput;
}

const KEPT_STDERR = 32 * 1024;
/** What is shown of stdout while it runs. */
const SHOWN = 4096;
/** How long output is awaited that something out of reach holds open. */
const REST_MS = 2_000;

/**
 * Runs a program to its end, or ends it with all that it started when its time is over, it prints too much, or the signal
 * is aborted.
 * @throws Failure `program_not_started`; the signal's reason
 */
export async function runProgram(request: ProgramRequest, signal: AbortSignal): Promise<ProgramRun> {
  signal.throwIfAborted();
  const { argv, folder: cwd, environment: env, connect, input, timeoutMs } = request;
  const piped = await connect({ argv, cwd, env });
  const stop = new AbortController();
  let ending: ProgramRun['ending'] = 'exited';
  const endAs = (how: ProgramRun['ending']): void => {
    if (!stop.signal.aborted) ending = how;
    stop.abort();
  };
  const timer = setTimeout(() => endAs('timed-out'), clampTimer(timeoutMs));
  const cancel = (): void => stop.abort();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const outputs = collectOutputs(piped, request, () => endAs('too-much'));
  try {
    piped.stdin.end(input);
    await Promise.race([ended(piped), whenAborted(stop.signal)]);
    await piped.end(0);
    signal.throwIfAborted();
    const { stdout, stderr } = outputs;
    return { ending, exit: await piped.exited, stdout: stdout.collected(), stderr: stderr.collected() };
  } finally {
    outputs.announcer?.stop();
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    await piped.end(0);
  }
}

interface Outputs {
  readonly stdout: OutputCollector;
  readonly stderr: OutputCollector;
  readonly announcer: OutputAnnouncer | undefined;
}

function collectOutputs(piped: PipedProcess, { mostBytes, onOutput }: ProgramRequest, stop: () => void): Outputs {
  const stderr = new OutputCollector(KEPT_STDERR);
  piped.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  const stdout = new OutputCollector(mostBytes);
  // Of its own: looking at the newest must not cost more the more there is.
  const recent = new OutputCollector(2 * SHOWN);
  const newest = (limit: number): string => recent.newest(limit);
  const announcer = onOutput === undefined ? undefined : new OutputAnnouncer(onOutput, newest);
  piped.stdout.on('data', (chunk: Buffer) => {
    // What is over the limit only counts: the beginning is kept.
    stdout.add(chunk);
    recent.add(chunk);
    announcer?.changed();
    if (stdout.overflowed) stop();
  });
  return { stdout, stderr, announcer };
}

/** It exited, and nothing of its output is missing. */
async function ended({ exited, stdout, stderr }: PipedProcess): Promise<void> {
  await exited;
  const waiting = new AbortController();
  const rest = [stdout, stderr].map(async (stream) => finished(stream, { writable: false }).catch(() => undefined));
  const timer = setTimeout(() => waiting.abort(), REST_MS);
  await Promise.race([Promise.all(rest), whenAborted(waiting.signal)]);
  clearTimeout(timer);
}
