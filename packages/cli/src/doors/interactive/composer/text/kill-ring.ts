const MOST = 30;

/** What was cut, to be put in again: the newest first, older ones on demand. */
export class KillRing {
  #texts: string[] = [];
  #at = 0;

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** `joins`: it was cut right after the last one, in front of it (`before`) or behind it. */
  add(text: string, joins?: 'before' | 'after'): void {
    if (text === '') return;
    const [last, ...others] = this.#texts;
    if (joins === undefined || last === undefined) this.#texts = [text, ...this.#texts].slice(0, MOST);
    else this.#texts = [joins === 'before' ? text + last : last + text, ...others];
    this.#at = 0;
  }

  /** The one that was cut last. */
  newest(): string | undefined {
    this.#at = 0;
    return this.#texts[0];
  }

  /** The one before that which was given last; behind the oldest, the newest. */
  older(): string | undefined {
    if (this.#texts.length === 0) return undefined;
    this.#at = (this.#at + 1) % this.#texts.length;
    return this.#texts[this.#at];
  }
}
