import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { ContentSource } from '../content/content-index.js';
import type { ContentStore, StoredContent } from '../content/content-store.js';
import { LEARN_SOURCE } from '../content/learn-worker.js';
import type { TreeSource } from '../tree/stored-folders.js';
import type { TreeMemory } from '../tree/tree-memory.js';
import { decodeContent, encodeContent, type ContentFacts } from './content-codec.js';
import { IndexFile, writeIndexFile, type Pace } from './index-file.js';
import { removeOldIndexes } from './remove-old-indexes.js';
import { encodeTree, StoredTree, TREE_ARRAYS, type EncodedTree, type TreeFacts } from './stored-tree.js';

/** Raised whenever what is stored has another form, or ignore files are understood in another way. */
const FORMAT = 1;
const INDEX_NAME = 'index';
const Part = { trees: 0, content: 1 } as const;
const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';

/** The head of an index file. */
interface StoredFacts {
  readonly format: number;
  /**
   * Times prove changes only as long as the system runs: after a crash files may hold less than their times say, and numbers of
   * devices are given anew. So nothing needs to have reached the disk either.
   */
  readonly boot: string;
  /** Of the program that learned; another one may judge or fingerprint in another way. */
  readonly learner: number;
  readonly trees: readonly TreeFacts[];
  readonly content: ContentFacts;
}

/** What searches remember, to be stored. */
export interface Memories {
  readonly trees: ReadonlyMap<string, TreeMemory>;
  readonly contents: ContentStore;
}

interface Loaded {
  readonly file: IndexFile;
  readonly facts: StoredFacts;
  readonly trees: readonly StoredTree[];
}

/**
 * Keeps what searches remember of a project in a file, for later processes. Nothing read from it is believed without the same
 * proof that memory needs. A file that is missing, damaged, of another format or of the time before the last start of the
 * system counts as none, silently.
 */
export class SearchStore implements ContentSource {
  readonly #path: string;
  readonly #boot: string | undefined;
  #loading: Promise<Loaded | undefined> | undefined;
  #content: Promise<StoredContent | undefined> | undefined;
  #mayHold: boolean | undefined;
  #hasFile = false;

  /** `folder`: absolute, this project's own; made when something is stored. */
  constructor(folder: string, bootIdFile = BOOT_ID_FILE) {
    this.#path = join(folder, INDEX_NAME);
    this.#boot = readBootId(bootIdFile);
  }

  get mayHold(): boolean {
    this.#mayHold ??= this.#boot !== undefined && existsSync(this.#path);
    return this.#mayHold;
  }

  /** Whether something is stored that can be used, as far as anybody has looked. */
  get hasFile(): boolean {
    return this.#hasFile;
  }

  readonly treeSource: TreeSource = async (key) => {
    const loaded = await this.#load();
    const index = loaded?.facts.trees.findIndex(({ tree }) => tree === key);
    return index === undefined ? undefined : loaded?.trees[index];
  };

  async content(): Promise<StoredContent | undefined> {
    this.#content ??= this.#loadContent().catch(() => undefined);
    return this.#content;
  }

  /** @returns false when the pace gave it up, or it is too large. @throws what the system says */
  async save({ trees, contents }: Memories, pace: Pace): Promise<boolean> {
    if (this.#boot === undefined) return false;
    const encoded: EncodedTree[] = [];
    for (const [key, memory] of trees) {
      const tree = await encodeTree(key, memory, pace);
      if (tree === undefined) return false;
      encoded.push(tree);
    }
    const content = await encodeContent(contents, encoded, pace);
    if (content === undefined) return false;
    const data: StoredFacts = {
      format: FORMAT,
      boot: this.#boot,
      learner: crc32(LEARN_SOURCE),
      trees: encoded.map(({ facts }) => facts),
      content: content.facts,
    };
    const parts = [encoded.flatMap(({ arrays }) => arrays), content.arrays];
    const isSaved = await writeIndexFile(this.#path, { data, parts }, pace);
    this.#hasFile ||= isSaved;
    if (isSaved) await removeOldIndexes(this.#path);
    return isSaved;
  }

  async #load(): Promise<Loaded | undefined> {
    this.#loading ??= this.#open().catch(() => undefined);
    const loaded = await this.#loading;
    if (loaded === undefined) this.#mayHold = false;
    return loaded;
  }

  async #open(): Promise<Loaded | undefined> {
    if (!this.mayHold) return undefined;
    const file = await IndexFile.find(this.#path);
    const facts = file?.data;
    if (!isFacts(facts) || facts.boot !== this.#boot || facts.learner !== crc32(LEARN_SOURCE)) return undefined;
    const arrays = await file?.read(Part.trees);
    if (file === undefined || arrays === undefined) return undefined;
    await file.touch();
    const trees = facts.trees.map((tree, index) => {
      const from = index * TREE_ARRAYS;
      return new StoredTree(tree, arrays.slice(from, from + TREE_ARRAYS));
    });
    this.#hasFile = true;
    return { file, facts, trees };
  }

  async #loadContent(): Promise<StoredContent | undefined> {
    const loaded = await this.#load();
    const arrays = await loaded?.file.read(Part.content);
    this.#mayHold = false;
    if (loaded === undefined || arrays === undefined) return undefined;
    // In three parts, for the event loop's sake: sums, paths, and what the caller makes of it.
    await nextTurn();
    const content = decodeContent(loaded.facts.content, arrays, loaded.trees);
    await nextTurn();
    return content;
  }
}

function readBootId(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** What has another form has another format. */
function isFacts(data: unknown): data is StoredFacts {
  return typeof data === 'object' && data !== null && 'format' in data && data.format === FORMAT;
}
