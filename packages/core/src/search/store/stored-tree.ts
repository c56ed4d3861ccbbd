import { sep } from 'node:path';
import type { FolderStamp } from '../tree/folder-stamp.js';
import type { ListingMarks } from '../tree/read-folder.js';
import { isSameAt, stampAt } from '../tree/stamp-table.js';
import type { StoredFolders, StoredRecord } from '../tree/stored-folders.js';
import type { TreeMemory } from '../tree/tree-memory.js';
import { withoutSeparator } from '../../util/paths-below.js';
import { NOTHING_HIDDEN, type HiddenEntries, type TreeNode } from '../tree/tree-node.js';
import type { Pace } from './index-file.js';
import { TextReader, TextWriter } from './stored-texts.js';

/** Numbers of a folder beside its stamp. */
const Column = {
  first: 0,
  git: 1,
  qwen: 2,
  flags: 3,
  special: 4,
  hidden: 5,
  folders: 6,
  files: 8,
  others: 10,
} as const;
const COLUMNS = 12;

const Flag = { record: 1, whole: 2, gitIgnore: 4, qwenIgnore: 8, git: 16, gitFile: 32, oddName: 64 } as const;

const NONE: readonly string[] = Object.freeze([]);
/** No name has them. */
const BETWEEN_NAMES = '/';
const BETWEEN_LISTS = '\0';

/** How many arrays a stored tree has. */
export const TREE_ARRAYS = 3;

export interface TreeFacts {
  /** What `TreeIndex` knows the tree by. */
  readonly tree: string;
  readonly root: string;
  /** Of the scopes; folders have their places. */
  readonly scopeKeys: readonly string[];
}

/** What is stored of a tree, folder by folder, each put together when it is asked for. */
export class StoredTree implements StoredFolders {
  readonly #facts: TreeFacts;
  readonly #stamps: Float64Array;
  readonly #numbers: Uint32Array;
  readonly #texts: TextReader;
  readonly #files: (readonly string[])[] = [];
  #paths: string[] | undefined;

  constructor(facts: TreeFacts, [stamps, numbers, texts]: readonly Uint8Array[]) {
    this.#facts = facts;
    this.#stamps = new Float64Array(
      stamps?.buffer ?? new ArrayBuffer(0),
      stamps?.byteOffset,
      (stamps?.length ?? 0) / 8,
    );
    const count = (numbers?.length ?? 0) / 4;
    this.#numbers = new Uint32Array(numbers?.buffer ?? new ArrayBuffer(0), numbers?.byteOffset, count);
    this.#texts = new TextReader(texts ?? new Uint8Array(0));
  }

  below(place: number): { readonly names: readonly string[]; readonly first: number } {
    return { names: this.#names(place, Column.folders), first: this.#number(place, Column.first) };
  }

  /** The same list every time. */
  files(place: number): readonly string[] {
    const known = this.#files[place];
    if (known !== undefined) return known;
    const files = this.#names(place, Column.files);
    this.#files[place] = files;
    return files;
  }

  /** Of all folders, by their places. */
  paths(): readonly string[] {
    if (this.#paths !== undefined) return this.#paths;
    const { root } = this.#facts;
    const paths = [withoutSeparator(root)];
    for (let place = 0; place < paths.length; place += 1) {
      const { names, first } = this.below(place);
      const path = `${paths[place] ?? ''}${sep}`;
      // They come in this order, each after the folder that it is in.
      if (first === paths.length) for (const name of names) paths.push(path + name);
    }
    this.#paths = paths;
    return paths;
  }

  isSame(place: number, stamp: FolderStamp): boolean {
    return isSameAt(this.#stamps, place, stamp);
  }

  stamp(place: number): FolderStamp {
    return stampAt(this.#stamps, place);
  }

  record(place: number): StoredRecord | undefined {
    const flags = this.#number(place, Column.flags);
    if ((flags & Flag.record) === 0) return undefined;
    const { scopeKeys } = this.#facts;
    const gitKey = scopeKeys[this.#number(place, Column.git)];
    const qwenKey = scopeKeys[this.#number(place, Column.qwen)];
    if (gitKey === undefined || qwenKey === undefined) return undefined;
    const [links = NONE, ...ignored] = this.#others(place);
    const isWhole = (flags & Flag.whole) !== 0;
    const hidden = this.#hidden(place, ignored);
    return { gitKey, qwenKey, files: this.files(place), links, isWhole, hidden, marks: marksOf(flags) };
  }

  #hidden(place: number, ignored: readonly (readonly string[])[]): HiddenEntries {
    const [gitIgnored = NONE, gitIgnoredFolders = NONE, qwenIgnoredFolders = NONE] = ignored;
    const qwenIgnored = this.#number(place, Column.hidden);
    const special = this.#number(place, Column.special);
    const lists = gitIgnored.length + gitIgnoredFolders.length + qwenIgnoredFolders.length;
    if (lists + qwenIgnored + special === 0) return NOTHING_HIDDEN;
    return { gitIgnored, gitIgnoredFolders, qwenIgnored, qwenIgnoredFolders, special };
  }

  #names(place: number, column: number): readonly string[] {
    const text = this.#text(place, column);
    return text === '' ? NONE : text.split(BETWEEN_NAMES);
  }

  #others(place: number): readonly (readonly string[])[] {
    const text = this.#text(place, Column.others);
    if (text === '') return [];
    return text.split(BETWEEN_LISTS).map((list) => (list === '' ? NONE : list.split(BETWEEN_NAMES)));
  }

  #text(place: number, column: number): string {
    const length = this.#number(place, column + 1);
    return length === 0 ? '' : this.#texts.text(this.#number(place, column), length);
  }

  #number(place: number, column: number): number {
    return this.#numbers[place * COLUMNS + column] ?? 0;
  }
}

/** A tree to be stored. */
export interface EncodedTree {
  readonly facts: TreeFacts;
  readonly arrays: readonly Uint8Array[];
  /** Places by path: of folders whose files are known. */
  readonly places: ReadonlyMap<string, FilesPlace>;
}

export interface FilesPlace {
  readonly place: number;
  readonly files: readonly string[];
}

/** Undefined when the pace gave it up. */
export async function encodeTree(tree: string, memory: TreeMemory, pace: Pace): Promise<EncodedTree | undefined> {
  const texts = new TextWriter();
  const keys = new KeyTable();
  const nodes: TreeNode[] = [memory.top];
  const numbers: number[] = [];
  const stamps: number[] = [];
  const places = new Map<string, FilesPlace>();
  for (let place = 0; place < nodes.length; place += 1) {
    const node = nodes[place];
    if (node === undefined) break;
    const known = memory.storable(node);
    const { below = [] } = node;
    const files = known?.record.files ?? NONE;
    const others = known === undefined ? '' : othersText(known.record);
    numbers.push(nodes.length);
    addNumbers(numbers, known?.record, keys);
    for (const text of [below.map(({ name }) => name).join(BETWEEN_NAMES), files.join(BETWEEN_NAMES), others]) {
      const [start, length] = texts.add(text);
      numbers.push(start, length);
    }
    for (const child of below) nodes.push(child);
    const { dev, ino, ctimeMs, mtimeMs } = known?.stamp ?? NO_STAMP;
    stamps.push(dev, ino, ctimeMs, mtimeMs);
    if (files.length > 0) places.set(node.path, { place, files });
    if (place % 64 === 0 && !(await pace())) return undefined;
  }
  const arrays = [bytesOf(Float64Array.from(stamps)), bytesOf(Uint32Array.from(numbers)), texts.bytes];
  const root = memory.top.path === '' ? sep : memory.top.path;
  return { facts: { tree, root, scopeKeys: keys.keys }, arrays, places };
}

const NO_STAMP: FolderStamp = { dev: 0, ino: 0, ctimeMs: 0, mtimeMs: 0 };

class KeyTable {
  readonly keys: string[] = [];
  readonly #places = new Map<string, number>();

  placeOf(key: string): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.keys.length);
    return this.keys.push(key) - 1;
  }
}

/** In the order of the columns. */
function addNumbers(numbers: number[], record: StoredRecord | undefined, keys: KeyTable): void {
  if (record === undefined) {
    numbers.push(0, 0, 0, 0, 0);
    return;
  }
  const { gitKey, qwenKey, isWhole, marks, hidden } = record;
  const flags = flagsOf(isWhole, marks);
  numbers.push(keys.placeOf(gitKey), keys.placeOf(qwenKey), flags, hidden.special, hidden.qwenIgnored);
}

function othersText({ links, hidden }: StoredRecord): string {
  if (links.length === 0 && hidden === NOTHING_HIDDEN) return '';
  const { gitIgnored, gitIgnoredFolders, qwenIgnoredFolders } = hidden;
  const lists = [links, gitIgnored, gitIgnoredFolders, qwenIgnoredFolders];
  return lists.map((list) => list.join(BETWEEN_NAMES)).join(BETWEEN_LISTS);
}

export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function flagsOf(isWhole: boolean, marks: ListingMarks): number {
  let flags: number = Flag.record | (isWhole ? Flag.whole : 0);
  for (const mark of MARK_NAMES) if (marks[mark]) flags |= Flag[mark];
  return flags;
}

const MARK_NAMES = ['gitIgnore', 'qwenIgnore', 'git', 'gitFile', 'oddName'] as const;

/** The same object for the same flags. */
function marksOf(flags: number): ListingMarks {
  return MARKS[flags >>> 2] ?? markObject(flags);
}

function markObject(flags: number): ListingMarks {
  const has = (flag: number): boolean => (flags & flag) !== 0;
  return Object.freeze({
    gitIgnore: has(Flag.gitIgnore),
    qwenIgnore: has(Flag.qwenIgnore),
    git: has(Flag.git),
    gitFile: has(Flag.gitFile),
    oddName: has(Flag.oddName),
  });
}

const MARKS: readonly ListingMarks[] = Array.from({ length: 32 }, (_, bits) => markObject(bits << 2));
