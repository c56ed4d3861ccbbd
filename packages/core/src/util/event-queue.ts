const NO_MORE = { done: true, value: undefined } as const;

/** A queue between those who emit events and one who iterates them. Nothing is dropped; the reader may be slow. */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  readonly #items: T[] = [];
  readonly #readers: ((result: IteratorResult<T>) => void)[] = [];
  #isOver = false;

  push(item: T): void {
    if (this.#isOver) return;
    const tell = this.#readers.shift();
    if (tell === undefined) this.#items.push(item);
    else tell({ done: false, value: item });
  }

  /** The reader gets what is queued, and then the end. */
  end(): void {
    this.#isOver = true;
    for (const tell of this.#readers.splice(0)) tell(NO_MORE);
  }

  /** Nobody reads any more. */
  close(): void {
    this.#items.length = 0;
    this.end();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T>> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve({ done: false, value: item });
    if (this.#isOver) return Promise.resolve(NO_MORE);
    return new Promise((resolve) => {
      this.#readers.push(resolve);
    });
  }
}
