import type { Safe } from '@tenon/core';
import type { Theme } from '../themes/theme.js';
import type { Frame, Key, Panel, PanelControl, Size } from './panel.js';
import type { Stage } from './stage.js';
import type { TerminalScreen } from './terminal-screen.js';

/** The stage as the door itself sees it. */
export interface LiveStage extends Stage {
  /** What takes keys when nothing is asked: the composer. */
  setBase(panel: Panel): void;
  /** What is drawn above it, for at most so many rows: of more the last ones are shown. */
  setAbove(render: (size: Size) => readonly Safe[]): void;
  onKey(key: Key): void;
  /** For the screen: what is to be seen now. */
  draw(size: Size): Frame;
  /** True while the person is asked something. */
  readonly isAsking: boolean;
}

export interface StageServices {
  readonly screen: TerminalScreen;
  readonly theme: () => Theme;
  /** Lines of safe text no wider than so many columns. */
  readonly wrap: (text: Safe, columns: number) => readonly Safe[];
  /** Keys go nowhere while another program has the terminal. */
  readonly pauseKeys: () => () => void;
}

/** What was typed before a question could be seen arrives within this time. */
const UNSEEN_MS = 60;
/** Of a panel that cannot be seen yet these can only be a no; a question still judges by itself when Escape is one. */
const LEAVES: ReadonlySet<string> = new Set(['ctrl+c', 'escape']);
/** Rows that stay for what is above a panel, where there are enough. */
const ROWS_ABOVE = 4;

interface Open {
  readonly panel: Panel;
  readonly isFull: boolean;
  /** Keys count from then on. */
  isSeen: boolean;
}

const EMPTY: Panel = { render: () => ({ lines: [] }), onKey: () => undefined };

export function createStage(services: StageServices): LiveStage {
  return new PanelStage(services);
}

class PanelStage implements LiveStage {
  readonly #services: StageServices;
  readonly #open: Open[] = [];
  #base = EMPTY;
  #above: (size: Size) => readonly Safe[] = () => [];

  constructor(services: StageServices) {
    this.#services = services;
  }

  print(text: Safe): void {
    const { screen, wrap } = this.#services;
    screen.print(wrap(text, screen.size().columns));
  }

  show<T>(make: (control: PanelControl<T>) => Panel, signal?: AbortSignal): Promise<T | undefined> {
    return this.#show(make, false, signal);
  }

  showFull<T>(make: (control: PanelControl<T>) => Panel, signal?: AbortSignal): Promise<T | undefined> {
    return this.#show(make, true, signal);
  }

  redraw(): void {
    this.#services.screen.redraw();
  }

  size(): Size {
    return this.#services.screen.size();
  }

  theme(): Theme {
    return this.#services.theme();
  }

  async lend<T>(work: () => Promise<T>): Promise<T> {
    const { screen, pauseKeys } = this.#services;
    const resume = pauseKeys();
    screen.giveBack();
    try {
      return await work();
    } finally {
      resume();
      screen.take();
    }
  }

  setBase(panel: Panel): void {
    this.#base = panel;
    this.redraw();
  }

  setAbove(render: (size: Size) => readonly Safe[]): void {
    this.#above = render;
  }

  get isAsking(): boolean {
    return this.#open.length > 0;
  }

  onKey(key: Key): void {
    const top = this.#open.at(-1);
    if (top === undefined) this.#base.onKey(key);
    else if (top.isSeen || LEAVES.has(key.name)) top.panel.onKey(key);
    // Meant for what was there before: words are kept, and Enter decides nothing.
    else if (this.#open.length === 1 && key.text >= ' ') this.#base.onKey(key);
    this.redraw();
  }

  draw(size: Size): Frame {
    const top = this.#open.at(-1);
    if (top?.isFull === true) return top.panel.render(size);
    const panel = (top?.panel ?? this.#base).render(size);
    const room = Math.max(Math.min(ROWS_ABOVE, size.rows - 1), size.rows - panel.lines.length) - 1;
    const lines = room < 1 ? [] : this.#above({ columns: size.columns, rows: room }).slice(-room);
    const { cursor } = panel;
    return {
      lines: [...lines, ...panel.lines],
      ...(cursor && { cursor: { row: cursor.row + lines.length, column: cursor.column } }),
    };
  }

  #show<T>(make: (control: PanelControl<T>) => Panel, isFull: boolean, signal?: AbortSignal): Promise<T | undefined> {
    const { screen } = this.#services;
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve(undefined);
      const end = (answer: T | undefined): void => {
        signal?.removeEventListener('abort', cancel);
        this.#close(opened);
        resolve(answer);
      };
      const cancel = (): void => end(undefined);
      const panel = make({ done: end, redraw: () => screen.redraw() });
      const opened: Open = { panel, isFull, isSeen: false };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#open.push(opened);
      if (isFull) screen.enterFull();
      this.#appear(opened);
    });
  }

  /** Keys that were typed for what was there before are not for what appears now. */
  #appear(opened: Open): void {
    const { screen } = this.#services;
    opened.isSeen = false;
    screen.redraw();
    void screen.settled().then(() => setTimeout(() => (opened.isSeen = true), UNSEEN_MS));
  }

  #close(opened: Open): void {
    const place = this.#open.indexOf(opened);
    if (place === -1) return;
    const wasTop = place === this.#open.length - 1;
    this.#open.splice(place, 1);
    if (opened.isFull && !this.#open.some(({ isFull }) => isFull)) this.#services.screen.leaveFull();
    const beneath = this.#open.at(-1);
    if (wasTop && beneath !== undefined) this.#appear(beneath);
    else this.redraw();
  }
}
