import { createParser } from 'eventsource-parser';
import { ModelError } from './model-error.js';

export interface ServerEvent {
  readonly event?: string;
  readonly data: string;
}

/** One event; a whole file in one tool call fits many times over. */
const EVENT_CHARACTERS = 64 * 1024 * 1024;

/** Bytes of a response in, events out. */
export interface EventBuffer {
  push(bytes: Uint8Array): readonly ServerEvent[];
  /** What is left when the stream ends, an event without its closing blank line included. */
  end(): readonly ServerEvent[];
}

/**
 * Server-sent events, or, for a server that answers with plain JSON, one event with all of it.
 *
 * @param url for messages, without secrets
 * @throws ModelError for a web page, and when one event grows beyond all measure
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
        if (text.length > EVENT_CHARACTERS) throw tooLong(url);
        return [];
      },
      end: () => [{ data: text }],
    };
  }
  let events: ServerEvent[] = [];
  const parser = createParser({
    maxBufferSize: EVENT_CHARACTERS,
    onEvent: ({ event, data }) => events.push(event === undefined ? { data } : { event, data }),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw tooLong(url);
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

function tooLong(url: string): ModelError {
  const message = `The model at ${url} sent an event over ${EVENT_CHARACTERS} characters.`;
  return new ModelError(message, { kind: 'broken-stream' });
}
