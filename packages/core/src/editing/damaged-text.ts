import { isDamaged, shownText } from '../util/shown-text.js';
import { alignLines } from './align-lines.js';
import type { Omission } from './edit-plan.js';

/** What a reader is shown in place of a byte, or half a character, that is no text. */
const SHOWN = '\ufffd';

/** Half a character cannot be written, and in a damaged file it would be taken for one of its bytes. */
export function findHalfCharacter(newText: string): Omission | undefined {
  if (!isDamaged(newText)) return undefined;
  const line = newText.split('\n').findIndex(isDamaged) + 1;
  const detail =
    'It has half of a surrogate pair (U+D800 to U+DFFF alone), which is no character; send the whole character.';
  return { reason: 'omission', detail, line };
}

const REFUSED =
  'U+FFFD (\ufffd) stands there for a byte that is no text, and it is not clear which of them this one is to be; leave the words with U+FFFD as they are, or replace them by whole words without it.';

/**
 * A new text that was written from the shown text of a place, with the real characters of the place instead of the
 * U+FFFD that it repeats. A word that holds one stays what it is; where it is not clear what it is, the answer is the
 * line, 1-based, of the new text.
 */
export function restoreDamage(original: string, newText: string): { readonly text: string } | Omission {
  if (!isDamaged(original) || !newText.includes(SHOWN)) return { text: newText };
  const oldLines = original.split('\n');
  const newLines = newText.split('\n');
  const kept = alignLines(oldLines.map(shownText), newLines);
  const stays = new Set(kept);
  const gone = oldLines.filter((_, index) => !stays.has(index));
  const open = newLines.flatMap((line, index) => (kept[index] === undefined && line.includes(SHOWN) ? [index] : []));
  const restored = restoreWords(
    gone.join('\n'),
    open.map((index) => newLines[index] ?? ''),
  );
  const lines = newLines.map(
    (line, index) => oldLines[kept[index] ?? -1] ?? restored.lines[open.indexOf(index)] ?? line,
  );
  if (restored.unclear === undefined) return { text: lines.join('\n') };
  return { reason: 'omission', detail: REFUSED, line: (open[restored.unclear] ?? 0) + 1 };
}

const WORD = /[\p{L}\p{N}\p{M}_\p{Surrogate}\ufffd]*[\p{Surrogate}\ufffd][\p{L}\p{N}\p{M}_\p{Surrogate}\ufffd]*/gu;

/** `unclear`: index of the first line that has an U+FFFD of which it is not clear what it stands for. */
function restoreWords(
  original: string,
  newLines: readonly string[],
): { readonly lines: readonly string[]; readonly unclear: number | undefined } {
  const words = original.match(WORD) ?? [];
  const known = new Map<string, Set<string>>();
  for (const word of words) known.set(shownText(word), (known.get(shownText(word)) ?? new Set()).add(word));
  const renewed = newLines.flatMap((line) => line.match(WORD) ?? []);
  // As many as there were, in the same order: then each is what stood in its place.
  const sameOrder = renewed.length === words.length && renewed.every((word, at) => isLike(words[at] ?? '', word));
  let at = 0;
  let unclear: number | undefined;
  const lines = newLines.map((line, index) =>
    line.replace(WORD, (word) => {
      const [only, other] = known.get(word) ?? [];
      const real = sameOrder ? inPlace(words[at] ?? '', word) : other === undefined ? only : undefined;
      at += 1;
      if (real === undefined) unclear ??= index;
      return real ?? word;
    }),
  );
  return { lines, unclear };
}

/** Whether two words hold the same number of damaged characters, each beside a letter that is the same, or all alone. */
function isLike(original: string, word: string): boolean {
  const [old, renewed] = [placesIn(shownText(original)), placesIn(word)];
  const shown = shownText(original);
  const beside = (text: string, at: number, step: number): string => text[at + step] ?? '';
  return (
    old.length === renewed.length &&
    old.every((from, index) => {
      const to = renewed[index] ?? 0;
      return [-1, 1].some((step) => beside(shown, from, step) === beside(word, to, step));
    })
  );
}

function placesIn(text: string): number[] {
  return Array.from(text.matchAll(/\ufffd/g), ({ index }) => index);
}

function inPlace(original: string, word: string): string {
  const real = placesIn(shownText(original)).map((at) => original[at] ?? SHOWN);
  return word.replace(/\ufffd/g, () => real.shift() ?? SHOWN);
}
