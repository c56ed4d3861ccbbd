import { AsyncLocalStorage } from 'node:async_hooks';

/** What `process.stdout` is, as far as it is needed here. */
export interface GuardedStream {
  write(...given: readonly never[]): boolean;
}

export interface GuardOptions {
  /** The program's own, where nothing of a tool may come between. Default: none. */
  readonly streams?: readonly GuardedStream[] | undefined;
  /** Gets what would have been written. */
  readonly wrote: (toolName: string, text: string) => void;
  /** Something was thrown that nobody waits for; without the guard it would end the program. */
  readonly failed: (toolName: string, thrown: unknown) => void;
}

/**
 * Runs others' code in this process so that it does no harm by accident: what it writes to the program's streams goes
 * elsewhere, and what it throws behind everybody's back ends nothing. Both also in whatever it goes on with later. On purpose it
 * can do anything, as any code can.
 */
export class Guard {
  readonly #within = new AsyncLocalStorage<string>();
  readonly #release: (() => void)[] = [];
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
    for (const stream of options.streams ?? []) this.#watchStream(stream);
    this.#watchFailures();
  }

  /** `toolName`: whose code it is, for people. */
  run<T>(toolName: string, work: () => T): T {
    return this.#within.run(toolName, work);
  }

  /** For what goes back to the program: it is no longer the tool's. */
  leave<T>(work: () => T): T {
    return this.#within.exit(work);
  }

  close(): void {
    for (const release of this.#release.splice(0)) release();
  }

  #watchStream(stream: GuardedStream): void {
    const before = Object.getOwnPropertyDescriptor(stream, 'write');
    const original = stream.write.bind(stream) as (...given: readonly unknown[]) => boolean;
    const write = (...given: readonly unknown[]): boolean => {
      const toolName = this.#within.getStore();
      if (toolName === undefined) return original(...given);
      this.#options.wrote(toolName, textOf(given[0]));
      const done = given.findLast((each) => typeof each === 'function') as (() => void) | undefined;
      if (done !== undefined) queueMicrotask(done);
      return true;
    };
    Object.defineProperty(stream, 'write', { value: write, configurable: true, writable: true });
    this.#release.push(() => {
      // Another one may have come on top since; then this one lets everything through from now on.
      if (stream.write !== (write as GuardedStream['write'])) return;
      if (before === undefined) Reflect.deleteProperty(stream, 'write');
      else Object.defineProperty(stream, 'write', before);
    });
  }

  #watchFailures(): void {
    this.#watch('uncaughtException', (thrown) => {
      this.close();
      setImmediate(() => {
        throw thrown;
      });
    });
    this.#watch('unhandledRejection', (reason) => {
      throw reason;
    });
  }

  /** `pass`: what becomes of what is not the tools' affair, and nobody else's either, as it would without this. */
  #watch(event: 'uncaughtException' | 'unhandledRejection', pass: (thrown: unknown) => void): void {
    const own: Listener = Object.assign(
      (thrown: unknown): void => {
        const toolName = this.#within.getStore();
        if (toolName !== undefined) return this.leave(() => this.#options.failed(toolName, thrown));
        const all = process.listeners(event as 'uncaughtException') as readonly Partial<Listener>[];
        const guards = all.filter((each) => each.isTools !== undefined);
        if (guards.length < all.length || guards.some((each) => each.isTools?.() === true) || guards[0] !== own) return;
        pass(thrown);
      },
      { isTools: () => this.#within.getStore() !== undefined },
    );
    process.on(event, own);
    this.#release.push(() => process.off(event, own));
  }
}

/** Every guard of the process can tell whether something was thrown by its tools. */
interface Listener {
  (thrown: unknown): void;
  isTools: () => boolean;
}

function textOf(chunk: unknown): string {
  return typeof chunk === 'string' ? chunk : chunk instanceof Uint8Array ? Buffer.from(chunk).toString('utf8') : '';
}
