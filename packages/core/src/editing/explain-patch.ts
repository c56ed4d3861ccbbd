import { applyHunks, type LostHunk } from './apply-hunks.js';
import { foldCharacters } from './fold-characters.js';
import { splitLines, type HunkTier } from './hunk-lines.js';
import { locateHunk, numbersOf } from './locate-hunk.js';
import type { Hunk } from './patch.js';

export const HUNK_TIER_NOTES: Readonly<Record<HunkTier, string>> = {
  exact: 'exact match',
  'trailing-space': 'matched without white space at line ends',
  'sign-column': 'matched although context lines had no blank before them',
  'first-indentation': 'matched although its first line had lost its indentation',
  indentation: 'matched with another indentation; the new lines were indented to fit',
  'look-alikes': 'matched with other dashes, quotes or blanks; those of the file stay',
  'indented-look-alikes': 'matched with another indentation and other dashes, quotes or blanks; those of the file stay',
};

/** Comparisons at most when the nearest lines are looked for. */
const MAX_COMPARED = 4_000_000;
const MAX_SHOWN = 12;
const MAX_LINE = 160;

/** Why a hunk has no one place in the text, and what to send instead. */
export function explainLost({ hunk, index, located }: LostHunk, text: string): string {
  const name = `Hunk ${index + 1} (line ${hunk.at} of the patch)`;
  switch (located.found) {
    case 'several':
      return `${name} fits ${located.places.length} places (${HUNK_TIER_NOTES[located.tier]}), at lines ${listed(numbersOf(located.places), located.places.length)}. Add lines of context that only one of them has, or put "@@ " and the line of its function or class above it.`;
    case 'several-anchors':
      return `${name} is to go below "@@ ${located.anchor}", but that stands at lines ${listed(located.lines)}. Put the line of the class or function around it above, on an "@@ " line of its own, or add context lines.`;
    case 'no-anchor': {
      const nearest = nearestLine(text, located.anchor);
      const like = nearest === undefined ? '' : ` The nearest line is ${nearest.number}: ${quoted(nearest.text)}.`;
      return `${name}: no line like its anchor "@@ ${located.anchor}".${like} Copy the line from the file, or leave the anchor out.`;
    }
    case 'elsewhere': {
      const what = hunk.endOfFile ? 'at the end of the file' : `below its anchor "@@ ${hunk.anchors.at(-1) ?? ''}"`;
      return `${name} does not stand ${what}; its lines are at ${listed(located.lines)}. Correct ${hunk.endOfFile ? 'or leave out *** End of File' : 'the anchor or leave it out'}.`;
    }
    case 'unwritable':
      return `${name}: ${located.detail}`;
    case 'nowhere':
      return `${name} ${explainMiss(hunk, text)}`;
    default:
      return located satisfies never;
  }
}

function listed(lines: readonly number[], count: number = lines.length): string {
  return `${lines.join(', ')}${count > lines.length ? ', …' : ''}`;
}

function explainMiss(hunk: Hunk, text: string): string {
  const old = hunk.lines.filter(({ kind }) => kind !== 'added').map((line) => line.text);
  if (old.length === 0) return 'has nothing but a line number to say where it goes. Add lines of context around it.';
  const alone = applyHunks({ text, hunks: [hunk], trustHints: false });
  if (alone.ok) return 'changes lines that another hunk of this file changes, too. Make one hunk of them.';
  if (old.every((line) => /^\s*\d+\u2192/.test(line))) {
    return 'has lines with the line numbers of a read before them. Send the lines of the file alone, each behind its sign.';
  }
  const applied = appliedAt(hunk, text);
  if (applied !== undefined) {
    return `is applied already: its new lines stand at line ${applied} and its old ones nowhere. Leave it out.`;
  }
  const nearest = nearestLines(old, text);
  if (nearest === undefined) return 'was not found: nothing in the file is like its old lines. Read the file again.';
  const { first, alike, differs } = nearest;
  const lines = splitLines(text).slice(first, first + Math.min(old.length, MAX_SHOWN));
  const shown = lines.map((line, index) => `${first + index + 1}→${clipped(line.text)}`).join('\n');
  const there = splitLines(text)[first + differs]?.text;
  const instead = there === undefined ? 'where the file ends' : `where the file has ${quoted(there)}`;
  return `was not found. ${alike} of its ${old.length} old lines are alike here; the first that differs is ${quoted(old[differs] ?? '')} ${instead}. Copy the lines from the file:\n${shown}`;
}

/** The line, 1-based, where the new lines of a hunk stand. */
function appliedAt(hunk: Hunk, text: string): number | undefined {
  const lines = hunk.lines.filter(({ kind }) => kind !== 'removed');
  if (!lines.some((line) => line.kind === 'added' && line.text.trim() !== '')) return undefined;
  const wanted: Hunk = { ...hunk, lines: lines.map((line) => ({ kind: 'same', text: line.text })) };
  const plain = splitLines(text).map((line) => line.text);
  const located = locateHunk({ lines: plain, hunk: wanted, cursor: 0, isFree: () => true, trustHint: false });
  if (located.found === 'place' && !located.place.tier.startsWith('indent')) return located.place.first + 1;
  return located.found === 'several' ? numbersOf(located.places)[0] : undefined;
}

/** Where most of the old lines stand in their order, white space aside; `differs`: index of the first that does not. */
function nearestLines(
  old: readonly string[],
  text: string,
): { readonly first: number; readonly alike: number; readonly differs: number } | undefined {
  const wanted = old.map(plainLine);
  const file = splitLines(text).map((line) => plainLine(line.text));
  if (wanted.length * file.length > MAX_COMPARED) return undefined;
  let best: { first: number; alike: number } | undefined;
  for (let first = 1 - wanted.length; first < file.length; first += 1) {
    let alike = 0;
    for (const [index, line] of wanted.entries()) if (line !== '' && line === file[first + index]) alike += 1;
    if (alike > (best?.alike ?? 0) && first >= 0) best = { first, alike };
  }
  if (best === undefined) return nearestSingle(old, text);
  const { first, alike } = best;
  const differs = wanted.findIndex((line, index) => line !== file[first + index]);
  // All are alike but for white space inside of them.
  return {
    first,
    alike,
    differs: differs === -1 ? old.findIndex((line, at) => line !== splitLines(text)[first + at]?.text) : differs,
  };
}

function nearestSingle(
  old: readonly string[],
  text: string,
): { readonly first: number; readonly alike: number; readonly differs: number } | undefined {
  const index = old.findIndex((line) => line.trim().length > 3);
  const nearest = index === -1 ? undefined : nearestLine(text, old[index] ?? '');
  if (nearest === undefined) return undefined;
  return { first: Math.max(0, nearest.number - 1 - index), alike: 0, differs: index };
}

/** The line that shares most words with another. */
function nearestLine(text: string, wanted: string): { readonly number: number; readonly text: string } | undefined {
  const words = wordsOf(wanted);
  let best: { number: number; text: string; score: number } | undefined;
  for (const [index, line] of splitLines(text).entries()) {
    const own = wordsOf(line.text);
    const shared = [...words].filter((word) => own.has(word)).length;
    const score = shared / Math.max(1, words.size + own.size - shared);
    if (score > (best?.score ?? 0.2)) best = { number: index + 1, text: line.text, score };
  }
  return best;
}

function wordsOf(line: string): Set<string> {
  return new Set(line.match(/\w+/g) ?? []);
}

function plainLine(line: string): string {
  return foldCharacters(line).replace(/\s+/g, ' ').trim();
}

function clipped(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}

function quoted(line: string): string {
  return JSON.stringify(clipped(line));
}
