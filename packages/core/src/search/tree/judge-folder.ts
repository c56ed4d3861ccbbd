import type { IgnoreScope } from '../../files/ignore-stack.js';
import type { Pause } from './pause.js';
import type { Listing, ListingMarks } from './read-folder.js';

/** The rules that hold for a folder's entries, its own files included. */
export interface FolderScopes {
  readonly git: IgnoreScope;
  readonly qwen: IgnoreScope;
}

/** A folder's entries and what the ignore files say of them; names sorted by code units. */
export interface Judged {
  readonly files: readonly string[];
  readonly links: readonly string[];
  /** Those that are to be entered. */
  readonly folders: readonly string[];
  readonly gitIgnored: readonly string[];
  readonly gitIgnoredFolders: readonly string[];
  readonly qwenIgnored: number;
  readonly qwenIgnoredFolders: readonly string[];
  readonly special: number;
  /** As in `WalkedFolder`, the folder's own name aside. */
  readonly isWhole: boolean;
  readonly marks: ListingMarks;
}

type Kind = 'files' | 'folders' | 'links' | 'special';

/** The names of one list, by what hides them. */
interface Sieved {
  readonly shown: readonly string[];
  readonly git: readonly string[];
  readonly qwen: readonly string[];
}

interface Sieve extends Sieved {
  readonly shown: string[];
  readonly git: string[];
  readonly qwen: string[];
}

const KINDS: readonly Kind[] = ['files', 'folders', 'links', 'special'];
const NONE: readonly string[] = Object.freeze([]);
const NOTHING: Sieved = Object.freeze({ shown: NONE, git: NONE, qwen: NONE });
/** Names judged between two looks at the clock. */
const PIECE = 2048;

export function judge(listing: Listing, scopes: FolderScopes): Judged {
  const sieved = { files: NOTHING, folders: NOTHING, links: NOTHING, special: NOTHING };
  // Called from one place: what is made of the rules for speed is large, and would be made for each place.
  for (const kind of KINDS) {
    const names = listing[kind];
    if (names.length === 0) continue;
    const part = { from: 0, to: isFree(scopes) ? 0 : names.length, isDirectory: kind === 'folders' };
    sieved[kind] = sievePart(names, part, scopes, undefined) ?? { shown: names, git: NONE, qwen: NONE };
  }
  return together(listing.marks, sieved);
}

/** The same for a folder of any size, with pauses. */
export async function judgeInPieces(listing: Listing, scopes: FolderScopes, pause: Pause): Promise<Judged> {
  const sieved = { files: NOTHING, folders: NOTHING, links: NOTHING, special: NOTHING };
  for (const kind of KINDS) {
    const names = listing[kind];
    let into: Sieve | undefined;
    for (let from = 0; from < names.length && !isFree(scopes); from += PIECE) {
      const part = { from, to: Math.min(from + PIECE, names.length), isDirectory: kind === 'folders' };
      into = sievePart(names, part, scopes, into);
      if (pause.isDue()) await pause.take();
    }
    sieved[kind] = into ?? { shown: names, git: NONE, qwen: NONE };
  }
  return together(listing.marks, sieved);
}

/** A stretch of a list of names of one kind. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly isDirectory: boolean;
}

/** `before`: what became of the names before; undefined as long as no rule hides one. */
function sievePart(
  names: readonly string[],
  { from, to, isDirectory }: Part,
  { git, qwen }: FolderScopes,
  before: Sieve | undefined,
): Sieve | undefined {
  let into = before;
  for (let index = from; index < to; index++) {
    const name = names[index] ?? '';
    const hiding = qwen.ignores(name, isDirectory) ? 'qwen' : git.ignores(name, isDirectory) ? 'git' : 'shown';
    if (hiding !== 'shown') into ??= { shown: names.slice(0, index), git: [], qwen: [] };
    into?.[hiding].push(name);
  }
  return into;
}

function isFree({ git, qwen }: FolderScopes): boolean {
  return git.isEmpty && qwen.isEmpty;
}

function together(marks: ListingMarks, sieved: Readonly<Record<Kind, Sieved>>): Judged {
  const { files, folders, links, special } = sieved;
  const hidden = files.git.length + files.qwen.length;
  return {
    files: files.shown,
    links: links.shown,
    folders: folders.shown,
    gitIgnored: joined(files.git, links.git, special.git),
    gitIgnoredFolders: folders.git,
    qwenIgnored: files.qwen.length + links.qwen.length + special.qwen.length,
    qwenIgnoredFolders: folders.qwen,
    special: special.shown.length,
    isWhole: hidden === 0 && !marks.oddName && !marks.gitFile,
    marks,
  };
}

function joined(files: readonly string[], links: readonly string[], special: readonly string[]): readonly string[] {
  return links.length === 0 && special.length === 0 ? files : files.concat(links, special);
}
