import type { AskedAnswer, AskedQuestion } from '@tenon/core';

/** What the person said so far to one question. */
export interface Said {
  /** Places of options. */
  readonly chosen: readonly number[];
  readonly words: string;
}

export const NOTHING_SAID: Said = { chosen: [], words: '' };

/** The option is chosen, or not any more; where one answer is asked for it takes the place of all others. Pure. */
export function choose(said: Said, option: number, { multiSelect }: Pick<AskedQuestion, 'multiSelect'>): Said {
  if (!multiSelect) return { chosen: [option], words: '' };
  const chosen = said.chosen.includes(option)
    ? said.chosen.filter((each) => each !== option)
    : [...said.chosen, option].toSorted((a, b) => a - b);
  return { ...said, chosen };
}

/** In their own words; they too take the place of others where one answer is asked for. Pure. */
export function withWords(said: Said, text: string, { multiSelect }: Pick<AskedQuestion, 'multiSelect'>): Said {
  const words = text.trim();
  return multiSelect || words === '' ? { ...said, words } : { chosen: [], words };
}

export function isSaid({ chosen, words }: Said): boolean {
  return chosen.length > 0 || words !== '';
}

export function answerOf({ chosen, words }: Said, { options }: Pick<AskedQuestion, 'options'>): AskedAnswer {
  const selected = chosen.flatMap((place) => options[place]?.label ?? []);
  return { ...(selected.length > 0 && { selected }), ...(words !== '' && { words }) };
}
