import { lstatSync } from 'node:fs';
import type { ReadFilter } from '../../effects/withheld.js';
import { systemPath } from '../../files/escaped-bytes.js';
import { prefixOf } from '../paths.js';
import { absoluteBelow } from '../../util/paths-below.js';
import { describeLink, describeSpecial, type FolderEntry } from './describe-entry.js';
import { ExtensionCounts } from './extension-counts.js';
import { FirstNames } from './first-names.js';
import { ignores, type ListingRules, type RuleScopes } from './listing-rules.js';
import { visitEntries, type EntryType } from './visit-entries.js';

/** Links that one listing follows to say what they lead to. */
const MAX_FOLLOWED_LINKS = 5_000;

/** What one listing asks of every folder that it reads. */
export interface ListingScope {
  /** A held folder: where it really is, and the path under which to read it. `FolderHandle` has both. */
  readonly folder: { readonly path: string; readonly workingDirectory: string };
  readonly rules: ListingRules;
  /** Judges a path relative to the listed folder; undefined where nothing is unwanted. */
  readonly isUnwanted: ((relativePath: string) => boolean) | undefined;
  /** What rules keep from being read is left out unseen. */
  readonly allowed?: ReadFilter | undefined;
  /** The code of the refusal when a path may not be touched. */
  readonly refusalOf: (path: string) => string | undefined;
  readonly signal: AbortSignal;
  /** Filled in while folders are read. */
  readonly counts: ListingCounts;
}

export interface ListingCounts {
  gitIgnore: number;
  /** As in `WalkCounts`. */
  hasGitFiles: boolean;
  hasGitExcludes: boolean;
  qwenIgnore: number;
  ignore: number;
  /** In folders that tell names only: whether a rule names them cannot be known. */
  closed: number;
  followedLinks: number;
  /** Counted as files, whatever they lead to. */
  unfollowedLinks: number;
}

export function newListingCounts(): ListingCounts {
  return {
    gitIgnore: 0,
    hasGitFiles: false,
    hasGitExcludes: false,
    qwenIgnore: 0,
    ignore: 0,
    closed: 0,
    followedLinks: 0,
    unfollowedLinks: 0,
  };
}

/** The entries of one folder: all of them counted, the first of them by name. */
export interface FolderListing {
  readonly rules: RuleScopes;
  /** It may be read and not entered. */
  readonly isClosed: boolean;
  readonly folders: number;
  /** Everything that is no folder. */
  readonly files: number;
  /** Entries that are not shown, whatever leaves them out. */
  readonly leftOut: number;
  /** How many files have which ending (with its dot; empty without one). */
  readonly extensions: ReadonlyMap<string, number>;
  readonly firstFolders: readonly FolderEntry[];
  readonly firstFiles: readonly FolderEntry[];
}

/** A folder to read. */
export interface FolderPlace {
  /** Relative to the listed folder, with `/`; empty for itself. */
  readonly path: string;
  readonly above: RuleScopes;
}

/** How many of each kind to keep. */
export interface KeptEntries {
  readonly folders: number;
  readonly files: number;
}

/**
 * Reads the listed folder or one below it. Ignored entries are only counted.
 * @throws what the system says, or the signal's reason once it is aborted
 */
export async function listFolder(scope: ListingScope, place: FolderPlace, kept: KeptEntries): Promise<FolderListing> {
  const { folder, signal, counts } = scope;
  const below = place.path === '' ? '' : `/${place.path}`;
  const at = folder.workingDirectory + below;
  const rules = scope.rules.inside(place.above, (folder.path === '/' ? '' : folder.path) + below || '/', at);
  // Of an ignored folder that was told where it lies.
  const git = rules.git === 'all' ? undefined : rules.git;
  counts.hasGitFiles ||= git?.hasFiles === true;
  counts.hasGitExcludes ||= git?.hasExcludes === true;
  const isClosed = !mayEnter(at);
  const before = { ...counts };
  const start = (): Lister => {
    Object.assign(counts, before);
    return new Lister({ scope, rules, path: place.path, kept, isClosed });
  };
  return visitEntries(at, start, signal);
}

function mayEnter(at: string): boolean {
  try {
    return lstatSync(systemPath(`${at}/.`), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

const NO_RULES: RuleScopes = { git: undefined, qwen: undefined };

interface Listed {
  readonly scope: ListingScope;
  readonly rules: RuleScopes;
  readonly isClosed: boolean;
  readonly path: string;
  readonly kept: KeptEntries;
}

class Lister {
  readonly #scope: ListingScope;
  readonly #rules: RuleScopes;
  readonly #isClosed: boolean;
  /** Empty, or the folder's path with a closing slash. */
  readonly #prefix: string;
  readonly #folders: FirstNames;
  readonly #files: FirstNames;
  /** Of those, what is to be told beside name and kind; also of some that others have taken the place of. */
  readonly #described = new Map<string, FolderEntry>();
  readonly #mostDescribed: number;
  readonly #extensions = new ExtensionCounts();
  #folderCount = 0;
  #fileCount = 0;
  #entryCount = 0;

  constructor({ scope, rules, path, kept, isClosed }: Listed) {
    this.#scope = scope;
    this.#rules = rules;
    this.#isClosed = isClosed;
    this.#prefix = prefixOf(path);
    this.#folders = new FirstNames(kept.folders);
    this.#files = new FirstNames(kept.files);
    this.#mostDescribed = 2 * (kept.folders + kept.files) + 64;
  }

  visit(name: string, type: EntryType): void {
    this.#entryCount++;
    if (this.#isClosed) {
      if (this.#mayBeSeen(name, type)) this.#scope.counts.closed++;
    } else if (type.isSymbolicLink()) this.#visitLink(name, type);
    else if (this.#mayBeSeen(name, type) && !this.#isLeftOut(name, type)) {
      if (type.isDirectory()) this.#addFolder(name);
      else if (this.#addFile(name) && !type.isFile()) this.#describe(describeSpecial(name, type));
    }
  }

  end(): FolderListing {
    return {
      rules: this.#rules,
      isClosed: this.#isClosed,
      folders: this.#folderCount,
      files: this.#fileCount,
      leftOut: this.#entryCount - this.#folderCount - this.#fileCount,
      extensions: this.#extensions.end(),
      firstFolders: this.#entries(this.#folders, 'directory'),
      firstFiles: this.#entries(this.#files, 'file'),
    };
  }

  #visitLink(name: string, type: EntryType): void {
    if (!this.#mayBeSeen(name, type)) return;
    const { counts } = this.#scope;
    const isFollowed = ++counts.followedLinks <= MAX_FOLLOWED_LINKS;
    const entry = isFollowed ? this.#followed(name) : ({ name, kind: 'file', note: 'link, not followed' } as const);
    if (entry === 'ignored') counts.qwenIgnore++;
    else if (!this.#isLeftOut(name, type)) {
      if (!isFollowed) counts.unfollowedLinks++;
      if (entry.kind === 'directory' ? this.#addFolder(name) : this.#addFile(name)) this.#describe(entry);
    }
  }

  #describe(entry: FolderEntry): void {
    this.#described.set(entry.name, entry);
    if (this.#described.size <= this.#mostDescribed) return;
    const kept = new Set([...this.#folders.sorted(), ...this.#files.sorted()]);
    for (const name of this.#described.keys()) if (!kept.has(name)) this.#described.delete(name);
  }

  /** Whether it is kept. */
  #addFolder(name: string): boolean {
    this.#folderCount++;
    return this.#folders.add(name);
  }

  #addFile(name: string): boolean {
    this.#fileCount++;
    this.#extensions.add(name);
    return this.#files.add(name);
  }

  #entries(names: FirstNames, kind: 'directory' | 'file'): FolderEntry[] {
    return names.sorted().map((name) => this.#described.get(name) ?? { name, kind });
  }

  /** By a rule, which counts it. */
  #isLeftOut(name: string, type: EntryType): boolean {
    const { counts, isUnwanted } = this.#scope;
    const isDirectory = type.isDirectory();
    const { git, qwen } = isDirectory && this.#isKept(name) ? NO_RULES : this.#rules;
    if (ignores(qwen, name, isDirectory)) counts.qwenIgnore++;
    else if (isUnwanted?.(this.#prefix + name) === true) counts.ignore++;
    else if (ignores(git, name, isDirectory)) counts.gitIgnore++;
    else return false;
    return true;
  }

  #isKept(name: string): boolean {
    const { folder, rules } = this.#scope;
    return rules.kept.size > 0 && rules.kept.has(absoluteBelow(folder.path, this.#prefix + name));
  }

  #mayBeSeen(name: string, type: EntryType): boolean {
    const { allowed } = this.#scope;
    if (allowed === undefined) return true;
    const path = this.#prefix + name;
    if (type.isSymbolicLink()) return allowed.allowsLink(path);
    return type.isDirectory() ? allowed.entersFolder(path) : allowed.allowsFile(path);
  }

  #followed(name: string): FolderEntry | 'ignored' {
    const { folder, refusalOf } = this.#scope;
    const relativePath = this.#prefix + name;
    return describeLink(name, {
      at: `${folder.workingDirectory}/${relativePath}`,
      path: `${folder.path === '/' ? '' : folder.path}/${relativePath}`,
      refusalOf,
    });
  }
}
