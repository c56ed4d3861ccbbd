import { displayPath } from '../../files/display-path.js';
import { count } from '../../util/count.js';
import type { WalkCounts } from '../tree/walked-folder.js';
import { isLowSurrogate } from './shown-line.js';

/** What one answer may have, in UTF-8: some 7,000 tokens. */
export const ANSWER_BYTES = 24_000;

/** What tells the next page, where the page had to be made smaller. */
export const PAGE_PHRASE_BYTES = 200;

/**
 * What would not be seen as what it is: controls, marks of direction and other invisible characters, blanks that look
 * like a space, halves of pairs (names that are no UTF-8). The joiners of scripts and emoji, and the wide space, are seen.
 */
const MISLEADING = /(?! |\u200c|\u200d|\u3000)[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;
const ALL_MISLEADING = new RegExp(MISLEADING, 'gu');
/** Said at once of most texts. */
const PLAIN = /^[ -~]*$/;

/** A text as one line of which everything is seen: as a JSON string where it holds what would not be. */
export function onOneLine(text: string): string {
  return PLAIN.test(text) || !MISLEADING.test(text) ? text : quoted(text);
}

/** `onOneLine` in quotes: what it changes has them already. */
export function inQuotes(text: string): string {
  const line = onOneLine(text);
  return line === text ? `"${text}"` : line;
}

/** `onOneLine`, for a path that may be given back: a blank at its end would not be seen either. */
export function pathLine(path: string): string {
  return /\s$/.test(path) ? quoted(path) : onOneLine(path);
}

/** `pathLine`, where a number may stand before or after it: names such as `a:12:b` and `a (2 matches)` are JSON strings too. */
export function pathOnOneLine(path: string): string {
  return /:\d+(?::|$)| \([\d,]+ match(?:es)?\)$/.test(path) ? quoted(path) : pathLine(path);
}

/** A JSON string; what misleads is in it by its number. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(ALL_MISLEADING, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** At most so many code units: what is longer loses its middle, and says so by `…`. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  const startsBroken = isLowSurrogate(text, text.length - half);
  const endsBroken = isLowSurrogate(text, half);
  return `${text.slice(0, endsBroken ? half - 1 : half)}…${text.slice(text.length - half + (startsBroken ? 1 : 0))}`;
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

export { count };

export function countMatches(amount: number): string {
  return count(amount, 'match', 'matches');
}

export type LeftOut = Pick<WalkCounts, 'gitIgnored' | 'qwenIgnored' | 'links' | 'unreadableFolders'> &
  Partial<Pick<WalkCounts, 'special'>> &
  GitSources;

/** Which of git's rules had a say. */
export type GitSources = Partial<Pick<WalkCounts, 'hasGitFiles' | 'hasGitExcludes'>>;

/** What hides entries by git's rules, by its name: excludes are those of the repository and the person's own. */
export function gitRules({ hasGitFiles, hasGitExcludes }: GitSources): string {
  if (hasGitExcludes !== true) return '.gitignore';
  return hasGitFiles === true ? ".gitignore or git's excludes" : "git's excludes";
}

/** What a walk did not look into, as one phrase; empty when it looked into everything. */
export function leftOutPhrase(counts: LeftOut): string {
  const parts: string[] = [];
  if (counts.gitIgnored > 0)
    parts.push(`${count(counts.gitIgnored, 'entry', 'entries')} ignored by ${gitRules(counts)}`);
  if (counts.qwenIgnored > 0) parts.push(`${count(counts.qwenIgnored, 'entry', 'entries')} ignored by .qwenignore`);
  if (counts.links > 0) parts.push(count(counts.links, 'symbolic link'));
  if (counts.special !== undefined && counts.special > 0) parts.push(count(counts.special, 'special file'));
  if (counts.unreadableFolders > 0) parts.push(count(counts.unreadableFolders, 'unreadable folder'));
  return parts.join(', ');
}

/** Where nothing was found, and what is ignored could not be looked through to its end: a sentence with what to do. Empty where nothing is ignored. */
export function notAllLookedAt(counts: Pick<WalkCounts, 'gitIgnored'> & GitSources, advice: string): string {
  return counts.gitIgnored === 0 ? '' : ` Not all that is ignored by ${gitRules(counts)} was looked at: ${advice}.`;
}

/** ` in src` for a one-line description, the path as people read it; empty for the root itself. */
export function inFolderPhrase(path: string | undefined, root: string): string {
  return path === undefined || path === root ? '' : ` in ${onOneLine(displayPath(path, root))}`;
}
