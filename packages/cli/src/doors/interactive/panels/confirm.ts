import { safeText, wrapSafe, type Safe } from '@tenon/core';
import type { Frame, Key, Panel, PanelControl, Size } from '../screen/panel.js';
import type { Stage } from '../screen/stage.js';
import type { Theme } from '../themes/theme.js';
import { frameOf, hintRows, isLetter } from './parts.js';

/** A yes or a no to a question of one or more lines. Anything but a clear yes is a no. */
export async function confirm(stage: Stage, question: Safe, signal?: AbortSignal): Promise<boolean> {
  const answer = await stage.show<boolean>(
    (control) => new ConfirmPanel({ question, theme: () => stage.theme() }, control),
    signal,
  );
  return answer === true;
}

export class ConfirmPanel implements Panel {
  readonly #options: { readonly question: Safe; readonly theme: () => Theme };
  readonly #control: PanelControl<boolean>;

  constructor(options: { readonly question: Safe; readonly theme: () => Theme }, control: PanelControl<boolean>) {
    this.#options = options;
    this.#control = control;
  }

  render(size: Size): Frame {
    const theme = this.#options.theme();
    const hints = hintRows(
      theme,
      [
        [safeText`y`, safeText`yes`],
        [safeText`n`, safeText`no (default)`],
      ],
      size.columns,
    );
    return frameOf([...wrapSafe(this.#options.question, size.columns), ...hints], size);
  }

  onKey({ name, text }: Key): void {
    if (isLetter(name, text, 'y')) this.#control.done(true);
    else if (['enter', 'escape', 'ctrl+c'].includes(name) || isLetter(name, text, 'n')) this.#control.done(false);
  }
}
