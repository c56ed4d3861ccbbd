import { readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
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
  /** False when time was up first. */
  readonly complete: boolean;
}

const DAY_MS = 24 * 3_600_000;
const DEFAULTS = { maxBytes: 1024 ** 3, maxAgeMs: 30 * DAY_MS, graceMs: DAY_MS, timeLimitMs: 5_000 };
const READS_AT_ONCE = 16;

interface EntryFile {
  readonly path: string;
  /** Undefined for one that cannot be read: it stays until it is old. */
  readonly entry: JournalEntry | undefined;
  readonly time: number;
  readonly hashes: readonly string[];
}

/**
 * Bounds the journal in age and size, oldest entries first, and removes contents that no entry needs. Safe at any
 * moment and in several processes at once: entries go before their contents, and contents that were kept or asked for
 * lately stay. Never rejects because something is gone already or cannot be removed.
 */
export async function pruneJournal(options: PruneOptions): Promise<PruneReport> {
  const { folder, keep, maxBytes, maxAgeMs, graceMs, timeLimitMs } = { ...DEFAULTS, ...options };
  const now = options.now ?? Date.now();
  const end = performance.now() + timeLimitMs;
  const isLate = (): boolean => performance.now() > end;
  const files = await readEntries(join(folder, 'entries'), isLate);
  // Contents that may be needed are not all known, so none can go.
  if (files === undefined) return { entriesRemoved: 0, contentsRemoved: 0, bytesFreed: 0, complete: false };
  const doomed = entriesToRemove(files, { keep, maxBytes, oldest: now - maxAgeMs });
  for (const { path } of doomed) await unlinkQuietly(path);
  const needed = new Set(files.filter((file) => !doomed.has(file)).flatMap(({ hashes }) => hashes));
  for (const hash of await hashesIn(join(folder, 'pending'))) needed.add(hash);
  const sweep = { needed, before: now - graceMs, isLate, removed: 0, bytes: 0 };
  const complete = await sweepContents(join(folder, 'blobs'), sweep);
  return { entriesRemoved: doomed.size, contentsRemoved: sweep.removed, bytesFreed: sweep.bytes, complete };
}

/** In the order of the log; undefined when time was up. */
async function readEntries(folder: string, isLate: () => boolean): Promise<EntryFile[] | undefined> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.json')).sort();
  const files: EntryFile[] = [];
  for (let start = 0; start < names.length; start += READS_AT_ONCE) {
    if (isLate()) return undefined;
    const read = names.slice(start, start + READS_AT_ONCE).map((name) => readEntry(join(folder, name)));
    files.push(...(await Promise.all(read)).flatMap((file) => file ?? []));
  }
  return files;
}

async function readEntry(path: string): Promise<EntryFile | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    const entry = parseEntry(text);
    const time = entry === undefined ? NaN : Date.parse(entry.time);
    return { path, entry, time: Number.isNaN(time) ? (await stat(path)).mtimeMs : time, hashes: hashesOf(text) };
  } catch {
    return undefined;
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
  const groups = await namesIn(folder);
  // Where the last one got to is not written down; beginning anywhere, all groups get their turn.
  const start = Math.floor(Math.random() * groups.length);
  for (const group of [...groups.slice(start), ...groups.slice(0, start)]) {
    for (const name of await namesIn(join(folder, group))) {
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

async function hashesIn(folder: string): Promise<string[]> {
  const read = async (name: string): Promise<string[]> => {
    try {
      return hashesOf(await readFile(join(folder, name), 'utf8'));
    } catch {
      return [];
    }
  };
  return (await Promise.all((await namesIn(folder)).map(read))).flat();
}

function hashesOf(text: string): string[] {
  return text.match(/\b[0-9a-f]{64}\b/g) ?? [];
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

async function unlinkQuietly(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch {
    // See `pruneJournal`.
  }
}
