import type { Safe } from '@tenon/core';
import { forget } from '../state/items.js';
import type { Item, SessionState } from '../state/session-state.js';
import type { Block, Look } from './block.js';
import type { DiffLayout } from './diff/render-diff.js';
import { branchesFor } from './calls/agent-view.js';
import { blocksOfItem, type ItemBlock } from './item-blocks.js';
import type { Highlighter } from './markdown/highlighter.js';

export interface TranscriptServices {
  readonly highlighter: Highlighter;
  /** Default `auto`. */
  readonly diffLayout?: DiffLayout;
}

export interface Printed {
  /** For the scrollback, in order. */
  readonly lines: readonly Safe[];
  /** Without what was printed. */
  readonly state: SessionState;
}

/** Draws a session; what did not change is not drawn again. */
export interface Transcript {
  blocksOf(state: SessionState): readonly Block[];
  /** The blocks at the front that are done. */
  take(state: SessionState, look: Look): Printed;
  /** The last lines, at most `rows`, of what is not printed. */
  live(state: SessionState, look: Look, rows: number): readonly Safe[];
  /** What is drawn already is drawn anew: a language was loaded. */
  redraw(): void;
}

interface Drawn {
  readonly look: string;
  readonly theme: Look['theme'];
  readonly now: number;
  readonly lines: readonly Safe[];
}

export function createTranscript({ highlighter, diffLayout = 'auto' }: TranscriptServices): Transcript {
  const services = { highlighter, layout: diffLayout };
  // An item is never changed, only replaced: what was made of it holds as long as it is there.
  const blocks = new WeakMap<Item, readonly ItemBlock[]>();
  let drawn = new WeakMap<object, Drawn>();

  const blocksOfOne = (item: Item): readonly ItemBlock[] => {
    const known = blocks.get(item);
    if (known !== undefined) return known;
    const made = blocksOfItem(item, services);
    blocks.set(item, made);
    return made;
  };

  const linesOf = (block: ItemBlock, look: Look): readonly Safe[] => {
    const { isDone } = block;
    const key = `${look.columns} ${look.isOpen} ${look.unicode} ${look.images ?? ''} ${look.branches ?? ''} ${isDone}`;
    const known = drawn.get(block.of);
    if (known?.look === key && known.theme === look.theme && (isDone || sameTick(known.now, look.now)))
      return known.lines;
    const lines = block.render(look);
    drawn.set(block.of, { look: key, theme: look.theme, now: look.now, lines });
    return lines;
  };

  return {
    blocksOf: (state) => state.items.flatMap(blocksOfOne),
    take(state, look) {
      const keys = new Set<string>();
      const lines: Safe[] = [];
      for (const item of state.items) {
        const own = blocksOfOne(item);
        const end = own.findIndex((block) => !block.isDone);
        for (const block of end === -1 ? own : own.slice(0, end)) {
          for (const line of linesOf(block, look)) lines.push(line);
          keys.add(block.key);
        }
        // An answer that still grows may have no open block: what follows it waits all the same.
        if (end !== -1 || (item.kind === 'answer' && !item.isDone)) break;
      }
      return { lines, state: forget(state, keys) };
    },
    live(state, wanted, rows) {
      // An image is drawn once: what is cut off above would be drawn over.
      const look = { ...withoutImages(wanted), branches: branchesFor(workingAgents(state)) };
      const parts: (readonly Safe[])[] = [];
      let count = 0;
      for (let index = state.items.length - 1; index >= 0 && count < rows; index -= 1) {
        const item = state.items[index];
        const own = item === undefined ? [] : blocksOfOne(item);
        for (let place = own.length - 1; place >= 0 && count < rows; place -= 1) {
          const block = own[place];
          const lines = block === undefined ? [] : linesOf(block, look);
          parts.push(lines);
          count += lines.length;
        }
      }
      return parts.toReversed().flat().slice(-rows);
    },
    redraw() {
      drawn = new WeakMap();
    },
  };
}

function workingAgents({ items }: SessionState): number {
  return items.reduce((sum, item) => sum + (item.kind === 'call' && item.agent && item.phase !== 'done' ? 1 : 0), 0);
}

/** Times are shown to a tenth of a second. */
function sameTick(one: number, other: number): boolean {
  return Math.floor(one / 100) === Math.floor(other / 100);
}

function withoutImages({ columns, theme, isOpen, now, unicode }: Look): Look {
  return { columns, theme, isOpen, now, unicode };
}
