import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathCost } from './score-path.js';

/** Paths as they are looked through. */
export interface PathList {
  readonly paths: readonly string[];
  /** The same in lower case. */
  readonly folded: readonly string[];
  /** Of each, where its last name begins. */
  readonly names: Uint16Array;
  /** Of each, which letters and digits it has (see `lettersOf`). */
  readonly letters: Int32Array;
  /** Of each, what it is worse for being long and deep. */
  readonly costs: Int32Array;
}

/** The event loop is held up for so long at a time. In milliseconds. */
const SLICE_MS = 6;

/** Lets others have the event loop now and then. */
export class Slices {
  #end = performance.now() + SLICE_MS;

  get isDue(): boolean {
    return performance.now() >= this.#end;
  }

  /** @throws the signal's reason */
  async rest(signal: AbortSignal): Promise<void> {
    await nextTurn();
    signal.throwIfAborted();
    this.#end = performance.now() + SLICE_MS;
  }
}

/** A bit for each letter, one for all digits, one for each of the commonest signs, one for everything else. */
export function lettersOf(folded: string): number {
  let letters = 0;
  for (let at = 0; at < folded.length; at += 1) letters |= 1 << bitOf(folded.charCodeAt(at));
  return letters;
}

function bitOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x30 && code <= 0x39) return 26;
  if (code === 0x2f) return 27;
  if (code === 0x2e) return 28;
  if (code === 0x2d) return 29;
  return code === 0x5f ? 30 : 31;
}

/** Longer paths are taken as if their last name began at their beginning. */
const LONGEST = 0xffff;

/** Prepares paths, without holding anything up. @throws the signal's reason */
export async function createPathList(paths: readonly string[], signal: AbortSignal): Promise<PathList> {
  const folded: string[] = [];
  const names = new Uint16Array(paths.length);
  const letters = new Int32Array(paths.length);
  const costs = new Int32Array(paths.length);
  const slices = new Slices();
  for (const [index, path] of paths.entries()) {
    if ((index & 255) === 0 && slices.isDue) await slices.rest(signal);
    const lower = path.toLowerCase();
    // A letter that becomes two would shift all places behind it.
    const fold = lower.length === path.length ? lower : path;
    folded.push(fold);
    const start = path.lastIndexOf('/', path.length - 2) + 1;
    names[index] = start > LONGEST ? 0 : start;
    letters[index] = lettersOf(fold);
    costs[index] = pathCost(path);
  }
  return { paths, folded, names, letters, costs };
}
