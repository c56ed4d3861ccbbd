import type { Safe } from './safe-text.js';

/** Which looks are on after the codes that were read (ECMA-48 8.3.117). */
export interface ActiveLooks {
  /** Anything but SGR is passed over. */
  read(code: string): void;
  /** What turns all of them on again, and off. */
  on(): Safe;
  off(): Safe;
  copy(): ActiveLooks;
}

/** What turns a look off, by the parameter that turns it on. */
const ENDS: ReadonlyMap<number, number> = new Map([
  [1, 22],
  [2, 22],
  [3, 23],
  [4, 24],
  [7, 27],
  [9, 29],
]);
const FOREGROUND = 39;
const BACKGROUND = 49;

export function activeLooks(from: ReadonlyMap<string, number> = new Map()): ActiveLooks {
  /** Parameters that are on, with those that end them. */
  const on = new Map(from);
  const end = (code: number): void => {
    for (const [parameters, ending] of on) if (ending === code) on.delete(parameters);
  };
  return {
    read(code) {
      const found = /^\u001b\[([\d;]*)m$/.exec(code);
      if (found === null) return;
      const all = (found[1] ?? '').split(';').map(Number);
      for (let at = 0; at < all.length; at += 1) {
        const parameter = all[at] ?? 0;
        const ending = ENDS.get(parameter) ?? colourEnd(parameter);
        if (parameter === 0) on.clear();
        else if (ending === undefined) end(parameter);
        else {
          const length = parameter % 10 === 8 && parameter < 90 ? (all[at + 1] === 2 ? 5 : 3) : 1;
          if (ending === FOREGROUND || ending === BACKGROUND) end(ending);
          on.set(all.slice(at, at + length).join(';'), ending);
          at += length - 1;
        }
      }
    },
    on: () => sequence([...on.keys()]),
    off: () => sequence([...new Set(on.values())]),
    copy: () => activeLooks(on),
  };
}

function colourEnd(parameter: number): number | undefined {
  if ((parameter >= 30 && parameter <= 38) || (parameter >= 90 && parameter <= 97)) return FOREGROUND;
  return (parameter >= 40 && parameter <= 48) || (parameter >= 100 && parameter <= 107) ? BACKGROUND : undefined;
}

function sequence(parameters: readonly (string | number)[]): Safe {
  return (parameters.length === 0 ? '' : `\u001b[${parameters.join(';')}m`) as Safe;
}
