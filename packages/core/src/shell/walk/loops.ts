import { anythingAfter, either, widened, type ShellState } from '../words/shell-state.js';
import { always, eitherWay, type Outcome } from './outcome.js';
import type { LoopExits, Position } from './position.js';
import type { Walk } from './walk-types.js';
import { WalkRecord } from './walk-record.js';

/** One turn of a loop: what holds where it may end, and before the next turn. */
export type Turn = (state: ShellState, at: Position) => { readonly exit: ShellState; readonly next: ShellState };

/** Loops within loops that are followed, and turns until nothing new can happen. */
const MOST_LOOPS = 4;
const MOST_TURNS = 6;

/**
 * Goes through a loop again and again, from all that may hold before a turn, until a turn brings nothing new. The first
 * turn is written down, and that last one: it holds all the others.
 */
export function runLoop(
  walk: Walk,
  { state, at }: { readonly state: ShellState; readonly at: Position },
  turn: Turn,
): Outcome {
  if (at.loops.length + at.outerLoops.length >= MOST_LOOPS) {
    walk.record.doubt('loops within loops');
    turn(anythingAfter(state), { ...at, isSure: false });
    return always(anythingAfter(state));
  }
  const kept = walk.record;
  let before = state;
  for (let count = 0; ; count += 1) {
    const exits: LoopExits = { breaks: [], continues: [] };
    const functions = walk.functions.version;
    walk.record = new WalkRecord();
    const { exit, next } = turn(before, { ...at, loops: [...at.loops, exits], isSure: false });
    const wide = widened(before, exits.continues.reduce(either, next));
    const isStable = wide === before && walk.functions.version === functions;
    if (isStable || count >= MOST_TURNS) {
      if (!isStable) walk.record.doubt('a loop that changes from turn to turn');
      kept.include(walk.record);
      walk.record = kept;
      return always(exits.breaks.reduce<ShellState>(either, eitherWay(exit, wide) ?? exit));
    }
    // The first turn may be the only one, and what it does is more certain than what any may do.
    if (count === 0) kept.include(walk.record);
    before = wide;
  }
}
