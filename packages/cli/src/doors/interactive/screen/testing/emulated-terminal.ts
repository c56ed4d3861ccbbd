import xterm from '@xterm/headless';
import type { TerminalOutput } from '../terminal-screen.js';

/** A terminal as programs know it, without a window: what was written to it can be read as rows of text. */
export interface EmulatedTerminal extends TerminalOutput {
  readonly columns: number;
  readonly rows: number;
  /** All rows, those of the scrollback first; blanks at their ends are left out, and empty rows at the end. */
  text(): readonly string[];
  /** What can be seen now. */
  visible(): readonly string[];
  cursor(): { readonly row: number; readonly column: number };
  resize(columns: number, rows: number): void;
  /** When all that was written until now has been shown. */
  settled(): Promise<void>;
  readonly written: () => number;
}

export function emulateTerminal(columns: number, rows: number): EmulatedTerminal {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 100_000, allowProposedApi: true });
  let bytes = 0;
  const line = (index: number): string =>
    (terminal.buffer.active.getLine(index)?.translateToString(true) ?? '').trimEnd();
  return {
    get columns() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    write(text, done) {
      bytes += text.length;
      terminal.write(text, done);
    },
    text() {
      const lines = Array.from({ length: terminal.buffer.active.length }, (_, index) => line(index));
      while (lines.at(-1) === '') lines.pop();
      return lines;
    },
    visible: () => Array.from({ length: terminal.rows }, (_, index) => line(terminal.buffer.active.baseY + index)),
    cursor: () => ({ row: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX }),
    resize: (toColumns, toRows) => terminal.resize(toColumns, toRows),
    settled: () => new Promise((resolve) => terminal.write('', resolve)),
    written: () => bytes,
  };
}
