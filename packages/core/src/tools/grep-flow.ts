import { basename, dirname } from 'node:path';
import type { FolderHandle } from '../files/workspace-gate.js';
import type { ToolRuntime } from '../runtime.js';
import type { LinesRequest } from '../search/engines/search-engine.js';
import type { SearchServices } from '../search/place-search.js';
import type { SearchIndex } from '../search/search-index.js';
import { createFileFilter } from '../search/globs/file-filter.js';
import { createTypeFilter } from '../search/globs/file-types.js';
import { missingPathFailure } from '../search/missing-path.js';
import { absoluteBelow, withSeparator } from '../util/paths-below.js';
import { realPath } from '../util/real-path.js';
import type { PagePart } from '../search/report/page-of.js';
import type { Context, PagedFile } from '../search/report/render-matches.js';
import type { FoundFile, SearchOutcome } from '../search/report/search-outcome.js';
import type { FileLines } from '../search/report/shown-line.js';
import {
  countIgnored,
  countPlace,
  OutcomeCollector,
  placeLines,
  type PlaceSearch,
  type SearchedPlace,
} from '../search/search-place.js';
import { Failure } from '../util/failure.js';
import type { Counted } from './grep-memory.js';
import type { GrepRequest } from './grep-params.js';
import { identityOf, isSameFile, showableAmong } from './grep-shown-files.js';
import { withheldNames } from './hidden-names.js';
import type { JudgedPaths } from './judged-paths.js';
import type { LeftOut } from './left-out.js';
import { engineFactories, findRipgreps, type EngineChoice } from './ripGrep.js';
import { ToolError, ToolErrorType } from './tool-error.js';
import { ToolNames } from './tool-names.js';
import { timeLimit } from '../util/abort.js';

/** What of a session's index a search uses. */
export type GrepIndex = SearchServices & Pick<SearchIndex, 'threads'>;

export interface GrepScope {
  readonly config: ToolRuntime;
  readonly index: () => Promise<GrepIndex>;
  readonly request: GrepRequest;
  readonly judged: JudgedPaths;
  readonly leftOut: LeftOut;
  readonly engine: EngineChoice;
}

/** What limits a step: the caller's signal, and the time left. */
export interface StepLimits {
  readonly signal: AbortSignal;
  readonly timeLimitMs: number;
}

/** Counts the matches at all places. The time limit ends it with what was found until then. @throws Failure */
export async function countMatches(
  scope: GrepScope,
  { signal, timeLimitMs }: StepLimits,
  onFound: (file: FoundFile) => void,
): Promise<Counted> {
  const ending = AbortSignal.any([signal, timeLimit(timeLimitMs)]);
  const collector = new OutcomeCollector(onFound);
  const search = await searchOf(scope, ending);
  let stopped: SearchOutcome['stopped'];
  let ignoredMatches: SearchOutcome['ignoredMatches'];
  try {
    for (const place of scope.request.places)
      await atPlace(scope, place, async (searched) => countPlace(searched, search, collector));
  } catch (thrown) {
    if (thrown instanceof Failure || signal.aborted || !ending.aborted) throw thrown;
    stopped = 'time-limit';
  }
  const outcome = await collector.outcome(search.index, stopped);
  if (outcome.total === 0 && stopped === undefined)
    ignoredMatches = await ignoredAt(scope, { search, collector }, signal);
  const leftOut = { line: scope.leftOut.line(), counts: scope.leftOut.counts() };
  return { outcome: ignoredMatches === undefined ? outcome : { ...outcome, ignoredMatches }, collector, leftOut };
}

/** A hint only: what goes wrong here, or takes too long, leaves the answer as it is. */
async function ignoredAt(
  scope: GrepScope,
  { search, collector }: { search: PlaceSearch; collector: OutcomeCollector },
  signal: AbortSignal,
): Promise<SearchOutcome['ignoredMatches']> {
  // Whether they match would tell what is in them.
  if (scope.request.includeIgnored || !scope.config.getWorkspaceGate().readsAll) return undefined;
  let files = 0;
  let isExact = true;
  try {
    for (const place of scope.request.places) {
      const hidden = await atPlace(scope, place, async (searched) => countIgnored(searched, search, { collector }));
      files += hidden?.files ?? 0;
      isExact &&= hidden?.isExact !== false;
    }
  } catch {
    signal.throwIfAborted();
    isExact = false;
  }
  return { files, isExact };
}

/** The lines of a page; undefined when there was not time enough. @throws Failure */
export async function readLines(
  scope: GrepScope,
  { counted, page, context }: { counted: Counted; page: readonly PagePart[]; context: Context },
  { signal, timeLimitMs }: StepLimits,
): Promise<readonly PagedFile[] | undefined> {
  const limit = timeLimit(timeLimitMs);
  const search = await searchOf(scope, AbortSignal.any([signal, limit]));
  const { files } = counted.outcome;
  const gate = scope.config.getWorkspaceGate();
  const found = new Map<string, FileLines>();
  const failures = new Map<string, string>();
  const pathOf = ({ index }: PagePart): string => files.at(index)?.path ?? '';
  const before = new Map(page.map((part) => [pathOf(part), identityOf(pathOf(part))]));
  const all = page.map((part) => ({ path: pathOf(part), maxMatches: part.first + part.matches, skip: part.first }));
  try {
    for (const place of scope.request.places)
      await atPlace(scope, place, async (searched) => {
        const below = filesBelow(searched, { files: all, ...context });
        if (below.files.length === 0) return;
        const lines = await placeLines(searched, search, { ...below, collector: counted.collector });
        const absolute = (path: string): string => absoluteBelow(searched.folder.path, path);
        for (const [path, each] of lines.found) found.set(absolute(path), each);
        for (const [path, reason] of lines.failures) failures.set(absolute(path), reason);
      });
  } catch (thrown) {
    if (thrown instanceof Failure || signal.aborted || !limit.aborted) throw thrown;
    return undefined;
  }
  const showable = showableAmong(gate, page.map(pathOf));
  return page.map((part) => {
    const path = pathOf(part);
    const isSame = showable.has(path) && isSameFile(before.get(path), identityOf(path));
    const lines = (isSame ? found.get(path) : undefined) ?? { lines: [], matches: 0 };
    return {
      path,
      total: files.at(part.index)?.matches ?? 0,
      first: part.first,
      matches: Math.max(0, lines.matches - part.first),
      lines: lines.lines,
      failure: isSame ? failures.get(path) : undefined,
    };
  });
}

async function searchOf(scope: GrepScope, signal: AbortSignal): Promise<PlaceSearch> {
  const { config, request, engine } = scope;
  const programs = engine === 'javascript' ? [] : await findRipgreps(config);
  const [index, env] = [await scope.index(), config.getChildEnvironment()];
  return {
    pattern: request.pattern,
    index,
    engines: engineFactories(request.pattern, { programs, env, threads: index.threads, choice: engine }),
    roots: config.getWorkspaceGate().roots,
    signal,
  };
}

/** Holds a place while it is searched. @throws Failure for a place that is missing, special, or not what was judged, and for an unknown type */
async function atPlace<T>(
  { config, request, judged, leftOut }: GrepScope,
  place: string,
  use: (searched: SearchedPlace) => Promise<T>,
): Promise<T> {
  const gate = config.getWorkspaceGate();
  const { path, kind } = gate.resolve(place);
  if (kind === 'missing')
    throw await missingPathFailure(gate, place, {
      isWithheld: withheldNames(config, ToolNames.GREP),
      wanted: 'File or folder',
    });
  if (kind === 'special')
    throw new ToolError(ToolErrorType.NOT_A_REGULAR_FILE, `Neither a file nor a folder: ${place}`);
  const { includeIgnored, filter } = request;
  const isOfType = filter.type === undefined ? undefined : createTypeFilter(filter.type);
  const search = async ({ resolved, workingDirectory }: FolderHandle): Promise<T> => {
    const folder = { path: resolved.path, workingDirectory };
    if (kind === 'file') return use({ folder, file: basename(path), includeIgnored });
    const wants = createFileFilter({ ...filter, isOfType, realOf: realPath }, folder.path, gate.roots);
    const allowed = leftOut.filterAt({ path: folder.path, requested: place });
    const chosen = { ...(wants !== undefined && { wants }), ...(allowed !== undefined && { allowed }) };
    return use({ folder, includeIgnored, ...chosen });
  };
  if (kind !== 'file') return gate.withFolder(place, search, judged.treeExpectation(place));
  // The folder that holds a file is held while the file is searched.
  judged.refuseUnless(place, path);
  return gate.withFolder(dirname(path), search, { expected: dirname(path) });
}

/** The request for the files that lie at a place, by their paths relative to its folder. */
function filesBelow({ folder, file }: SearchedPlace, wanted: LinesRequest): LinesRequest {
  const start = withSeparator(folder.path);
  const files = wanted.files
    .filter(({ path }) => path.startsWith(start))
    .map((each) => ({ ...each, path: each.path.slice(start.length) }));
  return { ...wanted, files: file === undefined ? files : files.filter(({ path }) => path === file) };
}
