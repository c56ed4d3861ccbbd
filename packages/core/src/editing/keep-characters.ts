import { alignLines } from './align-lines.js';
import { foldText } from './fold-characters.js';

export interface Retyped {
  /** As the model typed what stands in the file. */
  readonly oldText: string;
  /** The same as it stands in the file; equal to the old text but for look-alikes. */
  readonly original: string;
  readonly newText: string;
}

/** A word with the apostrophes in it, a run of blanks, three dots, or any other character alone. */
const TOKEN = /[\p{L}\p{N}\p{M}_]+(?:['\u2019][\p{L}\p{N}\p{M}]+)*|[ \t]+|\.{3}|[^]/gu;
const QUOTE = /^["'\u2018-\u201f]$/u;

/** The new text with the file's own characters wherever it only repeats the old text; the rest stays as it was sent. */
export function keepCharacters({ oldText, original, newText }: Retyped): string {
  if (oldText === original) return newText;
  const oldTokens = oldText.match(TOKEN) ?? [];
  const newTokens = newText.match(TOKEN) ?? [];
  const kept = withWholePairs(oldTokens, newTokens, alignLines(oldTokens, newTokens));
  const originals = originalTokens(oldTokens, oldText, original);
  return newTokens.map((token, index) => originals[kept[index] ?? -1] ?? token).join('');
}

/** What each token is in the file; undefined for one that begins or ends inside of a character there. */
function originalTokens(tokens: readonly string[], oldText: string, original: string): (string | undefined)[] {
  const typed = foldText(oldText);
  const real = foldText(original);
  let at = 0;
  return tokens.map((token) => {
    const from = typed.toFolded(at);
    at += token.length;
    const to = typed.toFolded(at);
    const start = from === 0 ? 0 : real.toOriginal(from);
    const end = to >= real.text.length ? original.length : real.toOriginal(to);
    const sound =
      (from === 0 || real.toFolded(start) === from) &&
      foldText(original.slice(start, end)).text === typed.text.slice(from, to);
    return sound ? original.slice(start, end) : undefined;
  });
}

/** Both quotes of a pair are kept, or neither: one curly and one straight quote would not close each other. */
function withWholePairs(
  oldTokens: readonly string[],
  newTokens: readonly string[],
  kept: readonly (number | undefined)[],
): (number | undefined)[] {
  const result = [...kept];
  const partners = pairsOf(oldTokens);
  for (const [one, other] of pairsOf(newTokens)) {
    if (one > other) continue;
    const [first, second] = [kept[one], kept[other]];
    if (first !== undefined && partners.get(first) === second) continue;
    result[one] = undefined;
    result[other] = undefined;
  }
  return result;
}

/** Index of each quote → index of the quote that it belongs with, on the same line. */
function pairsOf(tokens: readonly string[]): Map<number, number> {
  const pairs = new Map<number, number>();
  let open: number | undefined;
  for (const [index, token] of tokens.entries()) {
    if (token === '\n') open = undefined;
    if (!QUOTE.test(token)) continue;
    if (open === undefined || foldText(tokens[open] ?? '').text !== foldText(token).text) {
      open ??= index;
      continue;
    }
    pairs.set(open, index);
    pairs.set(index, open);
    open = undefined;
  }
  return pairs;
}
