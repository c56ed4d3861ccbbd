import type { TextTier } from './match-text.js';

/** How the target was found; the first tier that finds anything decides (K16). */
export type MatchTier = TextTier | 'escapes' | 'line-numbers' | 'elided';

/** What to write in place of `text.slice(start, end)`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type TargetResult =
  | {
      readonly found: 'one-or-all';
      readonly tier: MatchTier;
      /** Sorted, disjoint. */
      readonly replacements: readonly Replacement[];
      /** The two texts as they were meant. */
      readonly oldText: string;
      readonly newText: string;
    }
  /** Several candidates at the same tier: never guess between them. `starts` holds the first places. */
  | { readonly found: 'several'; readonly tier: MatchTier; readonly count: number; readonly starts: readonly number[] }
  /** The target stands there, but the new text does not fit it. */
  | {
      readonly found: 'refused';
      readonly reason: 'escapes' | 'line-numbers' | 'indentation';
      /** One sentence. */
      readonly detail: string;
      /** In the new text, 1-based. */
      readonly line: number;
    }
  | { readonly found: 'none' };
