import type { FileLines } from '../../report/shown-line.js';
import { toJavaScriptPattern } from '../javascript/javascript-pattern.js';
import { readFailure } from '../read-failure.js';
import type { LinesRequest, LinesSink } from '../search-engine.js';
import type { SearchPattern } from '../search-pattern.js';
import type { Occurrence } from './kept-lines.js';
import type { Pass } from './line-passes.js';
import type { PlacesRequest } from './lines-at-places.js';
import { LinesReader } from './lines-reader.js';
import { baseFlags } from './ripgrep-arguments.js';
import type { TargetRuns } from './target-runs.js';

export interface LinesRun {
  readonly pass: Pass;
  readonly pattern: SearchPattern;
  readonly runs: TargetRuns;
  readonly request: Pick<LinesRequest, 'before' | 'after'>;
  readonly maxMatches: number;
  readonly skip: number;
  readonly sink: LinesSink;
  readonly signal: AbortSignal;
  readonly maxRecordBytes?: number | undefined;
  /** Gives lines that are too long to be taken from what ripgrep tells. */
  readonly linesFar: (path: string, request: PlacesRequest) => Promise<FileLines>;
}

/** The lines of one pass over its targets, as they are to be shown. */
export async function readLines(run: LinesRun): Promise<void> {
  const { pattern } = run;
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
    // Where a match is told from within, that may be its end. Of what is left to our own matcher it is not known.
    return typeof general !== 'string' || flags.includes('d') || new RegExp(general, flags).test('');
  } catch {
    return false;
  }
}

async function readLinesOf(targets: readonly string[], run: LinesRun, limit: readonly string[]): Promise<void> {
  const { pattern, maxRecordBytes, pass, runs, request, maxMatches, skip, sink } = run;
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
  { linesFar, request, skip, sink, signal }: LinesRun,
): Promise<void> {
  const { before, after } = request;
  try {
    const lines = await linesFar(path, { places, before, after, skip });
    if (lines.matches > 0) sink.found(path, lines);
  } catch (thrown) {
    signal.throwIfAborted();
    sink.failed(path, readFailure(thrown));
  }
}
