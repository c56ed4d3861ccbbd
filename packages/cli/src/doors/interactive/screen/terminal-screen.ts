import type { Safe } from '@tenon/core';
import type { Frame, Size } from './panel.js';
import { NOTHING_DRAWN, paintFrame, paintRemoval, type Drawn } from './paint-frame.js';
import {
  ASK_BACKGROUND,
  CLEAR_SCREEN,
  ENTER_FULL_SCREEN,
  GIVE_BACK_TERMINAL,
  LEAVE_FULL_SCREEN,
  TAKE_TERMINAL,
} from './terminal-modes.js';

/** What the screen needs of the terminal's output. */
export interface TerminalOutput {
  write(text: string, done?: () => void): unknown;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

export interface TerminalScreen {
  size(): Size;
  /** For the scrollback, with the next frame. No line is wider than the terminal. */
  print(lines: readonly Safe[]): void;
  /** A new frame, at most 30 times a second, and never while the last one is still on its way to a slow terminal. */
  redraw(): void;
  /** Resolves when all that is to be shown was handed to the terminal. */
  settled(): Promise<void>;
  /** After the terminal got another size. */
  resized(): void;
  /** The same frames over the whole screen, until it is left. */
  enterFull(): void;
  leaveFull(): void;
  clear(): void;
  ring(bell: string): void;
  take(): void;
  /** Takes the live part away and gives the terminal back as it was. */
  giveBack(): void;
  /** What gives it back when the process ends at once. */
  readonly endBytes: string;
  close(): void;
}

const FRAME_MS = 1000 / 30;
const FALLBACK: Size = { columns: 80, rows: 24 };

/** `draw` is asked for each frame; in full screen for all rows. */
export function createTerminalScreen(output: TerminalOutput, draw: (size: Size) => Frame): TerminalScreen {
  return new LiveScreen(output, draw);
}

class LiveScreen implements TerminalScreen {
  readonly #output: TerminalOutput;
  readonly #draw: (size: Size) => Frame;
  readonly #settled: (() => void)[] = [];
  #printed: Safe[] = [];
  #drawn: Drawn = NOTHING_DRAWN;
  /** The live part of the normal screen while the full one is shown. */
  #beneath: Drawn | undefined;
  /** It was full when it was given back. */
  #wasFull = false;
  #timer: NodeJS.Timeout | undefined;
  #lastFrame = -FRAME_MS;
  /** Writes that are on their way. */
  #writing = 0;
  #isWanted = false;
  #isTaken = false;

  constructor(output: TerminalOutput, draw: (size: Size) => Frame) {
    this.#output = output;
    this.#draw = draw;
  }

  size(): Size {
    const { columns, rows } = this.#output;
    // A terminal that does not know its size says 0.
    return { columns: columns || FALLBACK.columns, rows: rows || FALLBACK.rows };
  }

  print(lines: readonly Safe[]): void {
    for (const line of lines) this.#printed.push(line);
    this.redraw();
  }

  redraw(): void {
    this.#isWanted = true;
    if (this.#timer !== undefined || this.#writing > 0 || !this.#isTaken) return;
    const wait = Math.max(0, this.#lastFrame + FRAME_MS - performance.now());
    this.#timer = setTimeout(() => this.#frame(), wait);
  }

  settled(): Promise<void> {
    if (!this.#isWanted && this.#writing === 0) return Promise.resolve();
    return new Promise((resolve) => this.#settled.push(resolve));
  }

  resized(): void {
    if (!this.#isTaken) return;
    if (this.#beneath === undefined) {
      this.#write(paintRemoval(this.#drawn, this.size().columns));
      this.#drawn = NOTHING_DRAWN;
    } else this.#startFull();
    this.redraw();
  }

  enterFull(): void {
    if (!this.#isTaken) this.#wasFull = true;
    if (this.#beneath !== undefined || !this.#isTaken) return;
    this.#beneath = this.#drawn;
    this.#startFull();
    this.redraw();
  }

  leaveFull(): void {
    this.#wasFull = false;
    if (this.#beneath === undefined) return;
    this.#drawn = this.#beneath;
    this.#beneath = undefined;
    this.#write(LEAVE_FULL_SCREEN);
    // The terminal may have got another size meanwhile.
    this.resized();
  }

  clear(): void {
    this.#write(CLEAR_SCREEN);
    this.#drawn = NOTHING_DRAWN;
    this.redraw();
  }

  ring(bell: string): void {
    this.#write(bell);
  }

  take(): void {
    if (this.#isTaken) return;
    this.#isTaken = true;
    this.#drawn = NOTHING_DRAWN;
    this.#write(TAKE_TERMINAL + ASK_BACKGROUND);
    if (this.#wasFull) this.enterFull();
    this.#wasFull = false;
    this.redraw();
  }

  giveBack(): void {
    if (!this.#isTaken) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#beneath !== undefined) this.#write(LEAVE_FULL_SCREEN);
    const beneath = this.#beneath ?? this.#drawn;
    this.#wasFull = this.#beneath !== undefined;
    this.#beneath = undefined;
    const { bytes } = paintFrame(beneath, this.#printed.splice(0), { lines: [] });
    this.#write(bytes + GIVE_BACK_TERMINAL);
    this.#drawn = NOTHING_DRAWN;
    this.#isTaken = false;
    this.#isWanted = false;
    this.#tellSettled();
  }

  get endBytes(): string {
    return `${this.#beneath === undefined ? '' : LEAVE_FULL_SCREEN}${GIVE_BACK_TERMINAL}`;
  }

  close(): void {
    this.giveBack();
  }

  #startFull(): void {
    this.#write(ENTER_FULL_SCREEN);
    this.#drawn = NOTHING_DRAWN;
  }

  #frame(): void {
    this.#timer = undefined;
    if (!this.#isTaken) return;
    this.#isWanted = false;
    this.#lastFrame = performance.now();
    const size = this.size();
    const frame = fitted(this.#draw(size), size);
    // What is printed waits until the full screen is left.
    const printed = this.#beneath === undefined ? this.#printed.splice(0) : [];
    const { bytes, drawn } = paintFrame(this.#drawn, printed, frame);
    this.#drawn = drawn;
    this.#write(bytes);
    if (!this.#isWanted && this.#writing === 0) this.#tellSettled();
  }

  #write(bytes: string): void {
    if (bytes === '') return;
    this.#writing += 1;
    this.#output.write(bytes, () => {
      this.#writing -= 1;
      if (this.#writing > 0) return;
      if (this.#isWanted) this.redraw();
      else this.#tellSettled();
    });
  }

  #tellSettled(): void {
    for (const tell of this.#settled.splice(0)) tell();
  }
}

/** Not more rows than there are: the last ones, and those around the cursor. */
function fitted({ lines, cursor }: Frame, { rows }: Size): Frame {
  const surplus = lines.length - rows;
  if (surplus <= 0) return { lines, ...(cursor && { cursor }) };
  const start = cursor === undefined ? surplus : Math.min(surplus, Math.max(0, cursor.row - Math.floor(rows / 2)));
  const shown = lines.slice(start, start + rows);
  return { lines: shown, ...(cursor && { cursor: { ...cursor, row: cursor.row - start } }) };
}
