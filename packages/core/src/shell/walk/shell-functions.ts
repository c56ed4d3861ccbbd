import type { CompoundCommand, CompoundList, Redirected } from 'unbash';

type FunctionBody = CompoundCommand | Redirected | CompoundList;

interface KnownFunction {
  readonly bodies: readonly FunctionBody[];
  /** Some body holds it whenever it is called. */
  readonly isCertain: boolean;
}

/** The functions of one shell. Which of several bodies holds is not followed: each may. */
export class ShellFunctions {
  readonly #known = new Map<string, KnownFunction>();
  /** Grows with each body that was not there. */
  version = 0;

  define(name: string, body: FunctionBody, isSure: boolean): void {
    const before = this.#known.get(name);
    const isNew = before?.bodies.includes(body) !== true;
    const isCertain = isSure || before?.isCertain === true;
    if (isNew || isCertain !== before.isCertain) this.version += 1;
    const bodies = before?.bodies ?? [];
    this.#known.set(name, { bodies: isNew ? [...bodies, body] : bodies, isCertain });
  }

  /** It may be none from now on. */
  forget(name: string): void {
    const before = this.#known.get(name);
    if (before?.isCertain !== true) return;
    this.#known.set(name, { ...before, isCertain: false });
    this.version += 1;
  }

  get(name: string): KnownFunction | undefined {
    return this.#known.get(name);
  }
}
