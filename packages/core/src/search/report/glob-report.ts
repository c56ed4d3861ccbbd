import type { FindHints } from '../find-files.js';
import type { WalkCounts } from '../tree/walked-folder.js';
import { inSubFolders, withoutSets } from '../globs/loosened.js';
import { literalHint } from '../globs/taken-literally.js';
import { pageLine } from './page-line.js';
import { count, countMatches, inQuotes, leftOutPhrase, notAllLookedAt, onOneLine } from './search-text.js';

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
  /** Asked for when nothing matches. */
  readonly hints: FindHints;
  /** What there is to say of folders with which patterns begin, and that are not there. */
  readonly missing: readonly string[];
  /** A pattern names a folder. */
  readonly namedFolder: string | undefined;
  /** A pattern begins with this folder, which is only reached through a link. */
  readonly link: string | undefined;
  /** The folder that was given, where all patterns are absolute and lead elsewhere. */
  readonly unusedPath?: string | undefined;
}

/** What the model reads. */
export function globText(report: GlobReport): string {
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
  const note = (leftOut === '' ? '' : `\n(Not looked into: ${leftOut}.)`) + lost + unused;
  const where = report.folders.map(onOneLine).join(', ');
  const what = `matching ${report.patterns.map(inQuotes).join(', ')} in ${where}`;
  if (total === 0)
    return `No files found ${what} (${count(counts.files, 'file')} looked at).${hintText(report)}${note}`;
  const found = `Found ${count(total, 'file')} ${what}`;
  const page = pageLine({
    all: total,
    total: count(total, 'file'),
    offset,
    size: files.length,
    limit: report.limit,
    narrow: 'pattern or path',
  });
  const pageNote = page === '' ? '' : `\n${page}`;
  if (files.length === 0) return `${found}.${pageNote}${note}`;
  return `${found}, most recently modified first:\n${files.map(onOneLine).join('\n')}${pageNote}${note}`;
}

function hintText({ patterns, hints, counts, missing, namedFolder, link }: GlobReport): string {
  const { looseMatches, literalMatches, deeperMatches, ignoredMatches, isCutShort } = hints;
  const amount = (matches: number): string => `${isCutShort ? 'At least ' : ''}${count(matches, 'file')}`;
  const folders = patterns.find((pattern) => pattern.endsWith('/'));
  let text = missing.map((sentence) => ` ${onOneLine(sentence)}`).join('') + literalHint(patterns);
  if (namedFolder !== undefined) {
    const pattern = namedFolder.replace(/\/*$/, '/**');
    text += ` ${inQuotes(namedFolder)} is a folder: ${inQuotes(pattern)} matches what is in it.`;
  } else if (link !== undefined) {
    text += ` ${inQuotes(link)} leads through a link, and links are not followed: give it as path.`;
  } else if (folders !== undefined) {
    text += ` A pattern with / at its end names folders, and only files are found: ${inQuotes(`${folders}*`)} matches what is in them.`;
  } else if (literalMatches > 0) {
    text += ` ${amount(literalMatches)} would match with the brackets taken literally: ${literalAdvice(patterns)}.`;
  } else if (looseMatches > 0) {
    text += ` ${amount(looseMatches)} would match at any depth and in any case: patterns are case-sensitive, and only ** goes into sub-folders.`;
  } else if (deeperMatches > 0) {
    text += ` ${amount(deeperMatches)} would match deeper below: ${inQuotes(firstOf(patterns, inSubFolders))} goes into sub-folders.`;
  }
  const advice = 'give an ignored folder as path to search in it, or list its folder with respect_git_ignore=false';
  if (ignoredMatches > 0) text += ` ${amount(ignoredMatches)} would match but for .gitignore: ${advice}.`;
  else if (isCutShort) text += notAllLookedAt(counts, advice);
  return text;
}

function literalAdvice(patterns: readonly string[]): string {
  const literal = firstOf(patterns, withoutSets);
  const isFolder = literal.slice(0, literal.lastIndexOf('/') + 1).includes('\\[');
  return `write ${inQuotes(literal)}${isFolder ? ', or give the folder as path' : ''}`;
}

function firstOf(patterns: readonly string[], change: (pattern: string) => string | undefined): string {
  return patterns.map(change).find((pattern) => pattern !== undefined) ?? '';
}
