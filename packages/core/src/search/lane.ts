/**
 * Work that is done in rounds, one after the other: while one runs, what comes in gathers for the next. Whoever adds
 * says when the gathered is enough for a round.
 */
export class Lane<T> {
  readonly #round: (gathered: T[]) => Promise<void>;
  readonly #onFailure: (thrown: unknown) => void;
  readonly #onFree: () => void;
  #gathered: T[] = [];
  #running: Promise<void> | undefined;
  #failure: { readonly thrown: unknown } | undefined;

  /** A round that fails is the last one; `onFailure` hears of it at once. `onFree` hears of the end of every other. */
  constructor(
    round: (gathered: T[]) => Promise<void>,
    onFailure: (thrown: unknown) => void,
    onFree: () => void = () => undefined,
  ) {
    this.#round = round;
    this.#onFailure = onFailure;
    this.#onFree = onFree;
  }

  add(item: T): void {
    this.#gathered.push(item);
  }

  get isFree(): boolean {
    return this.#running === undefined && this.#failure === undefined;
  }

  /** Begins a round with everything gathered, unless one is running or there is nothing. */
  start(): void {
    if (!this.isFree || this.#gathered.length === 0) return;
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#running = this.#round(gathered).then(
      () => {
        this.#running = undefined;
        this.#onFree();
      },
      (thrown: unknown) => {
        this.#running = undefined;
        this.#failure = { thrown };
        this.#onFailure(thrown);
      },
    );
  }

  /** Does the rest. @throws what a round threw */
  async finish(): Promise<void> {
    for (;;) {
      await this.#running;
      if (this.#failure !== undefined) throw this.#failure.thrown;
      if (this.#running === undefined && this.#gathered.length === 0) return;
      this.start();
    }
  }

  /** Waits for the round that is running, if any, whatever becomes of it; no other one begins. */
  async stop(): Promise<void> {
    this.#gathered = [];
    await this.#running;
  }
}
