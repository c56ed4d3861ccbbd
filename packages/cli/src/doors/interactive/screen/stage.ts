import type { Safe } from '@tenon/core';
import type { Theme } from '../themes/theme.js';
import type { Panel, PanelControl, Size } from './panel.js';

/** The terminal, as commands and questions see it. */
export interface Stage {
  /** For the terminal's own scrollback, above all that is still redrawn. Lines are wrapped where they are too wide. */
  print(text: Safe): void;
  /**
   * Puts a panel in the composer's place, or on top of the one that is there, until it is done. Of keys that were typed before
   * it could be seen only Ctrl-C and Escape reach it. Undefined when the signal ends it.
   */
  show<T>(open: (control: PanelControl<T>) => Panel, signal?: AbortSignal): Promise<T | undefined>;
  /** The same over the whole screen, which is as it was afterwards. */
  showFull<T>(open: (control: PanelControl<T>) => Panel, signal?: AbortSignal): Promise<T | undefined>;
  /** Draws the live part again with the next frame. */
  redraw(): void;
  size(): Size;
  /** The one in force; it may change. */
  theme(): Theme;
  /** Lends the terminal to another program (an editor), and takes it back. */
  lend<T>(work: () => Promise<T>): Promise<T>;
}
