import type { LegacyGuesses } from '../../files/guess-legacy.js';
import { Failure } from '../../util/failure.js';
import type { JavaScriptEngineRequest } from './javascript/create-javascript-engine.js';
import { createTextSearcher, type TextSearcher } from './javascript/text-searcher.js';
import type { CountSink, LinesSink, NamedText, SearchEngine, TextEngine, TextLinesRequest } from './search-engine.js';

/** How long JavaScript may take for a text that ripgrep can take over. */
const QUICK_MS = 250;
/** When so many were too much for it, the others are not tried. */
const MAX_LOST = 3;

/** The engines of all other files; see `EngineChain`. */
export interface OtherEngines {
  /** See `SearchEngine.texts`. */
  readonly takesTexts: boolean;
  run(action: (engine: SearchEngine) => Promise<void>): Promise<void>;
}

export interface OddTextsRequest extends JavaScriptEngineRequest {
  /** Absent: there is JavaScript alone. */
  readonly others?: OtherEngines;
  /** What a session remembers. */
  readonly guesses?: LegacyGuesses;
}

type Failed = CountSink['failed'];
type Search = (engine: TextEngine, failed: Failed) => Promise<void>;

/**
 * Searches texts by JavaScript, for which no program is started. A text that is too much for it, or for whose pattern it has no way,
 * goes to ripgrep where that is there.
 */
export class OddTexts implements TextSearcher {
  readonly #others: OtherEngines | undefined;
  readonly #quick: TextSearcher;
  readonly #patient: TextSearcher;
  #lost = 0;

  constructor(request: OddTextsRequest) {
    this.#others = request.others;
    this.#quick = createTextSearcher(request, QUICK_MS);
    this.#patient = createTextSearcher(request);
  }

  async count(text: NamedText, sink: CountSink, signal: AbortSignal): Promise<void> {
    const search: Search = async (engine, failed) =>
      engine.count(text, { counted: (path, matches) => sink.counted(path, matches), failed }, signal);
    await this.#search(text, search, { failed: (path, reason) => sink.failed(path, reason), signal });
  }

  async lines(request: TextLinesRequest, sink: LinesSink, signal: AbortSignal): Promise<void> {
    const search: Search = async (engine, failed) =>
      engine.lines(request, { found: (path, lines) => sink.found(path, lines), failed }, signal);
    await this.#search(request, search, { failed: (path, reason) => sink.failed(path, reason), signal });
  }

  async close(): Promise<void> {
    await this.#quick.close();
    await this.#patient.close();
  }

  async #search(
    { path }: NamedText,
    search: Search,
    { failed, signal }: { readonly failed: Failed; readonly signal: AbortSignal },
  ): Promise<void> {
    const others = this.#others;
    try {
      if (others?.takesTexts !== true) await search(this.#patient, failed);
      else if (!(await this.#isDoneQuickly(search, signal)))
        await others.run(async ({ texts = this.#patient }) => search(texts, failed));
    } catch (thrown) {
      signal.throwIfAborted();
      // It was this text alone: the others are searched all the same.
      if (!(thrown instanceof Failure) || thrown.code !== 'grep_execution_error') throw thrown;
      failed(path, thrown.message);
    }
  }

  /** False where nothing of the text was told. */
  async #isDoneQuickly(search: Search, signal: AbortSignal): Promise<boolean> {
    if (this.#lost >= MAX_LOST) return false;
    let isTooMuch = false;
    try {
      await search(this.#quick, () => (isTooMuch = true));
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof Failure)) throw thrown;
      isTooMuch = true;
      // The others would say the same.
      if (thrown.code === 'invalid_pattern') this.#lost = MAX_LOST;
    }
    if (isTooMuch) this.#lost++;
    return !isTooMuch;
  }
}
