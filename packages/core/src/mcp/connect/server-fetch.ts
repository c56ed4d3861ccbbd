import { sleep } from '../../util/abort.js';
import { limitAnswer, type AnswerLimit } from './limit-answer.js';
import { parseMessages, type WireId } from './wire-message.js';

export interface ServerFetchOptions {
  readonly base: typeof fetch;
  /** An answer in one piece to that request came: there is nothing more to wait for. */
  readonly answeredWhole: (id: WireId) => void;
  /** Longer than that it is not waited for a server that is busy. In milliseconds. */
  readonly mostWaitMs: number;
  readonly limit: Omit<AnswerLimit, 'id'>;
}

const BUSY: ReadonlySet<number> = new Set([429, 503]);
const MOST_TRIES = 4;
/** Asked again without harm: they change nothing. */
const REPEATABLE = /^(?:initialize|server\/discover|notifications\/initialized|ping|[a-z/]+\/list)$/u;

/** What all requests to one server go through. A busy server that says when is asked again, if nothing was to be done. */
export function serverFetch(options: ServerFetchOptions): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const asked = askedBy(init);
    const isRepeatable = init?.method === 'GET' || (asked.method !== undefined && REPEATABLE.test(asked.method));
    for (let tries = 1; ; tries++) {
      const response = await options.base(url, init);
      const wait = BUSY.has(response.status)
        ? retryAfterMs(response.headers.get('retry-after'), Date.now())
        : undefined;
      if (wait === undefined || wait > options.mostWaitMs || !isRepeatable || tries === MOST_TRIES) {
        const type = response.headers.get('content-type') ?? '';
        const isWhole = response.ok && response.status !== 202 && !type.includes('text/event-stream');
        if (asked.id !== undefined && isWhole) options.answeredWhole(asked.id);
        return limitAnswer(response, { ...options.limit, id: asked.id });
      }
      await response.body?.cancel().catch(() => undefined);
      await sleep(wait, init?.signal ?? new AbortController().signal);
    }
  };
}

/** `Retry-After`: seconds or a date. In milliseconds from `now`; undefined when it says nothing of use. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Method and id of the message that is sent. */
function askedBy(init: RequestInit | undefined): { readonly method?: string; readonly id?: WireId } {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return {};
  const [message] = parseMessages(init.body) ?? [];
  if (message?.kind === 'request') return { method: message.method, id: message.id };
  return message?.kind === 'notification' ? { method: message.method } : {};
}
