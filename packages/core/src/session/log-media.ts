import { createHash } from 'node:crypto';
import type { LoggedEvent } from './log-lines.js';

type Event = LoggedEvent['event'];

/** No base64 begins so. */
const REFERENCE = 'log-media:';
/** Shorter data are written again. In characters of base64. */
const SMALLEST = 4096;
const LOST = '[An attachment that stood here is lost: the line of the session log that held it is damaged.]';

/**
 * Images and documents of one log: each stands in it once, and where it comes again there is its hash. What a prompt attaches
 * comes as the result of a call and once more with the user's message.
 */
export class LogMedia {
  readonly #known = new Map<string, string>();
  /** What came with the last event that was to be written. */
  #fresh: string[] = [];

  /** The event as it is written. */
  shrink(event: Event): Event {
    this.#fresh = [];
    return withData(event, (data) => {
      if (data.length < SMALLEST) return data;
      const key = keyOf(data);
      if (this.#known.has(key)) return REFERENCE + key;
      // What it was is not asked for again by whoever writes.
      this.#known.set(key, '');
      this.#fresh.push(key);
      return data;
    });
  }

  /** The last event could not be written. */
  takeBack(): void {
    for (const key of this.#fresh) this.#known.delete(key);
  }

  /** The event as it was. `onLost`: what it refers to is not there. */
  expand(event: Event, onLost: () => void): Event {
    return withData(event, (data) => {
      if (data.startsWith(REFERENCE)) {
        const found = this.#known.get(data.slice(REFERENCE.length));
        if (found === undefined) onLost();
        return found;
      }
      if (data.length >= SMALLEST) this.#known.set(keyOf(data), data);
      return data;
    });
  }

  /** Lets go of the data: from here on the log is only written. */
  forget(): this {
    for (const key of this.#known.keys()) this.#known.set(key, '');
    return this;
  }
}

function keyOf(data: string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Undefined in place of data: a text stands there then. */
function withData(event: Event, change: (data: string) => string | undefined): Event {
  if (event.type === 'tool-call-end') {
    if (!event.content.some((part) => 'inlineData' in part)) return event;
    const content = event.content.map((part) => {
      if (!('inlineData' in part)) return part;
      const data = change(part.inlineData.data);
      return data === undefined ? { text: LOST } : { ...part, inlineData: { ...part.inlineData, data } };
    });
    return { ...event, content };
  }
  if (event.type !== 'context-added' || !event.content.some(({ type }) => type === 'media')) return event;
  const content = event.content.map((block) => {
    if (block.type !== 'media') return block;
    const data = change(block.data);
    return data === undefined ? { type: 'text' as const, text: LOST } : { ...block, data };
  });
  return { ...event, content };
}
