/** More different endings than this are told as others. */
const MAX_EXTENSIONS = 1_000;
const MAX_LENGTH = 16;

/** With its dot; empty for a name without one, or with nothing before or after it. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 || dot === name.length - 1 || name.length - dot > MAX_LENGTH ? '' : name.slice(dot);
}

/** How many names have which ending. Names in a folder mostly end as the one before: those are only compared. */
export class ExtensionCounts {
  readonly #counts = new Map<string, number>();
  #last = '';
  #lastCount = 0;

  add(name: string): void {
    if (this.#last !== '' && name.length > this.#last.length && name.endsWith(this.#last)) {
      this.#lastCount += 1;
      return;
    }
    this.#store();
    this.#last = extensionOf(name);
    this.#lastCount = 1;
  }

  end(): ReadonlyMap<string, number> {
    this.#store();
    return this.#counts;
  }

  #store(): void {
    const count = this.#lastCount;
    this.#lastCount = 0;
    const known = this.#counts.get(this.#last);
    if (count === 0 || (known === undefined && this.#counts.size >= MAX_EXTENSIONS)) return;
    this.#counts.set(this.#last, (known ?? 0) + count);
  }
}
