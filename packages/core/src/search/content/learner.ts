import { systemPath } from '../../files/escaped-bytes.js';
import type { LearnedPart } from './content-store.js';
import { pathBelow } from '../paths.js';
import { countFiles, type FolderFiles } from './folder-files.js';
import type { LearnAnswer, LearnRequest } from './learn-worker.js';
import { withSeparator } from '../../util/paths-below.js';

export interface LearnerOptions {
  /** Between a search and what is learned after it. */
  readonly startAfterMs: number;
  /** Has another thread learn. Undefined when that thread was lost. */
  readonly learn: (paths: LearnRequest) => Promise<LearnAnswer | undefined>;
  /** Whether every change of a file shows on the file system of that folder. */
  readonly hasTrueTimes: (folder: string) => boolean;
  /** Whether more may be learned of what lies below a folder. */
  readonly hasRoom: (base: string) => boolean;
  /** Tells the files that need not be learned (any more), by their places. */
  readonly isKnown: (base: string, piece: FolderFiles) => (place: number) => boolean;
  /** Called whenever nothing waits any more. */
  readonly onSettled?: (() => void) | undefined;
  /** The answer tells of all places of all parts, in their order. */
  readonly learned: (base: string, parts: readonly LearnedPart[], answer: LearnAnswer) => void;
}

interface Job {
  readonly base: string;
  readonly pieces: readonly FolderFiles[];
  readonly files: number;
  /** What comes next: that piece, from that place on. */
  piece: number;
  place: number;
}

interface Batch {
  readonly base: string;
  readonly parts: readonly LearnedPart[];
}

const BATCH = 64;
/** Files looked through for one batch, before others have their turn. */
const LOOKED_THROUGH = 5000;
/** Files that may wait; searches before the last ones are given up. */
const MAX_WAITING = 250_000;
const MAX_FAILURES = 3;

/**
 * Has files learned by another thread: in small batches, resting as long after each as it took, and not while a
 * search asks (`hold`). Neither timers nor thread keep the process alive, and nothing of it ever fails.
 */
export class Learner {
  private jobs: Job[] = [];
  private batch: Batch | undefined;
  private answer: LearnAnswer | undefined;
  private timer: NodeJS.Timeout | undefined;
  private holders = 0;
  private failures = 0;
  private isClosed = false;
  private waiters: (() => void)[] = [];

  constructor(private readonly options: LearnerOptions) {}

  /** `pieces` are kept, and should be what others keep too. */
  later(base: string, pieces: readonly FolderFiles[]): void {
    const files = countFiles(pieces);
    if (this.isClosed || this.failures >= MAX_FAILURES || files === 0) return;
    // The same again, most likely: a list that is newer keeps less memory alive than two.
    this.jobs = this.jobs.filter((job) => job.base !== base || job.files !== files);
    this.jobs.push({ base, pieces, files, piece: 0, place: 0 });
    let waiting = this.jobs.reduce((sum, job) => sum + job.files, 0);
    while (waiting > MAX_WAITING && this.jobs.length > 1) waiting -= this.jobs.shift()?.files ?? 0;
    this.schedule(this.options.startAfterMs);
  }

  get isHeld(): boolean {
    return this.holders > 0;
  }

  /** Whether nothing waits to be learned. */
  get isIdle(): boolean {
    return this.jobs.length === 0 && this.batch === undefined;
  }

  /** Until `release`, nothing new is begun and nothing that was learned is told. */
  hold(): void {
    this.holders += 1;
  }

  release(): void {
    this.holders -= 1;
    if (this.holders > 0) return;
    if (this.batch !== undefined && this.answer !== undefined) this.tell(this.batch, this.answer);
    // What asked searches now.
    this.schedule(this.options.startAfterMs / 4);
  }

  /** Resolves when nothing waits any more; until then it does not rest. */
  async settled(): Promise<void> {
    if (this.isIdle) return;
    const alive = setInterval(() => undefined, 1000);
    await new Promise<void>((resolve) => {
      this.waiters.push(resolve);
      this.schedule(0);
    });
    clearInterval(alive);
  }

  close(): void {
    this.isClosed = true;
    this.stop();
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.jobs = [];
    this.batch = undefined;
    this.answer = undefined;
    this.settle();
  }

  private schedule(ms: number): void {
    if (this.isClosed || this.batch !== undefined || this.holders > 0) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.step(), this.waiters.length > 0 ? 0 : ms).unref();
  }

  private step(): void {
    if (this.isClosed || this.batch !== undefined || this.holders > 0) return;
    const batch = this.nextBatch();
    if (batch !== undefined) this.send(batch);
    else if (this.jobs.length > 0) this.schedule(1);
    else {
      this.settle();
      this.options.onSettled?.();
    }
  }

  private settle(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  private nextBatch(): Batch | undefined {
    const [job] = this.jobs;
    if (job === undefined) return undefined;
    const parts = this.options.hasRoom(job.base) ? this.take(job) : undefined;
    if (parts === undefined || job.piece >= job.pieces.length) this.jobs.shift();
    return parts === undefined || parts.length === 0 ? undefined : { base: job.base, parts };
  }

  private take(job: Job): LearnedPart[] {
    const parts: LearnedPart[] = [];
    let room = BATCH;
    let turns = LOOKED_THROUGH;
    while (room > 0 && turns > 0) {
      const piece = job.pieces[job.piece];
      if (piece === undefined) break;
      const isKnown = this.options.isKnown(job.base, piece);
      const places: number[] = [];
      for (; job.place < piece.names.length && room > 0 && turns > 0; job.place += 1, turns -= 1) {
        if (isKnown(job.place)) continue;
        places.push(job.place);
        room -= 1;
      }
      // Elsewhere a file may change and look the same.
      if (places.length > 0 && this.options.hasTrueTimes(`${job.base}/${piece.folder}`)) parts.push({ piece, places });
      if (job.place < piece.names.length) break;
      job.piece += 1;
      job.place = 0;
    }
    return parts;
  }

  private send(batch: Batch): void {
    const base = withSeparator(batch.base);
    const paths: LearnRequest = batch.parts.flatMap(({ piece, places }) =>
      places.map((place) => systemPath(base + pathBelow(piece.folder, piece.names[place] ?? ''))),
    );
    this.batch = batch;
    void this.options.learn(paths).then((answer) => {
      if (this.batch !== batch) return;
      if (answer === undefined) this.failed();
      else this.answered(batch, answer);
    });
  }

  private answered(batch: Batch, answer: LearnAnswer): void {
    if (this.holders > 0) {
      this.answer = answer;
      return;
    }
    this.tell(batch, answer);
    this.schedule(Math.max(1, answer.workedMs));
  }

  private tell({ base, parts }: Batch, answer: LearnAnswer): void {
    this.batch = undefined;
    this.answer = undefined;
    this.options.learned(base, parts, answer);
  }

  /** The thread died: what it was about is not learned. Tried again with what comes next, but not forever. */
  private failed(): void {
    this.failures += 1;
    this.batch = undefined;
    this.answer = undefined;
    if (this.failures >= MAX_FAILURES) this.stop();
    else this.schedule(this.options.startAfterMs);
  }
}
