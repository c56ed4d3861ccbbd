import type { FileLines } from '../../report/shown-line.js';
import type { CountSink, LinesSink, TextEngine } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import { askOfPattern, passesOverText, type Pass } from './line-passes.js';
import { linesAtPlacesOf, type PlacesRequest } from './lines-at-places.js';
import { LinesInParts } from './lines-in-parts.js';
import { readLines } from './read-lines.js';
import { STANDARD_INPUT } from './ripgrep-arguments.js';
import { countTextIn } from './ripgrep-counts.js';
import type { RipgrepPlace } from './run-ripgrep.js';
import { TargetRuns } from './target-runs.js';

interface RipgrepTextsRequest {
  readonly place: RipgrepPlace;
  readonly pattern: SearchPattern;
  /** See `isForPcre2`. */
  readonly isPcre2For: (runs: TargetRuns) => Promise<boolean>;
  readonly maxRecordBytes?: number | undefined;
}

interface BegunText {
  /** In UTF-8. */
  readonly input: Buffer;
  readonly passes: readonly Pass[];
  readonly runs: TargetRuns;
}

/** Searches texts with ripgrep, which is given each as its standard input. */
export function createRipgrepTexts({ place, pattern, isPcre2For, maxRecordBytes }: RipgrepTextsRequest): TextEngine {
  const begin = async (text: string, signal: AbortSignal): Promise<BegunText> => {
    const ofPattern = new TargetRuns(place, signal);
    const passes = passesOverText(text, await isPcre2For(ofPattern), pattern);
    // What is wrong with a pattern is told of it as it was written.
    if (passes.some(({ isPart }) => isPart)) await askOfPattern(pattern, ofPattern);
    const input = Buffer.from(text);
    return { input, passes, runs: new TargetRuns(place, signal, { input }) };
  };
  return {
    count: async ({ path, text }, sink, signal) => {
      const { passes, runs } = await begin(text, signal);
      const named: CountSink = {
        counted: (_input, matches) => sink.counted(path, matches),
        failed: (_input, reason) => sink.failed(path, reason),
      };
      await countTextIn([STANDARD_INPUT], { pattern, runs, passesOver: async () => passes, sink: named });
    },
    lines: async ({ path, text, maxMatches, skip = 0, ...request }, sink, signal) => {
      if (maxMatches <= 0) return;
      const { input, passes, runs } = await begin(text, signal);
      const named: LinesSink = {
        found: (_input, lines) => sink.found(path, lines),
        failed: (_input, reason) => sink.failed(path, reason),
      };
      const linesFar = async (_input: string, far: PlacesRequest): Promise<FileLines> => linesAtPlacesOf(input, far);
      const run = { pattern, runs, request, maxMatches, signal, maxRecordBytes, linesFar };
      const parts = new LinesInParts({ ...request, maxMatches, skip }, named);
      for (const pass of passes)
        await readLines({ ...run, ...(pass.isPart ? { skip: 0, sink: parts } : { skip, sink: named }), pass });
      parts.finish();
    },
  };
}
