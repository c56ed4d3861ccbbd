import { partitionPoint } from '../../util/partition-point.js';
import { ContentSlots, fingerprintLength } from './content-slots.js';
import type { FolderFiles } from './folder-files.js';
import { FileKind, type LearnAnswer } from './learn-worker.js';
import { absoluteBelow, isWithin } from '../../util/paths-below.js';

export interface StoreLimits {
  /** Files known at once. */
  readonly maxFiles: number;
  /** Their sizes together. */
  readonly maxBytes: number;
  /** Their fingerprints together, in bytes. */
  readonly maxFingerprints: number;
}

/** Files of one folder, by their places in its names, of which something was learned. */
export interface LearnedPart {
  readonly piece: FolderFiles;
  readonly places: readonly number[];
}

/** No slot: nothing is known. */
export const NO_SLOT = -1;

export interface KnownFolder {
  /** Mostly the very list of the walk that found them, so that neither names nor lists are kept twice. */
  readonly names: readonly string[];
  /** By the places of the names. */
  readonly slots: number[];
}

/** What an earlier process knew of contents. Folders have places. */
export interface StoredContent {
  /** Made once: its arrays are those of what was read. */
  readonly slots: ContentSlots;
  /** Absolute, by their places. */
  readonly paths: readonly string[];
  folder(place: number): KnownFolder;
}

/** Which files are known, by the absolute paths of their folders and their names. */
export class ContentStore {
  /** How often something was learned or forgotten. */
  changes = 0;
  private known = new ContentSlots();
  /** The one that was learned about longest ago first. Those that nobody has asked for since they were stored have their places. */
  private readonly folders = new Map<string, KnownFolder | number>();
  private stored: StoredContent | undefined;

  constructor(private readonly limits: StoreLimits) {}

  get slots(): ContentSlots {
    return this.known;
  }

  /** Takes over what was stored, unless something is known already. */
  adopt(stored: StoredContent): void {
    if (this.folders.size > 0) return;
    this.stored = stored;
    this.known = stored.slots;
    for (const [place, path] of stored.paths.entries()) this.folders.set(path, place);
  }

  *entries(): Generator<readonly [path: string, known: KnownFolder]> {
    for (const path of this.folders.keys()) {
      const known = this.folderAt(path);
      if (known !== undefined) yield [path, known];
    }
  }

  /** The slots of files of a folder, by the places of their names; undefined: nothing is known of any of them. */
  slotsOf(base: string, { folder, names }: FolderFiles): readonly number[] | undefined {
    const known = this.folderAt(absolute(base, folder));
    if (known === undefined) return undefined;
    return known.names === names ? known.slots : slotsOfNames(known, names);
  }

  forget(base: string, { folder, names }: FolderFiles, place: number): void {
    const known = this.folderAt(absolute(base, folder));
    if (known === undefined) return;
    const at = known.names === names ? place : placeOf(known.names, names[place] ?? '');
    const slot = known.slots[at] ?? NO_SLOT;
    if (slot === NO_SLOT) return;
    this.changes += 1;
    this.slots.release(slot);
    known.slots[at] = NO_SLOT;
  }

  /** False when there is no room for more files below that folder. Makes room by forgetting other folders. */
  hasRoom(base: string): boolean {
    if (!this.isFull()) return true;
    for (const [path, known] of this.entries()) {
      if (isWithin(path, base)) continue;
      for (const slot of known.slots) if (slot !== NO_SLOT) this.slots.release(slot);
      this.folders.delete(path);
      if (!this.isFull()) return true;
    }
    return false;
  }

  add(base: string, parts: readonly LearnedPart[], answer: LearnAnswer): void {
    let index = 0;
    let offset = 0;
    for (const { piece, places } of parts) {
      const known = this.folderFor(absolute(base, piece.folder), piece.names);
      for (const place of places) {
        if (answer.kinds[index] !== FileKind.none) {
          const at = known.names === piece.names ? place : placeOf(known.names, piece.names[place] ?? '');
          const before = known.slots[at] ?? NO_SLOT;
          if (before !== NO_SLOT) this.slots.release(before);
          this.changes += 1;
          known.slots[at] = this.slots.add({ answer, index, offset });
        }
        offset += fingerprintLength(answer, index);
        index += 1;
      }
    }
  }

  clear(): void {
    this.known = new ContentSlots();
    this.stored = undefined;
    this.folders.clear();
  }

  private folderAt(path: string): KnownFolder | undefined {
    const known = this.folders.get(path);
    if (typeof known !== 'number') return known;
    const folder = this.stored?.folder(known);
    if (folder !== undefined) this.folders.set(path, folder);
    return folder;
  }

  private isFull(): boolean {
    const { maxFiles, maxBytes, maxFingerprints } = this.limits;
    return (
      this.slots.count >= maxFiles || this.slots.bytes >= maxBytes || this.slots.fingerprintBytes >= maxFingerprints
    );
  }

  /** The folder with at least these names. */
  private folderFor(path: string, names: readonly string[]): KnownFolder {
    const before = this.folderAt(path);
    const known = before === undefined ? { names, slots: emptySlots(names.length) } : withNames(before, names);
    if (before === known) return known;
    this.folders.delete(path);
    this.folders.set(path, known);
    return known;
  }
}

function emptySlots(length: number): number[] {
  return Array.from({ length }, () => NO_SLOT);
}

function withNames(known: KnownFolder, names: readonly string[]): KnownFolder {
  if (known.names === names || names.every((name) => placeOf(known.names, name) !== -1)) return known;
  const all = Array.from(new Set([...known.names, ...names])).sort();
  const joined = all.length === names.length ? names : all;
  return { names: joined, slots: slotsOfNames(known, joined) };
}

/** Both lists are in the same order. */
function slotsOfNames(known: KnownFolder, names: readonly string[]): number[] {
  const first = names[0] ?? '';
  let at = partitionPoint(known.names.length, (place) => (known.names[place] ?? '') < first);
  const slots: number[] = [];
  for (const name of names) {
    while (at < known.names.length && (known.names[at] ?? '') < name) at += 1;
    slots.push(known.names[at] === name ? (known.slots[at] ?? NO_SLOT) : NO_SLOT);
  }
  return slots;
}

/** -1: it is not among them. */
function placeOf(names: readonly string[], name: string): number {
  const at = partitionPoint(names.length, (place) => (names[place] ?? '') < name);
  return names[at] === name ? at : -1;
}

function absolute(base: string, folder: string): string {
  return folder === '' ? base : absoluteBelow(base, folder);
}
