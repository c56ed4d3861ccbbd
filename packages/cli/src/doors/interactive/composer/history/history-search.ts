/** Earlier prompts that hold what is typed, one at a time. */
export class HistorySearch {
  readonly #entries: readonly string[];
  #query = '';
  #place: number | undefined;
  #isFailed = false;

  /** `entries`: newest first. */
  constructor(entries: readonly string[]) {
    this.#entries = entries;
  }

  get query(): string {
    return this.#query;
  }

  /** Nothing, or nothing older, holds it. */
  get isFailed(): boolean {
    return this.#isFailed;
  }

  /** The prompt that is shown; undefined while nothing is looked for, or nothing was ever found. */
  get found(): string | undefined {
    return this.#place === undefined ? undefined : this.#entries[this.#place];
  }

  /** Where in it, as units: every place. */
  get matches(): readonly { readonly from: number; readonly to: number }[] {
    return matchesIn(this.found ?? '', this.#query);
  }

  /** A longer text is looked for from where it is now, another one from the newest on. */
  setQuery(query: string): void {
    const isLonger = this.#query !== '' && query.startsWith(this.#query);
    this.#query = query;
    if (!isLonger) this.#place = undefined;
    this.#find(this.#place ?? 0, 1);
  }

  older(): void {
    this.#find((this.#place ?? -1) + 1, 1);
  }

  newer(): void {
    this.#find((this.#place ?? 0) - 1, -1);
  }

  /** Where nothing is found, it stays where it was. */
  #find(from: number, by: 1 | -1): void {
    this.#isFailed = false;
    if (this.#query === '') return;
    for (let place = from; place >= 0 && place < this.#entries.length; place += by) {
      if (matchesIn(this.#entries[place] ?? '', this.#query, 1).length === 0) continue;
      this.#place = place;
      return;
    }
    this.#isFailed = true;
  }
}

const MOST_MATCHES = 200;

/** Without regard to case, unless there is a capital letter in what is looked for. */
function matchesIn(text: string, query: string, most = MOST_MATCHES): readonly { from: number; to: number }[] {
  if (query === '') return [];
  const isExact = query !== query.toLowerCase();
  const folded = isExact ? text : text.toLowerCase();
  // Letters that become two in lower case would shift all places behind them.
  const where = folded.length === text.length ? folded : text;
  const matches: { from: number; to: number }[] = [];
  for (let at = where.indexOf(query); at !== -1 && matches.length < most; at = where.indexOf(query, at + query.length))
    matches.push({ from: at, to: at + query.length });
  return matches;
}
