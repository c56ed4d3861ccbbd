import { absoluteBelow, withSeparator } from '../util/paths-below.js';
import type { FolderFiles } from './content/folder-files.js';
import { pathBelow } from './paths.js';
import type { FoundFile, FoundFiles } from './report/search-outcome.js';

const CHUNK_ROWS = 1_024;
/** Of a file, by their place. */
const PIECE = 0;
const AT = 1;
const MATCHES = 2;
const TIME = 3;
const NUMBERS = 4;

/** A file by its place in a folder's names; `base` is absolute, the folder relative to it. */
export interface PlacedFile {
  readonly base: string;
  readonly piece: FolderFiles;
  readonly at: number;
}

export function pathOf({ base, piece, at }: PlacedFile): string {
  return absoluteBelow(base, relativePathOf(piece, at));
}

function relativePathOf({ folder, names }: FolderFiles, at: number): string {
  return pathBelow(folder, names[at] ?? '');
}

/** What an engine says of a file with matches. */
export interface Told {
  readonly matches: number;
  /** Where it knows the time. */
  readonly mtimeMs?: number | undefined;
}

/**
 * The files with matches of one search, in columns: there may be many, and an object for each takes five times as much.
 * Folders and names are those of the walk; a path is only put together for who asks.
 */
export class FoundTable {
  /** Files of one folder mostly come one after another. */
  readonly #pieces: FolderFiles[] = [];
  /** Of the pieces. */
  readonly #bases: string[] = [];
  /** For each file `NUMBERS`: its piece, its place in it, its matches, its time, which is NaN until it is known. Nothing is copied when they grow. */
  readonly #chunks: Float64Array[] = [];
  #length = 0;
  #total = 0;

  /** @returns the file's row */
  add({ base, piece, at }: PlacedFile, { matches, mtimeMs = Number.NaN }: Told): number {
    if (this.#pieces.at(-1) !== piece || this.#bases.at(-1) !== base) {
      this.#pieces.push(piece);
      this.#bases.push(base);
    }
    const row = this.#length++;
    if (row % CHUNK_ROWS === 0) this.#chunks.push(new Float64Array(CHUNK_ROWS * NUMBERS));
    this.#set(row, PIECE, this.#pieces.length - 1);
    this.#set(row, AT, at);
    this.#set(row, MATCHES, matches);
    this.#set(row, TIME, mtimeMs);
    this.#total += matches;
    return row;
  }

  /** Matches of all files. */
  get total(): number {
    return this.#total;
  }

  /** What is in a row by then. */
  file(row: number): FoundFile {
    return new FoundRow(this, row);
  }

  path(row: number): string {
    return absoluteBelow(this.#baseOf(row), this.relativePath(row));
  }

  paths(): string[] {
    return Array.from({ length: this.#length }, (_none, row) => this.path(row));
  }

  /** To its base. */
  relativePath(row: number): string {
    const piece = this.#pieces[this.#number(row, PIECE)];
    return piece === undefined ? '' : relativePathOf(piece, this.#number(row, AT));
  }

  matches(row: number): number {
    return this.#number(row, MATCHES);
  }

  /** 0 where it is not known. */
  mtimeMs(row: number): number {
    return this.#number(row, TIME) || 0;
  }

  /** Files below that base of which no time was told. */
  untimed(base: string): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.#length; row++)
      if (Number.isNaN(this.#number(row, TIME)) && this.#baseOf(row) === base) rows.push(row);
    return rows;
  }

  setTime(row: number, mtimeMs: number): void {
    this.#set(row, TIME, mtimeMs);
  }

  /** The files that are there now, newest first. */
  sorted(): FoundFiles {
    // An array's sort makes use of what is in order, as files of the same time mostly are; a typed one's does not.
    const rows = Array.from({ length: this.#length }, (_none, row) => row);
    const folders = this.#pieces.map(({ folder }, piece) =>
      withSeparator(absoluteBelow(this.#bases[piece] ?? '', folder)),
    );
    rows.sort((a, b) => this.mtimeMs(b) - this.mtimeMs(a) || this.#comparePaths(a, b, folders));
    return new FoundRows(this, Uint32Array.from(rows));
  }

  /** As the paths would compare, which are only put together where one folder is below the other. */
  #comparePaths(a: number, b: number, folders: readonly string[]): number {
    const [one, other] = [this.#number(a, PIECE), this.#number(b, PIECE)];
    const [ofOne = '', ofOther = ''] = [folders[one], folders[other]];
    if (ofOne !== ofOther && !ofOne.startsWith(ofOther) && !ofOther.startsWith(ofOne)) return ofOne < ofOther ? -1 : 1;
    const nameOfOne = this.#pieces[one]?.names[this.#number(a, AT)] ?? '';
    const nameOfOther = this.#pieces[other]?.names[this.#number(b, AT)] ?? '';
    if (ofOne === ofOther) return nameOfOne < nameOfOther ? -1 : 1;
    return ofOne + nameOfOne < ofOther + nameOfOther ? -1 : 1;
  }

  #baseOf(row: number): string {
    return this.#bases[this.#number(row, PIECE)] ?? '';
  }

  #number(row: number, which: number): number {
    return this.#chunks[Math.floor(row / CHUNK_ROWS)]?.[(row % CHUNK_ROWS) * NUMBERS + which] ?? 0;
  }

  #set(row: number, which: number, value: number): void {
    const chunk = this.#chunks[Math.floor(row / CHUNK_ROWS)];
    if (chunk !== undefined) chunk[(row % CHUNK_ROWS) * NUMBERS + which] = value;
  }
}

class FoundRow implements FoundFile {
  readonly #table: FoundTable;
  readonly #row: number;

  constructor(table: FoundTable, row: number) {
    this.#table = table;
    this.#row = row;
  }

  get path(): string {
    return this.#table.path(this.#row);
  }

  get mtimeMs(): number {
    return this.#table.mtimeMs(this.#row);
  }

  get matches(): number {
    return this.#table.matches(this.#row);
  }
}

/** Some rows of a table, in an order. */
class FoundRows implements FoundFiles {
  readonly #table: FoundTable;
  readonly #rows: Uint32Array;

  constructor(table: FoundTable, rows: Uint32Array) {
    this.#table = table;
    this.#rows = rows;
  }

  get length(): number {
    return this.#rows.length;
  }

  at(index: number): FoundFile | undefined {
    const row = this.#rows.at(index);
    return row === undefined ? undefined : this.#table.file(row);
  }

  *[Symbol.iterator](): Generator<FoundFile, void, undefined> {
    for (const row of this.#rows) yield this.#table.file(row);
  }
}
