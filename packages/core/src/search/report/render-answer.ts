import { groupDigits } from '../../util/group-digits.js';
import { literalHint } from '../globs/taken-literally.js';
import { isPaged, type Rendering } from './choose-rendering.js';
import { pageLine } from './page-line.js';
import { MAX_OFFSET } from './page-of.js';
import type { SearchOutcome } from './search-outcome.js';
import {
  count,
  countMatches,
  gitRules,
  inQuotes,
  leftOutPhrase,
  notAllLookedAt,
  onOneLine,
  pathLine,
  shortened,
} from './search-text.js';

/** Everything that header and footer tell. */
export interface Answer {
  readonly pattern: string;
  /** Absolute folders, or the one file, that were searched. */
  readonly places: readonly string[];
  readonly globs: readonly string[];
  readonly type: string | undefined;
  readonly outcome: SearchOutcome;
  readonly timeLimitMs: number;
  /** What is counted on pages: matches where lines are shown, files elsewhere. */
  readonly unit: 'match' | 'file';
  readonly offset: number;
  /** Units on this page. */
  readonly pageSize: number;
  readonly limit: number;
  /** What the reader must know before anything else, each a line. */
  readonly notes: readonly string[];
  /** The last line; empty for none. */
  readonly lastNote?: string;
}

/** These keep header and footer within some 8,000 bytes, whatever is searched for and wherever. */
const LONGEST_PATTERN = 200;
const LONGEST_PLACE = 400;
const LONGEST_GLOBS = 200;
const LONGEST_FAILURE = 300;
const MOST_PLACES = 3;

/** The model's text: a header with the counts, what was found, then what was not shown or searched. */
export function renderAnswer(answer: Answer, rendering: Rendering | undefined): string {
  const parts = [headerOf(answer)];
  if (rendering !== undefined && rendering.note !== '') parts.push(rendering.note);
  if (rendering !== undefined) parts.push('', rendering.text);
  const footer = footerOf(answer, rendering?.step);
  if (footer.length > 0) parts.push(...(rendering === undefined ? [] : ['']), ...footer);
  return parts.join('\n');
}

/** Bytes are bounded by it: header and footer with an empty body. */
export function frameOf(answer: Answer): string {
  return renderAnswer(answer, { step: 'full', note: '', text: '', lines: new Map() });
}

/** There was something to search, and none of it was: that is no answer about matches. */
function couldNotSearch({ searchedFiles, notSearched }: SearchOutcome): boolean {
  const { binary, notDecodable, tooLarge, failed, unreadableFolders } = notSearched;
  return searchedFiles === 0 && binary + notDecodable + tooLarge + failed + unreadableFolders > 0;
}

/** Nothing was searched, and something for lack of permission, or because it failed. */
export function wasKeptOut(outcome: SearchOutcome): boolean {
  const { failed, unreadableFolders, filteredOut } = outcome.notSearched;
  return couldNotSearch(outcome) && (failed > 0 || (unreadableFolders > 0 && filteredOut === 0));
}

/** `Found 3 matches in 2 files`. */
export function summaryOf(outcome: SearchOutcome): string {
  const { total, files } = outcome;
  if (total === 0) {
    if (couldNotSearch(outcome)) return 'Nothing could be searched';
    return outcome.notSearched.failed === 0 ? 'No matches found' : 'No matches found as far as files could be searched';
  }
  const least = leastOf(outcome);
  return `Found ${least}${countMatches(total)} in ${least}${count(files.length, 'file')}`;
}

/** Before numbers of what was found: they are lower bounds where the search did not come to its end, or to that of some file. */
function leastOf({ stopped, notSearched }: SearchOutcome): string {
  return stopped === undefined && notSearched.failed === 0 ? '' : 'at least ';
}

function headerOf(answer: Answer): string {
  const { outcome, notes } = answer;
  if (outcome.total === 0) return [nothingFound(answer), ...notes].join('\n');
  const order = outcome.files.length > 1 ? ', most recently modified file first' : '';
  const end = answer.pageSize === 0 ? '.' : `${order}:`;
  return [`${summaryOf(outcome)} ${subject(answer)}${end}`, ...notes].join('\n');
}

function subject({ pattern, places, globs, type }: Answer): string {
  const filters = [
    ...(globs.length > 0 ? [shortened(globs.map(inQuotes).join(', '), LONGEST_GLOBS)] : []),
    ...(type === undefined ? [] : [`type ${onOneLine(type)}`]),
  ];
  const named = places.slice(0, MOST_PLACES).map((place) => pathLine(shortened(place, LONGEST_PLACE)));
  if (places.length > MOST_PLACES) named.push(`${places.length - MOST_PLACES} more`);
  const filter = filters.length === 0 ? '' : ` (files matching ${filters.join(' and ')})`;
  return `for ${inQuotes(shortened(pattern, LONGEST_PATTERN))} in ${named.join(', ')}${filter}`;
}

function nothingFound(answer: Answer): string {
  const { searchedFiles, notSearched, ignoredMatches } = answer.outcome;
  const { failed } = notSearched;
  const start = `No matches found ${subject(answer)}${failed === 0 ? '' : ' as far as files could be searched'}`;
  const rest = failed === 0 ? '' : `, ${groupDigits(failed)} could not be`;
  const literal = literalHint(answer.globs);
  const isFilteredOut = searchedFiles === 0 && notSearched.filteredOut > 0;
  const searched = isFilteredOut
    ? `${start}: none of the ${count(notSearched.filteredOut, 'file')} there matches the ${filterName(answer)}, so nothing was searched.${literal}`
    : couldNotSearch(answer.outcome)
      ? `Nothing could be searched ${subject(answer)}.`
      : `${start}: ${count(searchedFiles, 'file')} searched${rest}.${literal}`;
  if (ignoredMatches === undefined) return searched;
  const { files, isExact } = ignoredMatches;
  if (files === 0)
    return isExact ? searched : searched + notAllLookedAt(notSearched, 'include_ignored=true searches it');
  const hidden = `${isExact ? '' : 'At least '}${count(files, 'file')} ignored by ${gitRules(notSearched)} ${files === 1 ? 'has' : 'have'} some`;
  return `${searched} ${hidden}: include_ignored=true shows ${files === 1 ? 'it' : 'them'}.`;
}

function filterName({ globs, type }: Answer): string {
  return [...(globs.length > 0 ? ['glob'] : []), ...(type === undefined ? [] : ['type'])].join(' and ');
}

function footerOf(answer: Answer, step: Rendering['step'] | undefined): string[] {
  const { outcome } = answer;
  const lines: string[] = [];
  const mode = answer.unit === 'match' ? 'content' : 'files';
  const page = step === undefined || isPaged(step, mode) ? pagePhrase(answer) : '';
  if (page !== '') lines.push(page);
  if (outcome.stopped === 'time-limit')
    lines.push(
      `[Stopped at the time limit of ${answer.timeLimitMs / 1000} s: there may be more. Narrow path or glob, or simplify the pattern.]`,
    );
  const least = outcome.stopped === undefined ? '' : 'at least ';
  const searched = outcome.total === 0 ? '' : `Searched ${least}${count(outcome.searchedFiles, 'file')}.`;
  const skipped = notSearchedPhrase(answer);
  const coverage = [searched, skipped === '' ? '' : `Not searched: ${skipped}.`].filter((part) => part !== '');
  if (coverage.length > 0) lines.push(`(${coverage.join(' ')})`);
  const { failed, failures } = outcome.notSearched;
  if (failed > 0) {
    const reasons = failures.map((failure) => onOneLine(shortened(failure, LONGEST_FAILURE)));
    lines.push(`(${count(failed, 'file')} could not be searched: ${reasons.join('; ')})`);
  }
  if (answer.lastNote !== undefined && answer.lastNote !== '') lines.push(answer.lastNote);
  return lines;
}

function pagePhrase({ outcome, unit, offset, pageSize, limit }: Answer): string {
  const all = unit === 'match' ? outcome.total : outcome.files.length;
  const units = unit === 'match' ? countMatches(all) : count(all, 'file');
  const total = `${leastOf(outcome)}${units}`;
  const narrow = 'pattern, path or glob';
  return pageLine({ all, total, offset, size: pageSize, limit, narrow, maxOffset: MAX_OFFSET });
}

function notSearchedPhrase({ outcome: { notSearched, searchedFiles } }: Answer): string {
  const parts = [leftOutPhrase(notSearched)];
  const { binary, notDecodable, tooLarge, filteredOut } = notSearched;
  if (binary > 0) parts.push(count(binary, 'binary file'));
  if (notDecodable > 0) parts.push(`${count(notDecodable, 'file')} not decodable`);
  if (tooLarge > 0) parts.push(`${count(tooLarge, 'file')} too large`);
  // Where nothing was searched at all, the header says it.
  if (filteredOut > 0 && searchedFiles > 0) parts.push(`${count(filteredOut, 'file')} left out by glob or type`);
  return parts.filter((part) => part !== '').join(', ');
}
