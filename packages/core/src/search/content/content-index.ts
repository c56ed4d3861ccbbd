import { hasTrueTimes } from '../tree/folder-stamp.js';
import type { SearchPattern } from '../engines/search-pattern.js';
import { Pause } from '../tree/pause.js';
import { ContentStore, NO_SLOT } from './content-store.js';
import type { FileStatter } from './file-stamps.js';
import { fingerprintQuery } from './fingerprint.js';
import type { FolderFiles } from './folder-files.js';
import { Inquiry } from './inquiry.js';
import { Learner } from './learner.js';
import { patternTrigrams } from './pattern-trigrams.js';

export type { FolderFiles } from './folder-files.js';

/** What is known of the content of files for one search. */
export interface KnownContent {
  /**
   * All that may match: of which nothing is known, which are too large to be looked at, and which were text when they were
   * last looked at and are not ruled out by that. They are of any kind.
   */
  readonly candidates: readonly FolderFiles[];
  /** Those among them of which nothing is known: never looked at, or changed since. */
  readonly unknown: readonly FolderFiles[];
  /** Paths. Text in another encoding, damaged UTF-8, UTF-16 without a mark: must be decoded before it is searched. May match. */
  readonly odd: readonly string[];
  /** How many are no text. */
  readonly binary: number;
  /** Text that was searched by proxy: it cannot hold a match. How many. */
  readonly ruledOut: number;
}

export interface ContentIndexOptions {
  readonly stamps: Pick<FileStatter, 'stampsIn'>;
  /** How long after a search learning begins. Default: one second. */
  readonly startAfterMs?: number;
  /** How long the thread stays when there is nothing to learn. Default: five seconds. */
  readonly idleMs?: number;
  /** Files known at once, their sizes together, and their fingerprints. Default: 200,000, 600 MB and 32 MB. */
  readonly maxFiles?: number;
  readonly maxBytes?: number;
  readonly maxFingerprints?: number;
  /** Whether every change of a file shows in its times there. Default: on the local file systems of Linux. */
  readonly hasTrueTimes?: (folder: string) => boolean;
}

const MB = 1024 * 1024;

/**
 * Knows the kind of files and a fingerprint of their text, learned in the background by a thread of its own after a
 * search, so that later searches need not open files that cannot match. Knowledge counts only while a file's stamp
 * (inode, size, both times) is what it was before the file was read, and that was long enough after its last change.
 */
export class ContentIndex {
  private readonly stamps: Pick<FileStatter, 'stampsIn'>;
  private readonly store: ContentStore;
  private readonly learner: Learner;

  constructor(options: ContentIndexOptions) {
    this.stamps = options.stamps;
    this.store = new ContentStore({
      maxFiles: options.maxFiles ?? 200_000,
      maxBytes: options.maxBytes ?? 600 * MB,
      maxFingerprints: options.maxFingerprints ?? 32 * MB,
    });
    this.learner = new Learner({
      startAfterMs: options.startAfterMs ?? 1000,
      idleMs: options.idleMs ?? 5000,
      hasTrueTimes: options.hasTrueTimes ?? hasTrueTimes,
      hasRoom: (base) => this.store.hasRoom(base),
      isKnown: (base, piece) => {
        const slots = this.store.slotsOf(base, piece);
        return (place) => slots !== undefined && slots[place] !== NO_SLOT;
      },
      learned: (base, parts, answer) => this.store.add(base, parts, answer),
    });
  }

  /** Whether anything is known at all: if not, asking would cost and tell nothing. */
  get knowsAny(): boolean {
    return this.store.slots.count > 0;
  }

  /** Memory held for what is known, without the names of the files. In bytes. */
  get memory(): number {
    return this.store.slots.memory;
  }

  /** `base` is canonical and absolute. @throws the signal's reason once it is aborted */
  async known(
    base: string,
    pieces: readonly FolderFiles[],
    pattern: SearchPattern,
    signal: AbortSignal,
  ): Promise<KnownContent> {
    signal.throwIfAborted();
    // While it holds, no slot gets a new meaning.
    this.learner.hold();
    try {
      const trigrams = patternTrigrams(pattern);
      const query = trigrams === undefined ? undefined : fingerprintQuery(trigrams);
      const inquiry = new Inquiry({ store: this.store, base, pieces, query });
      const asked = await inquiry.look(new Pause(signal));
      const units = await this.stamps.stampsIn(base, asked, signal);
      await inquiry.judge(units, new Pause(signal));
      signal.throwIfAborted();
      return inquiry;
    } finally {
      this.learner.release();
    }
  }

  /** A search runs: until it `rest`s nothing new is learned, as that would slow it down and take memory beside it. */
  hurry(): void {
    this.learner.hold();
  }

  /** As often as `hurry`. */
  rest(): void {
    this.learner.release();
  }

  /** These files were just searched: learn about those that are unknown, later and unhurried. Returns at once. */
  learnLater(base: string, pieces: readonly FolderFiles[]): void {
    this.learner.later(base, pieces);
  }

  /** Resolves when everything that `learnLater` was told is learned, for tests and measurements. */
  async settled(): Promise<void> {
    await this.learner.settled();
  }

  async close(): Promise<void> {
    await this.learner.close();
    this.store.clear();
  }
}
