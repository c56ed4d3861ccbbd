/** The way through earlier prompts by Up and Down. */
export class HistoryWalk {
  #place = -1;
  #entries: readonly string[] = [];

  get isOnItsWay(): boolean {
    return this.#place !== -1;
  }

  /** The prompt before; undefined at the oldest. `entries`: newest first, asked for at the first step. */
  older(typed: string, entries: () => readonly string[]): string | undefined {
    const isFirst = this.#place === -1;
    if (isFirst) this.#entries = entries();
    // What is there already is no step.
    const next = isFirst && this.#entries[0] === typed ? 1 : this.#place + 1;
    const found = this.#entries[next];
    if (found !== undefined) this.#place = next;
    return found;
  }

  /** The prompt behind; undefined where that is what was being typed, or the way has not begun. */
  newer(): string | undefined {
    this.#place = Math.max(-1, this.#place - 1);
    return this.#entries[this.#place];
  }

  /** What is shown now is being typed. */
  end(): void {
    this.#place = -1;
    this.#entries = [];
  }
}
