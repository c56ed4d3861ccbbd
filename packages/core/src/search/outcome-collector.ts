import { sep } from 'node:path';
import type { FolderFiles } from './content/folder-files.js';
import { IgnoredEntries } from './ignored-entries.js';
import type { FoundFile, NotSearched, SearchOutcome } from './report/search-outcome.js';
import type { SearchServices } from './place-search.js';
import { newWalkCounts, type WalkCounts } from './tree/walked-folder.js';

const KEPT_FAILURES = 3;

type Reason = 'binary' | 'tooLarge' | 'filteredOut';

/** Gathers what is counted at the places of one search. */
export class OutcomeCollector {
  readonly #onFound: (path: string, matches: number) => void;
  readonly #places: PlaceTally[] = [];
  /** Paths of found files, only once one might be found again: the set takes longer than all the rest of the counting. */
  #found: Set<string> | undefined;
  readonly #odd = new Set<string>();
  readonly #failures: string[] = [];
  #failed = 0;
  /** The engine that searched last. */
  engine: SearchOutcome['engine'];

  /** `onFound` hears of every file as soon as its matches are counted. */
  constructor(onFound: (path: string, matches: number) => void = () => undefined) {
    this.#onFound = onFound;
  }

  /** A new place below that canonical folder. */
  place(folder: string): PlaceTally {
    const others = this.#places.filter((other) => isWithin(folder, other.folder) || isWithin(other.folder, folder));
    const tally = new PlaceTally(folder, others, {
      found: (path, matches) => this.#take(path, matches),
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
    const files: FoundFile[] = [];
    let total = 0;
    for (const place of this.#places) {
      place.forgetClaims();
      const times = await timesOf(place, index);
      place.found.forEach((relativePath, at) => {
        const mtimeMs = times[at] ?? Number.NaN;
        const matches = place.matches[at] ?? 0;
        files.push({ path: place.toPath(relativePath), mtimeMs: Number.isNaN(mtimeMs) ? 0 : mtimeMs, matches });
        total += matches;
      });
    }
    return {
      files: files.sort(newestFirst),
      total,
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

  #take(path: string, matches: number): boolean {
    if (this.#found?.has(path) === true) return false;
    this.#found?.add(path);
    this.#onFound(path, matches);
    return true;
  }

  #expectAgain(): void {
    this.#found ??= new Set(this.#places.flatMap((place) => place.found.map((path) => place.toPath(path))));
  }

  #fail(message: string, files: number): void {
    this.#failed += files;
    // The same ones every time, in whatever order they come.
    this.#failures.push(message);
    this.#failures.sort().splice(KEPT_FAILURES);
  }
}

/** Of found files; NaN for one that is gone. What ended the search does not end this. */
async function timesOf(
  { folder, found, mtimes }: PlaceTally,
  { statter }: Pick<SearchServices, 'statter'>,
): Promise<number[]> {
  const isUntold = (_: string, at: number): boolean => mtimes[at] === undefined;
  const untold = found.filter(isUntold);
  const times = untold.length === 0 ? [] : await statter.mtimes(folder, untold, new AbortController().signal);
  let next = 0;
  return mtimes.map((time) => time ?? times[next++] ?? Number.NaN);
}

interface TallyOwner {
  /** False for a file that was found before. */
  found(path: string, matches: number): boolean;
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
  /** Files with matches, how many, and their times of change where they were told, at the same index. */
  readonly found: string[] = [];
  readonly matches: number[] = [];
  readonly mtimes: (number | undefined)[] = [];
  /** Files that were searched to their end. */
  searched = 0;
  tookMs = 0;
  /** The folder with its separator: joined once, not for every file. */
  readonly #start: string;
  #claims: FolderFiles[] = [];
  #claimed: Map<string, readonly string[]> | undefined;

  /** `others`: places before, with which it shares files. */
  constructor(folder: string, others: readonly PlaceTally[], owner: TallyOwner) {
    this.folder = folder;
    this.#start = pathBelow(folder, '');
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

  /** Absolute. */
  toPath(relativePath: string): string {
    return this.#start + (sep === '/' ? relativePath : relativePath.replaceAll('/', sep));
  }

  /** From now on files that were found before may be told again. */
  expectAgain(): void {
    this.#owner.expectAgain();
  }

  /** @returns false for a file that was found before: it is not counted again */
  add(relativePath: string, matches: number, { isOdd = false, mtimeMs }: FoundDetails = {}): boolean {
    const path = this.toPath(relativePath);
    if (!this.#owner.found(path, matches)) return false;
    if (isOdd) this.#owner.odd(path);
    this.found.push(relativePath);
    this.matches.push(matches);
    this.mtimes.push(mtimeMs);
    return true;
  }

  /** `files`: how many could not be searched for that reason. */
  fail(relativePath: string | undefined, reason: string, files = 1): void {
    this.#owner.failed(relativePath === undefined ? undefined : this.toPath(relativePath), reason, files);
  }

  #claimedIn(path: string): readonly string[] | undefined {
    this.#claimed ??= new Map(this.#claims.map(({ folder, names }) => [folderPath(this.folder, folder), names]));
    return this.#claimed.get(path);
  }
}

interface FoundDetails {
  /** It was decoded to be searched. */
  readonly isOdd?: boolean;
  /** Where the engine told it. */
  readonly mtimeMs?: number | undefined;
}

function folderPath(base: string, folder: string): string {
  return folder === '' ? base : pathBelow(base, folder);
}

/** `join` for every file costs more than reading the folders. */
export function pathBelow(folder: string, relativePath: string): string {
  const below = sep === '/' ? relativePath : relativePath.replaceAll('/', sep);
  return folder.endsWith(sep) ? folder + below : folder + sep + below;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(pathBelow(folder, ''));
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

function newestFirst(a: FoundFile, b: FoundFile): number {
  return b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
