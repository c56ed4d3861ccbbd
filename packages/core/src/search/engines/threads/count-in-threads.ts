import { isUnnamable } from '../../../files/escaped-bytes.js';
import type { SearchTargets, TargetFolder, TellingSink } from '../search-engine.js';
import { pathBelow } from '../../paths.js';
import { withLease, type Guard, type GuardedWork } from './lease-guard.js';
import { piecesOf, type Piece } from './pieces.js';
import type { SearchThread } from './search-thread.js';
import type { PieceAnswer, ThreadPiece } from './thread-messages.js';
import type { ThreadPattern } from './thread-pattern.js';
import { withSeparator } from '../../../util/paths-below.js';

/**
 * A pattern that takes longer is left to the other engine, once so many pieces took that long. Single ones do when the
 * machine is busy with other things.
 */
const SLOW_NS_A_BYTE = 10;
/** What looking at a file takes that has next to nothing in it. */
const SLOW_NS_A_FILE = 4_000;
const SLOW_PIECES = 16;
/** So that no thread waits for its next piece while this one walks on, which answers only now and then. */
const PIECES_AHEAD = 4;

export interface ThreadSearch extends GuardedWork {
  readonly wanted: ThreadPattern;
  /** Where the held folder really is. */
  readonly folder: string;
}

interface ThreadCount extends ThreadSearch {
  readonly sink: TellingSink;
}

/**
 * Counts in files as `SearchEngine.countAnything`. What it returns is left to another engine: large files and long lines, if the
 * sink takes none that are `left`, and everything that was not done when the pattern ran away or proved slow. Nothing of that was told.
 * @throws the signal's reason, once no thread works for it any more
 */
export async function countInThreads(targets: SearchTargets, count: ThreadCount): Promise<SearchTargets> {
  return withLease(count, async (guard) => {
    const run = new ThreadRun(targets, count, guard);
    await run.done();
    return run.rest();
  });
}

class ThreadRun {
  readonly #count: ThreadCount;
  readonly #pieces: Iterator<Piece, void, undefined>;
  readonly #leftFolders: TargetFolder[] = [];
  readonly #leftFiles: string[] = [];
  readonly #guard: Guard;
  #answered = 0;
  #slow = 0;

  constructor(targets: SearchTargets, count: ThreadCount, guard: Guard) {
    this.#count = count;
    this.#guard = guard;
    this.#pieces = piecesOf(targets);
  }

  async done(): Promise<void> {
    const { lease, wanted, folder } = this.#count;
    const lanes = lease.threads.flatMap((thread) => {
      thread.begin({ job: lease.job, wanted, base: withSeparator(folder) });
      return Array.from({ length: PIECES_AHEAD }, async () => this.#lane(thread));
    });
    const results = await Promise.allSettled(lanes);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  rest(): SearchTargets {
    for (let next = this.#pieces.next(); next.done !== true; next = this.#pieces.next())
      this.#leftFolders.push(...next.value);
    return { folders: this.#leftFolders, files: this.#leftFiles };
  }

  async #lane(thread: SearchThread): Promise<void> {
    while (!this.#guard.isGivenUp) {
      const next = this.#pieces.next();
      if (next.done === true) return;
      const answer = await thread.search(messageOf(next.value));
      if (answer === undefined) {
        this.#guard.giveUp();
        this.#leftFolders.push(...next.value);
      } else this.#tell(next.value, answer);
    }
  }

  /** Three numbers for each file: its place in the piece, its matches, its time of change. In the order of places. */
  #tellCounts(piece: Piece, counts: PieceAnswer['counts']): void {
    const { sink } = this.#count;
    let index = 0;
    let start = 0;
    for (let at = 0; at < counts.length; at += 3) {
      const place = counts[at] ?? 0;
      let part = piece[index];
      while (part !== undefined && place >= start + part.names.length) {
        start += part.names.length;
        part = piece[++index];
      }
      if (part === undefined) return;
      const [matches, mtimeMs] = [counts[at + 1] ?? 0, counts[at + 2] ?? 0];
      if (sink.countedIn !== undefined) sink.countedIn(part, place - start, matches, mtimeMs);
      else sink.counted(pathBelow(part.folder, part.names[place - start] ?? ''), matches, mtimeMs);
    }
  }

  #leave(files: readonly string[]): void {
    const { sink } = this.#count;
    if (sink.left !== undefined) sink.left(files);
    else for (const file of files) this.#leftFiles.push(file);
  }

  #tell(piece: Piece, answer: PieceAnswer): void {
    const { sink } = this.#count;
    const pathAt = pathsOf(piece);
    const { counts, odd, failed, left } = answer;
    this.#tellCounts(piece, counts);
    for (const at of odd) sink.odd(pathAt(at));
    for (const { at, reason } of failed) sink.failed(pathAt(at), reason);
    if (left.length > 0) this.#leave(left.map(pathAt));
    this.#answered++;
    const slowNs = answer.bytes * SLOW_NS_A_BYTE + filesIn(piece) * SLOW_NS_A_FILE;
    if (answer.searchMs * 1e6 > slowNs) this.#slow++;
    if (this.#slow >= SLOW_PIECES && 2 * this.#slow > this.#answered) this.#guard.giveUp();
  }
}

function filesIn(piece: Piece): number {
  return piece.reduce((sum, { names }) => sum + names.length, 0);
}

function messageOf(piece: Piece): ThreadPiece {
  const folders = piece.map(({ folder }) => folder);
  const names = piece.map((part) => part.names.join('\0'));
  return {
    folders,
    names,
    files: filesIn(piece),
    hasEscapes: folders.some(isUnnamable) || names.some(isUnnamable),
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
