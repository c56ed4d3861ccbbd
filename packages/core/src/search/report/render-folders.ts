import type { FoundFiles } from './search-outcome.js';
import { bytesOf, count, countMatches, onOneLine, shortened } from './search-text.js';

/** Deeper folders are never told apart. */
const MAX_DEPTH = 24;
const LONGEST_NAME = 1_000;
/** Room for the line that sums up the folders that are not named. */
const REST_BYTES = 120;

interface FolderCount {
  readonly name: string;
  readonly files: number;
  readonly matches: number;
}

export interface FolderCounts {
  readonly text: string;
  /** Some folders are only in a line that sums them up. */
  readonly isCut: boolean;
}

/**
 * Matches per folder, those with most first, as deep as fits in `bytes` (some 200 at least); where not even the top
 * folders fit, the last line sums up the rest. `folder/*` is what lies in a folder, `folder/**` everything below it.
 */
export function renderFolders(files: FoundFiles, places: readonly string[], bytes: number): FolderCounts {
  let best = group(files, places, 1);
  if (sizeOf(best) > bytes) return { text: cutToFit(best, bytes).join('\n'), isCut: true };
  for (let depth = 2; depth <= MAX_DEPTH; depth++) {
    const deeper = group(files, places, depth);
    if (sizeOf(deeper) > bytes) break;
    if (deeper.length === best.length && deeper.every(({ name }, index) => name === best[index]?.name)) break;
    best = deeper;
  }
  return { text: best.map(lineOf).join('\n'), isCut: false };
}

/** Counts by the first `depth` names below the place. */
function group(files: FoundFiles, places: readonly string[], depth: number): FolderCount[] {
  const groups = new Map<string, { files: number; matches: number }>();
  for (const { path, matches } of files) {
    const name = groupOf(path, places, depth);
    const known = groups.get(name);
    if (known === undefined) groups.set(name, { files: 1, matches });
    else {
      known.files++;
      known.matches += matches;
    }
  }
  return [...groups]
    .map(([name, counts]) => ({ name, ...counts }))
    .sort((a, b) => b.matches - a.matches || (a.name < b.name ? -1 : 1));
}

function groupOf(path: string, places: readonly string[], depth: number): string {
  const place = places.find((each) => path.startsWith(each.endsWith('/') ? each : `${each}/`));
  if (place === undefined) return path;
  let end = place.endsWith('/') ? place.length - 1 : place.length;
  for (let names = 0; names < depth; names++) {
    const next = path.indexOf('/', end + 1);
    if (next === -1) return `${path.slice(0, end)}/*`;
    end = next;
  }
  return `${path.slice(0, end)}/**`;
}

function cutToFit(folders: readonly FolderCount[], bytes: number): string[] {
  const lines: string[] = [];
  let left = bytes - REST_BYTES;
  for (const folder of folders) {
    const line = lineOf(folder);
    left -= bytesOf(line) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const rest = folders.slice(lines.length);
  const sum = (key: 'files' | 'matches'): number => rest.reduce((total, each) => total + each[key], 0);
  const amounts = `${countMatches(sum('matches'))} in ${count(sum('files'), 'file')}`;
  return [...lines, `${lines.length === 0 ? '' : 'other '}${count(rest.length, 'folder')}: ${amounts}`];
}

function lineOf({ name, files, matches }: FolderCount): string {
  const shown = onOneLine(shortened(name, LONGEST_NAME));
  return `${shown}: ${countMatches(matches)} in ${count(files, 'file')}`;
}

function sizeOf(folders: readonly FolderCount[]): number {
  return folders.reduce((sum, folder) => sum + bytesOf(lineOf(folder)) + 1, 0);
}
