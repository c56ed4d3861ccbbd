import { readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemErrorCode } from '../util/failure.js';
import { readPrivateFile } from './durable-file.js';
import type { JournalEntry } from './journal-entry.js';
import { parseEntry } from './journal-log.js';

export interface PruneOptions {
  /** The journal's. */
  readonly folder: string;
  /** True for an entry that must stay whatever its age: one of a session that runs. */
  readonly keep: (entry: JournalEntry) => boolean;
  /** Of the contents that entries need. */
  readonly maxBytes?: number;
  readonly maxAgeMs?: number;
  /** Contents younger than this stay: a transaction under way may need them. */
  readonly graceMs?: number;
  /** It ends after about so long; the next time goes on. */
  readonly timeLimitMs?: number;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

export interface PruneReport {
  readonly entriesRemoved: number;
  readonly contentsRemoved: number;
  readonly bytesFreed: number;
  /** False when time was up first, or not all could be read that may need a content. */
  readonly complete: boolean;
}

const DAY_MS = 24 * 3_600_000;
const DEFAULTS = { maxBytes: 1024 ** 3, maxAgeMs: 30 * DAY_MS, graceMs: DAY_MS, timeLimitMs: 5_000 };
/** Entries read before others get their turn. */
const READS_AT_ONCE = 16;

interface EntryFile {
  readonly path: string;
  /** Undefined for one that is damaged: it stays until it is old. */
  readonly entry: JournalEntry | undefined;
  readonly time: number;
  readonly hashes: readonly string[];
}

/**
 * Bounds the journal in age and size, oldest entries first, and removes contents that no entry needs. Safe at any
 * moment and in several processes at once: entries go before their contents, and contents that were kept or asked for
 * lately stay. Never rejects because something is gone already or cannot be removed; where an entry cannot be read,
 * which contents are needed is not known, and all stay.
 */
export async function pruneJournal(options: PruneOptions): Promise<PruneReport> {
  const { folder, keep, maxBytes, maxAgeMs, graceMs, timeLimitMs } = { ...DEFAULTS, ...options };
  const now = options.now ?? Date.now();
  const end = performance.now() + timeLimitMs;
  const isLate = (): boolean => performance.now() > end;
  const nothing = { entriesRemoved: 0, contentsRemoved: 0, bytesFreed: 0 };
  const files = await readEntries(join(folder, 'entries'), isLate);
  // Contents that may be needed are not all known, so none can go.
  if (files === undefined) return { ...nothing, complete: false };
  const doomed = entriesToRemove(files, { keep, maxBytes, oldest: now - maxAgeMs });
  for (const { path } of doomed) await unlinkQuietly(path);
  const needed = new Set(files.filter((file) => !doomed.has(file)).flatMap(({ hashes }) => hashes));
  const planned = await hashesIn(join(folder, 'pending'));
  if (planned === undefined) return { ...nothing, entriesRemoved: doomed.size, complete: false };
  for (const hash of planned) needed.add(hash);
  const sweep = { needed, before: now - graceMs, isLate, removed: 0, bytes: 0 };
  const complete = await sweepContents(join(folder, 'blobs'), sweep);
  return { entriesRemoved: doomed.size, contentsRemoved: sweep.removed, bytesFreed: sweep.bytes, complete };
}

/** In the order of the log; undefined when time was up, or not all could be read. */
async function readEntries(folder: string, isLate: () => boolean): Promise<EntryFile[] | undefined> {
  const names = (await namesIn(folder))?.filter((name) => name.endsWith('.json')).sort();
  if (names === undefined) return undefined;
  const files: EntryFile[] = [];
  for (const [index, name] of names.entries()) {
    if (index % READS_AT_ONCE === 0) await nextTurn();
    const file = isLate() ? undefined : await readEntry(join(folder, name));
    if (file === undefined) return undefined;
    if (file !== 'gone') files.push(file);
  }
  return files;
}

/** Undefined when it cannot be read. */
async function readEntry(path: string): Promise<EntryFile | 'gone' | undefined> {
  try {
    const text = readPrivateFile(path);
    const entry = parseEntry(text);
    const time = entry === undefined ? NaN : Date.parse(entry.time);
    return { path, entry, time: Number.isNaN(time) ? (await stat(path)).mtimeMs : time, hashes: hashesOf(text) };
  } catch (thrown) {
    return systemErrorCode(thrown) === 'ENOENT' ? 'gone' : undefined;
  }
}

interface Bounds {
  readonly keep: (entry: JournalEntry) => boolean;
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly oldest: number;
}

/** Pure. What is undone would stand again if only its undo went, so an undo stays with what it took back. */
function entriesToRemove(files: readonly EntryFile[], { keep, maxBytes, oldest }: Bounds): Set<EntryFile> {
  const tooMuch = filesBeyond(files, maxBytes);
  const stays = new Set<string>();
  const doomed = new Set<EntryFile>();
  for (const file of files) {
    const { entry, time } = file;
    const isNeeded = entry !== undefined && (keep(entry) || entry.reverts.some((id) => stays.has(id)));
    if (!isNeeded && (time < oldest || tooMuch.has(file))) doomed.add(file);
    else if (entry !== undefined) stays.add(entry.id);
  }
  return doomed;
}

/** The entries that do not fit when the newest are counted first. */
function filesBeyond(files: readonly EntryFile[], maxBytes: number): Set<EntryFile> {
  const counted = new Set<string>();
  const beyond = new Set<EntryFile>();
  let bytes = 0;
  for (const file of files.toReversed()) {
    for (const { before, after } of file.entry?.changes ?? []) {
      for (const state of [before, after]) {
        if (state.kind === 'missing' || counted.has(state.hash)) continue;
        counted.add(state.hash);
        bytes += state.bytes;
      }
    }
    if (bytes > maxBytes) beyond.add(file);
  }
  return beyond;
}

interface Sweep {
  readonly needed: ReadonlySet<string>;
  readonly before: number;
  readonly isLate: () => boolean;
  removed: number;
  bytes: number;
}

/** False when time was up first. */
async function sweepContents(folder: string, sweep: Sweep): Promise<boolean> {
  const groups = (await namesIn(folder)) ?? [];
  // Where the last one got to is not written down; beginning anywhere, all groups get their turn.
  const start = Math.floor(Math.random() * groups.length);
  for (const group of [...groups.slice(start), ...groups.slice(0, start)]) {
    for (const name of (await namesIn(join(folder, group))) ?? []) {
      if (sweep.isLate()) return false;
      if (!sweep.needed.has(name)) await removeIfOld(join(folder, group, name), sweep);
    }
  }
  return true;
}

/** Set aside first: whoever asks for it in the same moment renews its time, or finds that it is gone and keeps it anew. */
async function removeIfOld(path: string, sweep: Sweep): Promise<void> {
  const aside = path.endsWith('.tmp') ? path : `${path}.old.tmp`;
  try {
    if ((await stat(path)).mtimeMs >= sweep.before) return;
    if (aside !== path) await rename(path, aside);
    const { mtimeMs, size } = await stat(aside);
    if (mtimeMs >= sweep.before && aside !== path) {
      await rename(aside, path);
      return;
    }
    await unlink(aside);
    sweep.removed += 1;
    sweep.bytes += size;
  } catch {
    // Another process was quicker, or it may not be removed; then the next time tries again.
  }
}

/** Undefined when one of the files cannot be read. */
async function hashesIn(folder: string): Promise<string[] | undefined> {
  const names = await namesIn(folder);
  if (names === undefined) return undefined;
  const hashes: string[] = [];
  for (const name of names) {
    try {
      for (const hash of hashesOf(readPrivateFile(join(folder, name)))) hashes.push(hash);
    } catch (thrown) {
      if (systemErrorCode(thrown) !== 'ENOENT') return undefined;
    }
  }
  return hashes;
}

function hashesOf(text: string): string[] {
  return text.match(/\b[0-9a-f]{64}\b/g) ?? [];
}

/** None where there is no such folder; undefined when it cannot be read. */
async function namesIn(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    return systemErrorCode(thrown) === 'ENOENT' ? [] : undefined;
  }
}

async function unlinkQuietly(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch {
    // See `pruneJournal`.
  }
}
