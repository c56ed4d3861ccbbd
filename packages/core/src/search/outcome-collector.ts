import type { FolderFiles } from './content/folder-files.js';
import { IgnoredEntries } from './ignored-entries.js';
import { newestFirst } from './newest-files.js';
import { folderOf, pathBelow } from './paths.js';
import { absoluteBelow, isWithin } from '../util/paths-below.js';
import type { FoundFile, NotSearched, SearchOutcome } from './report/search-outcome.js';
import type { SearchServices } from './place-search.js';
import { newWalkCounts, type WalkCounts } from './tree/walked-folder.js';

const KEPT_FAILURES = 3;

type Reason = 'binary' | 'tooLarge' | 'filteredOut';

/** Gathers what is counted at the places of one search. */
export class OutcomeCollector {
  readonly #onFound: (file: FoundFile) => void;
  readonly #places: PlaceTally[] = [];
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
      found: (file) => this.#take(file),
      expectAgain: () => this.#expectAgain(),
      odd: (path) => void this.#odd.add(path),
      failed: (path, reason, files) => this.#fail(path === undefined ? reason : `${path}: ${reason}`, files),
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
      await findTimes(place, index);
    }
    const files = this.#places.flatMap(({ found }) => found).sort(newestFirst);
    return {
      files,
      total: sum(files.map(({ matches }) => matches)),
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
    return { binary: of('binary'), tooLarge: of('tooLarge'), filteredOut: of('filteredOut') };
  }

  #take(file: FoundFile): boolean {
    if (this.#found?.has(file.path) === true) return false;
    this.#found?.add(file.path);
    this.#onFound(file);
    return true;
  }

  #expectAgain(): void {
    this.#found ??= new Set(this.#places.flatMap(({ found }) => found.map(({ path }) => path)));
  }

  #fail(message: string, files: number): void {
    this.#failed += files;
    // The same ones every time, in whatever order they come.
    this.#failures.push(message);
    this.#failures.sort().splice(KEPT_FAILURES);
  }
}

/** One of many: names and folders are those of the walk, and a path is only put together for who asks. */
class TalliedFile implements FoundFile {
  readonly #place: string;
  readonly #folder: string;
  readonly #name: string;
  readonly matches: number;
  /** Undefined until it is known. */
  changedMs: number | undefined;

  /** `place` is absolute, `folder` relative to it. */
  constructor(place: string, folder: string, name: string, { matches, mtimeMs }: Told) {
    this.#place = place;
    this.#folder = folder;
    this.#name = name;
    this.matches = matches;
    this.changedMs = mtimeMs;
  }

  get relativePath(): string {
    return pathBelow(this.#folder, this.#name);
  }

  get path(): string {
    return absoluteBelow(this.#place, this.relativePath);
  }

  get mtimeMs(): number {
    return this.changedMs ?? 0;
  }
}

/** Where nobody told them. What ended the search does not end this. */
async function findTimes({ folder, found }: PlaceTally, { statter }: Pick<SearchServices, 'statter'>): Promise<void> {
  const untold = found.filter(({ changedMs }) => changedMs === undefined);
  if (untold.length === 0) return;
  const paths = untold.map(({ relativePath }) => relativePath);
  const times = await statter.mtimes(folder, paths, new AbortController().signal);
  for (const [at, file] of untold.entries()) {
    const mtimeMs = times[at] ?? Number.NaN;
    if (!Number.isNaN(mtimeMs)) file.changedMs = mtimeMs;
  }
}

/** What an engine says of a file with matches. */
interface Told {
  readonly matches: number;
  /** Where it knows the time. */
  readonly mtimeMs?: number | undefined;
}

interface TallyOwner {
  /** False for a file that was found before. */
  found(file: FoundFile): boolean;
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
  readonly reasons: Record<Reason, number> = { binary: 0, tooLarge: 0, filteredOut: 0 };
  /** Files with matches. */
  readonly found: TalliedFile[] = [];
  /** Files that were searched to their end. */
  searched = 0;
  tookMs = 0;
  #claims: FolderFiles[] = [];
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
    if (mine.length > 0) this.#claims.push({ folder, names: mine });
    return mine;
  }

  /** No place will come that shares files with this one. */
  forgetClaims(): void {
    this.#claims = [];
    this.#claimed = undefined;
  }

  /** From now on files that were found before may be told again. */
  expectAgain(): void {
    this.#owner.expectAgain();
  }

  /** @returns false for a file that was found before: it is not counted again */
  add(relativePath: string, told: Told): boolean {
    const folder = folderOf(relativePath);
    return this.addIn(folder, folder === '' ? relativePath : relativePath.slice(folder.length + 1), told);
  }

  /** The same by a folder and a name in it. */
  addIn(folder: string, name: string, told: Told): boolean {
    const file = new TalliedFile(this.folder, folder, name, told);
    if (!this.#owner.found(file)) return false;
    this.found.push(file);
    return true;
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
    this.#claimed ??= new Map(this.#claims.map(({ folder, names }) => [folderPath(this.folder, folder), names]));
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
