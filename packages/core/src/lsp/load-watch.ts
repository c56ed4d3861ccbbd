/** How long a server may take to say that it begins to load, once it was told of a file. */
const BEGIN_MS = 300;
/** Between the end of one piece of work and the beginning of the next. */
const BETWEEN_MS = 100;
/** Work that goes on beside and is not waited for: a compiler's own check after each save. */
const BESIDE = /flycheck|cargo check|diagnosing/i;

/** What a server says of its own work (`$/progress`). */
export class LoadWatch {
  readonly #active = new Set<string | number>();
  #waiters: (() => void)[] = [];
  #hasSettled = false;

  take(token: string | number, value: unknown): void {
    if (typeof value !== 'object' || value === null || !('kind' in value)) return;
    if (value.kind === 'begin') {
      const title = 'title' in value && typeof value.title === 'string' ? value.title : '';
      if (!BESIDE.test(`${token} ${title}`)) this.#active.add(token);
    } else if (value.kind === 'end') this.#active.delete(token);
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  get isLoading(): boolean {
    return this.#active.size > 0;
  }

  /** True as soon as it does nothing more; false when it still does after `maxMs`, or the signal aborted. */
  async settled(maxMs: number, signal: AbortSignal): Promise<boolean> {
    const until = performance.now() + maxMs;
    if (!this.#hasSettled && !this.isLoading) await this.#change(Math.min(BEGIN_MS, maxMs), signal);
    while (this.isLoading) {
      const left = until - performance.now();
      if (left <= 0 || signal.aborted) return false;
      await this.#change(left, signal);
      if (!this.isLoading) await this.#change(Math.min(BETWEEN_MS, Math.max(0, until - performance.now())), signal);
    }
    this.#hasSettled = true;
    return true;
  }

  /** Until anything is said, at most so long. */
  async #change(ms: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let wake = (): void => undefined;
    await new Promise<void>((resolve) => {
      wake = () => resolve();
      timer = setTimeout(resolve, ms);
      this.#waiters.push(resolve);
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', wake, { once: true });
    });
    clearTimeout(timer);
    signal.removeEventListener('abort', wake);
  }
}
