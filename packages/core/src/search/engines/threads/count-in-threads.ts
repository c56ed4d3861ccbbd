import type { JavaScriptPattern } from '../javascript/worker-messages.js';
import type { SearchTargets, TargetFolder, TellingSink } from '../search-engine.js';
import { pathBelow } from '../target-paths.js';
import { piecesOf, type Piece } from './pieces.js';
import type { SearchThread } from './search-thread.js';
import type { ThreadLease } from './search-threads.js';
import type { PieceAnswer, ThreadPiece } from './thread-messages.js';

/** In a file that takes so long the pattern runs away. */
const STALL_MS = 250;
/** Coming up takes some thirty milliseconds, and much more on a busy machine. */
const START_MS = 3_000;
const LOOK_MS = 50;
/** A search that was aborted gives back its threads so soon, or they are ended. */
const ABORT_MS = 100;
/**
 * A pattern that takes longer is left to the other engine, once so many pieces took that long. Single ones do when the
 * machine is busy with other things.
 */
const SLOW_NS_A_BYTE = 10;
const SLOW_PIECES = 16;
/** So that no thread waits for its next piece. */
const PIECES_AHEAD = 2;
const ESCAPED = /[\udc80-\udcff]/u;

export interface ThreadCount {
  readonly lease: ThreadLease;
  readonly pattern: JavaScriptPattern;
  /** Where the held folder really is. */
  readonly folder: string;
  /** A file with a longer line, in bytes, is left out. */
  readonly maxLine: number;
  readonly sink: TellingSink;
  readonly signal: AbortSignal;
  /** For tests. */
  readonly stallMs?: number;
}

/**
 * Counts in files as `SearchEngine.countAnything`. What it returns is left to another engine: large files, long lines,
 * UTF-16, and everything that was not done when the pattern ran away or proved slow. Nothing of that was told.
 * @throws the signal's reason, once no thread works for it any more
 */
export async function countInThreads(targets: SearchTargets, count: ThreadCount): Promise<SearchTargets> {
  const { lease, signal } = count;
  const run = new ThreadRun(targets, count);
  const stop = (): void => run.cancel();
  signal.addEventListener('abort', stop, { once: true });
  const look = setInterval(() => run.endStalled(), LOOK_MS).unref();
  try {
    signal.throwIfAborted();
    await run.done();
  } finally {
    clearInterval(look);
    signal.removeEventListener('abort', stop);
    lease.release();
  }
  signal.throwIfAborted();
  return run.rest();
}

class ThreadRun {
  readonly #count: ThreadCount;
  readonly #pieces: Iterator<Piece, void, undefined>;
  readonly #leftFolders: TargetFolder[] = [];
  readonly #leftFiles: string[] = [];
  readonly #ending: Promise<void>[] = [];
  #isGivenUp = false;
  #answered = 0;
  #slow = 0;

  constructor(targets: SearchTargets, count: ThreadCount) {
    this.#count = count;
    this.#pieces = piecesOf(targets);
  }

  async done(): Promise<void> {
    const { lease, pattern, folder, maxLine } = this.#count;
    const base = folder.endsWith('/') ? folder : `${folder}/`;
    const lanes = lease.threads.flatMap((thread) => {
      thread.begin({ job: lease.job, pattern, base, maxLine });
      return Array.from({ length: PIECES_AHEAD }, async () => this.#lane(thread));
    });
    const results = await Promise.allSettled(lanes);
    await Promise.all(this.#ending);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  rest(): SearchTargets {
    for (let next = this.#pieces.next(); next.done !== true; next = this.#pieces.next())
      this.#leftFolders.push(...next.value);
    return { folders: this.#leftFolders, files: this.#leftFiles };
  }

  cancel(): void {
    this.#isGivenUp = true;
    for (const thread of this.#count.lease.threads) thread.cancel(this.#count.lease.job);
  }

  endStalled(): void {
    const { lease, signal, stallMs = STALL_MS } = this.#count;
    for (const thread of lease.threads) {
      const limit = signal.aborted ? ABORT_MS : thread.isReady ? stallMs : START_MS;
      if (thread.hasEnded || !thread.isStuck(limit)) continue;
      this.#isGivenUp = true;
      this.#ending.push(thread.end());
    }
  }

  async #lane(thread: SearchThread): Promise<void> {
    while (!this.#isGivenUp) {
      const next = this.#pieces.next();
      if (next.done === true) return;
      const answer = await thread.search(messageOf(next.value));
      if (answer === undefined) {
        this.#isGivenUp = true;
        this.#leftFolders.push(...next.value);
      } else this.#tell(next.value, answer);
    }
  }

  #tell(piece: Piece, answer: PieceAnswer): void {
    const { sink } = this.#count;
    const pathAt = pathsOf(piece);
    const { counts, odd, failed, left } = answer;
    for (let at = 0; at < counts.length; at += 3)
      sink.counted(pathAt(counts[at] ?? 0), counts[at + 1] ?? 0, counts[at + 2]);
    for (const at of odd) sink.odd(pathAt(at));
    for (const { at, reason } of failed) sink.failed(pathAt(at), reason);
    for (const at of left) this.#leftFiles.push(pathAt(at));
    this.#answered++;
    if (answer.searchMs * 1e6 > answer.bytes * SLOW_NS_A_BYTE) this.#slow++;
    if (this.#slow >= SLOW_PIECES && 2 * this.#slow > this.#answered) this.#isGivenUp = true;
  }
}

function messageOf(piece: Piece): ThreadPiece {
  const folders = piece.map(({ folder }) => folder);
  const names = piece.map((part) => part.names.join('\0'));
  return {
    folders,
    names,
    hasEscapes: folders.some((each) => ESCAPED.test(each)) || names.some((each) => ESCAPED.test(each)),
  };
}

/** The path of a file by its place in the piece; places mostly grow. */
function pathsOf(piece: Piece): (at: number) => string {
  let index = 0;
  let start = 0;
  return (at) => {
    if (at < start) index = start = 0;
    for (let part = piece[index]; part !== undefined; part = piece[++index]) {
      if (at < start + part.names.length) return pathBelow(part.folder, part.names[at - start] ?? '');
      start += part.names.length;
    }
    return '';
  };
}
