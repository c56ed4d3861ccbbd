import type { FolderFiles } from './content/folder-files.js';
import type { OddSink } from './engines/odd-engine.js';
import type { TargetFolder, TellingSink } from './engines/search-engine.js';
import { IgnoredEntries } from './ignored-entries.js';
import { Lane } from './lane.js';
import type { OutcomeCollector } from './outcome-collector.js';
import type { PlaceSearch, SearchedPlace } from './place-search.js';
import { pathBelow } from './paths.js';
import { partOf, targetsOf } from './plan-targets.js';
import type { SearchOutcome } from './report/search-outcome.js';
import { sieve } from './sieve-names.js';
import { Pause } from './tree/pause.js';
import { withEngine, withOddEngine } from './with-engine.js';
import { timeLimit } from '../util/abort.js';

const MAX_FILES = 20_000;
const MAX_MS = 1_000;
/** However short the search was. */
const LEAST_MS = 100;
/** Files that are worth a run of an engine while the walk goes on. */
const ROUND_FILES = 1_000;

interface IgnoredOptions {
  /** Of the search that found nothing: its walk has met what is hidden, and what it took is the limit. */
  readonly collector?: OutcomeCollector;
  readonly maxFiles?: number;
  readonly maxMs?: number;
}

/**
 * When nothing was found: how many files with matches `.gitignore` hides, in bounded time. Undefined when nothing is
 * hidden. @throws the signal's reason
 */
export async function countIgnored(
  place: SearchedPlace,
  search: PlaceSearch,
  { collector, maxFiles = MAX_FILES, maxMs }: IgnoredOptions = {},
): Promise<SearchOutcome['ignoredMatches']> {
  if (place.file !== undefined || place.includeIgnored) return undefined;
  const before = collector?.placeAt(place.folder.path);
  const limitMs = maxMs ?? (before === undefined ? MAX_MS : Math.min(MAX_MS, Math.max(LEAST_MS, before.tookMs)));
  const limit = timeLimit(Math.ceil(limitMs));
  const failing = new AbortController();
  const signal = AbortSignal.any([search.signal, limit, failing.signal]);
  const bounded = { ...search, signal };
  const found = new Set<string>();
  let isExact = true;
  try {
    const ignored = before?.ignored.isComplete === true ? before.ignored : await ignoredEntries(place, bounded);
    if (ignored.isEmpty) return undefined;
    const fail = (thrown: unknown): void => failing.abort(thrown);
    const isAll = await searchIgnored(place, bounded, { ignored, maxFiles, found, fail });
    isExact = isAll && !ignored.isCut;
  } catch (thrown) {
    search.signal.throwIfAborted();
    if (!limit.aborted) throw thrown;
    isExact = false;
  }
  return { files: found.size, isExact };
}

async function ignoredEntries(
  { folder, allowed }: SearchedPlace,
  { index, roots, signal }: PlaceSearch,
): Promise<IgnoredEntries> {
  const ignored = new IgnoredEntries();
  const onGitIgnored = (path: string): void => ignored.add(path);
  const enter = allowed === undefined ? {} : { enter: allowed.silent.entersFolder };
  for await (const _ of index.tree.walk({ folder, roots, signal, ...enter, onGitIgnored }));
  return ignored;
}

interface Ignored {
  readonly ignored: IgnoredEntries;
  readonly maxFiles: number;
  /** Filled in. */
  readonly found: Set<string>;
  /** Ends everything. */
  readonly fail: (thrown: unknown) => void;
}

/** Searches what is hidden while the walk goes on. @returns false when there was more than may be searched */
async function searchIgnored(
  place: SearchedPlace,
  search: PlaceSearch,
  { ignored, maxFiles, found, fail }: Ignored,
): Promise<boolean> {
  const { content } = search.index;
  const waiting = new Set<TargetFolder>();
  const toLearn: FolderFiles[] = [];
  const lane = new Lane<TargetFolder>(async (folders) => {
    for (const folder of folders) waiting.delete(folder);
    await searchThem(place, search, { folders, ignored, found, toLearn });
  }, fail);
  let count = 0;
  let begun = 0;
  try {
    for await (const folder of hiddenFolders(place, search, ignored)) {
      lane.add(folder);
      waiting.add(folder);
      count += folder.names.length;
      if (count >= maxFiles) break;
      if (!lane.isFree || count - begun < ROUND_FILES) continue;
      begun = count;
      lane.start();
    }
    await lane.finish();
    return count < maxFiles;
  } finally {
    await lane.stop();
    // Also what there was no time for: the next such search need not look for it.
    if (toLearn.length + waiting.size > 0) content.learnLater(place.folder.path, [...toLearn, ...waiting]);
  }
}

async function* hiddenFolders(
  { folder, wants, allowed }: SearchedPlace,
  { index, roots, signal }: PlaceSearch,
  ignored: IgnoredEntries,
): AsyncGenerator<TargetFolder, void, undefined> {
  const silent = allowed?.silent;
  const pause = new Pause(signal);
  const enter = (path: string): boolean => ignored.leadsTo(path) && silent?.entersFolder(path) !== false;
  for await (const walked of index.tree.walk({ folder, roots, signal, enter, respectGitIgnore: false })) {
    for (const one of walked) {
      const isIgnored = ignored.has(one.folder);
      const test = (name: string): boolean => {
        const path = pathBelow(one.folder, name);
        return (isIgnored || ignored.has(path)) && wants?.(path) !== false;
      };
      const hidden = wants === undefined && isIgnored ? one.names : await sieve(one.names, { test, pause });
      const names = silent?.files(one.folder, hidden) ?? hidden;
      if (names.length > 0) yield partOf(one, names);
    }
  }
}

interface Hidden {
  readonly folders: readonly TargetFolder[];
  readonly ignored: IgnoredEntries;
  /** Filled in: files with matches, and those of which nothing was known. */
  readonly found: Set<string>;
  readonly toLearn: FolderFiles[];
}

async function searchThem(place: SearchedPlace, search: PlaceSearch, hidden: Hidden): Promise<void> {
  const { index, pattern, signal } = search;
  const known = index.content.knowsAny
    ? await index.content.known(place.folder.path, hidden.folders, { pattern }, signal)
    : undefined;
  for (const unknown of known?.unknown ?? hidden.folders) hidden.toLearn.push(unknown);
  const folders = known === undefined ? hidden.folders : targetsOf(hidden.folders, known.candidates);
  const odd = [...(known?.odd ?? [])];
  await searchText(place, search, { ...hidden, folders, odd });
  await searchOdd(place, search, { odd, found: hidden.found });
}

async function searchText(
  place: SearchedPlace,
  search: PlaceSearch,
  { folders, ignored, found, odd }: Omit<Hidden, 'toLearn'> & { readonly odd: string[] },
): Promise<void> {
  if (folders.length === 0) return;
  // Of a whole folder more may be told than was walked.
  const allowed = place.allowed?.silent;
  const isMeant = (path: string): boolean =>
    ignored.has(path) && place.wants?.(path) !== false && allowed?.allowsFile(path) !== false;
  const sink: TellingSink = {
    counted: (path, matches) => {
      if (matches > 0 && isMeant(path)) found.add(path);
    },
    odd: (path) => {
      if (isMeant(path)) odd.push(path);
    },
    failed: () => undefined,
  };
  await withEngine(place, search, async (engine) => engine.countAnything({ folders, files: [] }, sink, search.signal));
}

async function searchOdd(
  place: SearchedPlace,
  search: PlaceSearch,
  { odd, found }: { readonly odd: readonly string[]; readonly found: Set<string> },
): Promise<void> {
  if (odd.length === 0) return;
  const sink: OddSink = {
    counted: (path, matches) => {
      if (matches > 0) found.add(path);
    },
    failed: () => undefined,
    binary: () => undefined,
    notDecodable: () => undefined,
    tooLarge: () => undefined,
  };
  await withOddEngine(place, search, async (engine) => engine.count(odd, sink, search.signal));
}
