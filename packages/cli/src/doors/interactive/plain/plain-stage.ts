import { joinSafe, safeText, type Safe } from '@tenon/core';
import type { Output } from '../../../output.js';
import type { Terminal } from '../../../ui/terminal.js';
import type { Key, Panel, PanelControl } from '../screen/panel.js';
import type { Stage } from '../screen/stage.js';
import type { Theme } from '../themes/theme.js';

export interface PlainStageParts {
  readonly terminal: Pick<Terminal, 'ask'>;
  readonly screen: Output;
  readonly theme: () => Theme;
}

/** Rows of a list that are shown at once. */
const ROWS = 30;
const FALLBACK_COLUMNS = 80;

/**
 * A stage for terminals that are read line by line, by a screen reader or in a file: a panel is printed, and a line is what
 * is typed into it, with its Enter. What it shows then is printed again, until it is done.
 */
export function createPlainStage({ terminal, screen, theme }: PlainStageParts): Stage {
  const columns = (): number => Math.min(screen.columns(), 1_000) || FALLBACK_COLUMNS;
  let written: Promise<void> = Promise.resolve();
  const print = (text: Safe): void => {
    const line = text.endsWith('\n') ? text : safeText`${text}\n`;
    written = written.then(async () => screen.write(line));
  };
  const show = async <T>(open: (control: PanelControl<T>) => Panel, signal?: AbortSignal): Promise<T | undefined> => {
    const answers: (T | undefined)[] = [];
    const panel = open({ done: (answer) => void answers.push(answer), redraw: () => undefined });
    while (answers.length === 0) {
      print(joinSafe(panel.render({ columns: columns(), rows: ROWS }).lines, safeText`\n`));
      await written;
      const line = await terminal.ask('› ', signal);
      if (line === undefined) return undefined;
      for (const key of keysOf(line)) if (answers.length === 0) panel.onKey(key);
    }
    return answers[0];
  };
  return {
    print,
    show,
    showFull: show,
    redraw: () => undefined,
    size: () => ({ columns: columns(), rows: ROWS }),
    theme,
    lend: async (work) => {
      await written;
      return work();
    },
  };
}

function keysOf(line: string): readonly Key[] {
  const typed = Array.from(line, (text) => ({ name: text, text, raw: text }));
  return [...typed, { name: 'enter', text: '', raw: '\r' }];
}
