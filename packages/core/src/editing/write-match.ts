import { alignLines } from './align-lines.js';
import { lineEndingAt } from './line-endings.js';
import type { TextLine } from './text-lines.js';

/** What is asked for, line by line: the same at all places. */
export interface PairedLines {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** For each new line the index of the old line that it is. */
  readonly kept: readonly (number | undefined)[];
  readonly hunks: readonly Hunk[];
}

export function pairLines(oldLines: readonly string[], newLines: readonly string[]): PairedLines {
  const kept = alignLines(oldLines, newLines);
  return { oldLines, newLines, kept, hunks: hunksOf(kept, oldLines.length) };
}

export interface MatchToWrite extends PairedLines {
  readonly text: string;
  /** Where each old line stands in the file. */
  readonly places: readonly TextLine[];
  /** What to write for the new lines that are not old ones; undefined when that is not sure. */
  readonly render: (hunks: readonly Hunk[]) => ReadonlyMap<number, string> | undefined;
}

/** New lines that come in place of old ones; both ranges `[from, to)` by index. */
export interface Hunk {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/**
 * What to write over the matched lines. Lines that the edit only repeats stay as the file has them, with their line
 * endings; a replaced line keeps the ending of its predecessor, a further one takes its neighbour's (S89).
 */
export function writeMatch(match: MatchToWrite): string | undefined {
  const { text, oldLines, newLines, kept, hunks, places, render } = match;
  const written = render(hunks);
  if (written === undefined) return undefined;
  const owners: (number | undefined)[] = [...kept];
  for (const { oldFrom, oldTo, newFrom, newTo } of hunks) {
    for (let index = newFrom; index < newTo && oldFrom + index - newFrom < oldTo; index += 1) {
      owners[index] = oldFrom + index - newFrom;
    }
  }
  const endings = owners.map((owner) => endingOf(text, places[owner ?? -1]));
  const [first] = places;
  const last = places.at(-1);
  const outer = lineEndingAt(text, first?.start ?? 0, last?.end ?? 0) ?? '\n';
  const atOpenEnd = last !== undefined && last.start === text.length && oldLines.at(-1) === '' && !text.endsWith('\n');
  const pieces: string[] = [];
  let ending: string | undefined;
  for (const index of newLines.keys()) {
    const place = places[kept[index] ?? -1];
    pieces.push(place === undefined ? (written.get(index) ?? '') : text.slice(place.start, place.end));
    if (index === newLines.length - 1) break;
    // A file without a final line ending gets none from a target that had one.
    if (atOpenEnd && index === newLines.length - 2 && newLines.at(-1) === '') break;
    ending = endings[index] ?? ending ?? endings.slice(index).find((one) => one !== undefined) ?? outer;
    pieces.push(ending);
  }
  return pieces.join('');
}

function endingOf(text: string, place: TextLine | undefined): string | undefined {
  if (place === undefined) return undefined;
  if (place.next > place.end) return text.slice(place.end, place.next);
  // A part of a line, or a line that is replaced without its ending.
  const feed = text.indexOf('\n', place.end);
  if (feed === -1) return undefined;
  return text[feed - 1] === '\r' ? '\r\n' : '\n';
}

/** The runs of new lines that are not kept; what is only taken away is none. */
export function hunksOf(kept: readonly (number | undefined)[], oldCount: number): Hunk[] {
  const hunks: Hunk[] = [];
  let oldFrom = 0;
  let newFrom = 0;
  for (const [index, old] of [...kept, oldCount].entries()) {
    if (old === undefined) continue;
    if (index > newFrom) hunks.push({ oldFrom, oldTo: old, newFrom, newTo: index });
    oldFrom = old + 1;
    newFrom = index + 1;
  }
  return hunks;
}
