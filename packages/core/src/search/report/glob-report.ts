import type { FindHints } from '../find-files.js';
import type { WalkCounts } from '../tree/walked-folder.js';
import { withoutDetours } from '../globs/glob-match.js';
import { inAnyFolder, inSubFolders, withoutSets } from '../globs/loosened.js';
import { literalHint } from '../globs/taken-literally.js';
import { pageLine } from './page-line.js';
import {
  ANSWER_BYTES,
  bytesOf,
  count,
  countMatches,
  gitRules,
  inQuotes,
  leftOutPhrase,
  notAllLookedAt,
  onOneLine,
  PAGE_PHRASE_BYTES,
  pathLine,
} from './search-text.js';

/** What patterns name that is no file to be found; nothing of it where files were found. */
export interface NamedThings {
  /** `.git`, which a walk from above does not enter. */
  readonly hasGitFolder?: boolean;
  /** A pattern in which `..` comes after a wildcard. */
  readonly climbing?: string | undefined;
  /** A pattern for nothing but a folder. */
  readonly namedFolder?: string | undefined;
  /** A pattern begins with this folder, which is only reached through a link. */
  readonly link?: string | undefined;
  /** A link that is not shown, and why. */
  readonly closedLink?: { readonly path: string; readonly why: string } | undefined;
}

export interface GlobReport {
  readonly patterns: readonly string[];
  readonly folders: readonly string[];
  /** All matches; `files` holds some of them, from the place `offset` on. */
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  readonly files: readonly string[];
  readonly counts: WalkCounts;
  /** Matches that were gone, or could not be looked at, when their times were asked for. */
  readonly unseen: number;
  /** Matching links that are not followed, for their path is no UTF-8. */
  readonly unnamableLinks?: number;
  /** Asked for when nothing matches. */
  readonly hints: FindHints;
  /** What there is to say of folders with which patterns begin, and that are not there. */
  readonly missing: readonly string[];
  readonly named: NamedThings;
  /** The folder that was given, where all patterns are absolute and lead elsewhere. */
  readonly unusedPath?: string | undefined;
}

/** What the model reads, and the files that stand in it. */
export interface GlobAnswer {
  readonly text: string;
  readonly shown: readonly string[];
}

/** With as many of the files as an answer holds, and one at least. */
export function globAnswer(report: GlobReport): GlobAnswer {
  const { total, offset, files, counts } = report;
  const leftOut = leftOutPhrase({ ...counts, links: 0 });
  const lost =
    report.unseen === 0
      ? ''
      : `\n(Left out: ${countMatches(report.unseen)}, gone meanwhile or not permitted to be looked at.)`;
  const unused =
    report.unusedPath === undefined
      ? ''
      : `\n(path ${inQuotes(report.unusedPath)} was not used: ${report.patterns.length === 1 ? 'the pattern is' : 'the patterns are'} absolute. For files in it, give a pattern relative to it.)`;
  const note = (leftOut === '' ? '' : `\n(Not looked into: ${leftOut}.)`) + lost + unnamablePhrase(report) + unused;
  const where = report.folders.map(pathLine).join(', ');
  const what = `matching ${report.patterns.map(inQuotes).join(', ')} in ${where}`;
  if (total === 0) {
    const text = `No files found ${what} (${count(counts.files, 'file')} looked at).${hintText(report)}${note}`;
    return { text, shown: [] };
  }
  const found = `Found ${count(total, 'file')} ${what}`;
  const shown = fitting(files, ANSWER_BYTES - bytesOf(found) - bytesOf(note) - PAGE_PHRASE_BYTES);
  const page = pageLine({
    all: total,
    total: count(total, 'file'),
    offset,
    size: shown.length,
    limit: report.limit,
    narrow: 'pattern or path',
  });
  const tooLong =
    shown.length < files.length ? `\n[Too long: this page ends after ${count(shown.length, 'file')}.]` : '';
  const after = `${tooLong}${page === '' ? '' : `\n${page}`}${note}`;
  if (shown.length === 0) return { text: `${found}.${after}`, shown };
  return { text: `${found}, most recently modified first:\n${shown.map(pathLine).join('\n')}${after}`, shown };
}

function fitting(files: readonly string[], bytes: number): readonly string[] {
  let left = bytes;
  const end = files.findIndex((path) => (left -= bytesOf(pathLine(path)) + 1) < 0);
  return end === -1 ? files : files.slice(0, Math.max(1, end));
}

function unnamablePhrase({ unnamableLinks = 0 }: GlobReport): string {
  return unnamableLinks === 0
    ? ''
    : `\n(Not followed: ${count(unnamableLinks, 'symbolic link')} with a name that is no UTF-8.)`;
}

function hintText({ patterns, hints, counts, missing, named }: GlobReport): string {
  const { ignoredMatches, isCutShort } = hints;
  const amount = amountIn(hints);
  let text = missing.map((sentence) => ` ${onOneLine(sentence)}`).join('') + literalHint(patterns);
  const closed = missing.length === 0 ? named.closedLink : undefined;
  if (closed !== undefined) text += ` ${inQuotes(closed.path)} is a link that is not followed (${closed.why}).`;
  text += namedHint(named, patterns) ?? looserHint(patterns, hints);
  const advice = 'give an ignored folder as path to search in it, or list its folder with respect_git_ignore=false';
  if (ignoredMatches > 0) text += ` ${amount(ignoredMatches)} would match but for ${gitRules(counts)}: ${advice}.`;
  else if (isCutShort) text += notAllLookedAt(counts, advice);
  return text;
}

function amountIn({ isCutShort }: Pick<FindHints, 'isCutShort'>): (matches: number) => string {
  return (matches) => `${isCutShort ? 'At least ' : ''}${count(matches, 'file')}`;
}

function namedHint(
  { hasGitFolder, climbing, namedFolder, link }: NamedThings,
  patterns: readonly string[],
): string | undefined {
  if (hasGitFolder === true) return ' What is called ".git" is not shown, and only entered when it is given as path.';
  if (climbing !== undefined)
    return ` The ".." in ${inQuotes(climbing)} names nothing: from a wildcard on, a pattern only leads down.`;
  if (namedFolder !== undefined) {
    const pattern = namedFolder.replace(/\/*$/, '/**');
    return ` ${inQuotes(namedFolder)} is a folder: ${inQuotes(pattern)} matches what is in it.`;
  }
  if (link !== undefined)
    return ` ${inQuotes(link)} leads through a link, and links are not followed: give it as path.`;
  const folders = patterns.find((pattern) => pattern.endsWith('/'));
  return folders === undefined
    ? undefined
    : ` A pattern with / at its end names folders, and only files are found: ${inQuotes(`${folders}*`)} matches what is in them.`;
}

function looserHint(patterns: readonly string[], hints: FindHints): string {
  const { looseMatches, literalMatches, deeperMatches, elsewhereMatches, isElsewhereCutShort } = hints;
  const amount = amountIn(hints);
  if (literalMatches > 0)
    return ` ${amount(literalMatches)} would match with the brackets taken literally: ${literalAdvice(patterns)}.`;
  if (looseMatches > 0)
    return ` ${amount(looseMatches)} would match at any depth and in any case: patterns are case-sensitive, and only ** goes into sub-folders.`;
  if (deeperMatches > 0)
    return ` ${amount(deeperMatches)} would match deeper below: ${inQuotes(firstOf(patterns, inSubFolders))} goes into sub-folders.`;
  if (elsewhereMatches === 0) return '';
  const far = amountIn({ isCutShort: isElsewhereCutShort })(elsewhereMatches);
  const anywhere = firstOf(patterns.map(withoutDetours), inAnyFolder);
  return ` ${far} would match from another folder on: ${inQuotes(anywhere)} finds ${elsewhereMatches === 1 ? 'it' : 'them'}.`;
}

function literalAdvice(patterns: readonly string[]): string {
  const literal = firstOf(patterns, withoutSets);
  const isFolder = literal.slice(0, literal.lastIndexOf('/') + 1).includes('\\[');
  return `write ${inQuotes(literal)}${isFolder ? ', or give the folder as path' : ''}`;
}

function firstOf(patterns: readonly string[], change: (pattern: string) => string | undefined): string {
  return patterns.map(change).find((pattern) => pattern !== undefined) ?? '';
}
