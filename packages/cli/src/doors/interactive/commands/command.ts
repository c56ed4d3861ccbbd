import type { Agent, Part, Safe } from '@tenon/core';
import type { ModelEndpoint } from '../../../choose-model.js';
import type { Preparation } from '../../../prepare-session.js';
import type { Surroundings } from '../../../surroundings.js';
import type { Stage } from '../screen/stage.js';

/** What can be typed next, for the composer. */
export interface Completion {
  /** What is put in place of the word. */
  readonly insert: string;
  readonly label: string;
  readonly detail?: string;
}

/** What a command may use, and what it can have the door do. */
export interface CommandContext {
  readonly agent: Agent;
  readonly surroundings: Surroundings;
  readonly preparation: Preparation;
  /** Where the model is, and others beside it. */
  readonly endpoint: Pick<ModelEndpoint, 'list' | 'named' | 'effort'>;
  readonly stage: Stage;
  /** Ended by Esc and Ctrl-C. */
  readonly signal: AbortSignal;
  /** All commands, for /help. */
  readonly commands: () => readonly Command[];
  readonly setTheme: (name: string) => void;
  /** What the keys do, as they are bound now. */
  readonly keys: () => readonly { readonly keys: readonly string[]; readonly does: string }[];
  /** Shows the session that is open now anew, after it was switched or rewound. */
  readonly showAgain: () => void;
}

/** What came of a command. */
export interface CommandAnswer {
  /** For the person. */
  readonly shown?: Safe;
  /** Said to the model at once. `attach`: files that go along; by default those that the text mentions. */
  readonly prompt?: { readonly text: string; readonly content?: readonly Part[]; readonly attach?: readonly string[] };
  /** What the model must be told with the next prompt. */
  readonly forModel?: string;
  /** Called once when `prompt` has ended, however. */
  readonly whenPromptEnds?: () => void;
  /** Put into the composer. */
  readonly composer?: string;
  readonly leaves?: boolean;
}

/** A slash command. One file each. */
export interface Command {
  /** Without the slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What follows the name: `[NAME]`. */
  readonly usage?: string;
  readonly sentence: string;
  /** True: it may run while the model works. */
  readonly isAlwaysThere?: boolean;
  /** For the word that is typed behind the name; `typed` is all that stands behind it. */
  readonly complete?: (typed: string, context: CommandContext) => Promise<readonly Completion[]>;
  readonly run: (typed: string, context: CommandContext) => Promise<CommandAnswer>;
}
