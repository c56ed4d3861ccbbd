import { applyReplacements, findTarget, lineNumberAt, type MatchTier } from './find-target.js';

export interface EditRequest {
  /** Null for a file that does not exist. */
  readonly text: string | null;
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

/** 1-based, both inclusive. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** What an edit would do, or why it cannot be done. */
export type EditPlan =
  | {
      readonly outcome: 'edit';
      readonly newContent: string;
      readonly tier: MatchTier;
      /** Where the new text stands in the new content; empty for a new file. */
      readonly changed: readonly LineSpan[];
    }
  | { readonly outcome: 'missing-file' | 'file-exists' | 'no-change' | 'not-found' }
  | {
      readonly outcome: 'several';
      readonly tier: MatchTier;
      readonly count: number;
      readonly lines: readonly number[];
    };

/** Decides on one edit. Nothing outside the matched places changes. */
export function planEdit({ text, oldText, newText, replaceAll }: EditRequest): EditPlan {
  if (oldText === '') return planWhole(text, newText);
  if (text === null) return { outcome: 'missing-file' };
  if (oldText === newText) return { outcome: 'no-change' };
  const target = findTarget({ text, oldText, newText, replaceAll });
  if (target.found === 'none') return { outcome: 'not-found' };
  const { tier } = target;
  if (target.found === 'several') {
    const lines = target.starts.map((start) => lineNumberAt(text, start));
    return { outcome: 'several', tier, count: target.count, lines };
  }
  const newContent = applyReplacements(text, target.replacements);
  if (newContent === text) return { outcome: 'no-change' };
  let shift = 0;
  const changed = target.replacements.map(({ start, end, text: replacement }) => {
    const at = start + shift;
    shift += replacement.length - (end - start);
    return { start: at, end: at + replacement.length };
  });
  return { outcome: 'edit', newContent, tier, changed: lineSpans(newContent, changed) };
}

/** An empty target creates a file (S91) or fills an empty one; it never overwrites (S94). */
function planWhole(text: string | null, newText: string): EditPlan {
  if (text !== null && text !== '') return { outcome: 'file-exists' };
  if (text === newText) return { outcome: 'no-change' };
  return { outcome: 'edit', newContent: newText, tier: 'exact', changed: [] };
}

/** The lines of sorted places, found in one pass. */
function lineSpans(text: string, places: readonly { readonly start: number; readonly end: number }[]): LineSpan[] {
  let line = 1;
  let from = 0;
  const lineAt = (index: number): number => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) {
      line += 1;
      from = at + 1;
    }
    return line;
  };
  return places.map(({ start, end }) => ({ first: lineAt(start), last: lineAt(Math.max(start, end - 1)) }));
}
