import { diffWordsWithSpace } from 'diff';

/** Parts of a line, in order: those that are the same in the other line, and those that are not. */
export interface WordPart {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface ChangedWords {
  readonly before: readonly WordPart[];
  readonly after: readonly WordPart[];
}

/** Longer lines are not compared by words: it takes time, and nobody sees it. */
const LONGEST = 600;
/** With less in common than this share the lines are shown as different altogether. */
const LEAST_COMMON = 0.3;

/** What differs between a removed line and the one in its place; undefined where they have too little in common. */
export function changedWords(before: string, after: string): ChangedWords | undefined {
  if (before.length > LONGEST || after.length > LONGEST) return undefined;
  const changes = diffWordsWithSpace(before, after);
  const common = changes.reduce((sum, one) => sum + (one.added || one.removed ? 0 : one.value.trim().length), 0);
  if (common < LEAST_COMMON * Math.max(before.trim().length, after.trim().length)) return undefined;
  const side = (isBefore: boolean): WordPart[] =>
    changes
      .filter((one) => (isBefore ? !one.added : !one.removed))
      .map((one) => ({ text: one.value, isChanged: one.added || one.removed }));
  return { before: side(true), after: side(false) };
}
