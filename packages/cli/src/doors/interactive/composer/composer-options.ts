import type { Theme } from '../themes/theme.js';
import type { Completion } from '../commands/command.js';
import type { Offers } from './complete/offer.js';
import type { PromptHistory } from './history/prompt-history.js';
import type { KeyAction, KeyBindings } from './key-bindings.js';

/** What the composer leaves to the door. */
export type DoorAction = Extract<
  KeyAction,
  'cancel' | 'interrupt' | 'leave' | 'suspend' | 'cycleMode' | 'openTranscript' | 'toggleTodos' | 'clearScreen'
>;

export interface ComposerOptions {
  readonly bindings: KeyBindings;
  readonly theme: () => Theme;
  /** False: no marks beyond ASCII. */
  readonly unicode: boolean;
  readonly history: PromptHistory;
  /** Called whenever there is something else to draw. */
  readonly redraw: () => void;
  /** What was typed, exactly; `\n` between lines. In shell mode it begins with `!`. Never empty or blank alone. */
  readonly onSubmit: (submission: { readonly text: string }) => void;
  readonly onAction: (action: DoorAction) => void;
  /** What can follow a text that begins with a slash, up to the cursor (`completeCommand`). */
  readonly completeCommand?: (text: string) => Promise<readonly Completion[]>;
  /** What is shown dimly behind a line that is typed so far: what a command takes; for an empty one, what can be done. Unclean text. */
  readonly hint?: (line: string) => string | undefined;
  /** What can follow `@`, the most likely first. */
  readonly mentions?: readonly Offers[];
  /** Lets the person change a text elsewhere, and resolves to what it is then; undefined where there is no such place. */
  readonly edit?: (text: string) => Promise<string>;
  /** Told why the text could not be changed there. Unclean text. */
  readonly onProblem?: (problem: string) => void;
  /** Takes the last message that waits out of the queue, for the person to change it. */
  readonly takeQueued?: () => string | undefined;
}
