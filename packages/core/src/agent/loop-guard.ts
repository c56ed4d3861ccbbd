import { createHash } from 'node:crypto';

/** One finished call, as far as repetition goes: polling whose result changes is no repetition. */
export interface FinishedCall {
  readonly toolName: string;
  readonly args: string;
  readonly result: string;
}

/** Period of the repetition → how many times in a row it is let pass. */
const LIMITS: readonly (readonly [period: number, rounds: number])[] = [
  [1, 5],
  [2, 4],
  [3, 4],
];

/** Notices a model that makes the same calls with the same results over and over, alone or in turns (A B A B …). */
export class LoopGuard {
  readonly #seen: string[] = [];

  /** The reason to stop, or undefined to go on. */
  add(call: FinishedCall): string | undefined {
    const text = JSON.stringify([call.toolName, call.args, call.result]);
    this.#seen.push(createHash('sha256').update(text).digest('base64'));
    const longest = Math.max(...LIMITS.map(([period, rounds]) => period * rounds));
    if (this.#seen.length > longest) this.#seen.shift();
    for (const [period, rounds] of LIMITS) {
      if (!repeats(this.#seen, period, rounds)) continue;
      const what = period === 1 ? `${call.toolName} was called` : `the same ${period} calls were made`;
      return `${what} ${rounds} times in a row with the same arguments and the same result`;
    }
    return undefined;
  }
}

function repeats(seen: readonly string[], period: number, rounds: number): boolean {
  const length = period * rounds;
  if (seen.length < length) return false;
  const tail = seen.slice(-length);
  return tail.every((hash, index) => hash === tail[index % period]);
}
