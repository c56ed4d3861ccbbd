import { groupDigits } from '../../util/group-digits.js';
import { pageLine } from '../report/page-line.js';
import { bytesOf, count, gitRules, onOneLine, quoted, type GitSources } from '../report/search-text.js';
import type { EntryDetails, FolderAmount } from './look-closer.js';
import type { FolderTree } from './read-tree.js';
import { allEntries, showTree, type RestOfFolder, type ShownEntry, type ShownFolder } from './show-tree.js';

const FOLDER_MARK = '[DIR] ';
/** Endings that are named in a count of files. */
const MAX_ENDINGS = 8;

export interface ListingRequest {
  /** The listed folder. */
  readonly path: string;
  readonly tree: FolderTree;
  readonly depth: number;
  /** Entries that are shown at most, as the tree was read with. */
  readonly limit: number;
  /** Entries of the listed folder that were asked to be skipped; 0 unless `depth` is 1. */
  readonly offset?: number;
  /** What can be asked for as `limit`. */
  readonly maxLimit: number;
  readonly details: EntryDetails;
  /** Entries that were left out, by what did it. */
  readonly leftOut: GitSources & {
    readonly gitIgnore: number;
    readonly qwenIgnore: number;
    readonly ignore: number;
    readonly closed: number;
  };
  /** Among the files of the tree. */
  readonly unfollowedLinks: number;
  /** What there is to say of the patterns that were given; empty for nothing. */
  readonly hint?: string;
  /** What was left out for another reason, as a line of its own; empty when nothing was. */
  readonly note?: string;
  /** UTF-8, for the lines of entries. */
  readonly maxBytes: number;
}

export interface ListingReport {
  readonly text: string;
  /** In a few words, for the person. */
  readonly summary: string;
  readonly shown: ShownFolder;
  readonly isTruncated: boolean;
}

/** A listing as text: what does not fit in is counted where it stands, and how to see it is told. */
export function listingReport(request: ListingRequest): ListingReport {
  const { path, tree, leftOut, depth, offset = 0, hint = '', note = '' } = request;
  const fitted = fit(request);
  const { shown, lines, shownCount } = fitted;
  const isTruncated = isCut(shown);
  const atLeast = tree.isExact ? '' : 'at least ';
  const totals = [count(tree.folders, 'folder'), count(tree.files, 'file')] as const;
  const summary = `Listed ${atLeast}${totals[0]} and ${totals[1]}${isTruncated || offset > 0 ? ` (${groupDigits(shownCount)} shown)` : ''}`;
  const where = onOneLine(path);
  const page = depth === 1 ? pageOfFolder(request, fitted) : '';
  const more = page === '' && isTruncated ? moreNote(request, fitted) : '';
  const notes = [leftOutNote(leftOut), hint, linksNote(request), more, boundNote(tree)];
  const told = notes.filter((one) => one !== '').map((one) => `(${one})`);
  const after = [page, ...told, note].filter((one) => one !== '');
  const report = (text: string): ListingReport => ({ text: [text, ...after].join('\n'), summary, shown, isTruncated });
  if (lines.length === 0 && page === '')
    return notes[0] === '' && note === ''
      ? report(`The folder is empty: ${where}`)
      : report(`Nothing to show in ${where}: every entry is left out.`);
  const levels = depth === 1 ? '' : ` within ${count(depth, 'level')}`;
  return report(
    `${where} (${atLeast}${totals.join(', ')}${levels})${lines.length === 0 ? '.' : `:\n${lines.join('\n')}`}`,
  );
}

interface Fitted {
  readonly shown: ShownFolder;
  readonly lines: readonly string[];
  readonly shownCount: number;
  /** Fewer are shown than asked for, because they would be too much text. */
  readonly isTooLong: boolean;
}

function fit({ tree, depth, limit, offset, details, maxBytes }: ListingRequest): Fitted {
  for (let most = limit; ;) {
    const shown = showTree(tree.root, most, offset);
    const lines = listingLines(shown, depth, details);
    const shownCount = Array.from(allEntries(shown)).length;
    const bytes = bytesOf(lines.join('\n'));
    if (bytes <= maxBytes || most === 1) return { shown, lines, shownCount, isTooLong: most < limit };
    most = Math.max(1, Math.min(shownCount - 1, Math.floor((shownCount * maxBytes * 0.98) / bytes)));
  }
}

function isCut({ entries, rest }: ShownFolder): boolean {
  return rest.folders + rest.files > 0 || entries.some(({ inside }) => inside !== undefined && isCut(inside));
}

function leftOutNote(leftOut: ListingRequest['leftOut']): string {
  const amounts = [
    [leftOut.gitIgnore, gitRules(leftOut)],
    [leftOut.qwenIgnore, '.qwenignore'],
    [leftOut.ignore, 'ignore'],
  ] as const;
  const parts = amounts.flatMap(([amount, by]) => (amount === 0 ? [] : `${groupDigits(amount)} by ${by}`));
  if (leftOut.closed > 0)
    parts.push(`${groupDigits(leftOut.closed)} that cannot be looked at, for their folder may not be entered`);
  return parts.length === 0 ? '' : `Left out: ${parts.join(', ')}.`;
}

function linksNote({ unfollowedLinks: links }: ListingRequest): string {
  if (links === 0) return '';
  return links === 1
    ? '1 link was not followed, and is counted as a file.'
    : `${groupDigits(links)} links were not followed, and are counted as files.`;
}

function moreNote({ limit, maxLimit }: ListingRequest, { shownCount, isTooLong }: Fitted): string {
  const ways = [
    ...(isTooLong || limit >= maxLimit ? [] : [`a greater limit than ${groupDigits(limit)}`]),
    'the path of a folder in it',
    'ignore patterns for what does not matter',
  ];
  const why = isTooLong ? ', more would be too long' : '';
  return `${count(shownCount, 'entry', 'entries')} shown${why}. To see others, give ${ways.join(', or ')}; or find files by name with a glob.`;
}

/** Empty where all entries of the listed folder are shown. */
function pageOfFolder({ tree, limit, offset = 0 }: ListingRequest, { shownCount, isTooLong }: Fitted): string {
  const all = tree.folders + tree.files;
  const page = pageLine({
    all,
    total: count(all, 'entry', 'entries'),
    offset,
    size: shownCount,
    limit,
    narrow: 'by ignore patterns, or find files by name with a glob',
  });
  return isTooLong && page !== '' ? `[More in one answer would be too long.]\n${page}` : page;
}

function boundNote({ isExact }: FolderTree): string {
  return isExact ? '' : 'Too many folders to look into all of them: the counts are lower bounds.';
}

/** The lines of a listing: what lies in a shown folder stands below it, indented. */
function listingLines(shown: ShownFolder, depth: number, details: EntryDetails): string[] {
  const lines: string[] = [];
  addLines(shown, { indent: '', below: depth - 1, details }, lines);
  return lines;
}

interface LinesPlace {
  readonly indent: string;
  /** Levels of the tree below this one. */
  readonly below: number;
  readonly details: EntryDetails;
}

function addLines(folder: ShownFolder, place: LinesPlace, lines: string[]): void {
  const { indent, below } = place;
  for (const shown of folder.entries) {
    lines.push(`${indent}${lineOf(shown, place)}`);
    if (shown.inside !== undefined && shown.inside.entries.length > 0)
      addLines(shown.inside, { ...place, indent: `${indent}  `, below: below - 1 }, lines);
  }
  const rest = restPhrase(folder.rest);
  if (rest !== '') lines.push(`${indent}… ${rest}`);
}

function lineOf({ entry, path, inside }: ShownEntry, { below, details }: LinesPlace): string {
  const { name, kind, target, note } = entry;
  const mark = kind === 'directory' ? FOLDER_MARK : '';
  const link = target === undefined ? '' : ` -> ${plainName(target)}`;
  const isPassedBy = below > 0 && kind === 'directory' && target === undefined && inside === undefined;
  const notes = [
    note,
    isPassedBy ? 'not entered' : undefined,
    sizePhrase(details.sizes.get(path)),
    contentPhrase(inside, details.amounts.get(path)),
  ];
  const said = notes.filter((one) => one !== undefined);
  return `${mark}${plainName(name)}${link}${said.length === 0 ? '' : ` (${said.join(', ')})`}`;
}

/**
 * A name as one line that cannot be taken for anything else: as a JSON string where it might be. Every note of an answer begins
 * with a bracket and has a blank in it, which names such as `[slug]` and `(auth)` have not.
 */
function plainName(name: string): string {
  return /^[\s"…]|^\[DIR\]|^[([].*\s| -> | \(.*\)$|\s$/.test(name) ? quoted(name) : onOneLine(name);
}

function sizePhrase(size: number | undefined): string | undefined {
  return size === undefined ? undefined : count(size, 'byte');
}

/** What there is to say of a folder's content beside the lines below it. */
function contentPhrase(inside: ShownFolder | undefined, amount: FolderAmount | undefined): string | undefined {
  if (inside !== undefined && inside.listing === undefined) return 'cannot be read';
  if (inside?.listing?.isClosed === true) return 'may not be entered';
  const isBare = inside?.entries.length === 0;
  if (isBare) {
    const hidden = inside.rest.folders + inside.rest.files;
    if (hidden > 0) return `${count(hidden, 'entry', 'entries')} not shown`;
  }
  const leftOut = amount?.leftOut ?? (isBare ? inside.listing?.leftOut : 0) ?? 0;
  const parts = [
    ...(amount === undefined ? [] : [count(amount.entries, 'entry', 'entries')]),
    ...(leftOut === 0 ? [] : [`${groupDigits(leftOut)} left out`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** `12 more folders, 9,000 more files (7,900 .json, 1,100 .md)`; empty when all is shown. */
function restPhrase({ folders, files, extensions }: RestOfFolder): string {
  const parts: string[] = [];
  if (folders > 0) parts.push(count(folders, 'more folder'));
  if (files > 0) parts.push(`${count(files, 'more file')} (${endingsPhrase(extensions, files)})`);
  return parts.join(', ');
}

function endingsPhrase(extensions: RestOfFolder['extensions'], files: number): string {
  const named = extensions.slice(0, MAX_ENDINGS);
  const others = files - named.reduce((sum, [, amount]) => sum + amount, 0);
  const parts = named.map(([ending, amount]) => {
    return `${groupDigits(amount)} ${ending === '' ? 'without ending' : plainName(ending)}`;
  });
  if (others > 0) parts.push(`${groupDigits(others)} others`);
  return parts.join(', ');
}
