import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
  type BigIntStats,
  type Stats,
} from 'node:fs';
import { copyFile, open, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { contentHash, hashOpenFile } from '../../files/write-handle.js';
import { Failure, systemErrorCode } from '../../util/failure.js';
import { absoluteBelow } from '../../util/paths-below.js';
import { belowLinks } from './below-link.js';
import type { BegunFile, BegunFiles } from './begun-files.js';
import type { ListedFiles } from './list-files.js';

/** Larger files are copied by the system, and what they began with is not kept for merging. */
const LARGE_BYTES = 4 * 1024 * 1024;
const MOST_FILES = 300_000;
const MOST_BYTES = 16 * 1024 ** 3;
/** What the disk must have left beside the copy. */
const SPARE_BYTES = 64 * 1024 * 1024;
const LOOKS_PER_TURN = 1000;
/** Then others have their turn. */
const MOST_BLOCKED_MS = 10;

export interface CopyPlan {
  /** Canonical: where the files are, and where they are to be. */
  readonly from: string;
  readonly to: string;
  readonly listed: Pick<ListedFiles, 'tracked' | 'untracked' | 'modules'>;
  /** An existing folder for what git has no object of. */
  readonly baseFolder: string;
}

type CopiedFile = BegunFile & { readonly kind: 'file' };

interface Found {
  readonly path: string;
  readonly stat: Stats;
}

/**
 * Copies files as they are, byte by byte: no filter of git has a say in it. What is gone meanwhile, or is neither a file nor a
 * link, is left out.
 * @throws Failure `worktree_too_large`, `no_space_left`, `worktree_not_made`; the signal's reason
 */
export async function copyFiles(plan: CopyPlan, signal: AbortSignal): Promise<BegunFiles> {
  const found = await findAll(plan, signal);
  await refuseUnlessRoom(plan.to, found);
  const files = new Map<string, BegunFile>();
  const folders = new Set<string>();
  const needFolder = (folder: string): void => {
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
  };
  let since = performance.now();
  try {
    // As git leaves those that it has not got.
    for (const path of plan.listed.modules) needFolder(absoluteBelow(plan.to, path));
    for (const one of found) {
      signal.throwIfAborted();
      needFolder(dirname(absoluteBelow(plan.to, one.path)));
      const begun = one.stat.size > LARGE_BYTES ? await copyLarge(plan, one) : copySmall(plan, one);
      if (begun !== undefined) files.set(one.path, begun);
      if (performance.now() - since < MOST_BLOCKED_MS) continue;
      await breathe();
      since = performance.now();
    }
  } catch (thrown) {
    signal.throwIfAborted();
    throw copyFailure(thrown);
  }
  return { files, finishedMs: Date.now() };
}

async function findAll({ from, listed }: CopyPlan, signal: AbortSignal): Promise<Found[]> {
  const found: Found[] = [];
  const isBelowLink = belowLinks(from);
  const paths = [...listed.tracked.keys(), ...listed.untracked];
  for (const [index, path] of paths.entries()) {
    if (index % LOOKS_PER_TURN === LOOKS_PER_TURN - 1) await breathe();
    signal.throwIfAborted();
    // What git has as a folder may be a link by now, which would lead elsewhere.
    if (isBelowLink(path)) continue;
    const stat = lookAt(absoluteBelow(from, path));
    if (stat?.isFile() === true || stat?.isSymbolicLink() === true) found.push({ path, stat });
  }
  return found;
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

async function refuseUnlessRoom(to: string, found: readonly Found[]): Promise<void> {
  const bytes = found.reduce((sum, { stat }) => sum + stat.size, 0);
  if (found.length > MOST_FILES || bytes > MOST_BYTES) {
    const size = `${found.length} files, ${Math.round(bytes / 1024 ** 2)} MB`;
    throw new Failure(
      'worktree_too_large',
      `The project is too large for a worktree of its own (${size}). Hand the work on without isolation, or let git ignore what is not needed.`,
    );
  }
  const disk = await statfs(to).catch(() => undefined);
  if (disk === undefined || disk.bavail * disk.bsize >= bytes + SPARE_BYTES) return;
  throw noSpace(`${Math.round(bytes / 1024 ** 2)} MB are needed`);
}

function copyFailure(thrown: unknown): unknown {
  if (thrown instanceof Failure) return thrown;
  const code = systemErrorCode(thrown);
  if (code === 'ENOSPC' || code === 'EDQUOT') return noSpace(code);
  const message = `The files could not be copied into a worktree of the agent's own (${code ?? String(thrown)}). Hand the work on without isolation.`;
  return new Failure('worktree_not_made', message, { cause: thrown });
}

function noSpace(why: string): Failure {
  return new Failure(
    'no_space_left',
    `The disk has no room for a worktree of the agent's own (${why}). Free some, or hand the work on without isolation.`,
  );
}

/** At once: for small files that takes a fraction of the time. Undefined for what went, or may not be read, since git told of it. */
function copySmall(plan: CopyPlan, { path, stat }: Found): BegunFile | undefined {
  const [from, to] = [absoluteBelow(plan.from, path), absoluteBelow(plan.to, path)];
  if (stat.isSymbolicLink()) {
    const target = unlessGone(() => readlinkSync(from));
    if (target === undefined) return undefined;
    symlinkSync(target, to);
    return { kind: 'link', target };
  }
  const bytes = unlessGone(() => readPlain(from));
  if (bytes === undefined) return undefined;
  const file = openSync(to, 'wx', 0o600);
  try {
    writeFileSync(file, bytes);
    const copied = finish(file, stat);
    const hash = contentHash(bytes);
    const object = plan.listed.tracked.get(path) ?? '';
    const isInGit = object !== '' && objectNameOf(bytes, object.length) === object;
    // Two files may have the same content.
    if (!isInGit) writeFileSync(join(plan.baseFolder, hash), bytes, { mode: 0o600 });
    return { kind: 'file', hash, ...copied, base: isInGit ? { object } : 'kept' };
  } finally {
    closeSync(file);
  }
}

async function copyLarge(plan: CopyPlan, { path, stat }: Found): Promise<BegunFile | undefined> {
  const [from, to] = [absoluteBelow(plan.from, path), absoluteBelow(plan.to, path)];
  if (unlessGone(() => lstatSync(from).isFile()) !== true) return undefined;
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  } catch (thrown) {
    if (unlessGone(() => isReadable(from)) === undefined) return undefined;
    throw thrown;
  }
  const file = await open(to, constants.O_RDWR);
  try {
    const hash = await hashOpenFile(file);
    return { kind: 'file', hash, ...finish(file.fd, stat), base: 'none' };
  } finally {
    await file.close();
  }
}

/** A disk that is full is another matter. */
function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    const code = systemErrorCode(thrown) ?? '';
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'EINVAL'].includes(code)) return undefined;
    throw thrown;
  }
}

/** @throws the system's error when it is not */
function isReadable(path: string): true {
  closeSync(openPlain(path));
  return true;
}

/** Not through a link that came meanwhile. */
function openPlain(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
}

function readPlain(path: string): Buffer {
  const file = openPlain(path);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** With the mode and the time of the first, so that programs that go by times see what they saw there. */
function finish(file: number, { mode, atime, mtime }: Stats): Pick<CopiedFile, 'mode' | 'stamp' | 'changedMs'> {
  fchmodSync(file, (mode & 0o777) | 0o600);
  futimesSync(file, atime, mtime);
  const stat = fstatSync(file, { bigint: true });
  return { mode: Number(stat.mode) & 0o777, stamp: stampOf(stat), changedMs: Number(stat.ctimeMs) };
}

/** Changes with every write to a file, on any file system that keeps times. */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** The name that git gives to this content (`gitformat-pack`): SHA-1 or SHA-256, by the length of the names. */
function objectNameOf(bytes: Buffer, length: number): string {
  const hash = createHash(length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
