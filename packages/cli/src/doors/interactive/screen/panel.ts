import type { Safe } from '@tenon/core';

/** Of the terminal, in cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** What is drawn. No line has a line feed, and none is wider than the columns that were asked for. */
export interface Frame {
  readonly lines: readonly Safe[];
  /** Where the person types, from 0; absent: the cursor is hidden. */
  readonly cursor?: { readonly row: number; readonly column: number };
}

/** A key that was pressed, or a text that was pasted. */
export interface Key {
  /** As bindings name it: `a`, `enter`, `ctrl+c`, `shift+tab`, `alt+enter`, `escape`, `pageUp`; `paste` for pasted text. */
  readonly name: string;
  /** What it types; empty for keys that type nothing. Of `paste` all of it, with `\n` between lines, however long. */
  readonly text: string;
  /** The bytes as the terminal sent them. */
  readonly raw: string;
}

/** Something on the screen that takes keys: the composer, a question, a list to choose from. */
export interface Panel {
  /** At most as many lines as there are rows; called for every frame, so it must not compute what it can keep. */
  render(size: Size): Frame;
  onKey(key: Key): void;
}

/** How a panel that was opened ends, and has itself drawn again. */
export interface PanelControl<T> {
  readonly done: (answer: T) => void;
  readonly redraw: () => void;
}
