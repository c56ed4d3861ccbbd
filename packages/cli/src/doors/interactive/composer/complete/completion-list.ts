import type { Offer, Offers } from './offer.js';

/** What is being completed: a word of the cursor's line. */
export interface OpenWord {
  readonly kind: 'mention' | 'command' | 'argument';
  /** Places in the line. */
  readonly from: number;
  readonly to: number;
  /** What the sources are asked. */
  readonly typed: string;
}

/** What can be chosen now. */
export interface ShownOffers {
  readonly word: OpenWord;
  readonly offers: readonly Offer[];
  /** Of `offers`; -1: none is chosen yet. */
  readonly chosen: number;
}

interface Asked {
  readonly stop: AbortController;
  /** What each source answered; undefined: nothing yet. */
  readonly answers: (readonly Offer[] | undefined)[];
}

/** The list below the text. Typing never waits for it, and no answer takes the place of one to a later question. */
export class CompletionList {
  readonly #sources: (kind: OpenWord['kind']) => readonly Offers[];
  readonly #onChange: () => void;
  #asked: Asked | undefined;
  #shown: ShownOffers | undefined;
  #closedAt: string | undefined;

  constructor(sources: (kind: OpenWord['kind']) => readonly Offers[], onChange: () => void) {
    this.#sources = sources;
    this.#onChange = onChange;
  }

  get shown(): ShownOffers | undefined {
    return this.#shown;
  }

  /** Asks for what fits the word now; undefined: there is none to complete. */
  update(word: OpenWord | undefined): void {
    this.#asked?.stop.abort();
    this.#asked = undefined;
    const place = word === undefined ? undefined : placeOf(word);
    if (place !== this.#closedAt) this.#closedAt = undefined;
    if (word === undefined || this.#closedAt !== undefined) return this.#show(undefined);
    const shown = this.#shown;
    if (shown !== undefined && placeOf(shown.word) !== place) this.#show(undefined);
    const sources = this.#sources(word.kind);
    const asked: Asked = { stop: new AbortController(), answers: sources.map(() => undefined) };
    this.#asked = asked;
    for (const [index, source] of sources.entries()) {
      void source(word.typed, asked.stop.signal)
        .catch(() => [])
        .then((offers) => this.#answered(asked, word, index, offers));
    }
  }

  /** The same, where it was closed. */
  open(word: OpenWord | undefined): void {
    this.#closedAt = undefined;
    this.update(word);
  }

  /** Not again until another word is begun. */
  close(word: OpenWord | undefined): void {
    this.#closedAt = word === undefined ? undefined : placeOf(word);
    this.#asked?.stop.abort();
    this.#asked = undefined;
    this.#show(undefined);
  }

  /** Chooses the next or the one before, round and round. */
  move(by: 1 | -1): void {
    const { offers, chosen, word } = this.#shown ?? { offers: [], chosen: 0 };
    if (word === undefined) return;
    const from = chosen === -1 && by < 0 ? 0 : chosen;
    this.#show({ word, offers, chosen: (from + by + offers.length) % offers.length });
  }

  #answered(asked: Asked, word: OpenWord, index: number, offers: readonly Offer[]): void {
    if (this.#asked !== asked) return;
    asked.answers[index] = offers;
    const all = asked.answers.flatMap((answer) => answer ?? []);
    const isDone = asked.answers.every((answer) => answer !== undefined);
    // What is shown stays until there is something else to show.
    if (all.length === 0 && !isDone) return;
    if (all.length === 0) return this.#show(undefined);
    const isMore = asked.answers.filter((answer) => answer !== undefined && answer.length > 0).length > 1;
    const first = word.kind === 'argument' ? -1 : 0;
    this.#show({ word, offers: all, chosen: isMore ? (this.#shown?.chosen ?? first) : first });
  }

  #show(shown: ShownOffers | undefined): void {
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#onChange();
  }
}

function placeOf({ kind, from }: OpenWord): string {
  return `${kind} ${from}`;
}
