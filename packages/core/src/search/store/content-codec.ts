import { ContentSlots } from '../content/content-slots.js';
import { NO_SLOT, type ContentStore, type StoredContent } from '../content/content-store.js';
import type { Pace } from './index-file.js';
import { TextReader, TextWriter } from './stored-texts.js';
import { bytesOf, type EncodedTree, type StoredTree } from './stored-tree.js';

/** Numbers of a folder: tree and place in it, or NO_TREE and text; then where its slots begin, and how many there are. */
const Column = { tree: 0, place: 1, length: 2, slots: 3, files: 4 } as const;
const COLUMNS = 5;
/** The folder's path and names stand in a text of its own. */
const NO_TREE = 0xffff_ffff;
const BETWEEN_NAMES = '\0';

/** What of stored contents is no array. */
export interface ContentFacts {
  readonly bytes: number;
  readonly end: number;
  readonly used: number;
}

export interface EncodedContent {
  readonly facts: ContentFacts;
  readonly arrays: readonly Uint8Array[];
}

/** The names of folders that are the very lists of a tree are stored once. Undefined when the pace gave it up. */
export async function encodeContent(
  store: ContentStore,
  trees: readonly EncodedTree[],
  pace: Pace,
): Promise<EncodedContent | undefined> {
  const { stamps, kinds, units, addresses, bytes, pool } = store.slots.image;
  const folders: number[] = [];
  const slots: number[] = [];
  const texts = new TextWriter();
  let count = 0;
  for (const [path, known] of store.entries()) {
    const tree = trees.findIndex(({ places }) => isSameList(places.get(path)?.files ?? [], known.names));
    if (tree !== -1) folders.push(tree, trees[tree]?.places.get(path)?.place ?? 0, 0);
    else folders.push(NO_TREE, ...texts.add([path, ...known.names].join(BETWEEN_NAMES)));
    folders.push(slots.length, known.slots.length);
    for (const slot of known.slots) slots.push(slot);
    count += 1;
    if (count % 64 === 0 && !(await pace())) return undefined;
  }
  const own = [stamps, kinds, units, addresses, pool.free, Uint32Array.from(folders), Int32Array.from(slots)];
  const arrays = [...own.map(bytesOf), texts.bytes, ...pool.chunks];
  return { facts: { bytes, end: pool.end, used: pool.used }, arrays };
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((name, index) => name === b[index]));
}

/** Its arrays are views of those that were read: what is learned is written into them. */
export function decodeContent(
  { bytes, end, used }: ContentFacts,
  arrays: readonly Uint8Array[],
  trees: readonly StoredTree[],
): StoredContent {
  const [stamps, kinds = NOTHING, units, addresses, free, folderBytes, slotBytes, texts = NOTHING, ...chunks] = arrays;
  const folders = numbers(Uint32Array, folderBytes);
  const allSlots = numbers(Int32Array, slotBytes);
  const reader = new TextReader(texts);
  const number = (place: number, column: number): number => folders[place * COLUMNS + column] ?? 0;
  const isLoose = (place: number): boolean => number(place, Column.tree) === NO_TREE;
  const textOf = (place: number): string[] =>
    reader.text(number(place, Column.place), number(place, Column.length)).split(BETWEEN_NAMES);
  const paths: string[] = [];
  for (let place = 0; place < folders.length / COLUMNS; place += 1) {
    const [loose = ''] = isLoose(place) ? textOf(place) : [];
    const inTree = trees[number(place, Column.tree)]?.paths()[number(place, Column.place)];
    paths.push(inTree ?? loose);
  }
  const slots = ContentSlots.from({
    stamps: numbers(Float64Array, stamps),
    kinds,
    units: numbers(Uint16Array, units),
    addresses: numbers(Uint32Array, addresses),
    bytes,
    pool: { chunks, free: numbers(Uint32Array, free), end, used },
  });
  return {
    slots,
    paths,
    folder: (place) => {
      const inTree = trees[number(place, Column.tree)]?.files(number(place, Column.place));
      const names = inTree ?? textOf(place).slice(1);
      const from = number(place, Column.slots);
      const known: number[] = [];
      for (let at = 0; at < number(place, Column.files); at += 1) known.push(allSlots[from + at] ?? NO_SLOT);
      return { names, slots: known.length === names.length ? known : names.map(() => NO_SLOT) };
    },
  };
}

const NOTHING = new Uint8Array(0);

interface NumbersOf<Numbers> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, offset: number, length: number): Numbers;
}

function numbers<Numbers>(Kind: NumbersOf<Numbers>, bytes: Uint8Array = NOTHING): Numbers {
  return new Kind(bytes.buffer, bytes.byteOffset, bytes.byteLength / Kind.BYTES_PER_ELEMENT);
}
