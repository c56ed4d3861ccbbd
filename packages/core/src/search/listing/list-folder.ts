import type { ReadFilter } from '../../effects/withheld.js';
import { prefixOf } from '../paths.js';
import { describeLink, describePlain, type FolderEntry } from './describe-entry.js';
import { FirstNames } from './first-names.js';
import type { ListingRules, RuleScopes } from './listing-rules.js';
import { visitEntries, type EntryType } from './visit-entries.js';

/** Links that one listing follows to say what they lead to. */
const MAX_FOLLOWED_LINKS = 5_000;
/** More different endings than this are told as others. */
const MAX_EXTENSIONS = 1_000;

/** What one listing asks of every folder that it reads. */
export interface ListingScope {
  /** A held folder: where it really is, and the path under which to read it. `FolderHandle` has both. */
  readonly folder: { readonly path: string; readonly workingDirectory: string };
  readonly rules: ListingRules;
  /** Judges a path relative to the listed folder. */
  readonly isUnwanted: (relativePath: string) => boolean;
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
  qwenIgnore: number;
  ignore: number;
  followedLinks: number;
}

export function newListingCounts(): ListingCounts {
  return { gitIgnore: 0, qwenIgnore: 0, ignore: 0, followedLinks: 0 };
}

/** The entries of one folder: all of them counted, the first of them by name. */
export interface FolderListing {
  readonly rules: RuleScopes;
  readonly folders: number;
  /** Everything that is no folder. */
  readonly files: number;
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
  const before = { ...counts };
  const start = (): Lister => {
    Object.assign(counts, before);
    return new Lister({ scope, rules, path: place.path, kept });
  };
  return visitEntries(at, start, signal);
}

interface Listed {
  readonly scope: ListingScope;
  readonly rules: RuleScopes;
  readonly path: string;
  readonly kept: KeptEntries;
}

class Lister {
  readonly #scope: ListingScope;
  readonly #rules: RuleScopes;
  /** Empty, or the folder's path with a closing slash. */
  readonly #prefix: string;
  readonly #folders: FirstNames<FolderEntry>;
  readonly #files: FirstNames<FolderEntry>;
  readonly #extensions = new Map<string, number>();
  #folderCount = 0;
  #fileCount = 0;

  constructor({ scope, rules, path, kept }: Listed) {
    this.#scope = scope;
    this.#rules = rules;
    this.#prefix = prefixOf(path);
    this.#folders = new FirstNames(kept.folders);
    this.#files = new FirstNames(kept.files);
  }

  visit(name: string, type: EntryType): void {
    const entry = this.#judge(name, type);
    if (entry === undefined) return;
    if (entry.kind === 'directory') {
      this.#folderCount++;
      this.#folders.add(entry);
    } else {
      this.#fileCount++;
      this.#countExtension(name);
      this.#files.add(entry);
    }
  }

  end(): FolderListing {
    return {
      rules: this.#rules,
      folders: this.#folderCount,
      files: this.#fileCount,
      extensions: this.#extensions,
      firstFolders: this.#folders.sorted(),
      firstFiles: this.#files.sorted(),
    };
  }

  /** Undefined for what is left out. */
  #judge(name: string, type: EntryType): FolderEntry | undefined {
    const { counts, isUnwanted } = this.#scope;
    const { git, qwen } = this.#rules;
    const isDirectory = type.isDirectory();
    if (!this.#mayBeSeen(name, type)) return undefined;
    const entry = type.isSymbolicLink() ? this.#followed(name) : describePlain(name, type);
    if (entry === 'ignored' || qwen?.ignores(name, isDirectory) === true) counts.qwenIgnore++;
    else if (isUnwanted(this.#prefix + name)) counts.ignore++;
    else if (git?.ignores(name, isDirectory) === true) counts.gitIgnore++;
    else return entry;
    return undefined;
  }

  #mayBeSeen(name: string, type: EntryType): boolean {
    const { allowed } = this.#scope;
    if (allowed === undefined) return true;
    const path = this.#prefix + name;
    if (type.isSymbolicLink()) return allowed.allowsLink(path);
    return type.isDirectory() ? allowed.entersFolder(path) : allowed.allowsFile(path);
  }

  #followed(name: string): FolderEntry | 'ignored' {
    const { folder, counts, refusalOf } = this.#scope;
    if (++counts.followedLinks > MAX_FOLLOWED_LINKS) return { name, kind: 'file', note: 'link, not followed' };
    const relativePath = this.#prefix + name;
    return describeLink(name, {
      at: `${folder.workingDirectory}/${relativePath}`,
      path: `${folder.path === '/' ? '' : folder.path}/${relativePath}`,
      refusalOf,
    });
  }

  #countExtension(name: string): void {
    const extension = extensionOf(name);
    const known = this.#extensions.get(extension);
    if (known === undefined && this.#extensions.size >= MAX_EXTENSIONS) return;
    this.#extensions.set(extension, (known ?? 0) + 1);
  }
}

/** With its dot; empty for a name without one, or with nothing before or after it. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 || dot === name.length - 1 || name.length - dot > 16 ? '' : name.slice(dot);
}
