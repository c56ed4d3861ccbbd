import type { MatchTier } from './find-target.js';

/** One replacement that is asked for. */
export interface EditStep {
  /** Empty: the whole of a new or an empty file. */
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
  /** How many places there must be, when the caller says so; more than one are all replaced. */
  readonly expected?: number | undefined;
}

export interface EditRequest {
  /** Null for a file that does not exist. */
  readonly text: string | null;
  /** In order, each on the text that the one before left; all or none. At least one. */
  readonly steps: readonly EditStep[];
  /** The text of the file when the caller saw it last, where that is another: it explains a miss. */
  readonly seen?: string | undefined;
}

/** 1-based, both inclusive. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** One replacement as it was made. */
export interface DoneStep {
  readonly tier: MatchTier;
  readonly count: number;
}

/** A part of a new text that must not get into a file. */
export interface Omission {
  /** `call-text`: signs of the call itself, such as a closing tag; `indentation`: lines that would not fit at the place. */
  readonly reason: 'omission' | 'line-numbers' | 'call-text' | 'indentation';
  /** The explanation in one sentence. */
  readonly detail: string;
  /** The line in the new text, 1-based. */
  readonly line: number;
  /** The new text that was probably meant. */
  readonly send?: string;
}

/** Why an edit cannot be made; nothing of it is. */
export type EditFailure =
  | { readonly reason: 'missing-file' | 'file-exists' | 'no-change' }
  /** Several candidates at the strictest tier that finds any, or another number than expected. `lines`: the first of them. */
  | {
      readonly reason: 'several' | 'count';
      readonly tier: MatchTier;
      readonly count: number;
      readonly lines: readonly number[];
    }
  | Omission
  | { readonly reason: 'not-found'; readonly miss: Miss };

export type MissCause =
  | 'white-space'
  | 'tabs'
  | 'line-ends'
  | 'look-alikes'
  | 'escapes'
  | 'letter-case'
  | 'line-numbers'
  | 'elided'
  | 'already-applied'
  | 'stale-copy'
  | 'near-miss'
  | 'wrong-file';

/** Why the old text was not found. */
export interface Miss {
  readonly cause: MissCause;
  /** The lines that come nearest, 0-based; undefined where nothing is like the target. */
  readonly nearest: { readonly firstLine: number; readonly lines: readonly string[] } | undefined;
  /** An `old_string` that stands in the file once and is probably what was meant: sent back it applies. */
  readonly suggestion: string | undefined;
  /** The line, 1-based, of another place that is equally near. */
  readonly tied?: number;
}

/** What an edit would do, or why it cannot be done. */
export type EditPlan =
  | {
      readonly outcome: 'edit';
      readonly newContent: string;
      /** One for each step asked for. */
      readonly steps: readonly DoneStep[];
      /** Where the new text stands in the new content, sorted; empty for a new file. */
      readonly changed: readonly LineSpan[];
    }
  /** `step`: 0-based. */
  | { readonly outcome: 'failed'; readonly step: number; readonly failure: EditFailure };
