import { isIntact, linkOf, type LoggedEvent } from './log-lines.js';

/**
 * Follows the chain of a log while it is read: whose line was changed, or is there twice, is left out, so that nobody's words
 * are taken for those of the session, and a call has one result.
 */
export class LogChain {
  /** Of the line before, if that has one. */
  #head: string | undefined;
  #hasLinks = false;
  readonly #seen = new Set<string>();
  #breaks = 0;
  #firstBreak = 0;

  /** Why a line is left out; undefined for one that is as it was written. `number` counts from 1. */
  problemOf(line: string, number: number): string | undefined {
    const link = linkOf(line);
    if (link === undefined) {
      this.#head = undefined;
      return this.#hasLinks ? `Line ${number} of the session log was put in, and was left out.` : undefined;
    }
    this.#hasLinks = true;
    if (this.#seen.has(link.hash)) return `Line ${number} of the session log is there twice; it was left out.`;
    this.#seen.add(link.hash);
    if (this.#head !== undefined && link.previous !== this.#head) this.#noteBreak(number);
    this.#head = link.hash;
    return isIntact(line, link)
      ? undefined
      : `Line ${number} of the session log was changed since it was written, and was left out.`;
  }

  /** What was found between lines, one sentence; undefined when they follow each other. */
  get breaks(): string | undefined {
    if (this.#breaks === 0) return undefined;
    const where = this.#breaks === 1 ? 'there' : `there and in ${this.#breaks - 1} more places`;
    return `Line ${this.#firstBreak} of the session log does not follow the one before it: lines were taken out or moved ${where}.`;
  }

  /** Why a line that can be read is left out all the same. */
  notAnEvent(number: number): string {
    this.forget();
    return `Line ${number} of the session log is not an event; it was left out.`;
  }

  /** A line that cannot be read: what the next one follows is not known. */
  forget(): void {
    this.#head = undefined;
  }

  #noteBreak(number: number): void {
    this.#breaks += 1;
    if (this.#breaks === 1) this.#firstBreak = number;
  }
}

/** In the order in which they were written; as they are where two processes have used the same numbers. Pure. */
export function inOrder(events: readonly LoggedEvent[]): readonly LoggedEvent[] {
  const isSorted = events.every(({ sequence }, index) => sequence > (events[index - 1]?.sequence ?? 0));
  if (isSorted || new Set(events.map(({ sequence }) => sequence)).size < events.length) return events;
  return events.toSorted((one, other) => one.sequence - other.sequence);
}
