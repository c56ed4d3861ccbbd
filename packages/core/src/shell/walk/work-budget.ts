/** What a walk through a script may look at in all, so that no text takes long: counted, since time depends on the machine. */
const MOST = {
  /** Commands that are judged. */
  commands: 1_000,
  /** Parts of the tree. */
  steps: 5_000,
  /** Words of commands, as written and as expanded, and assignments before them. */
  words: 10_000,
  /** Characters of words that are expanded, and that variables are filled in with. */
  characters: 400_000,
} as const;

export type WorkKind = keyof typeof MOST;

const REASONS: Readonly<Record<WorkKind, string>> = {
  commands: 'more commands than can be followed',
  steps: 'more commands than can be followed',
  words: 'more words than can be followed',
  characters: 'more text than can be followed',
};

/** Counts what a walk does. What is too much is a doubt, and is not followed. */
export class WorkBudget {
  readonly #doubt: (reason: string) => void;
  readonly #spent: Record<WorkKind, number> = { commands: 0, steps: 0, words: 0, characters: 0 };
  #isSpent = false;

  constructor(doubt: (reason: string) => void) {
    this.#doubt = doubt;
  }

  /** True once something was refused: nothing more is to be followed. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** False, and a doubt, when it is too much. */
  take(kind: WorkKind, count = 1): boolean {
    if (this.#spent[kind] + count <= MOST[kind]) {
      this.#spent[kind] += count;
      return true;
    }
    this.#isSpent = true;
    this.#doubt(REASONS[kind]);
    return false;
  }
}
