import { isUnnamable } from '../../../files/escaped-bytes.js';
import type { HeldFolder } from '../../held-folder.js';
import { pathBelow } from '../../paths.js';
import type { LinesRequest, LinesSink, SearchEngine, SearchTargets, TargetFolder } from '../search-engine.js';
import { toJavaScriptPattern } from '../javascript/javascript-pattern.js';
import type { SearchPattern } from '../search-pattern.js';
import { readFailure } from '../read-failure.js';
import type { Occurrence } from './kept-lines.js';
import { inLanes } from './lanes.js';
import { beginsWithNul, largeFilesIn } from './large-files.js';
import { linesAtPlaces } from './lines-at-places.js';
import { askOfPattern, isForPcre2, passesOver, type Pass } from './line-passes.js';
import { LinesReader } from './lines-reader.js';
import { LinesInParts } from './lines-in-parts.js';
import { baseFlags, toArgument } from './ripgrep-arguments.js';
import { countAnythingIn, countTextIn, type PassesOver } from './ripgrep-counts.js';
import { TargetRuns } from './target-runs.js';

export interface RipgrepEngineRequest {
  /** Absolute path of the program. */
  readonly program: string;
  readonly pattern: SearchPattern;
  /** Files are relative to it. */
  readonly folder: HeldFolder;
  readonly env: Readonly<Record<string, string>>;
  /** For tests: of a record of ripgrep's that is held. */
  readonly maxRecordBytes?: number;
}

const UNNAMABLE = 'its name is not UTF-8, so ripgrep cannot be given it';

/** Searches with ripgrep, which is handed folders and files instead of walking itself: what is ignored is decided in one place. */
export function createRipgrepEngine(engine: RipgrepEngineRequest): SearchEngine {
  const { program, pattern, folder, env } = engine;
  const place = { program, workingDirectory: folder.workingDirectory, env };
  let isPcre2: boolean | undefined;
  const passesFor: PassesOver = async (targets, runs) => {
    isPcre2 ??= await isForPcre2(pattern, runs);
    return passesOver(targets, { pattern, runs, isPcre2 });
  };
  return {
    name: 'ripgrep',
    // It is spared looking for odd bytes.
    wantsText: () => true,
    countAnything: async (targets, sink, signal) => {
      const { args, unnamable } = toArguments(targets);
      for (const path of unnamable) sink.odd(path);
      const areText = targets.areText === true;
      if (areText) {
        await inLanes(args, { place, signal, isQuick: true }, async (batch, runs) =>
          countTextIn(batch, { pattern, runs, passesOver: passesFor, sink }),
        );
        return;
      }
      const large: string[] = [];
      const onLarge = (path: string): void => void large.push(path);
      const counting = inLanes(args, { place, signal, onLarge }, async (batch, runs) =>
        countAnythingIn(batch, { pattern, runs, passesOver: passesFor, sink }),
      );
      // While ripgrep is at work.
      const looking = largeFilesIn(folder, targets.folders.filter(isGivenWhole), signal);
      await Promise.allSettled([looking, counting]);
      await counting;
      for (const path of [...large, ...(await looking)]) {
        if (beginsWithNul(folder, path)) sink.odd(path);
        else {
          const runs = new TargetRuns(place, signal);
          await countAnythingIn([toArgument(path)], { pattern, runs, passesOver: passesFor, sink });
        }
      }
    },
    lines: async (request, sink, signal) => {
      for (const { maxMatches, skip, files } of byLimits(request.files)) {
        const { args, unnamable } = toArguments({ folders: [], files });
        for (const path of unnamable) sink.failed(path, UNNAMABLE);
        const runs = new TargetRuns(place, signal);
        const run = { engine, runs, request, maxMatches, signal };
        const parts = new LinesInParts({ ...request, maxMatches }, sink);
        for (const pass of await passesFor(args, runs)) {
          // Which matches are the first ones is only known of all parts together.
          const how = pass.isPart ? { skip: 0, sink: parts } : { skip, sink };
          await readLines({ ...run, ...how, pass });
        }
        parts.finish();
      }
    },
    checkPattern: async (signal) => askOfPattern(pattern, new TargetRuns(place, signal)),
    close: async () => undefined,
  };
}

/** Naming a folder costs about as much as naming so many files. */
const NAMES_OF_A_FOLDER = 4;

function isGivenWhole({ isWhole, names }: TargetFolder): boolean {
  return isWhole && names.length > NAMES_OF_A_FOLDER;
}

function toArguments({ folders, files }: SearchTargets): { args: string[]; unnamable: string[] } {
  const args: string[] = [];
  const unnamable: string[] = [];
  const add = (file: string): void => void (isUnnamable(file) ? unnamable.push(file) : args.push(toArgument(file)));
  for (const target of folders) {
    if (isGivenWhole(target)) args.push(toArgument(target.folder));
    else for (const name of target.names) add(pathBelow(target.folder, name));
  }
  for (const file of files) add(file);
  return { args, unnamable };
}

interface FilesOfLimits {
  readonly maxMatches: number;
  readonly skip: number;
  readonly files: string[];
}

/** ripgrep knows one limit for all files of a run. */
function byLimits(files: LinesRequest['files']): Iterable<FilesOfLimits> {
  const groups = new Map<string, FilesOfLimits>();
  for (const { path, maxMatches, skip = 0 } of files) {
    if (maxMatches <= 0) continue;
    const key = `${maxMatches} ${skip}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { maxMatches, skip, files: [path] });
    else group.files.push(path);
  }
  return groups.values();
}

interface LinesRun {
  readonly pass: Pass;
  readonly engine: RipgrepEngineRequest;
  readonly runs: TargetRuns;
  readonly request: LinesRequest;
  readonly maxMatches: number;
  readonly skip: number;
  readonly sink: LinesSink;
  readonly signal: AbortSignal;
}

async function readLines(run: LinesRun): Promise<void> {
  const { pattern } = run.engine;
  const { targets } = run.pass;
  const { multiline } = pattern;
  // Of a file that is mapped into memory ripgrep does not tell where `\A` matches in a last line without a line break.
  const flags = multiline ? [] : ['--no-mmap'];
  if (!multiline && !mayMatchNothing(pattern))
    return readLinesOf(targets, run, [...flags, `--max-count=${run.maxMatches}`]);
  // With a limit ripgrep 15.0 breaks off when matches stand one beside the other, and takes the line behind an empty match
  // for one that matches; so each run is ended when it told enough.
  for (const target of targets) await readLinesOf([target], run, flags);
}

/** A pattern of which nobody knows is taken for one that does not. */
function mayMatchNothing(pattern: SearchPattern): boolean {
  try {
    const { general, flags } = toJavaScriptPattern(pattern);
    // Where a match is told from within, that may be its end.
    return flags.includes('d') || new RegExp(general, flags).test('');
  } catch {
    return false;
  }
}

async function readLinesOf(targets: readonly string[], run: LinesRun, limit: readonly string[]): Promise<void> {
  const { engine, pass, runs, request, maxMatches, skip, sink } = run;
  const { pattern, maxRecordBytes } = engine;
  const { multiline } = pattern;
  const { before, after } = request;
  const far: FarFile[] = [];
  const reader = new LinesReader(
    { maxMatches, before, after, skip, multiline, maxRecordBytes },
    { found: (path, lines) => sink.found(path, lines), far: (path, places) => far.push({ path, places }) },
  );
  const failed: LinesSink['failed'] = (path, reason) => sink.failed(path, reason);
  await runs.run({
    flags: [
      ...baseFlags(pattern, pass.lineEnd),
      '--json',
      `--before-context=${before}`,
      `--after-context=${after}`,
      ...limit,
    ],
    expression: pass.expression,
    written: pass.written,
    targets: runs.thoseThere(targets, failed),
    read: (chunk) => reader.push(chunk),
    ...(targets.length === 1 && { isEnough: () => reader.isComplete }),
    failed,
  });
  reader.finish();
  for (const file of far) await readFarLines(file, run);
}

/** A file with lines that are too long to be taken from what ripgrep tells. */
interface FarFile {
  readonly path: string;
  readonly places: readonly Occurrence[];
}

async function readFarLines(
  { path, places }: FarFile,
  { engine, request, skip, sink, signal }: LinesRun,
): Promise<void> {
  const { before, after } = request;
  try {
    const lines = await linesAtPlaces({ folder: engine.folder, path }, { places, before, after, skip }, signal);
    if (lines.matches > 0) sink.found(path, lines);
  } catch (thrown) {
    signal.throwIfAborted();
    sink.failed(path, readFailure(thrown));
  }
}
