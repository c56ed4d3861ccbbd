import { createParser } from 'eventsource-parser';
import { ModelError } from './model-error.js';

export interface ServerEvent {
  readonly event?: string;
  readonly data: string;
}

/** Bytes of a response in, events out. */
export interface EventBuffer {
  push(bytes: Uint8Array): readonly ServerEvent[];
  /** What is left when the stream ends, an event without its closing blank line included. */
  end(): readonly ServerEvent[];
}

/**
 * Splits a stream into server-sent events. A plain JSON answer becomes one event. The caller bounds the size.
 *
 * @param url for messages, without secrets
 * @throws ModelError for a web page
 */
export function createEventBuffer(contentType: string, url: string): EventBuffer {
  if (/^text\/html/i.test(contentType)) {
    const message = `${url} is a web page and no model API. Check the base URL.`;
    throw new ModelError(message, { kind: 'bad-request' });
  }
  // One decoder for the whole stream: a chunk may end inside a character.
  const decoder = new TextDecoder();
  if (/^application\/json/i.test(contentType)) {
    let text = '';
    return {
      push: (bytes) => {
        text += decoder.decode(bytes, { stream: true });
        return [];
      },
      end: () => [{ data: text }],
    };
  }
  let events: ServerEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => events.push(event === undefined ? { data } : { event, data }),
    onError: (error) => {
      // llama.cpp has sent errors as a field of their own.
      if (error.field === 'error') events.push({ event: 'error', data: error.value ?? '' });
    },
  });
  const take = (text: string): readonly ServerEvent[] => {
    parser.feed(text);
    const taken = events;
    events = [];
    return taken;
  };
  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true })),
    end: () => take(`${decoder.decode()}\n\n`),
  };
}
