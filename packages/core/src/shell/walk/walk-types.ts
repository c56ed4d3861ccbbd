import type { ParsedScript } from 'unbash';
import type { ProgramCall, ProgramFacts, ProgramInput } from '../program-facts.js';
import type { ExpansionPlace } from '../words/expansion-place.js';
import type { ListNames } from '../words/match-names.js';
import type { ShellState } from '../words/shell-state.js';
import type { ShellWord } from '../words/shell-word.js';
import type { Outcome } from './outcome.js';
import type { Position } from './position.js';
import type { ShellFunctions } from './shell-functions.js';
import type { WalkRecord } from './walk-record.js';
import type { WorkKind } from './work-budget.js';

export interface WalkOptions {
  readonly judge: (call: ProgramCall) => ProgramFacts;
  /** What `~` stands for. */
  readonly home: string | undefined;
  readonly list?: ListNames | undefined;
  /** Parses a text that a command hands to a shell; null when that fails. */
  readonly parse: (text: string) => ParsedScript | null;
}

/** A command with its words, ready to run. */
export interface ReadyCommand {
  readonly text: string;
  readonly words: readonly ShellWord[];
  readonly input: ProgramInput;
  /** As in a `CommandUse`. */
  readonly keepsRules?: boolean;
}

export interface CommandPlace {
  readonly walk: Walk;
  readonly at: Position;
}

/** A command of the shell itself. */
export interface Builtin {
  readonly facts: (words: readonly ShellWord[], state: ShellState) => ProgramFacts;
  /** The shell afterwards. `command.words` stand behind the builtin's name. */
  readonly run: (command: ReadyCommand, state: ShellState, place: CommandPlace) => Outcome;
}

/** What the parts of a walk through a script ask of it. */
export interface Walk {
  readonly options: WalkOptions;
  record: WalkRecord;
  readonly functions: ShellFunctions;
  place(state: ShellState, at: Position): ExpansionPlace;
  /** Counts against what is followed at all; false, with a doubt, where it is too much. */
  take(kind: WorkKind, count?: number): boolean;
  /** A text that a command hands to a shell of its own: it knows no function, and only the variables of the environment. */
  text(text: string, state: ShellState, at: Position): void;
  /** A text that the shell itself takes for the next command. */
  evaluate(text: string, state: ShellState, at: Position): Outcome;
  /** What runs when the shell ends, whatever happened until then. */
  atEnd(text: string, at: Position): void;
  /** The shell, or one within it, goes to another folder. */
  move(): void;
  /** Runs the functions of that name; undefined when there is none. Not `isCertain`: it may be none when it gets there. */
  callFunction(
    name: string,
    call: { readonly args: readonly ShellWord[]; readonly input: ProgramInput },
    where: { readonly state: ShellState; readonly at: Position },
  ): { readonly outcome: Outcome; readonly isCertain: boolean } | undefined;
  /** A builtin or a program, but no function. One that is started by another command is one deeper. */
  runStarted(command: ReadyCommand, state: ShellState, at: Position): Outcome;
  /** A program of the system: neither function nor builtin. */
  runProgram(command: ReadyCommand, state: ShellState, at: Position): Outcome;
}
