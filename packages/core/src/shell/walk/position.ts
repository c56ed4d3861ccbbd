import type { ProgramInput } from '../program-facts.js';
import type { ShellState } from '../words/shell-state.js';

/** Where the ways out of a loop lead, filled while it is gone through. */
export interface LoopExits {
  readonly breaks: ShellState[];
  readonly continues: ShellState[];
}

/** Where a command stands. */
export interface Position {
  readonly input: ProgramInput;
  /** Loops around it, the innermost last; of a function, those around its call are `outerLoops`. */
  readonly loops: readonly LoopExits[];
  readonly outerLoops: readonly LoopExits[];
  /** Where `return` leaves what holds then; undefined outside of functions. */
  readonly returns: ShellState[] | undefined;
  /** Functions and texts of other shells around it. */
  readonly calls: number;
  /** In every way that the script may go, the shell itself comes by here. */
  readonly isSure: boolean;
}

/** Where a script begins. */
export const BEGINNING: Position = {
  input: 'none',
  loops: [],
  outerLoops: [],
  returns: undefined,
  calls: 0,
  isSure: true,
};
