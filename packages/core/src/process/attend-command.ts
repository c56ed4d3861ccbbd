import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandOutcome } from './command-types.js';
import { InputWatch, promptOf } from './input-watch.js';
import type { LinearPattern } from '../util/linear-pattern.js';
import type { LiveCommand } from './live-command.js';
import { plainOutput } from './plain-output.js';
import { portAnswers } from './port-answers.js';

/** What to wait for beside the command's exit, which always ends the waiting. */
export interface Wish {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Looked for in each line of the output after the first `from` bytes, as a terminal would show it. */
  readonly pattern?: { readonly pattern: LinearPattern; readonly from: number };
  /** A TCP port of this machine that answers. */
  readonly port?: number;
  /** Told while it prints nothing: how long, and how much of a processor it uses meanwhile. */
  readonly onSilence?: (silence: Silence) => void;
  /** Milliseconds until silence is told for the first time. Default 30,000. */
  readonly silentAfterMs?: number;
}

export interface Silence {
  readonly seconds: number;
  readonly isBusy: boolean;
}

export type AttendEnd =
  | { readonly kind: 'exit'; readonly outcome: CommandOutcome }
  | { readonly kind: 'time' | 'cancelled' }
  /** `prompt`: the unfinished line that it printed last; may be empty. */
  | { readonly kind: 'input'; readonly prompt: string }
  | { readonly kind: 'pattern'; readonly line: string }
  | { readonly kind: 'port'; readonly port: number };

const LOOK_MS = 500;
/** A program that asks prints nothing more; one that thinks often does not either, so that it is given this long. */
const QUIET_MS = 1500;
const SILENT_AFTER_MS = 30_000;
const SILENCE_AGAIN_MS = 10_000;
const BUSY_LOAD = 0.05;
const LONGEST_LINE = 8192;
const NEWEST_BYTES = 1024;

/** Waits until something happens to a command that runs; says what it was. The command is left as it is. */
export async function attend(live: LiveCommand, wish: Wish): Promise<AttendEnd> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const seen = wish.pattern === undefined ? [] : [lineThatMatches(live, wish.pattern, signal)];
  try {
    return await Promise.race([
      ...seen,
      live.ended.then((outcome) => ({ kind: 'exit' as const, outcome })),
      aborted(wish.signal, signal),
      ...(wish.port === undefined ? [] : [portAnswers(wish.port, signal)]),
      after(wish.timeoutMs, signal),
      watchQuiet(live, wish, signal),
    ]);
  } finally {
    waiting.abort();
  }
}

/** Resolves with the first line that matches; never when there is none. */
function lineThatMatches(
  live: LiveCommand,
  { pattern, from }: NonNullable<Wish['pattern']>,
  signal: AbortSignal,
): Promise<AttendEnd> {
  return new Promise((resolve) => {
    const decoder = new StringDecoder();
    let line = '';
    const read = (text: string): void => {
      const lines = (line + text).split('\n');
      line = (lines.at(-1) ?? '').slice(-LONGEST_LINE);
      for (const each of lines) {
        const shown = plainOutput(each.slice(-LONGEST_LINE));
        if (pattern.test(shown)) return resolve({ kind: 'pattern', line: shown });
      }
    };
    const { head, tail, rest } = live.since(from);
    read((tail === '' ? head : `${head}\n${tail}`) + decoder.write(rest));
    const stop = live.listen((chunk) => read(decoder.write(chunk)));
    signal.addEventListener('abort', stop, { once: true });
  });
}

async function after(milliseconds: number, signal: AbortSignal): Promise<AttendEnd> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  return { kind: 'time' };
}

function aborted(outer: AbortSignal, signal: AbortSignal): Promise<AttendEnd> {
  return new Promise((resolve) => {
    const tell = (): void => resolve({ kind: 'cancelled' });
    if (outer.aborted) tell();
    outer.addEventListener('abort', tell, { signal });
  });
}

/** Tells silence while it lasts; resolves when the command waits for input. */
async function watchQuiet(live: LiveCommand, wish: Wish, signal: AbortSignal): Promise<AttendEnd> {
  const watch = new InputWatch({ tree: live.tree, stdin: live.stdin, newest: (limit) => live.newest(limit) });
  let tellAt = wish.silentAfterMs ?? SILENT_AFTER_MS;
  for (let pause = LOOK_MS; ; pause = nextPause(live)) {
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted || live.outcome !== undefined) return new Promise<never>(() => undefined);
    const { silentMs } = live;
    if (silentMs < QUIET_MS) {
      tellAt = wish.silentAfterMs ?? SILENT_AFTER_MS;
      continue;
    }
    const { load, waitsForInput } = watch.look();
    if (waitsForInput) return { kind: 'input', prompt: promptOf(live.newest(NEWEST_BYTES)) };
    if (silentMs < tellAt) continue;
    tellAt = silentMs + SILENCE_AGAIN_MS;
    tellSilence(wish, { seconds: Math.round(silentMs / 1000), isBusy: load >= BUSY_LOAD });
  }
}

/** Each look reads the whole table of processes: the longer nothing happens, the rarer, unless it can be answered. */
function nextPause({ silentMs, stdin }: LiveCommand): number {
  return stdin === undefined ? Math.min(Math.max(LOOK_MS, silentMs / 5), 5000) : LOOK_MS;
}

function tellSilence({ onSilence }: Wish, silence: Silence): void {
  try {
    onSilence?.(silence);
  } catch {
    // A door that cannot draw must not take the command down with it.
  }
}
