import { lettersOf, Slices, type PathList } from './path-list.js';
import { NO_MATCH, pathQuery, scorePath, type PathQuery } from './score-path.js';

/** The best so far, best first. */
class Best {
  readonly #most: number;
  readonly #places: number[] = [];
  readonly #scores: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get places(): readonly number[] {
    return this.#places;
  }

  /** Of two that are as good, the one that came first stays first. */
  add(place: number, score: number): void {
    const { length } = this.#places;
    if (length === this.#most && score <= (this.#scores[length - 1] ?? 0)) return;
    let at = length;
    while (at > 0 && (this.#scores[at - 1] ?? 0) < score) at -= 1;
    this.#places.splice(at, 0, place);
    this.#scores.splice(at, 0, score);
    if (length === this.#most) {
      this.#places.pop();
      this.#scores.pop();
    }
  }
}

/**
 * Looks through a list of paths for what a person types. What fits a text is looked for among what fitted the text before,
 * where that was its beginning. The event loop is never held up for more than some milliseconds.
 */
export class PathMatcher {
  readonly #list: PathList;
  /** Those that fit the text that was looked for last. */
  #last: { readonly query: string; readonly places: Int32Array } | undefined;

  constructor(list: PathList) {
    this.#list = list;
  }

  /** The paths that fit best, best first; for an empty text those that are not in a folder. @throws the signal's reason */
  async find(text: string, most: number, signal: AbortSignal): Promise<readonly string[]> {
    const { paths } = this.#list;
    const query = pathQuery(text);
    const best = new Best(most);
    if (text === '') await this.#findOutermost(best, signal);
    else await this.#findFitting(query, best, signal);
    return best.places.map((place) => paths[place] ?? '');
  }

  async #findOutermost(best: Best, signal: AbortSignal): Promise<void> {
    const slices = new Slices();
    for (const [place, path] of this.#list.paths.entries()) {
      if ((place & 1_023) === 0 && slices.isDue) await slices.rest(signal);
      const slash = path.indexOf('/');
      // What is hidden comes last.
      if (slash === -1 || slash === path.length - 1) best.add(place, path.startsWith('.') ? 1 : 2);
    }
  }

  async #findFitting(query: PathQuery, best: Best, signal: AbortSignal): Promise<void> {
    const { paths, folded, names, letters, costs } = this.#list;
    const needed = lettersOf(query.folded);
    const last = this.#last;
    const isNarrower = last !== undefined && last.query !== '' && query.folded.startsWith(last.query);
    const among = isNarrower ? last.places : undefined;
    const size = among?.length ?? paths.length;
    const fitting = new Int32Array(size);
    let count = 0;
    const slices = new Slices();
    for (let index = 0; index < size; index += 1) {
      if ((index & 127) === 0 && slices.isDue) await slices.rest(signal);
      const place = among === undefined ? index : (among[index] ?? 0);
      if (((letters[place] ?? 0) & needed) !== needed) continue;
      const score = scorePath(query, {
        path: paths[place] ?? '',
        folded: folded[place] ?? '',
        name: names[place] ?? 0,
        cost: costs[place] ?? 0,
      });
      if (score === NO_MATCH) continue;
      fitting[count] = place;
      count += 1;
      best.add(place, score);
    }
    this.#last = { query: query.folded, places: fitting.slice(0, count) };
  }
}
