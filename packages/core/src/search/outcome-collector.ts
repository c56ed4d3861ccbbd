import type { FolderFiles } from './content/folder-files.js';
import { FoundTable, pathOf, type PlacedFile, type Told } from './found-table.js';
import { IgnoredEntries } from './ignored-entries.js';
import { folderOf } from './paths.js';
import { absoluteBelow, isWithin } from '../util/paths-below.js';
import type { FoundFile, NotSearched, SearchOutcome } from './report/search-outcome.js';
import { pathLine } from './report/search-text.js';
import type { SearchServices } from './place-search.js';
import { newWalkCounts, type WalkCounts } from './tree/walked-folder.js';

const KEPT_FAILURES = 3;

type Reason = 'binary' | 'notDecodable' | 'tooLarge' | 'filteredOut';

/** Gathers what is counted at the places of one search. */
export class OutcomeCollector {
  readonly #onFound: (file: FoundFile) => void;
  readonly #places: PlaceTally[] = [];
  readonly #files = new FoundTable();
  /** Paths of found files, only once one might be found again: the set takes longer than all the rest of the counting. */
  #found: Set<string> | undefined;
  readonly #odd = new Set<string>();
  readonly #failures: string[] = [];
  #failed = 0;
  /** The engine that searched last. */
  engine: SearchOutcome['engine'];

  /** `onFound` hears of every file as soon as its matches are counted. */
  constructor(onFound: (file: FoundFile) => void = () => undefined) {
    this.#onFound = onFound;
  }

  /** A new place below that canonical folder. */
  place(folder: string): PlaceTally {
    const others = this.#places.filter((other) => isWithin(folder, other.folder) || isWithin(other.folder, folder));
    const tally = new PlaceTally(folder, others, {
      found: (file, told) => this.#take(file, told),
      expectAgain: () => this.#expectAgain(),
      odd: (path) => void this.#odd.add(path),
      failed: (path, reason, files) => this.#fail(path === undefined ? reason : `${pathLine(path)}: ${reason}`, files),
    });
    this.#places.push(tally);
    return tally;
  }

  /** The last place at that canonical folder. */
  placeAt(folder: string): PlaceTally | undefined {
    return this.#places.findLast((place) => place.folder === folder);
  }

  /** A file with matches that had to be decoded before it was searched; its path is absolute. */
  isOdd(path: string): boolean {
    return this.#odd.has(path);
  }

  /** `stopped`: the time limit ended the search. Asks for the times of the files found so far. */
  async outcome(index: Pick<SearchServices, 'statter'>, stopped: SearchOutcome['stopped']): Promise<SearchOutcome> {
    for (const place of this.#places) {
      place.forgetClaims();
      await this.#findTimes(place, index);
    }
    return {
      files: this.#files.sorted(),
      total: this.#files.total,
      stopped,
      engine: this.engine,
      searchedFiles: sum(this.#places.map(({ searched }) => searched)),
      notSearched: this.#notSearched(),
    };
  }

  #notSearched(): NotSearched {
    const { files: _walked, ...walk } = addCounts(this.#places.map(({ counts }) => counts));
    return {
      ...walk,
      ...this.#reasons(),
      failed: this.#failed,
      failures: [...this.#failures],
    };
  }

  #reasons(): Record<Reason, number> {
    const of = (reason: Reason): number => sum(this.#places.map(({ reasons }) => reasons[reason]));
    return {
      binary: of('binary'),
      notDecodable: of('notDecodable'),
      tooLarge: of('tooLarge'),
      filteredOut: of('filteredOut'),
    };
  }

  #take(file: PlacedFile, told: Told): boolean {
    if (this.#found !== undefined) {
      const path = pathOf(file);
      if (this.#found.has(path)) return false;
      this.#found.add(path);
    }
    this.#onFound(this.#files.file(this.#files.add(file, told)));
    return true;
  }

  /** Where nobody told them. What ended the search does not end this. */
  async #findTimes({ folder }: PlaceTally, { statter }: Pick<SearchServices, 'statter'>): Promise<void> {
    const rows = this.#files.untimed(folder);
    if (rows.length === 0) return;
    const paths = rows.map((row) => this.#files.relativePath(row));
    const times = await statter.mtimes(folder, paths, new AbortController().signal);
    for (const [at, row] of rows.entries()) this.#files.setTime(row, times[at] ?? Number.NaN);
  }

  #expectAgain(): void {
    this.#found ??= new Set(this.#files.paths());
  }

  #fail(message: string, files: number): void {
    this.#failed += files;
    // The same ones every time, in whatever order they come.
    this.#failures.push(message);
    this.#failures.sort().splice(KEPT_FAILURES);
  }
}

interface TallyOwner {
  /** False for a file that was found before. */
  found(file: PlacedFile, told: Told): boolean;
  expectAgain(): void;
  odd(path: string): void;
  failed(path: string | undefined, reason: string, files: number): void;
}

/** What is counted at one place; paths are relative to its folder. */
export class PlaceTally {
  readonly #owner: TallyOwner;
  readonly #others: readonly PlaceTally[];
  readonly folder: string;
  /** For the walk to fill in. */
  readonly counts: WalkCounts = newWalkCounts();
  readonly ignored = new IgnoredEntries();
  readonly reasons: Record<Reason, number> = { binary: 0, notDecodable: 0, tooLarge: 0, filteredOut: 0 };
  /** Files that were searched to their end. */
  searched = 0;
  tookMs = 0;
  /** Folders and their names side by side: an object for each takes twice as much. */
  #claimedFolders: string[] = [];
  #claimedNames: (readonly string[])[] = [];
  #claimed: Map<string, readonly string[]> | undefined;

  /** `others`: places before, with which it shares files. */
  constructor(folder: string, others: readonly PlaceTally[], owner: TallyOwner) {
    this.folder = folder;
    this.#others = others;
    this.#owner = owner;
  }

  /** Those of a folder's files that no place before had; they are this one's from now on. */
  claim(folder: string, names: readonly string[]): readonly string[] {
    let mine = names;
    for (const other of this.#others) {
      const theirs = other.#claimedIn(folderPath(this.folder, folder));
      if (theirs === undefined) continue;
      const had = new Set(theirs);
      mine = mine.filter((name) => !had.has(name));
    }
    if (mine.length > 0) {
      this.#claimedFolders.push(folder);
      this.#claimedNames.push(mine);
    }
    return mine;
  }

  /** No place will come that shares files with this one. */
  forgetClaims(): void {
    this.#claimedFolders = [];
    this.#claimedNames = [];
    this.#claimed = undefined;
  }

  /** From now on files that were found before may be told again. */
  expectAgain(): void {
    this.#owner.expectAgain();
  }

  /** @returns false for a file that was found before: it is not counted again */
  add(relativePath: string, told: Told): boolean {
    const folder = folderOf(relativePath);
    const name = folder === '' ? relativePath : relativePath.slice(folder.length + 1);
    return this.addIn({ folder, names: [name] }, 0, told);
  }

  /** The same by its place in a folder's names. */
  addIn(piece: FolderFiles, at: number, told: Told): boolean {
    return this.#owner.found({ base: this.folder, piece, at }, told);
  }

  /** The same of a file that had to be decoded to be searched. */
  addOdd(relativePath: string, told: Told): void {
    if (this.add(relativePath, told)) this.#owner.odd(absoluteBelow(this.folder, relativePath));
  }

  /** `files`: how many could not be searched for that reason. */
  fail(relativePath: string | undefined, reason: string, files = 1): void {
    const path = relativePath === undefined ? undefined : absoluteBelow(this.folder, relativePath);
    this.#owner.failed(path, reason, files);
  }

  #claimedIn(path: string): readonly string[] | undefined {
    this.#claimed ??= new Map(
      this.#claimedFolders.map((folder, at) => [folderPath(this.folder, folder), this.#claimedNames[at] ?? []]),
    );
    return this.#claimed.get(path);
  }
}

function folderPath(base: string, folder: string): string {
  return folder === '' ? base : absoluteBelow(base, folder);
}

function addCounts(all: readonly WalkCounts[]): WalkCounts {
  const added = newWalkCounts();
  for (const counts of all) {
    added.files += counts.files;
    added.gitIgnored += counts.gitIgnored;
    added.hasGitFiles ||= counts.hasGitFiles;
    added.hasGitExcludes ||= counts.hasGitExcludes;
    added.qwenIgnored += counts.qwenIgnored;
    added.links += counts.links;
    added.special += counts.special;
    added.unreadableFolders += counts.unreadableFolders;
    added.folderIsGitIgnored ||= counts.folderIsGitIgnored;
  }
  return added;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
