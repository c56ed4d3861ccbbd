import { displayPath } from '../files/display-path.js';
import type { WalkCounts } from './walk.js';

/** A path as one line: names with line breaks or other control characters are shown as JSON strings. */
export function onOneLine(path: string): string {
  return /[\u0000-\u001f\u007f\u0085\u2028\u2029]/.test(path) ? JSON.stringify(path) : path;
}

/** `1 file`, `2 files`, `1,234 files`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString('en-US')} ${amount === 1 ? one : many}`;
}

/** What a walk did not look into, as one phrase; empty when it looked into everything. */
export function leftOutPhrase(counts: WalkCounts): string {
  const parts: string[] = [];
  if (counts.gitIgnored > 0) parts.push(`${count(counts.gitIgnored, 'entry', 'entries')} ignored by .gitignore`);
  if (counts.qwenIgnored > 0) parts.push(`${count(counts.qwenIgnored, 'entry', 'entries')} ignored by .qwenignore`);
  if (counts.links > 0) parts.push(count(counts.links, 'symbolic link'));
  if (counts.unreadableFolders > 0) parts.push(count(counts.unreadableFolders, 'unreadable folder'));
  return parts.join(', ');
}

/** ` in src` for a one-line description, the path as people read it; empty for the root itself. */
export function inFolderPhrase(path: string | undefined, root: string): string {
  return path === undefined || path === root ? '' : ` in ${onOneLine(displayPath(path, root))}`;
}
