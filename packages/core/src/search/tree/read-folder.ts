import { opendirSync, readdirSync, type Dirent } from 'node:fs';
import { decodeEscaped, systemPath } from '../../files/escaped-bytes.js';
import { GIT_IGNORE, QWEN_IGNORE } from '../../files/ignore-stack.js';
import type { Pause } from './pause.js';
import { sortInPieces } from './sort-in-pieces.js';

/** A folder's entries by kind, each list in the order of code units. What is called `.git` is in none. */
export interface Listing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly links: readonly string[];
  /** Devices, FIFOs, sockets. */
  readonly special: readonly string[];
  readonly marks: ListingMarks;
}

/** One that is being read. */
interface OpenListing extends Listing {
  readonly files: string[];
  readonly folders: string[];
  readonly links: string[];
  readonly special: string[];
  readonly marks: { -readonly [Mark in keyof ListingMarks]: boolean };
}

/** What the names alone say. */
export interface ListingMarks {
  readonly gitIgnore: boolean;
  readonly qwenIgnore: boolean;
  /** An entry `.git`, in any case. */
  readonly git: boolean;
  /** A regular file among them, as worktrees have it. */
  readonly gitFile: boolean;
  /** A name that is no UTF-8. */
  readonly oddName: boolean;
}

const NO_MARKS: ListingMarks = Object.freeze({
  gitIgnore: false,
  qwenIgnore: false,
  git: false,
  gitFile: false,
  oddName: false,
});
const NONE: readonly string[] = Object.freeze([]);
/** What a name that is no UTF-8 is decoded with. */
const NO_CHARACTER = '\ufffd';
/** Entries read between two looks at the clock. */
const PIECE = 512;
const DOT = '.'.charCodeAt(0);

/** A folder that says it is larger (bytes) may hold more than can be read in one go. */
export const HUGE_FOLDER_BYTES = 200_000;

/** Reads an ordinary folder in one go: a promise for each would cost five times the reading. @throws what the system says */
export function readFolder(path: string): Listing {
  const listing = readNamed(path) ?? readBytes(path);
  for (const list of listsOf(listing)) if (list.length > 1) list.sort();
  return trimmed(listing);
}

/** It may be kept for long: lists that grew have room for more, and most folders are alike but for their names. */
function trimmed({ files, folders, links, special, marks }: Listing): Listing {
  const { gitIgnore, qwenIgnore, git, gitFile, oddName } = marks;
  const isPlain = !gitIgnore && !qwenIgnore && !git && !gitFile && !oddName;
  return {
    files: exact(files),
    folders: exact(folders),
    links: exact(links),
    special: exact(special),
    marks: isPlain ? NO_MARKS : marks,
  };
}

function exact(names: readonly string[]): readonly string[] {
  return names.length === 0 ? NONE : names.slice();
}

/** Undefined where a name may be no UTF-8. */
function readNamed(path: string): OpenListing | undefined {
  const listing = newListing();
  for (const entry of readdirSync(systemPath(path), { withFileTypes: true })) {
    if (entry.name.includes(NO_CHARACTER)) return undefined;
    add(listing, entry, entry.name);
  }
  return listing;
}

function readBytes(path: string): OpenListing {
  const listing = newListing();
  for (const entry of readdirSync(systemPath(path), { withFileTypes: true, encoding: 'buffer' })) {
    addBytes(listing, entry, entry.name);
  }
  return listing;
}

/** Reads a folder of any size with a pause every few milliseconds. @throws what the system says, or the pause */
export async function readHugeFolder(path: string, pause: Pause): Promise<Listing> {
  const listing = (await readPieces(path, 'utf8', pause)) ?? (await readPieces(path, 'latin1', pause));
  if (listing === undefined) return newListing();
  for (const list of listsOf(listing)) await sortInPieces(list, pause);
  return listing;
}

/** Undefined where a name may be no UTF-8; as Latin-1 each character is one byte of its name. */
async function readPieces(path: string, encoding: 'utf8' | 'latin1', pause: Pause): Promise<OpenListing | undefined> {
  const listing = newListing();
  const folder = opendirSync(systemPath(path), { bufferSize: PIECE, encoding });
  try {
    for (let count = 1; ; count++) {
      const entry = folder.readSync();
      if (entry === null) return listing;
      if (encoding === 'latin1') addBytes(listing, entry, Buffer.from(entry.name, 'latin1'));
      else if (entry.name.includes(NO_CHARACTER)) return undefined;
      else add(listing, entry, entry.name);
      if (count % PIECE === 0 && pause.isDue()) await pause.take();
    }
  } finally {
    folder.closeSync();
  }
}

function newListing(): OpenListing {
  return { files: [], folders: [], links: [], special: [], marks: { ...NO_MARKS } };
}

function listsOf({ files, folders, links, special }: OpenListing): string[][] {
  return [files, folders, links, special];
}

type EntryKind = Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

function addBytes(listing: OpenListing, entry: EntryKind, bytes: Buffer): void {
  const name = decodeEscaped(bytes);
  if (!bytes.equals(Buffer.from(name))) listing.marks.oddName = true;
  add(listing, entry, name);
}

function add(listing: OpenListing, entry: EntryKind, name: string): void {
  if (name.charCodeAt(0) === DOT) {
    if (name.length === 4 && name.toLowerCase() === '.git') {
      listing.marks.git = true;
      listing.marks.gitFile ||= entry.isFile();
      return;
    }
    if (name === GIT_IGNORE.fileName) listing.marks.gitIgnore = true;
    else if (name === QWEN_IGNORE.fileName) listing.marks.qwenIgnore = true;
  }
  if (entry.isFile()) listing.files.push(name);
  else if (entry.isDirectory()) listing.folders.push(name);
  else if (entry.isSymbolicLink()) listing.links.push(name);
  else listing.special.push(name);
}
