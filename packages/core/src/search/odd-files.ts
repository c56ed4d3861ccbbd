import { createOddEngine, type OddEngine } from './engines/odd-engine.js';
import type { OddTextsRequest } from './engines/odd-texts.js';
import { Lane } from './lane.js';
import type { PlaceTally } from './outcome-collector.js';

/** What ends all parts of a search. */
interface Ending {
  readonly signal: AbortSignal;
  /** What fails in one part ends the others too. */
  readonly fail: (thrown: unknown) => void;
}

/** Counts the matches of odd files beside the search for all others. Starts nothing before there are some. */
export class OddFiles {
  readonly #request: OddTextsRequest;
  readonly #tally: PlaceTally;
  readonly #signal: AbortSignal;
  readonly #lane: Lane<string>;
  #engine: OddEngine | undefined;

  constructor(request: OddTextsRequest, tally: PlaceTally, { signal, fail }: Ending) {
    this.#request = request;
    this.#tally = tally;
    this.#signal = signal;
    this.#lane = new Lane(async (files) => this.#count(files), fail);
  }

  add(files: readonly string[]): void {
    for (const file of files) this.#lane.add(file);
    this.#lane.start();
  }

  /** @throws what counting threw */
  async finish(): Promise<void> {
    await this.#lane.finish();
  }

  /** Waits for what is under way, whatever becomes of it. */
  async close(): Promise<void> {
    await this.#lane.stop();
    await this.#engine?.close();
  }

  async #count(files: readonly string[]): Promise<void> {
    this.#engine ??= createOddEngine(this.#request);
    const tally = this.#tally;
    let notSearched = 0;
    let found = 0;
    const leaveOut = (reason: 'binary' | 'notDecodable' | 'tooLarge'): void => {
      notSearched++;
      tally.reasons[reason]++;
    };
    try {
      await this.#engine.count(
        files,
        {
          counted: (path, matches) => {
            if (matches === 0) return;
            found++;
            tally.addOdd(path, { matches });
          },
          failed: (path, reason) => {
            notSearched++;
            tally.fail(path, reason);
          },
          binary: () => leaveOut('binary'),
          notDecodable: () => leaveOut('notDecodable'),
          tooLarge: () => leaveOut('tooLarge'),
        },
        this.#signal,
      );
    } catch (thrown) {
      tally.searched += found;
      throw thrown;
    }
    tally.searched += Math.max(0, files.length - notSearched);
  }
}
