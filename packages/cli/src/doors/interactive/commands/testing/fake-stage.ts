import type { Safe } from '@tenon/core';
import type { Key, Panel, PanelControl, Size } from '../../screen/panel.js';
import type { Stage } from '../../screen/stage.js';
import type { Theme } from '../../themes/theme.js';

/** A terminal without a terminal: what is printed is kept, and panels get their keys from a script. */
export interface FakeStage extends Stage {
  readonly printed: readonly string[];
  /** What panels showed before each key, a text each. */
  readonly frames: readonly string[];
}

export interface FakeStageOptions {
  /** For each panel in turn the keys that are pressed, by name (`down`, `enter`); a text in `«…»` is typed letter by letter. */
  readonly panels?: readonly (readonly string[])[];
  readonly size?: Size;
}

const PLAIN: Theme = { name: 'no-colour', paint: (_role, text) => text };

export function createFakeStage({ panels = [], size = { columns: 80, rows: 24 } }: FakeStageOptions = {}): FakeStage {
  const printed: string[] = [];
  const frames: string[] = [];
  const waiting = [...panels];

  const show = async <T>(open: (control: PanelControl<T>) => Panel, signal?: AbortSignal): Promise<T | undefined> => {
    if (signal?.aborted === true) return undefined;
    const keys = waiting.shift();
    const ended: { readonly answer: T }[] = [];
    const panel = open({ done: (answer) => void ended.push({ answer }), redraw: () => undefined });
    for (const key of (keys ?? []).flatMap(keysOf)) {
      frames.push(panel.render(size).lines.join('\n'));
      panel.onKey(key);
      // Panels may look something up before they can take the next key.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [first] = ended;
    if (first !== undefined) return first.answer;
    throw new Error(`The panel is still open after its keys:\n${panel.render(size).lines.join('\n')}`);
  };

  return {
    printed,
    frames,
    print: (text: Safe) => void printed.push(text),
    show,
    showFull: show,
    redraw: () => undefined,
    size: () => size,
    theme: () => PLAIN,
    lend: (work) => work(),
  };
}

function keysOf(name: string): Key[] {
  const typed = /^«(.*)»$/s.exec(name)?.[1];
  if (typed === undefined) return [{ name, text: '', raw: '' }];
  return Array.from(typed, (text) => ({ name: text, text, raw: text }));
}
