import { ModelError } from './model-error.js';
import type { ModelEvent } from './model.js';

/** The most characters of all text in one answer: several times what the longest answer needs. */
const ANSWER_CHARACTERS = 32 * 1024 * 1024;

/** Bounds the memory for one answer, however it was sent. */
export class AnswerSize {
  readonly #url: string;
  #characters = 0;

  /** `url`: for messages, without secrets. */
  constructor(url: string) {
    this.#url = url;
  }

  get hasBegun(): boolean {
    return this.#characters > 0;
  }

  /**
   * Counts the events and returns them unchanged. @throws ModelError `broken-stream`; the same request would be answered in the same way
   */
  counted(events: readonly ModelEvent[]): readonly ModelEvent[] {
    for (const event of events) {
      if ('text' in event) this.#characters += event.text.length;
      if (event.type === 'tool-call-delta') this.#characters += 1 + (event.argumentsText?.length ?? 0);
    }
    if (this.#characters <= ANSWER_CHARACTERS) return events;
    const message = `The model at ${this.#url} sent an answer of more than ${ANSWER_CHARACTERS / 1024 / 1024} MiB.`;
    throw new ModelError(message, { kind: 'broken-stream', isLasting: true });
  }
}
