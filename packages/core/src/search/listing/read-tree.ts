import { pathBelow } from '../paths.js';
import { listFolder, type FolderListing, type FolderPlace, type ListingScope } from './list-folder.js';
import { rulesBelow } from './listing-rules.js';
import { showOut } from './share-out.js';

/** Folders that one listing looks into. */
const MAX_FOLDERS = 20_000;

/** A folder of which something is shown. */
export interface TreeFolder {
  /** Relative to the listed folder, with `/`; empty for itself. */
  readonly path: string;
  /** Undefined when it cannot be read. */
  readonly listing: FolderListing | undefined;
  /** By name, those of its shown folders that were read. */
  readonly inside: Map<string, TreeFolder>;
}

export interface FolderTree {
  readonly root: TreeFolder;
  /** Of all levels that were read, shown or not. */
  readonly folders: number;
  readonly files: number;
  /** False when some folders within the depth were not looked into: `folders` and `files` are lower bounds. */
  readonly isExact: boolean;
}

export interface TreeSize {
  /** Levels of entries; at least 1. */
  readonly depth: number;
  /** Entries that are shown at most. */
  readonly limit: number;
  /** Entries of the listed folder that are not shown before them; 0 by default. */
  readonly offset?: number;
}

/**
 * Reads a folder level by level: everything within the depth is counted, and of what may be shown the first entries are kept.
 * @throws what the system says of the listed folder itself, or the signal's reason once it is aborted
 */
export async function readTree(scope: ListingScope, size: TreeSize): Promise<FolderTree> {
  const reading = new TreeReading(scope, size);
  await reading.run();
  return reading.tree();
}

/** How many entries each folder of a level shows: the same for reading and for showing. */
export function sharesOf(level: readonly TreeFolder[], budget: number): ReturnType<typeof showOut> {
  const sizes = level.map(({ listing }) => (listing === undefined ? 0 : listing.folders + listing.files));
  return showOut(sizes, budget);
}

interface Entered {
  readonly parent: TreeFolder;
  readonly name: string;
  readonly place: FolderPlace;
}

class TreeReading {
  readonly #scope: ListingScope;
  readonly #size: TreeSize;
  #root: TreeFolder = { path: '', listing: undefined, inside: new Map() };
  #budget: number;
  #read = 0;
  #folders = 0;
  #files = 0;
  #isExact = true;

  constructor(scope: ListingScope, size: TreeSize) {
    this.#scope = scope;
    this.#size = size;
    this.#budget = size.limit;
  }

  tree(): FolderTree {
    return { root: this.#root, folders: this.#folders, files: this.#files, isExact: this.#isExact };
  }

  async run(): Promise<void> {
    const top = { path: '', above: this.#scope.rules.above };
    const { depth, offset = 0 } = this.#size;
    const listing = await this.#list(top, offset + this.#budget, depth === 1);
    this.#root = { path: '', listing, inside: new Map() };
    let shown = [this.#root];
    let hidden: FolderPlace[] = [];
    for (let level = 1; level < this.#size.depth && shown.length + hidden.length > 0; level++) {
      const isLast = level + 1 === this.#size.depth;
      const below = this.#below(shown);
      shown = await this.#readShown(below.shown, isLast);
      hidden = await this.#readHidden([...below.hidden, ...hidden], isLast);
    }
  }

  /** The folders to enter from this level: those that are shown in it, and all others. */
  #below(level: readonly TreeFolder[]): { shown: Entered[]; hidden: FolderPlace[] } {
    const below: { shown: Entered[]; hidden: FolderPlace[] } = { shown: [], hidden: [] };
    const shares = sharesOf(level, this.#budget);
    this.#budget -= shares.spent;
    for (const [index, parent] of level.entries()) {
      const share = shares.shown[index] ?? 0;
      const shown = new Set(parent.listing?.firstFolders.slice(0, share).map(({ name }) => name));
      for (const { name, place } of placesIn(parent.path, parent.listing)) {
        if (shown.has(name)) below.shown.push({ parent, name, place });
        else below.hidden.push(place);
      }
    }
    return below;
  }

  async #readShown(entered: readonly Entered[], isLast: boolean): Promise<TreeFolder[]> {
    const level: TreeFolder[] = [];
    for (const { parent, name, place } of entered) {
      if (this.#isFull()) break;
      const listing = await this.#tryList(place, this.#budget, isLast);
      const folder = { path: place.path, listing, inside: new Map<string, TreeFolder>() };
      parent.inside.set(name, folder);
      level.push(folder);
    }
    return level;
  }

  async #readHidden(places: readonly FolderPlace[], isLast: boolean): Promise<FolderPlace[]> {
    const below: FolderPlace[] = [];
    for (const place of places) {
      if (this.#isFull()) break;
      const listing = await this.#tryList(place, 0, isLast);
      for (const inside of placesIn(place.path, listing)) below.push(inside.place);
    }
    return below;
  }

  #isFull(): boolean {
    if (this.#read < MAX_FOLDERS) return false;
    this.#isExact = false;
    return true;
  }

  /** Undefined for a folder that is gone or may not be read. */
  async #tryList(place: FolderPlace, keep: number, isLast: boolean): Promise<FolderListing | undefined> {
    try {
      return await this.#list(place, keep, isLast);
    } catch (thrown) {
      if (this.#scope.signal.aborted) throw thrown;
      return undefined;
    }
  }

  async #list(place: FolderPlace, keep: number, isLast: boolean): Promise<FolderListing> {
    this.#read++;
    const listing = await listFolder(this.#scope, place, { folders: isLast ? keep : MAX_FOLDERS, files: keep });
    this.#folders += listing.folders;
    this.#files += listing.files;
    if (!isLast && listing.folders > MAX_FOLDERS) this.#isExact = false;
    return listing;
  }
}

/** The folders to enter: links are never followed into, and what git keeps for itself is no one's source. */
function* placesIn(
  path: string,
  listing: FolderListing | undefined,
): Generator<{ readonly name: string; readonly place: FolderPlace }, void, undefined> {
  if (listing === undefined) return;
  for (const { name, target } of listing.firstFolders) {
    if (target !== undefined || name === '.git') continue;
    yield { name, place: { path: pathBelow(path, name), above: rulesBelow(listing.rules, name) } };
  }
}
