import type { ParsedScript, Word } from 'unbash';
import type { ShellState } from './shell-state.js';

/** Whom an expansion tells what it comes upon. */
export interface ExpansionListener {
  /**
   * Walks a script that runs while the word is expanded, and returns its output if that is certain. `input`: something is written to it.
   */
  readonly script: (script: ParsedScript | undefined, state: ShellState, input?: 'open') => string | undefined;
  /** Why more may happen than is seen, a noun phrase. */
  readonly doubt: (reason: string) => void;
  /** Counts a word that is to be expanded; false: there were too many, and nothing of it is known but the commands within. */
  readonly begin: (word: Word) => boolean;
  /** Counts characters that a variable is to be filled in with; false: they are too many, and it is left open. */
  readonly fill: (characters: number) => boolean;
}

export interface ExpansionPlace {
  readonly state: ShellState;
  readonly listener: ExpansionListener;
  /** What `~` and `$HOME` stand for; unknown when absent. */
  readonly home: string | undefined;
}
