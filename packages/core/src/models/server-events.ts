import { secondsText } from '../util/seconds.js';
import { createEventBuffer } from './event-buffer.js';
import type { ServerEvent } from './event-buffer.js';
import { readText } from './http-transport.js';
import type { HttpAnswer, HttpTransport } from './http-transport.js';
import { createIdleTimer } from './idle-timer.js';
import { ModelError } from './model-error.js';
import { shownUrl } from './provider-url.js';

/** How to reach a provider; the same for all adapters. */
export interface Connection {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly keyAdvice?: string;
  /** Longest silence, in milliseconds, before and between bytes. */
  readonly idleTimeoutMs: number;
  readonly transport: HttpTransport;
}

/**
 * `open`: more must come. `uncertain`: where a finish reason stands came a word that is not known, so more may come, or
 * nothing. `finished`: the finish marker came, trailing events may follow and their absence is no error. `complete`: nothing
 * that follows matters.
 */
export type AnswerPhase = 'open' | 'uncertain' | 'finished' | 'complete';

export interface EventExchange {
  readonly connection: Connection;
  /** JSON text. */
  readonly body: string;
  readonly signal: AbortSignal;
  readonly phase: () => AnswerPhase;
}

/** Longest wait for what may follow a finish marker (a usage event, `[DONE]`). */
const TRAILER_WAIT_MS = 2_000;
/** Longest wait for the end of a complete response, so that its connection can be used again. */
const DRAIN_WAIT_MS = 50;
const ERROR_BODY_BYTES = 64 * 1024;

/**
 * Posts JSON and yields the events of the answer as they arrive; a plain JSON answer is one event.
 * The connection is closed however the caller stops reading. Redirects are refused: they would
 * carry the key to another host.
 *
 * @throws ModelError; the reason of `signal` when it is aborted.
 */
export async function* postForEvents(exchange: EventExchange): AsyncGenerator<ServerEvent, void, undefined> {
  const { connection, signal, phase } = exchange;
  signal.throwIfAborted();
  const wire = new AbortController();
  const onAbort = (): void => wire.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const idle = createIdleTimer(() => wire.abort());
  let answer: HttpAnswer | undefined;
  let isOver = false;
  try {
    idle.start(connection.idleTimeoutMs);
    answer = await connection.transport({
      method: 'POST',
      url: connection.url,
      headers: connection.headers,
      body: exchange.body,
      signal: wire.signal,
    });
    if (answer.status !== 200) throw await failedAnswer(answer, connection);
    const parser = createEventBuffer(answer.header('content-type') ?? '', shownUrl(connection.url));
    while (!isOver) {
      idle.start(phase() === 'finished' ? TRAILER_WAIT_MS : connection.idleTimeoutMs);
      const chunk = await answer.body.next();
      // The reader of these events may take its time: only the server's silence counts.
      idle.stop();
      // A closed connection may look like the end of the answer.
      if (idle.expired()) throw idleError(connection);
      signal.throwIfAborted();
      isOver = chunk.done === true;
      const events = chunk.done === true ? parser.end() : parser.push(chunk.value);
      for (const event of events) {
        signal.throwIfAborted();
        yield event;
      }
    }
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    if (phase() === 'finished') return;
    if (idle.expired()) throw idleError(connection);
    throw (await import('./transport-error.js')).transportError(thrown, connection);
  } finally {
    idle.stop();
    signal.removeEventListener('abort', onAbort);
    if (!isOver && answer !== undefined && phase() === 'complete' && !signal.aborted) isOver = await drain(answer.body);
    if (!isOver) wire.abort();
  }
}

async function failedAnswer(answer: HttpAnswer, connection: Connection): Promise<ModelError> {
  const { status } = answer;
  const url = shownUrl(connection.url);
  if (status >= 300 && status < 400) {
    const message = `${url} redirects to another address, which is not followed because it would get the key. Set the base URL to the final address.`;
    return new ModelError(message, { kind: 'bad-request', status });
  }
  const { providerError, retryAfterMs } = await import('./provider-error.js');
  const wish = retryAfterMs(answer.header, Date.now());
  const body = await readText(answer.body, ERROR_BODY_BYTES);
  return providerError({
    status,
    body,
    url,
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

function idleError(connection: Connection): ModelError {
  const silence = `sent nothing for ${secondsText(connection.idleTimeoutMs)}.`;
  return new ModelError(`The model at ${shownUrl(connection.url)} ${silence}`, { kind: 'network' });
}
