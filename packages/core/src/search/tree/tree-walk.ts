import type { Stats } from 'node:fs';
import { relative, sep } from 'node:path';
import type { GitUser } from '../../files/ignore-settings.js';
import { innermostRoot } from '../../files/ignore-rules.js';
import { scopeAboveWalk, scopeInFolder, type IgnoreSources } from '../../files/ignore-scope.js';
import { GIT_IGNORE, QWEN_IGNORE, type IgnoreKind } from '../../files/ignore-stack.js';
import { hasTrueTimes, lookAt, provesChanges, statOf } from './folder-stamp.js';
import { judge, judgeInPieces, type FolderScopes, type Judged } from './judge-folder.js';
import { Pause } from './pause.js';
import { HUGE_FOLDER_BYTES, readFolder, readHugeFolder, type Listing, type ListingMarks } from './read-folder.js';
import type { TreeMemory } from './tree-memory.js';
import { NOTHING_HIDDEN, type HiddenEntries, type ShownEntries, type TreeNode } from './tree-node.js';
import { newWalkCounts, type WalkCounts, type WalkedFolder, type WalkOptions } from './walked-folder.js';
import { throwIfAborted } from '../../util/abort.js';
import { absoluteBelow, isBelow } from '../../util/paths-below.js';

/** Folders that are asked about between two looks at the clock: who is asked may take his time. */
const PIECE = 16;

/** A folder on the way. */
interface Pending {
  readonly node: TreeNode;
  /** What holds there from above. */
  readonly above: FolderScopes;
}

/** Folders on the way, in two lists: there are many. */
class Level {
  readonly #nodes: TreeNode[] = [];
  readonly #above: FolderScopes[] = [];

  add(node: TreeNode, above: FolderScopes): void {
    this.#nodes.push(node);
    this.#above.push(above);
  }

  get size(): number {
    return this.#nodes.length;
  }

  at(place: number): Pending | undefined {
    const node = this.#nodes[place];
    const above = this.#above[place];
    return node === undefined || above === undefined ? undefined : { node, above };
  }
}

/** What was found out about a folder before its entries are known. */
interface Seen {
  readonly stat: Stats;
  /** The moment before it was looked at, of `Date.now`. */
  readonly before: number;
}

interface JudgedBy {
  readonly judged: Judged;
  readonly scopes: FolderScopes;
}

export interface TreeWalkSettings {
  /** False keeps nothing. */
  readonly remembers: boolean;
  /** In place of that of the options. */
  readonly gitUser: GitUser | undefined;
}

/** One walk through a tree of which some folders may be known. `memory` belongs to the walked folder's root and choice of rules. */
export class TreeWalk {
  /** One by one: copies of objects have a new hidden class each time at first, and code that was compiled for one is thrown away at the next. */
  readonly #usesGitRules: boolean;
  readonly #gitUser: GitUser | undefined;
  readonly #signal: AbortSignal;
  readonly #enters: WalkOptions['enter'];
  readonly #onGitIgnored: WalkOptions['onGitIgnored'];
  readonly #memory: TreeMemory;
  readonly #counts: WalkCounts;
  readonly #pause: Pause;
  readonly #root: string | undefined;
  readonly #way: readonly string[];
  /** Workspace roots below the walked folder: they are entered by their own rules, whatever others say of them. */
  readonly #rootsBelow: ReadonlySet<string> | undefined;
  readonly #top: TreeNode;
  /** How much of a folder's path is that of the walked one, with its slash. */
  readonly #start: number;
  /** Folders are looked at by their name, twice as fast as through the held folder. */
  #isNamed = true;
  readonly #readFrom: string;
  /** Of the walked folder; undefined where nothing may be remembered. */
  #device: number | undefined;
  /** The walked folder, where its own file for git has no say. */
  #unheeded: TreeNode | undefined;
  /** The rules for the entries of the folder that was looked at last. */
  #judgedBy: FolderScopes | undefined;
  /** Folders learned since the walked folder was last seen to be the held one. */
  #fresh: TreeNode[] = [];

  constructor(options: WalkOptions, memory: TreeMemory, { remembers, gitUser }: TreeWalkSettings) {
    const { path, workingDirectory } = options.folder;
    this.#usesGitRules = options.respectGitIgnore !== false;
    this.#gitUser = gitUser;
    this.#signal = options.signal;
    this.#enters = options.enter;
    this.#onGitIgnored = options.onGitIgnored;
    this.#memory = memory;
    this.#counts = options.counts ?? newWalkCounts();
    this.#pause = new Pause(options.signal);
    this.#root = innermostRoot(path, options.roots);
    const way = this.#root === undefined ? '' : relative(this.#root, path);
    this.#way = way === '' ? [] : way.split(sep);
    const below = this.#root === undefined ? [] : options.roots.filter((root) => isBelow(root, path));
    this.#rootsBelow = below.length === 0 ? undefined : new Set(below);
    let top = memory.top;
    for (const name of this.#way) top = memory.child(top, name);
    this.#top = top;
    this.#start = top.path.length + 1;
    this.#readFrom = withoutSlash(workingDirectory);
    this.#device = remembers && hasTrueTimes(path) ? statOf(path)?.dev : undefined;
    if (this.#device !== undefined) memory.trustedDevices.add(this.#device);
  }

  async *run(): AsyncGenerator<readonly WalkedFolder[], void, undefined> {
    throwIfAborted(this.#signal);
    this.#checkHeld();
    let level = this.#first();
    let batch: WalkedFolder[] = [];
    while (level.size > 0) {
      const below = new Level();
      for (let place = 0; ; place += 1) {
        const pending = level.at(place);
        if (pending === undefined) break;
        const before = Date.now();
        const stat = this.#look(pending.node);
        // A promise only where it is needed: there are many folders.
        const known = stat && (this.#known(pending, stat) ?? this.#readAny(pending, { stat, before }));
        const found = known instanceof Promise ? await known : known;
        if (found === undefined) this.#fail(pending);
        else {
          batch.push(this.#tell(pending, found));
          const left = this.#queue(pending, below);
          if (left.length > 0) {
            this.#checkHeld();
            yield batch;
            batch = [];
            await this.#queueSlowly(left, below);
          }
        }
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
    throwIfAborted(this.#signal);
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

  #first(): Level {
    const level = new Level();
    level.add(this.#top, this.#aboveTop());
    for (const root of this.#rootsBelow ?? []) {
      const node = this.#nodeOfRoot(root);
      if (node !== undefined) level.add(node, this.#startAt(root, []).scopes);
    }
    return level;
  }

  #aboveTop(): FolderScopes {
    // Outside every root (the project's temp folder) nothing is ignored.
    if (this.#root === undefined) return this.#memory.empty;
    const { scopes, isHidden, skipsOwn } = this.#startAt(this.#root, this.#way);
    this.#counts.folderIsGitIgnored = isHidden;
    if (skipsOwn) this.#unheeded = this.#top;
    return scopes;
  }

  #startAt(root: string, way: readonly string[]): { scopes: FolderScopes; isHidden: boolean; skipsOwn: boolean } {
    const qwen = scopeAboveWalk(root, way, this.#sources(QWEN_IGNORE)).above;
    if (!this.#usesGitRules) return { scopes: { git: this.#memory.empty.git, qwen }, isHidden: false, skipsOwn: false };
    const { above: git, isHidden, skipsOwn } = scopeAboveWalk(root, way, this.#sources(GIT_IGNORE));
    return { scopes: { git, qwen }, isHidden, skipsOwn };
  }

  /** Undefined where it is not to be entered, or is no folder any more. */
  #nodeOfRoot(root: string): TreeNode | undefined {
    const names = root.slice(this.#start).split(sep);
    // From below: who looks at each root by itself wants to hear of nothing on the way to it.
    for (let count = names.length; count > 0; count--)
      if (this.#enters?.(names.slice(0, count).join('/')) === false) return undefined;
    let node = this.#top;
    for (const name of names) {
      node = this.#memory.child(node, name);
      if (this.#look(node) === undefined) return undefined;
    }
    return node;
  }

  #sources(kind: IgnoreKind): IgnoreSources {
    const { files, empty } = this.#memory;
    return { kind, files, empty: kind.isGit ? empty.git : empty.qwen, gitUser: this.#gitUser };
  }

  #look(node: TreeNode): Stats | undefined {
    const isHeld = node === this.#top && !this.#isNamed;
    const stat = this.#isNamed ? lookAt(node.systemPath) : statOf(this.#placeOf(node), isHeld);
    return stat?.isDirectory() === true ? stat : undefined;
  }

  /** What is remembered, when the folder's stamp and the rules are those of then. */
  #known(pending: Pending, stat: Stats): ShownEntries | undefined {
    if (stat.dev !== this.#device) return undefined;
    return this.#memory.known(pending.node, stat, (marks) => this.#scopesIn(pending, marks));
  }

  #readAny(pending: Pending, seen: Seen): ShownEntries | undefined | Promise<ShownEntries | undefined> {
    return seen.stat.size > HUGE_FOLDER_BYTES ? this.#readHuge(pending, seen) : this.#read(pending, seen);
  }

  /** Undefined when it cannot be read. */
  #read(pending: Pending, seen: Seen): ShownEntries | undefined {
    let listing: Listing;
    try {
      listing = readFolder(this.#placeOf(pending.node));
    } catch {
      return undefined;
    }
    const scopes = this.#scopesIn(pending, listing.marks);
    return this.#learn(pending.node, seen, { judged: judge(listing, scopes), scopes });
  }

  async #readHuge(pending: Pending, seen: Seen): Promise<ShownEntries | undefined> {
    let listing: Listing;
    try {
      listing = await readHugeFolder(this.#placeOf(pending.node), this.#pause);
    } catch {
      throwIfAborted(this.#signal);
      return undefined;
    }
    const scopes = this.#scopesIn(pending, listing.marks);
    return this.#learn(pending.node, seen, { judged: await judgeInPieces(listing, scopes, this.#pause), scopes });
  }

  #learn(node: TreeNode, { stat, before }: Seen, { judged, scopes }: JudgedBy): ShownEntries {
    this.#memory.enterOnly(node, judged.folders, scopes);
    const { files, links, isWhole, marks } = judged;
    const shown = { files, links, isWhole, hidden: hiddenOf(judged) };
    if (stat.dev === this.#device && provesChanges(stat, before)) {
      this.#memory.remember(node, shown, { marks, scopes, stamp: stat });
      this.#fresh.push(node);
    }
    return shown;
  }

  /** The rules for the folder's own entries. */
  #scopesIn({ node, above }: Pending, marks: ListingMarks): FolderScopes {
    const hasGitFile = marks.gitIgnore && node !== this.#unheeded;
    const usesGit = this.#usesGitRules && (hasGitFile || marks.git);
    if (this.#root === undefined || (!usesGit && !marks.qwenIgnore)) return (this.#judgedBy = above);
    const readFrom = this.#placeOf(node);
    const path = this.#isNamed ? node.path || sep : readFrom;
    const inFolder = (scope: FolderScopes['git'], kind: IgnoreKind, file: boolean): FolderScopes['git'] =>
      scopeInFolder(scope, { path, readFrom, has: { file, git: marks.git } }, this.#sources(kind));
    return (this.#judgedBy = {
      git: usesGit ? inFolder(above.git, GIT_IGNORE, hasGitFile) : above.git,
      qwen: inFolder(above.qwen, QWEN_IGNORE, marks.qwenIgnore),
    });
  }

  /** Counts a folder's entries. */
  #tell({ node }: Pending, shown: ShownEntries): WalkedFolder {
    this.#counts.files += shown.files.length;
    this.#counts.links += shown.links.length;
    if (shown.hidden !== NOTHING_HIDDEN) this.#tellHidden(node, shown.hidden);
    return node.walked(this.#start, shown);
  }

  /** Queues a folder's folders until a pause is due. @returns those that are left */
  #queue({ node }: Pending, queue: Level): readonly Pending[] {
    const { empty } = this.#memory;
    const { below = [] } = node;
    let asked = 0;
    for (const child of below) {
      if (this.#isEntered(child)) queue.add(child, child.above ?? empty);
      asked += 1;
      // In a pause another walk may come by, and tell them what holds by its rules.
      if (asked % PIECE === 1 && this.#pause.isDue())
        return below.slice(asked).map((other) => ({ node: other, above: other.above ?? empty }));
    }
    return [];
  }

  async #queueSlowly(left: readonly Pending[], queue: Level): Promise<void> {
    for (const { node, above } of left) {
      if (this.#pause.isDue()) await this.#pause.take();
      if (this.#isEntered(node)) queue.add(node, above);
    }
  }

  #isEntered(node: TreeNode): boolean {
    if (this.#rootsBelow?.has(node.path) === true) return false;
    const enters = this.#enters;
    return enters === undefined || enters(node.relativePath(this.#start));
  }

  #tellHidden(node: TreeNode, hidden: HiddenEntries): void {
    const folder = node.relativePath(this.#start);
    const onGitIgnored = this.#onGitIgnored;
    const counts = this.#counts;
    counts.special += hidden.special;
    counts.qwenIgnored += hidden.qwenIgnored;
    counts.gitIgnored += hidden.gitIgnored.length;
    if (hidden.gitIgnored.length + hidden.gitIgnoredFolders.length > 0) {
      counts.hasGitFiles ||= this.#judgedBy?.git.hasFiles === true;
      counts.hasGitExcludes ||= this.#judgedBy?.git.hasExcludes === true;
    }
    const prefix = folder === '' ? '' : `${folder}/`;
    const isMeant = (name: string): boolean =>
      this.#rootsBelow?.has(node.path + sep + name) !== true && this.#enters?.(prefix + name) !== false;
    if (onGitIgnored !== undefined) for (const name of hidden.gitIgnored) onGitIgnored(prefix + name, false);
    for (const name of hidden.qwenIgnoredFolders) if (isMeant(name)) counts.qwenIgnored += 1;
    for (const name of hidden.gitIgnoredFolders) {
      if (!isMeant(name)) continue;
      counts.gitIgnored += 1;
      onGitIgnored?.(prefix + name, true);
    }
  }

  #fail({ node }: Pending): void {
    this.#counts.unreadableFolders += 1;
    this.#memory.enterOnly(node, [], this.#memory.empty);
  }

  /** Where to read a folder: through the held one. */
  #placeOf(node: TreeNode): string {
    const below = node.relativePath(this.#start);
    return below === '' ? this.#readFrom : absoluteBelow(this.#readFrom, below);
  }
}

function hiddenOf(judged: Judged): HiddenEntries {
  const { gitIgnored, gitIgnoredFolders, qwenIgnored, qwenIgnoredFolders, special } = judged;
  const lists = gitIgnored.length + gitIgnoredFolders.length + qwenIgnoredFolders.length;
  if (lists + qwenIgnored + special === 0) return NOTHING_HIDDEN;
  return { gitIgnored, gitIgnoredFolders, qwenIgnored, qwenIgnoredFolders, special };
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
}
