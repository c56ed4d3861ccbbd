import { setTimeout as sleep } from 'node:timers/promises';
import { InputWatch, promptOf } from '../input-watch.js';
import type { Job } from './job.js';

/** A program that asks prints nothing more; between two looks it must not use the processor either. */
const QUIET_MS = 1500;
const LOOK_MS = 1000;
const LONGEST_PAUSE_MS = 5000;
const NEWEST_BYTES = 1024;

/**
 * Tells when a job that somebody could answer waits for input, once for each question, until it ends. Looking reads
 * the table of processes: the longer nothing happens the rarer, and not at all while the question is known.
 */
export function watchForQuestions(job: Job, tell: (prompt: string) => void): void {
  const { live } = job;
  // What cannot be typed to asks nobody.
  if (live.stdin === undefined) return;
  void attendQuestions(job, tell);
}

async function attendQuestions(job: Job, tell: (prompt: string) => void): Promise<void> {
  const { live } = job;
  const over = new AbortController();
  void live.ended.then(() => over.abort());
  const { tree, stdin } = live;
  const watch = new InputWatch({ tree, stdin, newest: (limit) => live.newest(limit) });
  let toldAt: number | undefined;
  for (;;) {
    const pause = Math.min(Math.max(LOOK_MS, live.silentMs / 5), LONGEST_PAUSE_MS);
    await sleep(pause, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
    if (over.signal.aborted) return;
    if (live.silentMs < QUIET_MS || toldAt === live.totalBytes || job.waitSeen) continue;
    if (!watch.look().waitsForInput) continue;
    toldAt = live.totalBytes;
    tell(promptOf(live.newest(NEWEST_BYTES)));
  }
}
