/** `ready`: with those threads alone that can begin at once. */
export type CountWay = 'threads' | 'ready' | 'ripgrep';

/** `coming`: the threads were started a moment ago. `some` are there. */
export type ThreadsState = 'busy' | 'cold' | 'coming' | 'some' | 'warm';

/**
 * ripgrep takes 8 ms to start and 14 µs of wall time for a file of 4 KB; threads that are there 1 ms and 5 µs, and
 * 45 ms to come up (two processors).
 */
const WORTH_STARTING = 4_000;
const WORTH_WAITING = 1_000;
/** So few are not worth waiting for another search. */
const WORTH_QUEUING = 200;

/** A tree in which so many files were found while it is still walked is worth threads, which also stay a while. */
export const WORTH_EXPECTING = 500;

/** The quicker way to count in so many files. */
export function chooseWay(files: number, threads: ThreadsState): CountWay {
  if (threads === 'some' && files < WORTH_WAITING) return 'ready';
  return files >= LEAST_FILES[threads] ? 'threads' : 'ripgrep';
}

const LEAST_FILES: Readonly<Record<ThreadsState, number>> = {
  busy: WORTH_QUEUING,
  cold: WORTH_STARTING,
  coming: WORTH_WAITING,
  some: WORTH_WAITING,
  warm: 0,
};

/**
 * What is known to be text, and is searched for an expression of which no piece is certain, costs ripgrep 10 ms to start, and then 9 µs
 * more for a file and 0.6 ns less for a byte than threads.
 */
const RUN_BYTES = 16 * 1024 * 1024;
const FILE_BYTES = 15 * 1024;

/** Whether ripgrep is the quicker way for such files. */
export function isWorthARun(files: number, bytes: number): boolean {
  return bytes > RUN_BYTES + files * FILE_BYTES;
}
