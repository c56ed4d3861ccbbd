import { setTimeout as sleep } from 'node:timers/promises';
import { activityOf } from './process-table.js';
import type { ProcessTree } from './process-tree.js';

/** How often what does nothing is looked at again, and after how many milliseconds. */
const IDLE_WAITS_MS = [5, 15, 30];
/** What is at work is waited for no longer than that. In milliseconds. */
const LONGEST_WAIT_MS = 500;

/**
 * What outlives a program may take a moment to end by itself (`> >(tee log)` does). On a busy machine a moment can pass before
 * it gets a processor: only those count in which it does nothing. How many processes are left then.
 */
export async function waitForStragglers(tree: ProcessTree): Promise<number> {
  const begin = performance.now();
  let before = '';
  let idleWaits = 0;
  for (;;) {
    const left = tree.leftRunning();
    if (left === 0) return 0;
    const pids = tree.living().map(({ pid }) => pid);
    const now = pids.join(' ');
    const isAtWork = now !== before || pids.some((pid) => activityOf(pid)?.isAtWork === true);
    if (isAtWork && performance.now() - begin < LONGEST_WAIT_MS) idleWaits = 0;
    before = now;
    const wait = IDLE_WAITS_MS[idleWaits];
    if (wait === undefined) return left;
    idleWaits += 1;
    await sleep(wait);
  }
}
