import { certificateAdvice } from '../network/certificate-advice.js';
import { createFetch } from '../network/create-fetch.js';
import { sleep, timeLimit } from '../util/abort.js';
import { errorMessage, systemErrorCode } from '../util/failure.js';
import type { Address } from './read-destination.js';

/** For one request. In milliseconds. */
const REQUEST_MS = 10_000;
const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 5000;
/** Answers to which the same request may be sent again (OTLP 1.x, "Retryable Response Codes"). */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface OtlpSender {
  /** Why it was not taken, or undefined. Never rejects. */
  send(address: Address, request: object): Promise<string | undefined>;
  /** Resolves once nothing is on its way. */
  idle(): Promise<void>;
  /** Sends nothing a second time any more, but where the collector asked for it and it is soon. */
  hurry(): void;
  /** Breaks off what is being sent. */
  close(): Promise<void>;
}

/** `isAnswer`: the collector is there, and asked for another try. */
type Outcome = 'taken' | { readonly problem: string; readonly retryMs?: number; readonly isAnswer?: boolean };

/** Posts requests to a collector, through the proxies that the environment names. Redirects are not followed: headers may be keys. */
export function createOtlpSender(environment: Readonly<Record<string, string | undefined>>): OtlpSender {
  const network = createFetch({ environment });
  const closing = new AbortController();
  const hurrying = new AbortController();

  const sendOnce = async ({ url, headers }: Address, body: string): Promise<Outcome> => {
    const signal = AbortSignal.any([closing.signal, timeLimit(REQUEST_MS)]);
    try {
      const response = await network.fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'user-agent': 'tenon', ...headers, 'content-type': 'application/json' },
        body,
        signal,
      });
      // What it says of what it took is of no use.
      await response.body?.cancel();
      if (response.ok) return 'taken';
      const problem = `it answered with status ${response.status}`;
      return RETRYABLE.has(response.status)
        ? { problem, retryMs: retryAfter(response.headers), isAnswer: true }
        : { problem };
    } catch (thrown) {
      if (closing.signal.aborted) return { problem: 'there was no more time' };
      const problem = signal.aborted ? `no answer within ${REQUEST_MS / 1000} s` : causeOf(thrown);
      return certificateAdvice(rootCode(thrown)) === undefined ? { problem, retryMs: RETRY_MS } : { problem };
    }
  };

  const sendTwice = async (address: Address, body: string): Promise<string | undefined> => {
    const first = await sendOnce(address, body);
    if (first === 'taken') return undefined;
    const { retryMs, isAnswer = false } = first;
    // Also at the end there is time for a short wait that was asked for.
    const given = isAnswer && retryMs !== undefined && retryMs <= RETRY_MS ? closing.signal : hurrying.signal;
    if (retryMs === undefined || !(await waited(retryMs, given))) return first.problem;
    const second = await sendOnce(address, body);
    return second === 'taken' ? undefined : second.problem;
  };

  const onTheirWay = new Set<Promise<string | undefined>>();
  return {
    send: async (address, request) => {
      const sending = sendTwice(address, JSON.stringify(request));
      onTheirWay.add(sending);
      return sending.finally(() => onTheirWay.delete(sending));
    },
    idle: async () => void (await Promise.all(onTheirWay)),
    hurry: () => hurrying.abort(),
    close: async () => {
      hurrying.abort();
      closing.abort();
      await network.close().catch(() => undefined);
    },
  };
}

/** False when it was broken off. */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, signal).then(
    () => true,
    () => false,
  );
}

/** Seconds, or a date. */
function retryAfter(headers: Headers): number {
  const text = headers.get('retry-after')?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? RETRY_MS : Math.min(Math.max(0, ms), LONGEST_RETRY_MS);
}

/** Without what was sent: what says that a request cannot be made quotes its parts, which may be keys. */
function causeOf(thrown: unknown): string {
  if (thrown instanceof TypeError && thrown.cause === undefined) return 'its address or its headers cannot be used';
  const code = rootCode(thrown);
  const unproved = certificateAdvice(code)?.replace(/\.$/u, '');
  if (unproved !== undefined) return `${code}. ${unproved}`;
  return code ?? errorMessage(rootOf(thrown));
}

function rootCode(thrown: unknown): string | undefined {
  return systemErrorCode(rootOf(thrown));
}

function rootOf(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
}
