import type { FolderFiles } from './content/folder-files.js';
import { EngineChain } from './engine-chain.js';
import { createOddEngine, type OddSink } from './engines/odd-engine.js';
import type { TargetFolder, TellingSink } from './engines/search-engine.js';
import { IgnoredEntries } from './ignored-entries.js';
import type { OutcomeCollector } from './outcome-collector.js';
import type { PlaceSearch, SearchedPlace } from './place-search.js';
import { pathOf, targetsOf } from './plan-targets.js';
import type { SearchOutcome } from './report/search-outcome.js';
import type { WalkedFolder } from './tree/walked-folder.js';

const MAX_FILES = 20_000;
const MAX_MS = 1_000;
/** However short the search was. */
const LEAST_MS = 100;

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
  const timeLimit = AbortSignal.timeout(Math.ceil(limitMs));
  const bounded = { ...search, signal: AbortSignal.any([search.signal, timeLimit]) };
  const found = new Set<string>();
  let isExact = true;
  try {
    const ignored = before?.ignored.isComplete === true ? before.ignored : await ignoredEntries(place, bounded);
    if (ignored.isEmpty) return undefined;
    const { folders, isAll } = await ignoredFiles(place, bounded, { ignored, maxFiles });
    isExact = isAll && !ignored.isCut;
    if (folders.length > 0) await searchThem(place, bounded, { folders, ignored, found });
  } catch (thrown) {
    search.signal.throwIfAborted();
    if (!timeLimit.aborted) throw thrown;
    isExact = false;
  }
  return { files: found.size, isExact };
}

async function ignoredEntries(
  { folder }: SearchedPlace,
  { index, roots, signal }: PlaceSearch,
): Promise<IgnoredEntries> {
  const ignored = new IgnoredEntries();
  const onGitIgnored = (path: string): void => ignored.add(path);
  for await (const _ of index.tree.walk({ folder, roots, signal, onGitIgnored }));
  return ignored;
}

async function ignoredFiles(
  { folder, wants }: SearchedPlace,
  { index, roots, signal }: PlaceSearch,
  { ignored, maxFiles }: { ignored: IgnoredEntries; maxFiles: number },
): Promise<{ folders: TargetFolder[]; isAll: boolean }> {
  const folders: TargetFolder[] = [];
  let count = 0;
  const enter = (path: string): boolean => ignored.leadsTo(path);
  for await (const walked of index.tree.walk({ folder, roots, signal, enter, respectGitIgnore: false })) {
    for (const one of walked) {
      const names = hiddenIn(one, ignored, wants);
      if (names.length === 0) continue;
      folders.push({ folder: one.relativePath, names, isWhole: one.isWhole && names.length === one.files.length });
      count += names.length;
      if (count >= maxFiles) return { folders, isAll: false };
    }
  }
  return { folders, isAll: true };
}

function hiddenIn(folder: WalkedFolder, ignored: IgnoredEntries, wants: SearchedPlace['wants']): readonly string[] {
  const isIgnored = ignored.has(folder.relativePath);
  if (wants === undefined && isIgnored) return folder.files;
  return folder.files.filter((name) => {
    const path = pathOf(folder.relativePath, name);
    return (isIgnored || ignored.has(path)) && wants?.(path) !== false;
  });
}

interface Hidden {
  readonly folders: readonly TargetFolder[];
  readonly ignored: IgnoredEntries;
  /** Filled in. */
  readonly found: Set<string>;
}

async function searchThem(place: SearchedPlace, search: PlaceSearch, hidden: Hidden): Promise<void> {
  const { index, pattern, signal } = search;
  const base = place.folder.path;
  let unknown: readonly FolderFiles[] = hidden.folders;
  try {
    const known = index.content.knowsAny ? await index.content.known(base, hidden.folders, pattern, signal) : undefined;
    unknown = known?.unknown ?? unknown;
    const folders = known === undefined ? hidden.folders : targetsOf(hidden.folders, known.candidates);
    const odd = [...(known?.odd ?? [])];
    await searchText(place, search, { ...hidden, folders, odd });
    await searchOdd(place, search, { odd, found: hidden.found });
  } finally {
    // Also what there was no time for: the next such search need not look for it.
    index.content.learnLater(base, unknown);
  }
}

async function searchText(
  place: SearchedPlace,
  { engines, signal }: PlaceSearch,
  { folders, ignored, found, odd }: Hidden & { readonly odd: string[] },
): Promise<void> {
  if (folders.length === 0) return;
  // Of a whole folder more may be told than was walked.
  const isMeant = (path: string): boolean => ignored.has(path) && place.wants?.(path) !== false;
  const sink: TellingSink = {
    counted: (path, matches) => {
      if (matches > 0 && isMeant(path)) found.add(path);
    },
    odd: (path) => {
      if (isMeant(path)) odd.push(path);
    },
    failed: () => undefined,
  };
  const chain = new EngineChain(engines, place.folder);
  try {
    await chain.run(async (engine) => engine.countAnything({ folders, files: [] }, sink, signal));
  } finally {
    await chain.close();
  }
}

async function searchOdd(
  { folder }: SearchedPlace,
  { pattern, signal }: PlaceSearch,
  { odd, found }: { readonly odd: readonly string[]; readonly found: Set<string> },
): Promise<void> {
  if (odd.length === 0) return;
  const engine = createOddEngine({ pattern, folder });
  const sink: OddSink = {
    counted: (path, matches) => {
      if (matches > 0) found.add(path);
    },
    failed: () => undefined,
    binary: () => undefined,
    tooLarge: () => undefined,
  };
  try {
    await engine.count(odd, sink, signal);
  } finally {
    await engine.close();
  }
}
