import type { Pause } from './tree/pause.js';

/** Names between two looks at the clock. */
const PIECE = 16;

/** What is done with names. */
interface Sieving {
  readonly test: (name: string) => boolean;
  readonly pause: Pause;
  /** Of `performance.now()`: what is not judged by then is left out. */
  readonly deadline?: number;
}

/** `names.filter(test)`, with pauses: a promise where one is due. @throws the signal's reason */
export function sieve(names: readonly string[], sieving: Sieving): readonly string[] | Promise<readonly string[]> {
  const passed: string[] = [];
  const reached = sieveUntilDue(names, 0, sieving, passed);
  return reached === names.length ? passed : sieveOn(names, reached, sieving, passed);
}

async function sieveOn(
  names: readonly string[],
  from: number,
  sieving: Sieving,
  passed: string[],
): Promise<readonly string[]> {
  const { pause, deadline = Infinity } = sieving;
  for (let at = from; at < names.length && performance.now() <= deadline;) {
    await pause.take();
    at = sieveUntilDue(names, at, sieving, passed);
  }
  return passed;
}

/** @returns how far it came */
function sieveUntilDue(names: readonly string[], from: number, { test, pause }: Sieving, passed: string[]): number {
  for (let at = from; at < names.length; at += 1) {
    const name = names[at] ?? '';
    if (test(name)) passed.push(name);
    // The worst patterns take tens of milliseconds for each name, which shows with the first.
    if ((at === from || at % PIECE === 0) && pause.isDue()) return at + 1;
  }
  return names.length;
}
