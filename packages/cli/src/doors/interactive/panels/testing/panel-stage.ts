import { createPainter, displayWidth, type Safe } from '@tenon/core';
import type { Frame, Key, Panel, PanelControl, Size } from '../../screen/panel.js';
import type { Stage } from '../../screen/stage.js';
import type { Role, Theme } from '../../themes/theme.js';

/** A terminal of a test: panels are shown at once, keys are pressed by the test, and the screen is read as text. */
export interface PanelStage extends Stage {
  /** Presses keys by name; a text in `«…»` is typed character by character. */
  press(...names: readonly string[]): void;
  paste(text: string): void;
  resize(size: Size): void;
  /** What the panel in front shows, without colours and blanks at line ends. Draws it. */
  screen(): string;
  frame(): Frame;
  /** Titles and bodies do not matter: is anything open? */
  readonly isOpen: boolean;
  readonly printed: readonly string[];
  /** How many have been lent the terminal. */
  readonly lent: number;
}

const painter = createPainter(true);
const LOOKS: Partial<Record<Role, Parameters<typeof painter>[0]>> = {
  selected: 'inverse',
  heading: 'bold',
  accent: 'cyan',
  dim: 'dim',
  warning: 'yellow',
  error: 'red',
};
const COLOURFUL: Theme = {
  name: 'dark',
  paint: (role, text) => {
    const style = LOOKS[role];
    return style === undefined ? text : painter(style, text);
  },
};

export function createPanelStage(first: Size = { columns: 80, rows: 24 }): PanelStage {
  const panels: Panel[] = [];
  const printed: string[] = [];
  let size = first;
  let lent = 0;

  const show = <T>(open: (control: PanelControl<T>) => Panel, signal?: AbortSignal): Promise<T | undefined> =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve(undefined);
      const end = (answer: T | undefined): void => {
        signal?.removeEventListener('abort', onAbort);
        if (panels.includes(panel)) panels.splice(panels.indexOf(panel), 1);
        resolve(answer);
      };
      const onAbort = (): void => end(undefined);
      const panel = open({ done: end, redraw: () => undefined });
      panels.push(panel);
      signal?.addEventListener('abort', onAbort, { once: true });
    });

  const frame = (): Frame => {
    const drawn = panels.at(-1)?.render(size) ?? { lines: [] };
    checkFrame(drawn, size);
    return drawn;
  };

  return {
    show,
    showFull: show,
    print: (text: Safe) => void printed.push(text),
    redraw: () => undefined,
    size: () => size,
    theme: () => COLOURFUL,
    async lend(work) {
      lent += 1;
      return work();
    },
    press(...names) {
      for (const key of names.flatMap(keysOf)) {
        panels.at(-1)?.onKey(key);
        frame();
      }
    },
    paste: (text) => panels.at(-1)?.onKey({ name: 'paste', text, raw: text }),
    resize: (next) => (size = next),
    screen: () =>
      frame()
        .lines.map((line) => line.replaceAll(/\u001b\[[\d;]*m/g, '').trimEnd())
        .join('\n'),
    frame,
    get isOpen() {
      return panels.length > 0;
    },
    printed,
    get lent() {
      return lent;
    },
  };
}

/** What every frame must keep to. */
function checkFrame({ lines, cursor }: Frame, { columns, rows }: Size): void {
  if (lines.length > rows) throw new Error(`${lines.length} lines for ${rows} rows`);
  for (const line of lines) {
    if (displayWidth(line) > columns) throw new Error(`wider than ${columns}: ${JSON.stringify(line)}`);
    if (/[\u0000-\u001a\u001c-\u001f\u007f\u202e]|\u001b(?!\[[\d;]*m)/.test(line))
      throw new Error(`not safe: ${JSON.stringify(line)}`);
  }
  if (cursor !== undefined && (cursor.row >= lines.length || cursor.column >= columns || cursor.row < 0))
    throw new Error(`the cursor is outside: ${JSON.stringify(cursor)}`);
}

function keysOf(name: string): readonly Key[] {
  const typed = /^«(.*)»$/su.exec(name)?.[1];
  if (typed !== undefined)
    return Array.from(typed, (char) => ({ name: char === ' ' ? 'space' : char, text: char, raw: char }));
  return [{ name, text: name.length === 1 ? name : '', raw: '' }];
}
