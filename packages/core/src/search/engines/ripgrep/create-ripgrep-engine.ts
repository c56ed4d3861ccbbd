import { isUnnamable } from '../../../files/escaped-bytes.js';
import type { HeldFolder } from '../../held-folder.js';
import { pathBelow } from '../../paths.js';
import type { LinesRequest, SearchEngine, SearchTargets, TargetFolder } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { inLanes } from './lanes.js';
import { beginsWithNul, largeFilesIn } from './large-files.js';
import { linesAtPlaces } from './lines-at-places.js';
import { askOfPattern, isForPcre2, passesOver } from './line-passes.js';
import { LinesInParts } from './lines-in-parts.js';
import { readLines, type LinesRun } from './read-lines.js';
import { toArgument } from './ripgrep-arguments.js';
import { countAnythingIn, countTextIn, type PassesOver } from './ripgrep-counts.js';
import { createRipgrepTexts } from './ripgrep-texts.js';
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
  const isPcre2For = async (runs: TargetRuns): Promise<boolean> => (isPcre2 ??= await isForPcre2(pattern, runs));
  const passesFor: PassesOver = async (targets, runs) =>
    passesOver(targets, { pattern, runs, isPcre2: await isPcre2For(runs) });
  return {
    name: 'ripgrep',
    texts: createRipgrepTexts({ place, pattern, isPcre2For, maxRecordBytes: engine.maxRecordBytes }),
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
        const linesFar: LinesRun['linesFar'] = async (path, far) => linesAtPlaces({ folder, path }, far, signal);
        const run = { ...engine, runs, request, maxMatches, signal, linesFar };
        const parts = new LinesInParts({ ...request, maxMatches, skip }, sink);
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
