import type { Diagnostic } from 'vscode-languageserver-protocol';
import { pathOf } from './places.js';

export interface Published {
  readonly items: readonly Diagnostic[];
  /** Of the document that they are about, where the server says it. */
  readonly version: number | undefined;
  /** `performance.now()`. */
  readonly at: number;
}

/** What a server published, the last of each file. */
export class PushedDiagnostics {
  readonly #last = new Map<string, Published>();
  #waiters: (() => void)[] = [];

  take(params: unknown): void {
    if (typeof params !== 'object' || params === null) return;
    const { uri, diagnostics, version } = params as { uri?: unknown; diagnostics?: unknown; version?: unknown };
    const path = typeof uri === 'string' ? pathOf(uri) : undefined;
    if (path === undefined || !Array.isArray(diagnostics)) return;
    const known = typeof version === 'number' ? version : undefined;
    this.#last.set(path, { items: diagnostics as Diagnostic[], version: known, at: performance.now() });
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  last(path: string): Published | undefined {
    return this.#last.get(path);
  }

  paths(): string[] {
    return [...this.#last.keys()];
  }

  forget(path: string): void {
    this.#last.delete(path);
  }

  /** Until anything is published, at most so long. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let wake = (): void => undefined;
    await new Promise<void>((resolve) => {
      wake = () => resolve();
      timer = setTimeout(resolve, Math.max(0, ms));
      this.#waiters.push(resolve);
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', wake, { once: true });
    });
    clearTimeout(timer);
    signal.removeEventListener('abort', wake);
  }
}
