import { safeText, type Safe } from '@tenon/core';
import type { Frame, Key, Panel, PanelControl, Size } from '../screen/panel.js';
import type { Stage } from '../screen/stage.js';
import type { Theme } from '../themes/theme.js';
import { frameOf, hintRows, titleRow, type Hint } from './parts.js';
import { typedText, typeKey, type TypedText } from './text-model.js';
import { TypedView } from './typed-view.js';

export interface TextQuestion {
  /** One line. */
  readonly title: Safe;
  readonly initial?: string;
  /** True: Enter begins a line, Ctrl-S hands the text on. */
  readonly multiline?: boolean;
  /** True: what is typed is not shown. */
  readonly secret?: boolean;
}

/** Lets the person type a text, which may be empty. Undefined when they leave it, or the signal does. */
export async function askForText(
  stage: Stage,
  question: TextQuestion,
  signal?: AbortSignal,
): Promise<string | undefined> {
  return stage.show<string | undefined>(
    (control) => new TextPanel({ ...question, theme: () => stage.theme() }, control),
    signal,
  );
}

export class TextPanel implements Panel {
  readonly #options: TextQuestion & { readonly theme: () => Theme };
  readonly #control: PanelControl<string | undefined>;
  readonly #view = new TypedView();
  #typed: TypedText;

  constructor(options: TextQuestion & { readonly theme: () => Theme }, control: PanelControl<string | undefined>) {
    this.#options = options;
    this.#control = control;
    this.#typed = typedText(options.initial ?? '');
  }

  render(size: Size): Frame {
    const { title, multiline = false, secret = false } = this.#options;
    const theme = this.#options.theme();
    const below = hintRows(theme, multiline ? LINES_HINTS : LINE_HINTS, size.columns);
    const height = Math.max(1, size.rows - 1 - below.length);
    const { rows, cursor } = this.#view.draw(this.#typed, { columns: size.columns - 2, height, isSecret: secret });
    const shown = rows.map(
      (row, index) => safeText`${index === 0 ? theme.paint('accent', safeText`›`) : safeText` `} ${row}`,
    );
    const place = { row: cursor.row + 1, column: cursor.column + 2 };
    return frameOf([titleRow(theme, title, size.columns), ...shown, ...below], size, place);
  }

  onKey(key: Key): void {
    const { multiline = false } = this.#options;
    if (key.name === 'escape' || key.name === 'ctrl+c') return this.#control.done(undefined);
    if (key.name === 'ctrl+s' || (key.name === 'enter' && !multiline)) return this.#control.done(this.#typed.text);
    this.#typed = typeKey(this.#typed, key, multiline) ?? this.#typed;
    this.#control.redraw();
  }
}

const LEAVE: Hint = [safeText`Esc`, safeText`leave`];
const LINE_HINTS: readonly Hint[] = [[safeText`Enter`, safeText`done`], LEAVE];
const LINES_HINTS: readonly Hint[] = [[safeText`Enter`, safeText`new line`], [safeText`Ctrl-S`, safeText`done`], LEAVE];
