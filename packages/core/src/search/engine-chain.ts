import { Failure } from '../util/failure.js';
import type { SearchEngine } from './engines/search-engine.js';
import type { HeldFolder } from './held-folder.js';

/** Makes an engine for a held folder. The next of a list is tried when one cannot be started. */
export type EngineFactory = (folder: HeldFolder) => SearchEngine;

/** The engines for one folder, in the order in which they are tried: one that cannot be started gives way to the next. */
export class EngineChain {
  readonly #folder: HeldFolder;
  readonly #rest: EngineFactory[];
  #engine: SearchEngine;
  #hasWorked = false;

  /** @throws Failure `grep_execution_error` without any engine */
  constructor(factories: readonly EngineFactory[], folder: HeldFolder) {
    this.#folder = folder;
    this.#rest = [...factories];
    this.#engine = this.#next();
  }

  /** The engine that did the work, or would. */
  get name(): SearchEngine['name'] {
    return this.#engine.name;
  }

  /** See `SearchEngine.texts`. */
  get takesTexts(): boolean {
    return this.#engine.texts !== undefined;
  }

  /** See `SearchEngine.wantsText`. */
  wantsText(files: number, bytes: number): boolean {
    return this.#engine.wantsText?.(files, bytes) === true;
  }

  /** False until an engine has done some work to its end: until then nobody has judged the pattern. */
  get hasWorked(): boolean {
    return this.#hasWorked;
  }

  /** See `SearchEngine.expect`. */
  expect(files: number): void {
    this.#engine.expect?.(files);
  }

  /**
   * What failed because an engine could not be started is done again, from its beginning, with the next: whoever
   * listens may then be told the same thing twice, and hears of it by `onAgain`.
   */
  async run(action: (engine: SearchEngine) => Promise<void>, onAgain: () => void = () => undefined): Promise<void> {
    for (;;) {
      const engine = this.#engine;
      try {
        await action(engine);
        this.#hasWorked = true;
        return;
      } catch (thrown) {
        const isUnavailable = thrown instanceof Failure && thrown.code === 'engine_unavailable';
        // Another action may have given it up before.
        const isLast = engine === this.#engine && this.#rest.length === 0;
        if (!isUnavailable || isLast) throw thrown;
        if (engine === this.#engine) this.#engine = this.#next();
        await engine.close();
        onAgain();
      }
    }
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }

  #next(): SearchEngine {
    const factory = this.#rest.shift();
    if (factory === undefined) throw new Failure('grep_execution_error', 'There is no engine to search with.');
    return factory(this.#folder);
  }
}
