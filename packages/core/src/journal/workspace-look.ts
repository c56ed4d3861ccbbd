import { lstatSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GitUser } from '../files/ignore-settings.js';
import { GIT_IGNORE, QWEN_IGNORE } from '../files/ignore-stack.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { captureFiles, findMissing, staleFile, type StaleFile } from './capture-files.js';
import { ContentPacks } from './content-packs.js';
import { isKeptKnown, ManifestFile, parseLine, printKnown } from './manifest-file.js';
import { isSameContent, isSameStamp, type Finding, type KnownFile } from './manifest.js';
import { gitStamp, statWorkspace, type StatWalk } from './stat-workspace.js';

/** How much work a look may be, and how much is kept. */
export interface WatchLimits {
  /** Files and links that are looked at; what lies beyond is not watched. */
  readonly files: number;
  /** Larger files are watched, but their content is not kept. */
  readonly keptFileBytes: number;
  /** Larger files have no hash, so that their change cannot be written down. */
  readonly hashedFileBytes: number;
  /** Kept of all files together. */
  readonly keptBytes: number;
  /** For the look before a command; what is not read by then is read the next time. */
  readonly beforeMs: number;
  /** For the look after it, which also a cancelled call waits for. */
  readonly afterMs: number;
  /** For writing down what was found; what is not kept by then cannot be undone. */
  readonly keepMs: number;
}

export const WATCH_LIMITS: WatchLimits = {
  files: 100_000,
  keptFileBytes: 8 * 1024 * 1024,
  hashedFileBytes: 64 * 1024 * 1024,
  keptBytes: 256 * 1024 * 1024,
  beforeMs: 2000,
  afterMs: 1500,
  keepMs: 10_000,
};

/** What is another than at the look before this one. */
export interface Look {
  readonly findings: readonly Finding[];
  /** Links that came, went or lead elsewhere; canonical paths. */
  readonly links: readonly string[];
  /** What came, went or changed whose name is no UTF-8; paths with `\ufffd`. */
  readonly unnamable: readonly string[];
  /** Folders that came, outermost first. */
  readonly madeFolders: readonly string[];
  /** Git's own state is another. */
  readonly gitMoved: boolean;
  readonly stopped: StatWalk['stopped'];
  /** Files that cannot be looked at any more, or that were there before but hidden. */
  readonly unclear: number;
}

/** Lines of `unsure`. */
const MAX_UNSURE = 10_000;
/** Files compared before others get their turn. */
const SLICE_FILES = 5000;
/** How far the times of files may be behind the clock of this process: at most a tick of the kernel. */
const CLOCK_SLACK_MS = 15;

export interface WorkspaceStateOptions {
  readonly gate: WorkspaceGate;
  /** Absolute, made when it is first needed. */
  readonly folder: string;
  /** Canonical folders that are no part of the work. */
  readonly skip: readonly string[];
  readonly limits: WatchLimits;
  /** Whose configuration of git counts beside that of repositories. */
  readonly gitUser?: GitUser | undefined;
}

/**
 * The files of the workspace as they were last looked at, with their contents as far as they are kept. What is
 * known outlives the process: `folder` holds it. One look at a time.
 */
export class WorkspaceState {
  readonly packs: ContentPacks;
  readonly #gate: WorkspaceGate;
  readonly #gitUser: GitUser | undefined;
  readonly #limits: WatchLimits;
  readonly #skip: ReadonlySet<string>;
  readonly #index: ManifestFile;
  readonly #learned: (readonly [string, KnownFile | undefined])[] = [];
  #files: Map<string, KnownFile> | undefined;
  #last: { readonly walk: StatWalk; readonly time: number; readonly git: string } | undefined;

  constructor(options: WorkspaceStateOptions) {
    this.#gate = options.gate;
    this.#gitUser = options.gitUser;
    this.#limits = options.limits;
    this.#skip = new Set([...options.skip, options.folder]);
    this.packs = new ContentPacks(options.folder);
    this.#index = new ManifestFile(join(options.folder, 'manifest.jsonl'));
  }

  /** `before` a command everything is read that is not known; after it only what may have changed. */
  async look(when: 'before' | 'after'): Promise<Look> {
    const begin = performance.now();
    const deadline = begin + (when === 'before' ? this.#limits.beforeMs : this.#limits.afterMs);
    const files = (this.#files ??= await this.#load());
    const last = this.#last;
    if (when === 'before') await this.#refreshPacks(files);
    const git = gitStamp(this.#gate.roots);
    const { walk, stale, unseen } = await this.#walk(files, when, deadline);
    const gone =
      unseen.length === 0
        ? { missing: [], present: new Map<string, Stats>(), unknown: [] }
        : await findMissing(unseen, this.#gate, deadline);
    for (const [path, stat] of gone.present) {
      const known = files.get(path);
      if (known !== undefined && !isSameStamp(known, stat)) stale.push(staleFile(path, stat, known));
    }
    await nextTurn();
    const captured = await this.#capture(stale, files, { when, deadline });
    await nextTurn();
    // At the first look there is nothing that it could be another than.
    const findings = last === undefined ? [] : await compared(stale, captured);
    if (last !== undefined) for (const path of gone.missing) findings.push({ path, before: files.get(path) });
    const hidden = last === undefined ? new Set<string>() : hiddenBefore(findings, stale, { ...last, files });
    const forgotten = [...gone.missing, ...gone.unknown];
    // What is hidden from now on is not watched any more.
    if (walk.stopped === undefined)
      for (const path of gone.present.keys()) if (!captured.has(path)) forgotten.push(path);
    for (const path of forgotten) files.delete(path);
    for (const [path, file] of captured) files.set(path, file);
    this.#last = { walk, git, time: Date.now() };
    for (const path of forgotten) this.#learned.push([path, undefined]);
    for (const entry of captured) this.#learned.push(entry);
    return {
      findings: findings.filter(({ path }) => !hidden.has(path)),
      links: last === undefined ? [] : differing(last.walk.links, walk.links),
      unnamable: last === undefined ? [] : differing(last.walk.unnamable, walk.unnamable),
      madeFolders: last === undefined || last.walk.stopped !== undefined ? [] : added(last.walk.folders, walk.folders),
      gitMoved: last !== undefined && last.git !== git,
      stopped: walk.stopped ?? last?.walk.stopped,
      unclear: gone.unknown.length + hidden.size,
    };
  }

  /**
   * Hands on what was learned to later processes. Call it when what was found is written down: should this process be
   * killed before, the next one finds the same again. Without it the next process reads the files anew.
   */
  async save(): Promise<void> {
    const learned = this.#learned.splice(0);
    if (this.#files !== undefined) await this.#index.save(learned, this.#files).catch(() => undefined);
  }

  /** What the manifest on the disk does not tell of the last look, as lines for `lookAfterRestart`; undefined: too much. */
  unsure(): readonly string[] | undefined {
    const lines: string[] = [];
    for (const [path, file] of this.#files ?? []) {
      if (isKeptKnown(file)) continue;
      if (lines.length >= MAX_UNSURE) return undefined;
      lines.push(printKnown(path, file) ?? JSON.stringify([path]));
    }
    return lines;
  }

  /** True when nothing shows that a file is another than at the last look; one that is not watched is taken for changed. */
  isAsKnown(path: string): boolean {
    const known = this.#files?.get(path);
    const stat = statQuietly(path);
    if (known === undefined || stat === undefined) return known === undefined && stat === undefined;
    return known.settled && isSameStamp(known, stat);
  }

  /**
   * The first look of this process, compared with the last one of another that is gone: what the manifest knows, and
   * what `unsure` adds to it. Of files whose content is not known, and without `unsure` of new ones, nothing can be told.
   */
  async lookAfterRestart(time: number, unsure: readonly string[] | undefined): Promise<Look> {
    const walk = { folders: new Set<string>(), links: new Map(), unnamable: new Map(), unreadableFolders: 1 };
    this.#last = { walk: { ...walk, stopped: undefined }, time, git: '' };
    const lines = (unsure ?? []).map(parseLine).filter((line) => line !== undefined);
    this.#files = await this.#load(lines);
    const look = await this.look('after');
    const isUnsure = new Set(lines.flatMap(([path, file]) => (file === undefined ? [path] : [])));
    const findings = look.findings.filter(
      ({ path, before }) => !isUnsure.has(path) && (before !== undefined || unsure !== undefined),
    );
    const unclear = look.unclear + look.findings.length - findings.length;
    return { ...look, findings, unclear, links: [], unnamable: [], madeFolders: [], gitMoved: false };
  }

  async #walk(
    files: ReadonlyMap<string, KnownFile>,
    when: 'before' | 'after',
    deadline: number,
  ): Promise<{ walk: StatWalk; stale: StaleFile[]; unseen: string[] }> {
    const stale: StaleFile[] = [];
    const room = this.#room(files);
    const seen = new Set<KnownFile>();
    const onFile = (path: string, stat: Stats): void => {
      const known = files.get(path);
      if (known !== undefined) seen.add(known);
      if (known === undefined || !isSameStamp(known, stat) || this.#isWorthReading(known, when, room))
        stale.push(staleFile(path, stat, known));
    };
    const [gate, skip, gitUser] = [this.#gate, this.#skip, this.#gitUser];
    const { files: maxFiles } = this.#limits;
    const walk = await statWorkspace({ gate, skip, gitUser, deadline, maxFiles, onFile });
    const unseen: string[] = [];
    if (seen.size < files.size) for (const [path, known] of files) if (!seen.has(known)) unseen.push(path);
    return { walk, stale, unseen };
  }

  /** The stamp is the same; may the content be another, or is it still to be kept? */
  #isWorthReading({ settled, hash, place, size }: KnownFile, when: 'before' | 'after', room: number): boolean {
    if (size > this.#limits.keptFileBytes) return false;
    if (when === 'after') return !settled && hash !== undefined;
    return place === undefined ? size <= room : !settled;
  }

  /** How many bytes may still be kept. */
  #room(files: ReadonlyMap<string, KnownFile>): number {
    let kept = 0;
    for (const { place } of files.values()) kept += place?.bytes ?? 0;
    return this.#limits.keptBytes - kept;
  }

  async #capture(
    stale: readonly StaleFile[],
    files: ReadonlyMap<string, KnownFile>,
    { when, deadline }: { readonly when: 'before' | 'after'; readonly deadline: number },
  ): Promise<Map<string, KnownFile>> {
    const { keptFileBytes, hashedFileBytes } = this.#limits;
    return captureFiles(stale, {
      gate: this.#gate,
      packs: this.packs,
      deadline,
      maxKeptFileBytes: keptFileBytes,
      // What is only hashed is of use when the command made it.
      maxHashedFileBytes: when === 'before' ? keptFileBytes : hashedFileBytes,
      roomBytes: this.#room(files),
    });
  }

  async #load(more: readonly (readonly [string, KnownFile | undefined])[] = []): Promise<Map<string, KnownFile>> {
    const files = await this.#index.load();
    // Written so shortly before it was read that only its content can tell whether it changed.
    for (const [path, file] of more) if (file !== undefined) files.set(path, { ...file, settled: false });
    await this.packs.removeForgotten(await this.packs.sound(files.values()));
    return files;
  }

  async #refreshPacks(files: Map<string, KnownFile>): Promise<void> {
    const sound = await this.packs.sound(files.values());
    for (const [path, file] of files) {
      if (file.place !== undefined && !sound.has(file.place.pack)) files.set(path, { ...file, place: undefined });
    }
  }
}

function statQuietly(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

async function compared(stale: readonly StaleFile[], captured: ReadonlyMap<string, KnownFile>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [index, { path, known }] of stale.entries()) {
    if (index % SLICE_FILES === SLICE_FILES - 1) await nextTurn();
    findings.push(...differingFile(path, known, captured.get(path)));
  }
  return findings;
}

/** None when nothing shows that the file changed; without both contents its stamp has to tell. */
function differingFile(path: string, before: KnownFile | undefined, after: KnownFile | undefined): Finding[] {
  if (before === undefined || after === undefined) return [{ path, before, after }];
  if (before.hash !== undefined && after.hash !== undefined)
    return isSameContent(before, after) ? [] : [{ path, before, after }];
  const isTouched =
    before.size !== after.size ||
    before.mtimeMs !== after.mtimeMs ||
    before.ino !== after.ino ||
    before.mode !== after.mode ||
    before.ctimeMs !== after.ctimeMs;
  return isTouched ? [{ path, before, after }] : [];
}

/**
 * Files that look new but were only hidden: the last look did not see all, or ignore rules changed since. Taken for
 * new, an undo would delete them. A file that is older than the last look was there, unless it was moved.
 */
function hiddenBefore(
  findings: readonly Finding[],
  stale: readonly StaleFile[],
  last: { readonly walk: StatWalk; readonly time: number; readonly files: ReadonlyMap<string, KnownFile> },
): Set<string> {
  const isIgnoreFile = ({ path }: Finding): boolean =>
    [GIT_IGNORE.fileName, QWEN_IGNORE.fileName].includes(basename(path));
  const isDoubtful = last.walk.stopped !== undefined || last.walk.unreadableFolders > 0 || findings.some(isIgnoreFile);
  const hidden = new Set<string>();
  if (!isDoubtful) return hidden;
  const inodes = new Set<number>();
  for (const { ino } of last.files.values()) inodes.add(ino);
  for (const { path, stamp, birthtimeMs, known } of stale) {
    const isOld = birthtimeMs < last.time - CLOCK_SLACK_MS;
    if (known === undefined && isOld && !inodes.has(stamp.ino)) hidden.add(path);
  }
  return hidden;
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

function added(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  return [...after].filter((path) => !before.has(path)).sort();
}
