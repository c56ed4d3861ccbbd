import type { ServerDefinition } from '../server-definition.js';

/** What a client waits for and holds at most. Times in milliseconds. */
export interface ClientLimits {
  /** Of one message, over pipes as over HTTP. */
  readonly messageBytes: number;
  readonly pages: number;
  readonly entries: number;
  /** For a program to end by itself once its input is closed. */
  readonly graceMs: number;
  /** Before the first, second … attempt to connect after a failure. As many failures in a row, and it has failed. */
  readonly backOffMs: readonly number[];
  /** Changes of a list within that time are told as one. */
  readonly quietMs: number;
  /** Progress is told that often at most. */
  readonly progressMs: number;
  /** Before a subscription that ended is opened again; doubled each time. */
  readonly listenAgainMs: number;
  /** Between two looks at a task that names no time of its own. */
  readonly pollMs: number;
}

export const DEFAULT_LIMITS: ClientLimits = {
  messageBytes: 64 * 1024 * 1024,
  pages: 1000,
  entries: 50_000,
  graceMs: 1000,
  backOffMs: [0, 500, 1000, 2000, 4000],
  quietMs: 100,
  progressMs: 100,
  listenAgainMs: 1000,
  pollMs: 1000,
};

const MOST_CALL_MS = 600_000;
const LEAST_TASK_MS = 3_600_000;

type CallTimes = Pick<ServerDefinition, 'timeoutMs' | 'longestMs'>;

/** Returns the most total time of a call: ten times its limit, up to ten minutes. Only a call with progress gets that long. */
export function longestCallMs({ timeoutMs, longestMs }: CallTimes): number {
  return longestMs ?? Math.max(timeoutMs, Math.min(10 * timeoutMs, MOST_CALL_MS));
}

/** Returns the most total time of a task. It is longer, because servers make tasks of slow work. */
export function longestTaskMs({ timeoutMs, longestMs }: CallTimes): number {
  return longestMs ?? Math.max(10 * timeoutMs, LEAST_TASK_MS);
}
