import type { ShellWord } from './words/shell-word.js';

/** One program as it is started, with all that its row may ask about. */
export interface ProgramCall {
  /** The words behind the program's name. */
  readonly words: readonly ShellWord[];
  /** What it is called here, without its folder. */
  readonly name: string;
  /** What it reads when it reads its input. */
  readonly input: ProgramInput;
  /** Where it may run; undefined: anywhere. */
  readonly folders: readonly string[] | undefined;
}

/** `none`: nothing, as nobody sits there. `open`: a pipe, a file, a text with something in it that is not certain. */
export type ProgramInput = 'none' | 'open' | { readonly text: string };

/** A path that a program opens; relative ones are relative to where it runs. */
export interface PathUse {
  readonly kind: 'read' | 'write' | 'delete';
  readonly word: ShellWord;
  /** All that lies below. */
  readonly tree?: boolean;
  /** Relative to this word instead, which is relative to where it runs (`-C folder`). */
  readonly from?: ShellWord;
  /** What lies there afterwards may be a link, which leads other commands elsewhere (`mv`). */
  readonly mayBecomeLink?: true;
}

/** A command that a program starts. */
export type StartedCommand =
  | {
      readonly words: readonly ShellWord[];
      /** Where, when not where the program itself runs. */
      readonly folder?: ShellWord | 'anywhere';
      readonly input?: ProgramInput;
    }
  /** A text that a POSIX shell reads. */
  | { readonly script: string };

/** All that is known of what a program does. */
export interface ProgramFacts {
  readonly paths: readonly PathUse[];
  /** Addresses that it talks to. */
  readonly addresses: readonly ShellWord[];
  readonly starts: readonly StartedCommand[];
  /** Why more may happen, a noun phrase each. */
  readonly unknown: readonly string[];
  /** The reason why more may happen than a rule on the program means. A rule that spells out this many words means it. */
  readonly unlessSpelled?: { readonly reason: string; readonly words: number };
  /** True when it does nothing but what stands above. */
  readonly isComplete: boolean;
}

/** An ordinary program: nobody knows what it does. */
export const NOTHING_KNOWN: ProgramFacts = {
  paths: [],
  addresses: [],
  starts: [],
  unknown: [],
  isComplete: false,
};

/** All that a program does, in so many words. */
export function does(facts: Partial<Omit<ProgramFacts, 'isComplete'>> = {}): ProgramFacts {
  return { ...NOTHING_KNOWN, ...facts, isComplete: (facts.unknown?.length ?? 0) === 0 };
}

/** What cannot be told of a program. */
export function unclear(reason: string, facts: Partial<ProgramFacts> = {}): ProgramFacts {
  return { ...NOTHING_KNOWN, ...facts, unknown: [...(facts.unknown ?? []), reason], isComplete: false };
}
