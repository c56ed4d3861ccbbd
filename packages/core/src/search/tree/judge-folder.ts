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

/** What is not hidden of one list. */
interface Sieved {
  readonly shown: readonly string[];
  readonly git: readonly string[];
  readonly qwen: readonly string[];
}

const NONE: readonly string[] = Object.freeze([]);
const NOTHING: Sieved = Object.freeze({ shown: NONE, git: NONE, qwen: NONE });
/** Names judged between two looks at the clock. */
const PIECE = 2048;

export function judge(listing: Listing, scopes: FolderScopes): Judged {
  const sieve = (names: readonly string[], isDirectory: boolean): Sieved => {
    if (names.length === 0) return NOTHING;
    const first = firstHidden(names, { from: 0, to: names.length, isDirectory }, scopes);
    if (first === names.length) return { shown: names, git: NONE, qwen: NONE };
    const into = newSieve();
    sievePart(names, { from: 0, to: names.length, isDirectory }, scopes, into);
    return into;
  };
  const { files, folders, links, special, marks } = listing;
  return together(marks, {
    files: sieve(files, false),
    folders: sieve(folders, true),
    links: sieve(links, false),
    special: sieve(special, false),
  });
}

/** The same for a folder of any size, with pauses. */
export async function judgeInPieces(listing: Listing, scopes: FolderScopes, pause: Pause): Promise<Judged> {
  const sieve = async (names: readonly string[], isDirectory: boolean): Promise<Sieved> => {
    if (isFree(scopes)) return { shown: names, git: NONE, qwen: NONE };
    const into = newSieve();
    for (let from = 0; from < names.length; from += PIECE) {
      sievePart(names, { from, to: Math.min(from + PIECE, names.length), isDirectory }, scopes, into);
      if (pause.isDue()) await pause.take();
    }
    return into;
  };
  const { files, folders, links, special, marks } = listing;
  return together(marks, {
    files: await sieve(files, false),
    folders: await sieve(folders, true),
    links: await sieve(links, false),
    special: await sieve(special, false),
  });
}

/** A stretch of a list of names of one kind. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly isDirectory: boolean;
}

/** Where the first name is that a rule hides; the end when there is none. */
function firstHidden(names: readonly string[], { from, to, isDirectory }: Part, scopes: FolderScopes): number {
  if (isFree(scopes)) return to;
  for (let index = from; index < to; index++) {
    const name = names[index] ?? '';
    if (scopes.qwen.ignores(name, isDirectory) || scopes.git.ignores(name, isDirectory)) return index;
  }
  return to;
}

function isFree({ git, qwen }: FolderScopes): boolean {
  return git.isEmpty && qwen.isEmpty;
}

function newSieve(): { shown: string[]; git: string[]; qwen: string[] } {
  return { shown: [], git: [], qwen: [] };
}

function sievePart(
  names: readonly string[],
  { from, to, isDirectory }: Part,
  { git, qwen }: FolderScopes,
  into: { shown: string[]; git: string[]; qwen: string[] },
): void {
  for (let index = from; index < to; index++) {
    const name = names[index] ?? '';
    if (qwen.ignores(name, isDirectory)) into.qwen.push(name);
    else if (git.ignores(name, isDirectory)) into.git.push(name);
    else into.shown.push(name);
  }
}

function together(
  marks: ListingMarks,
  sieved: Readonly<Record<'files' | 'folders' | 'links' | 'special', Sieved>>,
): Judged {
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
