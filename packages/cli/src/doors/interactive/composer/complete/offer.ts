import type { Completion } from '../../commands/command.js';

/** What can be chosen, and what comes behind it. What is said in it is untrusted text. */
export interface Offer extends Completion {
  /** True: more of the same word can follow (a folder), so that no blank is put behind it. */
  readonly goesOn?: boolean;
  /** True: the end of the label tells more than its beginning (a path). */
  readonly isPath?: boolean;
}

/** Answers what can follow; undefined: later, when it has what it needs. Rejects only once the signal is aborted. */
export type Offers = (typed: string, signal: AbortSignal) => Promise<readonly Offer[]>;
