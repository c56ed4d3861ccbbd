import { writtenMention } from './mention.js';
import type { Offer, Offers } from './offer.js';
import { createPathList, Slices } from './path-list.js';
import { PathMatcher } from './path-matcher.js';

export interface FileOffersOptions {
  /** All paths there are, folders with `/` at their end: `listWorkspaceFiles` of the engine. */
  readonly list: (signal: AbortSignal) => Promise<{ readonly paths: readonly string[] }>;
  /** Ends what is done in the background. */
  readonly signal: AbortSignal;
  /** How long a list counts. In milliseconds. Default 3,000. */
  readonly freshMs?: number;
}

const FRESH_MS = 3_000;
const MOST_OFFERS = 50;

/** Offers files and folders. The list is made in the background when it is first needed, and again while it is used. */
export class FileOffers {
  readonly #options: FileOffersOptions;
  readonly #listeners = new Set<() => void>();
  #paths: readonly string[] = [];
  #matcher: PathMatcher | undefined;
  #listedAt = -Infinity;
  #listing: Promise<void> | undefined;

  constructor(options: FileOffersOptions) {
    this.#options = options;
  }

  /** Nothing while there is no list: `onNews` tells when there is. */
  readonly find: Offers = async (typed, signal) => {
    this.prepare();
    const found = (await this.#matcher?.find(typed, MOST_OFFERS, signal)) ?? [];
    return found.flatMap(offerOf);
  };

  /** True while what is offered may soon be more. */
  get isListing(): boolean {
    return this.#listing !== undefined;
  }

  /** Begins to list, unless there is a fresh list. */
  prepare(): void {
    const { freshMs = FRESH_MS, signal } = this.#options;
    if (this.#listing !== undefined || signal.aborted || performance.now() - this.#listedAt < freshMs) return;
    this.#listing = this.#list().finally(() => (this.#listing = undefined));
  }

  /** Told when there are other paths than before. */
  onNews(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when nothing is listed any more. */
  async settled(): Promise<void> {
    await this.#listing;
  }

  /** Never rejects: without a list there is nothing to choose from, which is no trouble. */
  async #list(): Promise<void> {
    const { list, signal } = this.#options;
    try {
      const { paths } = await list(signal);
      const isSame = this.#matcher !== undefined && (await areSame(this.#paths, paths, signal));
      if (!isSame) {
        const prepared = await createPathList(paths, signal);
        this.#paths = paths;
        this.#matcher = new PathMatcher(prepared);
      }
      this.#listedAt = performance.now();
      if (!isSame) for (const listener of this.#listeners) listener();
    } catch {
      this.#listedAt = performance.now();
    }
  }
}

async function areSame(a: readonly string[], b: readonly string[], signal: AbortSignal): Promise<boolean> {
  if (a.length !== b.length) return false;
  const slices = new Slices();
  for (let index = 0; index < a.length; index += 1) {
    if ((index & 1_023) === 0 && slices.isDue) await slices.rest(signal);
    if (a[index] !== b[index]) return false;
  }
  return true;
}

function offerOf(path: string): readonly Offer[] {
  const insert = writtenMention(path);
  return insert === undefined ? [] : [{ insert, label: path, goesOn: path.endsWith('/'), isPath: true }];
}
