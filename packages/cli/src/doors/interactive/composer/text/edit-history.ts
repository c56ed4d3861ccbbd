import { endOf, type Edit, type Position } from './text-buffer.js';

/** `type`: a character was typed; `erase`: one was taken away; what follows on is taken back together with it. */
export type EditKind = 'type' | 'erase' | 'other';

/** One thing that can be taken back. */
export interface Step {
  readonly edit: Edit;
  readonly kind: EditKind;
  /** Where the cursor was. */
  readonly before: Position;
}

const MOST_STEPS = 1_000;

/** What was done to a text, for undo and redo. */
export class EditHistory {
  #done: Step[] = [];
  #undone: Step[] = [];
  #isOpen = false;

  record(step: Step): void {
    this.#undone = [];
    const last = this.#done.at(-1);
    const joined = this.#isOpen && last !== undefined ? joinSteps(last, step) : undefined;
    if (joined === undefined) this.#done.push(step);
    else this.#done[this.#done.length - 1] = joined;
    if (this.#done.length > MOST_STEPS) this.#done.shift();
    this.#isOpen = true;
  }

  /** What comes next is a step of its own. */
  close(): void {
    this.#isOpen = false;
  }

  /** What is to be taken back now. */
  undo(): Step | undefined {
    const step = this.#done.pop();
    if (step !== undefined) this.#undone.push(step);
    this.#isOpen = false;
    return step;
  }

  /** What is to be done again. */
  redo(): Step | undefined {
    const step = this.#undone.pop();
    if (step !== undefined) this.#done.push(step);
    this.#isOpen = false;
    return step;
  }

  clear(): void {
    this.#done = [];
    this.#undone = [];
    this.#isOpen = false;
  }
}

/** Letters of one word, with the blanks behind it, are one step; so are characters that are taken away one after another. */
function joinSteps(last: Step, step: Step): Step | undefined {
  if (last.kind !== step.kind) return undefined;
  const [a, b] = [last.edit, step.edit];
  if (step.kind === 'type') {
    const end = endOf(a.at, a.inserted);
    const follows = b.removed === '' && end.line === b.at.line && end.column === b.at.column;
    const isNewWord = /\s$/.test(a.inserted) && !/^\s/.test(b.inserted);
    if (!follows || isNewWord) return undefined;
    return { ...last, edit: { at: a.at, removed: a.removed, inserted: a.inserted + b.inserted } };
  }
  if (step.kind === 'erase') {
    const end = endOf(b.at, b.removed);
    const follows = end.line === a.at.line && end.column === a.at.column;
    return follows ? { ...last, edit: { at: b.at, removed: b.removed + a.removed, inserted: '' } } : undefined;
  }
  return undefined;
}
