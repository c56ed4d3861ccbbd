import { secondsText } from '../util/seconds.js';
import { contentTypeOf } from './content-type.js';
import { createEventBuffer } from './event-buffer.js';
import type { EventBuffer, ServerEvent } from './event-buffer.js';
import { readText } from './http-transport.js';
import type { HttpAnswer, HttpTransport } from './http-transport.js';
import { createIdleTimer, type IdleTimer } from './idle-timer.js';
import { ModelError } from './model-error.js';
import type { OptionalParameters } from './optional-parameters.js';
import { shownUrl } from './provider-url.js';
import { toWellFormedJson, type WireObject } from './wire-json.js';

/** How to reach a provider; the same for all adapters. */
export interface Connection {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly keyAdvice?: string;
  /** The longest silences, in milliseconds: before the first word of an answer, and after it. */
  readonly idleTimeoutMs: { readonly first: number; readonly later: number };
  readonly transport: HttpTransport;
  /** The parameters that the server can do without. */
  readonly optional: OptionalParameters;
}

/**
 * `open`: more must come. `uncertain`: the finish reason is an unknown word, so more may come, or nothing. `finished`: the finish marker
 * came; trailing events may follow, and their absence is no error. `complete`: nothing that follows matters.
 */
export type AnswerPhase = 'open' | 'uncertain' | 'finished' | 'complete';

export interface EventExchange {
  readonly connection: Connection;
  readonly body: WireObject;
  readonly signal: AbortSignal;
  readonly phase: () => AnswerPhase;
  /** Returns true if the model has said something, so that it is no longer reading the prompt. */
  readonly hasBegun: () => boolean;
}

/** Longest wait for what may follow a finish marker (a usage event, `[DONE]`). */
const TRAILER_WAIT_MS = 2_000;
/** Longest wait for the end of a complete response, so that its connection can be used again. */
const DRAIN_WAIT_MS = 50;
const ERROR_BODY_BYTES = 64 * 1024;
const NOTHING = new Uint8Array();
/** The most bytes of one event, and of a plain JSON answer; a whole file in one tool call fits many times over. */
const EVENT_BYTES = 16 * 1024 * 1024;
/** The most bytes of a whole answer, with the frame of each of its tokens: 700,000 tokens of OpenRouter's size. */
const ANSWER_BYTES = 256 * 1024 * 1024;

/**
 * Posts JSON and yields the events of the answer as they arrive; a plain JSON answer is one event.
 * The connection is closed however the caller stops reading. Redirects are refused: they would
 * carry the key to another host.
 *
 * @throws ModelError; the reason of `signal` when it is aborted.
 */
export async function* postForEvents(exchange: EventExchange): AsyncGenerator<ServerEvent, void, undefined> {
  const { connection, signal, phase, hasBegun } = exchange;
  signal.throwIfAborted();
  const wire = new AbortController();
  const onAbort = (): void => wire.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const idle = createIdleTimer(() => wire.abort());
  let answer: HttpAnswer | undefined;
  let isOver = false;
  try {
    answer = await requestAnswer(exchange, wire.signal, idle);
    const arrived = new ArrivedBytes(connection);
    let parser: EventBuffer | undefined;
    while (!isOver) {
      const limitMs = hasBegun() ? connection.idleTimeoutMs.later : connection.idleTimeoutMs.first;
      idle.start(phase() === 'finished' ? TRAILER_WAIT_MS : limitMs);
      const chunk = await answer.body.next();
      // The reader of these events may take its time: only the server's silence counts.
      idle.stop();
      // A closed connection may look like the end of the answer.
      if (idle.expired()) throw idleError(connection, hasBegun());
      signal.throwIfAborted();
      isOver = chunk.done === true;
      const bytes = chunk.done === true ? NOTHING : chunk.value;
      const type = parser === undefined ? contentTypeOf(answer.header('content-type'), bytes) : undefined;
      if (type !== undefined) parser = createEventBuffer(type, shownUrl(connection.url));
      const events = (isOver ? parser?.end() : parser?.push(bytes)) ?? [];
      arrived.note(bytes.length, events.length);
      for (const event of events) {
        signal.throwIfAborted();
        yield event;
      }
    }
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    if (phase() === 'finished') return;
    if (idle.expired() && !(thrown instanceof ModelError)) throw idleError(connection, hasBegun());
    throw (await import('./transport-error.js')).transportError(thrown, connection);
  } finally {
    idle.stop();
    signal.removeEventListener('abort', onAbort);
    if (!isOver && answer !== undefined && phase() === 'complete' && !signal.aborted) isOver = await drain(answer.body);
    if (!isOver) wire.abort();
  }
}

/** Sends the request without the parameters that the server refuses; these are left out from then on. @throws ModelError */
async function requestAnswer(
  { connection, body }: EventExchange,
  signal: AbortSignal,
  idle: Pick<IdleTimer, 'start'>,
): Promise<HttpAnswer> {
  const { url, headers, optional, idleTimeoutMs, transport } = connection;
  for (;;) {
    const sent = optional.fit(body);
    idle.start(idleTimeoutMs.first);
    const answer = await transport({ method: 'POST', url, headers, body: toWellFormedJson(sent), signal });
    const { status } = answer;
    if (status === 200) return answer;
    idle.start(idleTimeoutMs.later);
    if (status >= 300 && status < 400) throw redirected(status, connection);
    const said = await readText(answer.body, ERROR_BODY_BYTES);
    const { refusedParameters } = await import('./refused-parameters.js');
    const refused = refusedParameters({ status, body: said }, optional.in(sent));
    if (refused.length === 0) throw await failedAnswer(answer, said, connection);
    optional.refuse(refused);
  }
}

/** Bounds the memory for an answer, whatever the server sends. */
class ArrivedBytes {
  readonly #url: string;
  #all = 0;
  #sinceEvent = 0;

  constructor({ url }: Pick<Connection, 'url'>) {
    this.#url = shownUrl(url);
  }

  /** @throws ModelError `broken-stream`; the same request would be answered in the same way */
  note(bytes: number, events: number): void {
    this.#all += bytes;
    this.#sinceEvent = events > 0 ? bytes : this.#sinceEvent + bytes;
    if (this.#all > ANSWER_BYTES) throw this.#tooLong('an answer', ANSWER_BYTES);
    if (this.#sinceEvent > EVENT_BYTES) throw this.#tooLong('an event', EVENT_BYTES);
  }

  #tooLong(what: string, limit: number): ModelError {
    const message = `The model at ${this.#url} sent ${what} of more than ${limit / 1024 / 1024} MiB.`;
    return new ModelError(message, { kind: 'broken-stream', isLasting: true });
  }
}

function redirected(status: number, { url }: Connection): ModelError {
  const message = `${shownUrl(url)} redirects to another address, which is not followed because it would get the key. Set the base URL to the final address.`;
  return new ModelError(message, { kind: 'bad-request', status });
}

async function failedAnswer(answer: HttpAnswer, body: string, connection: Connection): Promise<ModelError> {
  const { providerError, retryAfterMs } = await import('./provider-error.js');
  const wish = retryAfterMs(answer.header, Date.now());
  return providerError({
    status: answer.status,
    body,
    url: shownUrl(connection.url),
    secrets: connection.secrets,
    keyAdvice: connection.keyAdvice,
    through: answer.through,
    ...(wish === undefined ? {} : { retryAfterMs: wish }),
  });
}

/** True when the response ended in time. */
async function drain(body: AsyncIterator<Uint8Array>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), DRAIN_WAIT_MS);
  });
  try {
    for (;;) {
      const chunk = await Promise.race([body.next(), late]);
      if (chunk === 'late') return false;
      if (chunk.done === true) return true;
    }
  } catch {
    // The answer is complete; how its connection ends does not matter.
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Before its first word the model is still reading the prompt, and a retry would only make it start again. */
function idleError({ url, idleTimeoutMs }: Connection, hasBegun: boolean): ModelError {
  const silence = `The model at ${shownUrl(url)} sent nothing for`;
  if (hasBegun) return new ModelError(`${silence} ${secondsText(idleTimeoutMs.later)}.`, { kind: 'network' });
  const message = `${silence} ${secondsText(idleTimeoutMs.first)}. If it needs longer to begin, raise the setting model.idleTimeout.`;
  return new ModelError(message, { kind: 'network', isLasting: true });
}
