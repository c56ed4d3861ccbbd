import { createHash, hash as digest } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { Failure, systemErrorCode } from '../util/failure.js';
import type { ContentPacks } from './content-packs.js';
import { isSettled, stampOfStats, type FileStamp, type KnownFile } from './manifest.js';
import { SLICE_MS } from './stat-workspace.js';

/** A file that has to be read, because it is new or may have another content than is known. */
export interface StaleFile {
  readonly path: string;
  readonly stamp: FileStamp;
  /** Ms since 1970; where the file system does not keep it, the change time. */
  readonly birthtimeMs: number;
  readonly known: KnownFile | undefined;
}

/** Only what is needed of `Stats`, which is ten times as large. */
export function staleFile(path: string, stat: Stats, known: KnownFile | undefined): StaleFile {
  return { path, stamp: stampOfStats(stat), birthtimeMs: stat.birthtimeMs, known };
}

export interface CaptureRequest {
  readonly gate: WorkspaceGate;
  readonly packs: ContentPacks;
  /** `performance.now()` after which no more is read. */
  readonly deadline: number;
  /** Larger files are not kept. */
  readonly maxKeptFileBytes: number;
  /** Larger files are not even hashed. */
  readonly maxHashedFileBytes: number;
  /** How much may still be kept. */
  readonly roomBytes: number;
}

/** Room for one file: read whole, then hashed and kept. */
const FIRST_BUFFER_BYTES = 64 * 1024;
const SMALL_FILE_BYTES = 1024 * 1024;

/**
 * Reads, hashes and keeps files, each through its held folder and without following a link: what is read is a
 * regular file of that folder and nothing else. A file that could not be read, or not in time, has no hash.
 */
export async function captureFiles(
  stale: readonly StaleFile[],
  request: CaptureRequest,
): Promise<Map<string, KnownFile>> {
  const captured = new Map<string, KnownFile>();
  const reader = new Reader(request);
  const isSmall = ({ stamp }: StaleFile): boolean => stamp.size <= SMALL_FILE_BYTES;
  // Should the time not suffice, many small files are worth more than a few large ones.
  const groups = [...byFolder(stale.filter(isSmall)), ...byFolder(stale.filter((file) => !isSmall(file)))];
  for (const [folder, files] of groups) {
    await inFolder(request.gate, folder, async (at) => {
      for (const file of files) captured.set(file.path, await reader.capture(file, at));
    });
    for (const { path, stamp } of files) {
      if (!captured.has(path)) captured.set(path, { ...stamp, settled: false });
    }
  }
  request.packs.flush();
  for (const [path, file] of captured) {
    if (file.place !== undefined && !request.packs.holds(file.place)) captured.set(path, { ...file, place: undefined });
  }
  return captured;
}

/** Which of the paths have no file any more; for those that have one, or of which it cannot be said, what is there. */
export async function findMissing(
  paths: readonly string[],
  gate: WorkspaceGate,
  deadline: number,
): Promise<{ readonly missing: string[]; readonly present: Map<string, Stats>; readonly unknown: string[] }> {
  const missing: string[] = [];
  const unknown: string[] = [];
  const present = new Map<string, Stats>();
  const groups = byFolder(paths.map((path) => ({ path })));
  for (const [folder, files] of groups) {
    if (performance.now() > deadline) {
      for (const { path } of files) unknown.push(path);
      continue;
    }
    const answer = await inFolder(gate, folder, async (at) => {
      for (const { path } of files) {
        const stat = lstatSync(at + sep + basename(path), { throwIfNoEntry: false });
        if (stat?.isFile() === true) present.set(path, stat);
        else missing.push(path);
      }
    });
    if (answer === 'done') continue;
    for (const { path } of files) (answer === 'gone' ? missing : unknown).push(path);
  }
  return { missing, present, unknown };
}

class Reader {
  readonly #request: CaptureRequest;
  #buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);
  #sliceEnd = performance.now() + SLICE_MS;
  #room: number;

  constructor(request: CaptureRequest) {
    this.#request = request;
    this.#room = request.roomBytes;
  }

  async capture({ path, stamp, known }: StaleFile, folder: string): Promise<KnownFile> {
    const now = performance.now();
    if (now > this.#sliceEnd) {
      await nextTurn();
      this.#sliceEnd = performance.now() + SLICE_MS;
    }
    const { deadline, maxHashedFileBytes, maxKeptFileBytes } = this.#request;
    const unread: KnownFile = { ...stamp, settled: false };
    if (now > deadline || stamp.size > maxHashedFileBytes) return unread;
    let file: number | undefined;
    try {
      // O_NONBLOCK: should it be a FIFO by now, opening must not wait for a writer.
      file = openSync(folder + sep + basename(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const opened = fstatSync(file);
      if (!opened.isFile()) return unread;
      // Without the content of before, the hash of a changed file is of no use.
      if (opened.size > maxKeptFileBytes) return known === undefined ? await this.#hashLarge(file, opened) : unread;
      return this.#readSmall(file, opened, known);
    } catch {
      return unread;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  #readSmall(file: number, stat: Stats, known: KnownFile | undefined): KnownFile {
    const stamp = stampOfStats(stat);
    const settled = isSettled(stamp, Date.now());
    const bytes = this.#read(file, stat.size);
    const hash = digest('sha256', bytes, 'hex');
    // It is being written: what was read is a state that it never rested in.
    if (bytes.length !== stat.size) return { ...stamp, hash, bytes: bytes.length, settled: false };
    const kept = known?.hash === hash ? known.place : undefined;
    if (kept !== undefined) return { ...stamp, hash, bytes: bytes.length, place: kept, settled };
    if (bytes.length > this.#room) return { ...stamp, hash, bytes: bytes.length, settled };
    this.#room -= bytes.length;
    return { ...stamp, hash, bytes: bytes.length, place: this.#request.packs.append(bytes), settled };
  }

  /** All of a file of about `size` bytes, in the one buffer. */
  #read(file: number, size: number): Buffer {
    if (this.#buffer.length <= size) this.#buffer = Buffer.allocUnsafe(size + 1);
    let length = 0;
    while (length < this.#buffer.length) {
      const count = readSync(file, this.#buffer, length, this.#buffer.length - length, length);
      if (count === 0) break;
      length += count;
    }
    return this.#buffer.subarray(0, length);
  }

  /** Piece by piece, others getting their turn; no hash when the time is over before its end. */
  async #hashLarge(file: number, stat: Stats): Promise<KnownFile> {
    const stamp = stampOfStats(stat);
    const settled = isSettled(stamp, Date.now());
    const sum = createHash('sha256');
    const chunk = Buffer.allocUnsafe(1024 * 1024);
    for (let position = 0; ;) {
      const count = readSync(file, chunk, 0, chunk.length, position);
      if (count === 0) return { ...stamp, hash: sum.digest('hex'), bytes: position, settled };
      sum.update(chunk.subarray(0, count));
      position += count;
      if (performance.now() > this.#request.deadline) return { ...stamp, settled: false };
      await nextTurn();
    }
  }
}

/** In the order of their first file. */
function byFolder<T extends { readonly path: string }>(files: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const file of files) {
    const folder = dirname(file.path);
    const group = groups.get(folder);
    if (group === undefined) groups.set(folder, [file]);
    else group.push(file);
  }
  return groups;
}

/** `gone`: there is no such folder in the workspace any more; `failed`: it cannot be said. */
async function inFolder(
  gate: WorkspaceGate,
  folder: string,
  use: (at: string) => Promise<void>,
): Promise<'done' | 'gone' | 'failed'> {
  try {
    await gate.withFolder(folder, async ({ workingDirectory }) => use(workingDirectory), { expected: folder });
    return 'done';
  } catch (thrown) {
    const code = thrown instanceof Failure ? thrown.code : systemErrorCode(thrown);
    // A link in place of the folder leads elsewhere: what lay in it is not there any more.
    const isGone = ['file_not_found', 'path_is_not_a_directory', 'file_changed', 'path_not_in_workspace'];
    return code !== undefined && isGone.includes(code) ? 'gone' : 'failed';
  }
}
