import { constants } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { errorMessage, readOwnerFile, withFileLock } from '@tenon/core';

/** What is kept when the file is made smaller, and from when on it is. */
export const KEPT_ENTRIES = 2_000;
const KEPT_BYTES = 4_000_000;
const LARGEST_BYTES = 2 * KEPT_BYTES;
/** Read at most: another program may have let it grow. */
const MOST_READ_BYTES = 64_000_000;
/** A longer prompt is remembered by this session only. In characters. */
const LONGEST_ENTRY = 256_000;
const LOCK = { waitMs: 3_000, staleMs: 10_000 };

/** What the file holds, oldest first. `problem`: why it is not believed. Lines that are damaged are left out. */
export function readHistoryFile(file: string): { readonly texts: readonly string[]; readonly problem?: string } {
  const read = readOwnerFile(file, MOST_READ_BYTES);
  if (read === undefined) return { texts: [] };
  return 'problem' in read
    ? { texts: [], problem: read.problem }
    : { texts: linesIn(read.text).map(({ text }) => text) };
}

/**
 * Adds one prompt at the end of a file of its owner alone; many processes may do so at once, and none loses what another
 * wrote. Once it is too large, only the newest prompts stay. @returns why it could not be, else undefined; never rejects
 */
export async function addToHistoryFile(file: string, text: string, now: Date): Promise<string | undefined> {
  if (text.length > LONGEST_ENTRY) return undefined;
  try {
    await withFileLock(`${file}.lock`, LOCK, async () => {
      const size = await append(file, `${JSON.stringify({ time: now.toISOString(), text })}\n`);
      if (size > LARGEST_BYTES) await prune(file);
    });
    return undefined;
  } catch (thrown) {
    return errorMessage(thrown);
  }
}

/** Makes it smaller if it has more than twice as many prompts as are kept. Never rejects. */
export async function pruneHistoryFile(file: string): Promise<void> {
  try {
    await withFileLock(`${file}.lock`, LOCK, async () => prune(file));
  } catch {
    // It stays as large as it is; the next session tries again.
  }
}

/** The size afterwards, in bytes. */
async function append(file: string, line: string): Promise<number> {
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants;
  const handle = await open(file, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
  try {
    const { size } = await handle.stat();
    // A process that was killed while it wrote left half a line: that costs this one line, not two.
    await handle.writeFile((await endsLine(handle, size)) ? line : `\n${line}`);
    return size + line.length;
  } finally {
    await handle.close();
  }
}

async function endsLine(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true;
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer[0] === 0x0a;
}

async function prune(file: string): Promise<void> {
  const read = readOwnerFile(file, MOST_READ_BYTES);
  if (read === undefined || 'problem' in read) return;
  const all = linesIn(read.text);
  const kept = all.slice(-KEPT_ENTRIES);
  let bytes = kept.reduce((sum, { line }) => sum + Buffer.byteLength(line) + 1, 0);
  while (bytes > KEPT_BYTES && kept.length > 1) bytes -= Buffer.byteLength(kept.shift()?.line ?? '') + 1;
  const fresh = `${file}.new`;
  await rm(fresh, { force: true });
  const handle = await open(fresh, 'wx', 0o600);
  try {
    await handle.writeFile(kept.map(({ line }) => `${line}\n`).join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
}

function linesIn(text: string): readonly { readonly line: string; readonly text: string }[] {
  return text.split('\n').flatMap((line) => {
    const entry = line === '' ? undefined : textOf(line);
    return entry === undefined ? [] : [{ line, text: entry }];
  });
}

function textOf(line: string): string | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    const isEntry = typeof entry === 'object' && entry !== null && 'text' in entry;
    return isEntry && typeof entry.text === 'string' ? entry.text : undefined;
  } catch {
    return undefined;
  }
}
