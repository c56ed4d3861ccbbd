import type { FoundInFile, MatchCollector } from './match-collector.js';
import { count, leftOutPhrase, onOneLine } from './search-text.js';
import type { TextMatch } from './text-match.js';
import type { WalkCounts } from './walk.js';

/** Why a search ended before everything was searched. */
export type StopReason = 'time-limit' | 'too-many-matches';

export interface SearchReport {
  readonly pattern: string;
  /** Absolute folders, or the one file, that were searched. */
  readonly places: readonly string[];
  readonly glob: string | undefined;
  /** What is shown: already cut to the limit. */
  readonly shown: readonly FoundInFile[];
  readonly total: number;
  readonly fileCount: number;
  readonly stopped: StopReason | undefined;
  readonly timeLimitMs: number;
  readonly collector: Pick<MatchCollector, 'searched' | 'binarySkipped' | 'binaryMatches' | 'failed' | 'failures'>;
  readonly counts: WalkCounts;
}

/** The first `limit` matches, file by file. */
export function firstMatches(files: readonly FoundInFile[], limit: number): FoundInFile[] {
  const shown: FoundInFile[] = [];
  let left = limit;
  for (const file of files) {
    if (left <= 0) break;
    const matches = file.matches.slice(0, left);
    left -= matches.length;
    shown.push({ ...file, matches });
  }
  return shown;
}

/** The model's text: a header with the count, `line: text` below each file's path, then what was not shown or searched. */
export function formatMatches(report: SearchReport): string {
  const parts = [report.total === 0 ? nothingFound(report) : header(report)];
  for (const { path, matches } of report.shown) parts.push(`\n${onOneLine(path)}\n${matches.map(lineOf).join('\n')}`);
  const footer = footerOf(report);
  if (footer !== '') parts.push(`${report.total === 0 ? '' : '\n'}${footer}`);
  return parts.join('\n');
}

/** `Found 3 matches in 2 files`. */
export function summaryOf({
  total,
  fileCount,
  stopped,
}: Pick<SearchReport, 'total' | 'fileCount' | 'stopped'>): string {
  if (total === 0) return 'No matches found';
  const least = stopped === undefined ? '' : 'at least ';
  return `Found ${least}${count(total, 'match', 'matches')} in ${least}${count(fileCount, 'file')}`;
}

function subject({ pattern, places, glob }: SearchReport): string {
  const filter = glob === undefined ? '' : ` (files matching "${onOneLine(glob)}")`;
  return `for "${onOneLine(pattern)}" in ${places.map(onOneLine).join(', ')}${filter}`;
}

function header(report: SearchReport): string {
  const order = report.fileCount > 1 ? ', most recently modified file first' : '';
  return `${summaryOf(report)} ${subject(report)}${order}:`;
}

function nothingFound(report: SearchReport): string {
  const { searched } = report.collector;
  if (searched === 0 && report.glob !== undefined && report.counts.files > 0) {
    return `No matches found ${subject(report)}: none of the ${count(report.counts.files, 'file')} there matches the glob, so nothing was searched.`;
  }
  return `No matches found ${subject(report)}: ${count(searched, 'file')} searched.`;
}

/** `12: text`; a cut line says where its first match stands. */
function lineOf({ line, column, text, cutBefore, cutAfter }: TextMatch): string {
  if (cutBefore === 0 && cutAfter === 0) return `${line}: ${text}`;
  const length = (cutBefore + text.length + cutAfter).toLocaleString('en-US');
  const place = `column ${column.toLocaleString('en-US')} of ${length}`;
  return `${line}: ${cutBefore > 0 ? '…' : ''}${text}${cutAfter > 0 ? '…' : ''} [long line cut; match at ${place}]`;
}

function footerOf(report: SearchReport): string {
  const { collector, counts, shown, total, stopped } = report;
  const lines: string[] = [];
  const hidden = total - shown.reduce((sum, { matches }) => sum + matches.length, 0);
  if (hidden > 0)
    lines.push(
      `[${count(hidden, 'more match', 'more matches')} not shown. Raise limit, or narrow pattern, path or glob.]`,
    );
  if (stopped === 'time-limit')
    lines.push(
      `[Stopped at the time limit of ${report.timeLimitMs / 1000} s: there may be more. Narrow path or glob.]`,
    );
  if (stopped === 'too-many-matches') lines.push('[Stopped: too many matches to count. Narrow pattern, path or glob.]');
  if (collector.binaryMatches > 0)
    lines.push(`(${count(collector.binaryMatches, 'binary file')} with matches not shown.)`);
  const leftOut = [leftOutPhrase(counts)];
  if (collector.binarySkipped > 0) leftOut.push(count(collector.binarySkipped, 'large binary file'));
  const skipped = leftOut.filter((part) => part !== '').join(', ');
  const searched = total === 0 ? '' : `Searched ${count(collector.searched, 'file')}. `;
  if (skipped !== '' || searched !== '')
    lines.push(`(${`${searched}${skipped === '' ? '' : `Not searched: ${skipped}.`}`.trim()})`);
  if (collector.failed > 0)
    lines.push(
      `(${count(collector.failed, 'file')} could not be searched: ${collector.failures.map(onOneLine).join('; ')})`,
    );
  return lines.join('\n');
}
