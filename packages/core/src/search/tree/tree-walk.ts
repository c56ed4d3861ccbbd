import type { Stats } from 'node:fs';
import { relative, sep } from 'node:path';
import { innermostRoot } from '../../files/ignore-rules.js';
import { scopeAbove, scopeInFolder, type IgnoreSources } from '../../files/ignore-scope.js';
import { GIT_IGNORE, QWEN_IGNORE, type IgnoreKind } from '../../files/ignore-stack.js';
import { hasTrueTimes, isSameStamp, lookAt, provesChanges, statOf } from './folder-stamp.js';
import { judge, judgeInPieces, type FolderScopes, type Judged } from './judge-folder.js';
import { Pause } from './pause.js';
import { readFolder, readHugeFolder, type Listing, type ListingMarks } from './read-folder.js';
import type { KnownFolder, Pending, TreeMemory, TreeNode } from './tree-memory.js';
import { newWalkCounts, type WalkCounts, type WalkedFolder, type WalkOptions } from './walked-folder.js';

/** A folder that says it is larger (bytes) may hold more than can be read in one go. */
const HUGE_FOLDER_BYTES = 200_000;

const NOTHING_BELOW: readonly Pending[] = Object.freeze([]);

/** What was found out about a folder before its entries are known. */
interface Seen {
  readonly stat: Stats;
  /** The moment before it was looked at, of `Date.now`. */
  readonly before: number;
}

/** One walk through a tree of which some folders may be known. `memory` belongs to the walked folder's root and choice of rules. */
export class TreeWalk {
  readonly #options: WalkOptions;
  readonly #memory: TreeMemory;
  readonly #maxEntries: number;
  readonly #counts: WalkCounts;
  readonly #pause: Pause;
  readonly #root: string | undefined;
  readonly #way: readonly string[];
  readonly #top: TreeNode;
  /** How much of a folder's path is that of the walked one, with its slash. */
  readonly #start: number;
  /** Folders are looked at by their name, twice as fast as through the held folder. */
  #isNamed = true;
  readonly #readFrom: string;
  /** Of the walked folder; undefined where nothing may be remembered. */
  #device: number | undefined;
  /** Folders learned since the walked folder was last seen to be the held one. */
  #fresh: TreeNode[] = [];

  constructor(options: WalkOptions, memory: TreeMemory, maxEntries: number) {
    const { path, workingDirectory } = options.folder;
    this.#options = options;
    this.#memory = memory;
    this.#maxEntries = maxEntries;
    this.#counts = options.counts ?? newWalkCounts();
    this.#pause = new Pause(options.signal);
    this.#root = innermostRoot(path, options.roots);
    const way = this.#root === undefined ? '' : relative(this.#root, path);
    this.#way = way === '' ? [] : way.split(sep);
    let top = memory.top;
    for (const name of this.#way) top = top.child(name);
    this.#top = top;
    this.#start = top.path.length + 1;
    this.#readFrom = withoutSlash(workingDirectory);
    this.#device = maxEntries > 0 && hasTrueTimes(path) ? statOf(path)?.dev : undefined;
    if (this.#device !== undefined) memory.trustedDevices.add(this.#device);
  }

  async *run(): AsyncGenerator<readonly WalkedFolder[], void, undefined> {
    this.#options.signal.throwIfAborted();
    this.#checkHeld();
    let level: Pending[] = [this.#first()];
    let batch: WalkedFolder[] = [];
    while (level.length > 0) {
      const below: Pending[] = [];
      for (const pending of level) {
        const before = Date.now();
        const stat = this.#look(pending);
        // A promise only where it is needed: there are many folders.
        const known = stat && (this.#known(pending, stat) ?? this.#readAny(pending, { stat, before }));
        const found = known instanceof Promise ? await known : known;
        if (found === undefined) this.#fail(pending);
        else batch.push(this.#enter(pending, found, below));
        if (!this.#pause.isDue()) continue;
        this.#checkHeld();
        if (batch.length > 0) yield batch;
        batch = [];
        await this.#pause.take();
      }
      level = below;
    }
    this.#checkHeld();
    if (batch.length > 0) yield batch;
    this.#options.signal.throwIfAborted();
  }

  /**
   * The walked folder is held, but looked at by its name: where another stands in its place by now, what was learned
   * meanwhile may be of either.
   */
  #checkHeld(): void {
    const named = this.#isNamed ? lookAt(this.#top.systemPath) : undefined;
    const held = statOf(this.#readFrom, true);
    if (named?.ino !== held?.ino || named?.dev !== held?.dev) {
      for (const node of this.#fresh) this.#memory.forget(node);
      this.#isNamed = false;
      this.#device = undefined;
    }
    this.#fresh = [];
  }

  #first(): Pending {
    const node = this.#top;
    // Outside every root (the project's temp folder) nothing is ignored.
    if (this.#root === undefined) return { node, above: this.#memory.empty };
    const qwen = scopeAbove(this.#root, this.#way, this.#sources(QWEN_IGNORE)).above;
    if (this.#options.respectGitIgnore === false) return { node, above: { git: this.#memory.empty.git, qwen } };
    const git = scopeAbove(this.#root, this.#way, this.#sources(GIT_IGNORE));
    this.#counts.folderIsGitIgnored = git.isHidden;
    return { node, above: { git: git.above, qwen } };
  }

  #sources(kind: IgnoreKind): IgnoreSources {
    const { files, empty } = this.#memory;
    return { kind, files, empty: kind.isGit ? empty.git : empty.qwen, userExcludes: this.#options.userExcludes };
  }

  #look({ node }: Pending): Stats | undefined {
    const isHeld = node === this.#top && !this.#isNamed;
    const stat = this.#isNamed ? lookAt(node.systemPath) : statOf(this.#placeOf(node), isHeld);
    return stat?.isDirectory() === true ? stat : undefined;
  }

  /** What is remembered, when the folder's stamp and the rules are those of then. */
  #known(pending: Pending, stat: Stats): KnownFolder | undefined {
    const { record } = pending.node;
    if (record === undefined || stat.dev !== this.#device || !isSameStamp(record.stamp, stat)) return undefined;
    const scopes = this.#scopesIn(pending, record.judged.marks);
    const isSame = scopes.git === record.scopes.git && scopes.qwen === record.scopes.qwen;
    return isSame ? record : undefined;
  }

  #readAny(pending: Pending, seen: Seen): KnownFolder | undefined | Promise<KnownFolder | undefined> {
    return seen.stat.size > HUGE_FOLDER_BYTES ? this.#readHuge(pending, seen) : this.#read(pending, seen);
  }

  /** Undefined when it cannot be read. */
  #read(pending: Pending, seen: Seen): KnownFolder | undefined {
    let listing: Listing;
    try {
      listing = readFolder(this.#placeOf(pending.node));
    } catch {
      return undefined;
    }
    const scopes = this.#scopesIn(pending, listing.marks);
    const judged = judge(listing, scopes);
    const { node } = pending;
    this.#memory.keepOnly(node, judged.folders);
    const below =
      judged.folders.length === 0
        ? NOTHING_BELOW
        : judged.folders.map((name) => ({ node: node.child(name), above: scopesBelow(scopes, name) }));
    return this.#learn(node, seen, { scopes, judged, below });
  }

  async #readHuge(pending: Pending, seen: Seen): Promise<KnownFolder | undefined> {
    let listing: Listing;
    try {
      listing = await readHugeFolder(this.#placeOf(pending.node), this.#pause);
    } catch {
      this.#options.signal.throwIfAborted();
      return undefined;
    }
    const scopes = this.#scopesIn(pending, listing.marks);
    const judged = await judgeInPieces(listing, scopes, this.#pause);
    const { node } = pending;
    this.#memory.keepOnly(node, judged.folders);
    const below: Pending[] = [];
    for (const name of judged.folders) {
      below.push({ node: node.child(name), above: scopesBelow(scopes, name) });
      if (this.#pause.isDue()) await this.#pause.take();
    }
    return this.#learn(node, seen, { scopes, judged, below });
  }

  #learn(node: TreeNode, { stat, before }: Seen, known: KnownFolder): KnownFolder {
    const { dev, ino, ctimeMs, mtimeMs } = stat;
    if (dev !== this.#device || !provesChanges(stat, before)) this.#memory.forget(node);
    else {
      this.#memory.remember(node, { stamp: { dev, ino, ctimeMs, mtimeMs }, ...known }, this.#maxEntries);
      this.#fresh.push(node);
    }
    return known;
  }

  /** The rules for the folder's own entries. */
  #scopesIn({ node, above }: Pending, marks: ListingMarks): FolderScopes {
    const usesGit = this.#options.respectGitIgnore !== false && (marks.gitIgnore || marks.git);
    if (this.#root === undefined || (!usesGit && !marks.qwenIgnore)) return above;
    const readFrom = this.#placeOf(node);
    const path = this.#isNamed ? node.path || sep : readFrom;
    const inFolder = (scope: FolderScopes['git'], kind: IgnoreKind, file: boolean): FolderScopes['git'] =>
      scopeInFolder(scope, { path, readFrom, has: { file, git: marks.git } }, this.#sources(kind));
    return {
      git: usesGit ? inFolder(above.git, GIT_IGNORE, marks.gitIgnore) : above.git,
      qwen: inFolder(above.qwen, QWEN_IGNORE, marks.qwenIgnore),
    };
  }

  /** Counts a folder's entries and queues its folders. */
  #enter({ node }: Pending, { judged, below }: KnownFolder, queue: Pending[]): WalkedFolder {
    const { enter } = this.#options;
    const counts = this.#counts;
    counts.files += judged.files.length;
    counts.links += judged.links.length;
    counts.special += judged.special;
    counts.qwenIgnored += judged.qwenIgnored;
    counts.gitIgnored += judged.gitIgnored.length;
    const start = this.#start;
    if (enter === undefined) for (const one of below) queue.push(one);
    else for (const one of below) if (enter(one.node.relativePath(start))) queue.push(one);
    if (hidesSomething(judged)) this.#tellHidden(node.relativePath(start), judged);
    return node.walked(start, judged);
  }

  #tellHidden(folder: string, judged: Judged): void {
    const { enter, onGitIgnored } = this.#options;
    const counts = this.#counts;
    const prefix = folder === '' ? '' : `${folder}/`;
    const isMeant = (name: string): boolean => enter?.(prefix + name) !== false;
    if (onGitIgnored !== undefined) for (const name of judged.gitIgnored) onGitIgnored(prefix + name, false);
    for (const name of judged.qwenIgnoredFolders) if (isMeant(name)) counts.qwenIgnored += 1;
    for (const name of judged.gitIgnoredFolders) {
      if (!isMeant(name)) continue;
      counts.gitIgnored += 1;
      onGitIgnored?.(prefix + name, true);
    }
  }

  #fail({ node }: Pending): void {
    this.#counts.unreadableFolders += 1;
    this.#memory.forget(node);
    this.#memory.keepOnly(node, []);
  }

  /** Where to read a folder: through the held one. */
  #placeOf(node: TreeNode): string {
    return pathBelow(this.#readFrom, node.relativePath(this.#start));
  }
}

function hidesSomething({ gitIgnored, gitIgnoredFolders, qwenIgnoredFolders }: Judged): boolean {
  return gitIgnored.length + gitIgnoredFolders.length + qwenIgnoredFolders.length > 0;
}

function scopesBelow(scopes: FolderScopes, name: string): FolderScopes {
  const git = scopes.git.below(name);
  const qwen = scopes.qwen.below(name);
  return git === scopes.git && qwen === scopes.qwen ? scopes : { git, qwen };
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
}

function pathBelow(folder: string, relativePath: string): string {
  if (relativePath === '') return folder;
  const below = sep === '/' ? relativePath : relativePath.replaceAll('/', sep);
  return folder.endsWith(sep) ? folder + below : folder + sep + below;
}
