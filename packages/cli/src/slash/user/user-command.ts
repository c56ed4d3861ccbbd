import type { Part } from '@tenon/core';
import type { UserCommandFile } from './read-command-file.js';

/** A command that users wrote, as doors list it. */
export interface UserCommand {
  /** Without the slash. */
  readonly name: string;
  /** What follows the name, for people. */
  readonly usage?: string;
  readonly sentence: string;
  /** As it is now: whoever writes a command tries it at once. `refusal`: why it is not said, for the person. */
  readonly open: () => Promise<UserCommandFile | { readonly refusal: string }>;
}

/** What a user's command comes to. */
export interface FilledCommand {
  /** For the person, a sentence each. */
  readonly notes: readonly string[];
  /** Said to the model. `attach`: the files that go along. */
  readonly prompt: { readonly text: string; readonly attach: readonly string[]; readonly content?: readonly Part[] };
  /** Called when that has ended, however: the model that there was before answers again. */
  readonly back?: () => void;
}
