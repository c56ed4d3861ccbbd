import type { WordPart } from 'unbash';

const MOST_WORDS = 32;

/** The words that `{a,b}` and `{1..3}` make of one; undefined when they hold more than plain characters, or are too many. */
export function expandBraces(parts: readonly WordPart[]): (readonly WordPart[])[] | undefined {
  let lists: WordPart[][] = [[]];
  for (const part of parts) {
    const texts = part.type === 'BraceExpansion' ? alternativesOf(part.text) : undefined;
    if (part.type === 'BraceExpansion' && texts === undefined) return undefined;
    const { pos, end } = part;
    const choices = texts?.map((value): WordPart => ({ type: 'Literal', pos, end, value, text: value })) ?? [part];
    lists = lists.flatMap((list) => choices.map((choice) => [...list, choice]));
    if (lists.length > MOST_WORDS) return undefined;
  }
  return lists;
}

function alternativesOf(text: string): string[] | undefined {
  const [, single, end] = /^\{([A-Za-z]|\d{1,9})\.\.([A-Za-z]|\d{1,9})(?:\.\.-?\d{1,9})?\}$/.exec(text) ?? [];
  if (single !== undefined && single === end) return [single];
  const [, from, to] = /^\{(\d{1,3})\.\.(\d{1,3})\}$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) {
    const [first, last] = [Number(from), Number(to)];
    // With a zero in front all get as many digits; only plain numbers are taken.
    if (/^0\d/.test(from) || /^0\d/.test(to) || Math.abs(last - first) >= MOST_WORDS) return undefined;
    const step = last < first ? -1 : 1;
    return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => String(first + index * step));
  }
  return /^\{[\w./@%+-]*(?:,[\w./@%+-]*)+\}$/.test(text) ? text.slice(1, -1).split(',') : undefined;
}
