import { hasTrueTimes } from '../tree/folder-stamp.js';
import type { SearchPattern } from '../engines/search-pattern.js';
import type { SearchThreads } from '../engines/threads/search-threads.js';
import { Pause } from '../tree/pause.js';
import { ContentStore, NO_SLOT, type StoredContent } from './content-store.js';
import type { FileStatter } from './file-stamps.js';
import { fingerprintQuery } from './fingerprint.js';
import type { FolderFiles } from './folder-files.js';
import { Inquiry, type InquiryOptions } from './inquiry.js';
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
  /** More that may match, and are text, as the files are now. None unless that was asked for. */
  readonly text: readonly FolderFiles[];
  /** Those among them of which nothing is known: never looked at, or changed since. */
  readonly unknown: readonly FolderFiles[];
  /** Paths. Text in another encoding, damaged UTF-8, UTF-16 without a mark: must be decoded before it is searched. May match. */
  readonly odd: readonly string[];
  /** How many are no text. */
  readonly binary: number;
  /** Text that was searched by proxy: it cannot hold a match. How many. */
  readonly ruledOut: number;
}

/** Where what earlier processes knew is found. */
export interface ContentSource {
  /** False when there is certainly nothing (more) to be loaded. */
  readonly mayHold: boolean;
  content(): Promise<StoredContent | undefined>;
}

export interface ContentIndexOptions {
  readonly source?: ContentSource | undefined;
  /** Called whenever everything is learned that was to be learned. */
  readonly onSettled?: () => void;
  readonly stamps: Pick<FileStatter, 'stampsIn'>;
  readonly threads: Pick<SearchThreads, 'learn'>;
  /** How long after a search learning begins. Default: one second. */
  readonly startAfterMs?: number;
  /** Files known at once, their sizes together, and their fingerprints. Default: 200,000, 600 MB and 32 MB. */
  readonly maxFiles?: number;
  readonly maxBytes?: number;
  readonly maxFingerprints?: number;
  /** Whether every change of a file shows in its times there. Default: on the local file systems of Linux. */
  readonly hasTrueTimes?: (folder: string) => boolean;
}

const MB = 1024 * 1024;

/**
 * Knows the kind of files and a fingerprint of their text, learned in the background by another thread after a
 * search, so that later searches need not open files that cannot match. Knowledge counts only while a file's stamp
 * (inode, size, both times) is what it was before the file was read, and that was long enough after its last change.
 */
export class ContentIndex {
  private readonly stamps: Pick<FileStatter, 'stampsIn'>;
  private readonly source: ContentSource | undefined;
  private readonly store: ContentStore;
  private readonly learner: Learner;
  private loading: Promise<void> | undefined;
  private begun = 0;
  private isClosed = false;

  constructor(options: ContentIndexOptions) {
    this.stamps = options.stamps;
    this.source = options.source;
    this.store = new ContentStore({
      maxFiles: options.maxFiles ?? 200_000,
      maxBytes: options.maxBytes ?? 600 * MB,
      maxFingerprints: options.maxFingerprints ?? 32 * MB,
    });
    this.learner = new Learner({
      startAfterMs: options.startAfterMs ?? 1000,
      learn: async (paths) => options.threads.learn(paths),
      onSettled: options.onSettled,
      hasTrueTimes: options.hasTrueTimes ?? hasTrueTimes,
      hasRoom: (base) => this.store.hasRoom(base),
      isKnown: (base, piece) => {
        const slots = this.store.slotsOf(base, piece);
        return (place) => slots !== undefined && slots[place] !== NO_SLOT;
      },
      learned: (base, parts, answer) => this.store.add(base, parts, answer),
    });
  }

  /** Whether anything is, or may be, known at all: if not, asking would cost and tell nothing. */
  get knowsAny(): boolean {
    return this.store.slots.count > 0 || this.source?.mayHold === true;
  }

  /** How many files are known. */
  get files(): number {
    return this.store.slots.count;
  }

  /** Whether a search runs. */
  get isAsked(): boolean {
    return this.learner.isHeld;
  }

  /** How many searches have begun. */
  get searches(): number {
    return this.begun;
  }

  /** Whether something is still to be learned. */
  get isLearning(): boolean {
    return !this.learner.isIdle;
  }

  /** How often something was learned or forgotten. */
  get changes(): number {
    return this.store.changes;
  }

  /** What there is to be stored. It stays as it is until the next search, or until something is learned. */
  get contents(): ContentStore {
    return this.store;
  }

  /** Takes over what earlier processes knew, if nobody has yet. */
  async load(): Promise<void> {
    this.loading ??= this.adopt();
    await this.loading;
  }

  /** Memory held for what is known, without the names of the files. In bytes. */
  get memory(): number {
    return this.store.slots.memory;
  }

  /**
   * `base` is canonical and absolute. `wantsText`: whether so many candidates, with so many bytes together, are looked at and told as `text`.
   * @throws the signal's reason once it is aborted
   */
  async known(
    base: string,
    pieces: readonly FolderFiles[],
    { pattern, wantsText }: { readonly pattern: SearchPattern } & Pick<InquiryOptions, 'wantsText'>,
    signal: AbortSignal,
  ): Promise<KnownContent> {
    signal.throwIfAborted();
    // While it holds, no slot gets a new meaning.
    this.learner.hold();
    try {
      await this.load();
      const trigrams = patternTrigrams(pattern);
      const query = trigrams === undefined ? undefined : fingerprintQuery(trigrams);
      const inquiry = new Inquiry({ store: this.store, base, pieces, query, wantsText });
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
    this.begun += 1;
    void this.load();
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

  /** Learns nothing more. What is known stays until `close`. */
  stop(): void {
    this.learner.close();
  }

  close(): void {
    this.isClosed = true;
    this.learner.close();
    this.store.clear();
  }

  private async adopt(): Promise<void> {
    const stored = await this.source?.content();
    if (stored !== undefined && !this.isClosed) this.store.adopt(stored);
  }
}
