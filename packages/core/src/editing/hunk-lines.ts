import { foldCharacters } from './fold-characters.js';
import { indexLines, withoutIndentation, withoutTrailing } from './text-lines.js';

/** A line of a file and how it ends: `\n`, `\r\n`, or nothing for a last line that is left open. */
export interface FileLine {
  readonly text: string;
  readonly ending: string;
}

/**
 * How strictly the old lines of a hunk were matched; the first tier that finds anything decides (K16). `sign-column`:
 * context lines lack the blank that stands for their sign.
 * `first-indentation`: the first old line is kept, and lacks its indentation. `indented-look-alikes`: both of the tiers before.
 */
export const HUNK_TIERS = [
  'exact',
  'trailing-space',
  'sign-column',
  'first-indentation',
  'indentation',
  'look-alikes',
  'indented-look-alikes',
] as const;
export type HunkTier = (typeof HUNK_TIERS)[number];

export function splitLines(text: string): FileLine[] {
  const lines = indexLines(text);
  return Array.from({ length: lines.count }, (_, index) => {
    const { start, end, next } = lines.at(index);
    return { text: text.slice(start, end), ending: text.slice(end, next) };
  });
}

/** What must be equal of two lines at a tier. */
export function lineKey(line: string, tier: HunkTier): string {
  switch (tier) {
    case 'exact':
      return line;
    case 'trailing-space':
    case 'sign-column':
    case 'first-indentation':
      return withoutTrailing(line);
    case 'indentation':
      return withoutIndentation(withoutTrailing(line));
    case 'look-alikes':
      return foldCharacters(withoutTrailing(line));
    case 'indented-look-alikes':
      return withoutIndentation(foldCharacters(withoutTrailing(line)));
    default:
      return tier satisfies never;
  }
}
