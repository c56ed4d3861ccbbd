import type { Dirent, Stats } from 'node:fs';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { constants, open, readdir, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Failure } from '../util/failure.js';
import { realPath } from '../util/real-path.js';
import { judgeInPlace } from './files-in-place.js';
import type { IgnoreRules } from './ignore-rules.js';
import { AttributeCopier } from './keep-attributes.js';
import { pathRefusals } from './path-refusals.js';
import { checkPathText } from './path-text.js';
import { asWalkRoot, rootOf, toWalkRoot, walkPath, type Walked, type WalkRoot } from './path-walk.js';
import { otherNames, type Pin, type Pinner, pinners, systemPinner } from './pin.js';
import { systemFailure } from './system-failure.js';
import { removeFolderIfEmpty } from './target-steps.js';
import { createWriteHandle, type WriteHandle } from './write-handle.js';
import type { FileKind, Refusal, Resolved } from './workspace-types.js';

export type { WriteHandle } from './write-handle.js';

export interface GateOptions {
  /** Existing folders, absolute. */
  readonly roots: readonly string[];
  /** The project's own temp folder (K15), existing and absolute: inside the gate, outside the ignore rules. */
  readonly tempDir: string;
  /** `.qwenignore` */
  readonly ignore: IgnoreRules;
  /** What these name is not read, whoever asks; its name may be known, and new files may be written there. Absent: all is read. */
  readonly unread?: IgnoreRules | undefined;
  /**
   * Single files elsewhere, absolute, that may be touched too, they alone: `outside` of the workspace. Their folders exist.
   */
  readonly alsoFiles?: readonly string[];
  /** Folders elsewhere, canonical, that may be read with all below, and nothing else: zone `skill`. Asked anew for each path. */
  readonly alsoFolders?: () => readonly string[];
  /** How objects are held; the strongest way of this system by default. */
  readonly pinner?: Pinner;
}

/** O_NONBLOCK: should it be a FIFO after all, opening must not wait for a writer. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

const SMALL_FILE_BYTES = 64 * 1024;

/**
 * Enough to say where a path leads: what holds nothing is out of date as soon as it is said, however it was found out,
 * and costs a third. What is held later is walked to anew, and must lead to the same place.
 */
const LOOKER: Pinner = pinners.comparing;

/** What the caller knows of a path. */
export interface Expectation {
  /** The canonical path that was judged; anything else is refused with `file_changed`. */
  readonly expected?: string | undefined;
}

/** A regular file, held: what is read is what was judged. */
export interface ReadHandle {
  readonly resolved: Resolved;
  readonly stat: Stats;
  /**
   * All bytes of a small file, at once; undefined when it is empty or larger than that, or changes its size meanwhile:
   * then `open` it. @throws Failure as `open` does
   */
  readSmall(): Buffer | undefined;
  /** The caller closes it. */
  open(): Promise<FileHandle>;
}

/** A folder, held. `workingDirectory` may be given to a child process as its cwd. */
export interface FolderHandle {
  readonly resolved: Resolved;
  readonly workingDirectory: string;
  list(): Promise<Dirent[]>;
}

/**
 * The one place that decides which paths may be touched (S60–S67, design section 1.4) and the only maker of
 * handles. It judges a path and holds what it judged, so a link swapped in afterwards changes nothing.
 */
export class WorkspaceGate {
  /** Canonical. */
  readonly roots: readonly string[];
  readonly tempDir: string;
  readonly #walkRoots: readonly WalkRoot[];
  readonly #alsoRoots: readonly WalkRoot[];
  /** Canonical. */
  readonly #alsoFiles: ReadonlySet<string>;
  readonly #alsoFolders: () => readonly string[];
  readonly #ignore: IgnoreRules;
  readonly #unread: IgnoreRules | undefined;
  readonly #pinner: Pinner;
  readonly #attributes = new AttributeCopier();

  constructor(options: GateOptions) {
    const roots = options.roots.map(toWalkRoot);
    const temp = toWalkRoot(options.tempDir);
    this.roots = roots.map((root) => root.path);
    this.tempDir = temp.path;
    this.#walkRoots = [...roots, temp];
    const also = (options.alsoFiles ?? []).map(realPath);
    this.#alsoFiles = new Set(also);
    this.#alsoRoots = [...(options.alsoFiles ?? []), ...also].map((file) => toWalkRoot(dirname(file)));
    this.#alsoFolders = options.alsoFolders ?? (() => []);
    this.#ignore = options.ignore;
    this.#unread = options.unread;
    this.#pinner = options.pinner ?? systemPinner();
  }

  /** True when the path, every link followed, lies in a root or in the temp folder. Missing paths count by where they would be. */
  contains(path: string): boolean {
    if (checkPathText(path) !== null) return false;
    try {
      const walked = walkPath(path, this.#walkRoots, this.#pinner);
      if (walked === null) return false;
      closeAll(walked);
      return true;
    } catch {
      return false;
    }
  }

  /** Absolute → within the workspace → not ignored, in this order (S63); null when the path may be touched. */
  check(path: string): Refusal | null {
    const walked = this.#look(path);
    if (isRefusal(walked)) return walked;
    closeAll(walked);
    return null;
  }

  /** False: `checkRead` refuses more than `check`. */
  get readsAll(): boolean {
    return this.#unread === undefined;
  }

  /** `check`, for what would show or use the content of a file, or of a folder's files. */
  checkRead(path: string): Refusal | null {
    const walked = this.#look(path);
    if (isRefusal(walked)) return walked;
    closeAll(walked);
    return this.#refuseUnread(path, walked);
  }

  /** @throws Failure with the code and the message of `check`, or of `checkRead` where it is `toRead` */
  resolve(path: string, { toRead = false } = {}): Resolved {
    const walked = admitted(this.#look(path));
    closeAll(walked);
    const refusal = toRead ? this.#refuseUnread(path, walked) : null;
    if (refusal !== null) throw refused(refusal);
    return this.#describe(path, walked);
  }

  /**
   * Of canonical paths of files those that may be read and are there: what `resolve` would say of each, `toRead`, for many at one moment. One that is
   * missing in the answer may be fine all the same, where that takes a closer look.
   */
  filesInPlace(paths: readonly string[]): ReadonlySet<string> {
    const rules = this.#unread === undefined ? [this.#ignore] : [this.#ignore, this.#unread];
    const isInPlace = judgeInPlace((folder) => {
      const root = rootOf(folder, this.#walkRoots);
      return root && (root.path === this.tempDir ? [] : rules);
    });
    return new Set(paths.filter((path) => checkPathText(path) === null && isInPlace(path)));
  }

  /** Holds a regular file that may be read while `use` runs. @throws Failure also `file_not_found`, `target_is_directory`, `not_a_regular_file` */
  async withFile<T>(path: string, use: (handle: ReadHandle) => Promise<T>, known: Expectation = {}): Promise<T> {
    return this.#holding(path, known, async (walked, resolved) => {
      const { object } = walked;
      if (object === undefined) throw new Failure('file_not_found', `File not found: ${path}`);
      const refusal = this.#refuseUnread(path, walked);
      if (refusal !== null) throw refused(refusal);
      refuseUnlessFile(object, path);
      return use({
        resolved,
        stat: object.stat,
        readSmall: () => this.#readSmall(object, resolved.path),
        open: () => this.#openFile(object, resolved.path),
      });
    });
  }

  /** Holds a folder while `use` runs. @throws Failure also `file_not_found`, `path_is_not_a_directory` */
  async withFolder<T>(path: string, use: (handle: FolderHandle) => Promise<T>, known: Expectation = {}): Promise<T> {
    return this.#holding(path, known, async ({ object }, resolved) => {
      if (object === undefined) throw new Failure('file_not_found', `Folder not found: ${path}`);
      if (!object.stat.isDirectory()) throw new Failure('path_is_not_a_directory', `Path is not a folder: ${path}`);
      const list = async (): Promise<Dirent[]> => {
        try {
          return await readdir(object.at, { withFileTypes: true });
        } catch (thrown) {
          throw systemFailure(thrown, `Cannot list ${path}`);
        }
      };
      return use({ resolved, workingDirectory: object.at, list });
    });
  }

  /**
   * Holds the place of a file, existing or not, while `use` runs. A link is written through to its target.
   * @throws Failure also `target_is_directory`, `not_a_regular_file`
   */
  async withTarget<T>(path: string, use: (handle: WriteHandle) => Promise<T>, known: Expectation = {}): Promise<T> {
    return this.#holding(path, known, async (walked, resolved) => {
      refuseReadOnly(resolved);
      if (walked.object !== undefined) refuseUnlessFile(walked.object, path);
      else if (walked.asksForFolder) {
        const advice = 'Leave out the slash at the end to write a file of that name.';
        throw new Failure('target_is_directory', `Path is that of a folder, not of a file: ${path}. ${advice}`);
      }
      const { handle, close } = createWriteHandle({
        walked,
        resolved,
        pinner: this.#pinner,
        attributes: this.#attributes,
      });
      try {
        return await use(handle);
      } finally {
        close();
      }
    });
  }

  /** Removes a folder if nothing lies in it; false when it is not there, or is no empty folder. @throws Failure of `check` */
  async removeEmptyFolder(path: string, known: Expectation = {}): Promise<boolean> {
    return this.#holding(path, known, async (walked, resolved) => {
      refuseReadOnly(resolved);
      return removeFolderIfEmpty(walked);
    });
  }

  async #holding<T>(
    path: string,
    { expected }: Expectation,
    use: (walked: Walked, resolved: Resolved) => Promise<T>,
  ): Promise<T> {
    const walked = admitted(this.#walk(path, this.#pinner));
    try {
      if (expected !== undefined && expected !== walked.path) {
        throw new Failure(
          'file_changed',
          `The path leads elsewhere than when it was judged: ${path}. Try the call again.`,
        );
      }
      return await use(walked, this.#describe(path, walked));
    } finally {
      closeAll(walked);
    }
  }

  /**
   * Blocks, as the walk to the file does: what is read takes some microseconds, while to wait for it four times over
   * (open, look, read, close) takes longer than all the rest of a call.
   */
  #readSmall(object: Pin, path: string): Buffer | undefined {
    const { size } = object.stat;
    // What the kernel makes up as it is read looks empty, and may hold up its reader.
    if (size === 0 || size > SMALL_FILE_BYTES) return undefined;
    try {
      const file = openSync(object.at, OPEN_FLAGS);
      try {
        this.#pinner.verify(object, fstatSync(file), path);
        const buffer = Buffer.allocUnsafe(size + 1);
        // The one byte more that is asked for tells that the file ends there.
        return readSync(file, buffer, 0, size + 1, 0) === size ? buffer.subarray(0, size) : undefined;
      } finally {
        closeSync(file);
      }
    } catch (thrown) {
      throw systemFailure(thrown, `Cannot read ${path}`);
    }
  }

  async #openFile(object: Pin, path: string): Promise<FileHandle> {
    try {
      const file = await open(object.at, OPEN_FLAGS);
      try {
        this.#pinner.verify(object, await file.stat(), path);
      } catch (thrown) {
        await file.close();
        throw thrown;
      }
      return file;
    } catch (thrown) {
      throw systemFailure(thrown, `Cannot read ${path}`);
    }
  }

  /** A no is said by a walk that holds, which knows more about why. */
  #look(path: string): Walked | Refusal {
    const walked = this.#walk(path, LOOKER);
    return isRefusal(walked) ? this.#walk(path, this.#pinner) : walked;
  }

  #describe(requested: string, { root, path, object }: Walked): Resolved {
    const inside = this.#walkRoots.includes(root) ? 'workspace' : 'skill';
    const zone = root.path === this.tempDir ? 'temp' : this.#alsoRoots.includes(root) ? 'outside' : inside;
    return { requested, path, zone, kind: kindOf(object), ...otherNames(object) };
  }

  /** Null but for one of the files that are named one by one. */
  #walkToFile(path: string, pinner: Pinner): Walked | null {
    if (this.#alsoRoots.length === 0) return null;
    const walked = walkPath(path, this.#alsoRoots, pinner);
    if (walked === null || this.#alsoFiles.has(walked.path)) return walked;
    closeAll(walked);
    return null;
  }

  #walkToFolder(path: string, pinner: Pinner): Walked | null {
    const folders = this.#alsoFolders();
    return folders.length === 0 ? null : walkPath(path, folders.map(asWalkRoot), pinner);
  }

  #walk(path: string, pinner: Pinner): Walked | Refusal {
    const problem = checkPathText(path);
    if (problem !== null) return problem.code === 'path_not_absolute' ? this.#refuseRelative(path, problem) : problem;
    let walked: Walked | null;
    try {
      walked =
        walkPath(path, this.#walkRoots, pinner) ?? this.#walkToFile(path, pinner) ?? this.#walkToFolder(path, pinner);
    } catch (thrown) {
      const failure = systemFailure(thrown, `Cannot follow ${path}`);
      return { code: failure.code, message: failure.message };
    }
    if (walked === null) return pathRefusals.notInWorkspace(path, this.roots);
    if (this.#isNamedBy(this.#ignore, walked)) {
      closeAll(walked);
      return pathRefusals.ignored(path, this.#ignore.kind.fileName);
    }
    return walked;
  }

  #isNamedBy(rules: IgnoreRules, { root, path, object }: Walked): boolean {
    return root.path !== this.tempDir && rules.keepsOff(path, object?.stat.isDirectory() === true);
  }

  #refuseUnread(path: string, walked: Walked): Refusal | null {
    if (this.#unread === undefined || !this.#isNamedBy(this.#unread, walked)) return null;
    return pathRefusals.unread(path);
  }

  /** Says what the path is in the workspace: where there is such a thing, else where it would be made. */
  #refuseRelative(path: string, problem: Refusal): Refusal {
    const places = this.roots.flatMap((root) => {
      const walked = this.#walk(resolve(root, path), LOOKER);
      if (isRefusal(walked)) return [];
      closeAll(walked);
      return [{ path: resolve(root, path), isThere: walked.object !== undefined }];
    });
    const meant = places.find(({ isThere }) => isThere) ?? places[0];
    return pathRefusals.notAbsolute(problem, this.roots[0] ?? '', meant?.path);
  }
}

/** @throws Failure as for a path outside */
function refuseReadOnly({ zone, requested }: Resolved): void {
  if (zone !== 'skill') return;
  throw new Failure(
    'path_not_in_workspace',
    `Path must be within workspace: ${requested}. The folder of a skill may be read only.`,
  );
}

function admitted(walked: Walked | Refusal): Walked {
  if (isRefusal(walked)) throw refused(walked);
  return walked;
}

function refused({ code, message }: Refusal): Failure {
  return new Failure(code, message);
}

function kindOf(object: Pin | undefined): FileKind {
  if (object === undefined) return 'missing';
  if (object.stat.isFile()) return 'file';
  return object.stat.isDirectory() ? 'directory' : 'special';
}

function refuseUnlessFile(object: Pin, path: string): void {
  if (object.stat.isFile()) return;
  if (object.stat.isDirectory()) throw refused(pathRefusals.isFolder(path));
  throw new Failure('not_a_regular_file', `Not a regular file but a ${specialName(object.stat)}: ${path}`);
}

function specialName(stat: Stats): string {
  if (stat.isFIFO()) return 'FIFO';
  if (stat.isSocket()) return 'socket';
  return stat.isCharacterDevice() || stat.isBlockDevice() ? 'device' : 'special file';
}

function closeAll(walked: Walked): void {
  walked.parent.close();
  if (walked.object !== undefined && walked.object !== walked.parent) walked.object.close();
}

function isRefusal(value: Walked | Refusal): value is Refusal {
  return 'message' in value;
}
