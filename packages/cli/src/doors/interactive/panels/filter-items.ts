import { go, prepare } from 'fuzzysort';

/** What is searched of an item; untrusted. */
export interface Filterable {
  readonly label: string;
  readonly detail?: string | undefined;
}

/** Of these items the ones that a few typed letters may mean, the best first; all of them, in order, for nothing typed. */
export type ItemFilter<I> = (typed: string) => readonly I[];

/** Longer texts cost time with each key. */
const SEARCHED_LENGTH = 200;
const MOST_FOUND = 2_000;
const LEAST_SCORE = 0.25;

export function createItemFilter<I extends Filterable>(items: readonly I[]): ItemFilter<I> {
  const prepared = items.map((item) => ({
    item,
    label: prepare(item.label.slice(0, SEARCHED_LENGTH)),
    detail: prepare((item.detail ?? '').slice(0, SEARCHED_LENGTH)),
  }));
  return (typed) => {
    const words = typed.trim();
    if (words === '') return items;
    const found = go(words, prepared, {
      keys: [(one) => one.label, (one) => one.detail],
      limit: MOST_FOUND,
      threshold: LEAST_SCORE,
    });
    return found.map(({ obj }) => obj.item);
  };
}
