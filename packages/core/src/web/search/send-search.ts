import { certificateAdvice } from '../../network/certificate-advice.js';
import { sleep, timeLimit } from '../../util/abort.js';
import { Failure, systemErrorCode } from '../../util/failure.js';
import { responseText } from '../../util/response-text.js';
import { parseJson } from './answer-fields.js';
import { troubleFailure, troubleOfStatus, withoutSecrets } from './search-failure.js';
import type { ProviderAccess, ProviderMapping, SearchRequest } from './search-types.js';

export interface SearchLimits {
  /** For a search with all its tries. */
  readonly timeMs: number;
  readonly mostBytes: number;
  /** Before the second try where the provider does not say; it doubles. */
  readonly firstDelayMs: number;
}

export const SEARCH_LIMITS: SearchLimits = { timeMs: 30_000, mostBytes: 4 * 1024 * 1024, firstDelayMs: 1000 };

const BUSY: ReadonlySet<number> = new Set([429, 503]);
const MOST_TRIES = 3;
/** Who wants a longer pause is not waited for: others may be asked meanwhile. */
const LONGEST_WAIT_MS = 15_000;

export interface SearchTask {
  readonly asked: SearchRequest;
  readonly access: ProviderAccess;
  readonly mapping: ProviderMapping;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly limits: SearchLimits;
}

/**
 * One search, asked again while the provider is busy. Returns the body of the answer, as JSON.
 * @throws Failure that says what the matter is; the signal's reason when it is aborted
 */
export async function sendSearch(task: SearchTask): Promise<unknown> {
  const { access, mapping, limits } = task;
  const limit = timeLimit(limits.timeMs);
  const signal = AbortSignal.any([task.signal, limit]);
  try {
    for (let tries = 1; ; tries++) {
      const { status, text, waitMs } = await sendOnce(task, signal);
      const body = parseJson(text);
      if (status < 300) {
        if (body !== undefined) return body;
        throw new Failure('search_unreadable_answer', `${access.label} answered with something that is no JSON.`);
      }
      const refused = { status, body };
      const trouble = mapping.trouble?.(refused) ?? troubleOfStatus(status);
      const delay = waitMs ?? limits.firstDelayMs * 2 ** (tries - 1);
      const isWorthwhile = BUSY.has(status) && (trouble.kind === 'rate' || trouble.kind === 'down');
      if (!isWorthwhile || tries === MOST_TRIES || delay > LONGEST_WAIT_MS)
        throw troubleFailure(trouble, access, { ...refused, waitMs });
      await sleep(delay, signal);
    }
  } catch (thrown) {
    task.signal.throwIfAborted();
    if (!limit.aborted || thrown instanceof Failure) throw thrown;
    const seconds = Math.max(1, Math.round(limits.timeMs / 1000));
    throw new Failure(
      'timed_out',
      `${access.label} gave no answer within ${seconds} s. Try again, or use another provider.`,
    );
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
  /** By `Retry-After`. */
  readonly waitMs: number | undefined;
}

async function sendOnce(
  { asked, access, mapping, fetch: send, limits }: SearchTask,
  signal: AbortSignal,
): Promise<Answer> {
  const { url, method, headers, body } = mapping.request(asked, access);
  try {
    const response = await send(url, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'tenon',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      // A key goes to the address that the person wrote down, and nowhere else.
      redirect: 'manual',
      signal,
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw redirected(response, access, url);
    }
    const waitMs = retryAfterMs(response.headers.get('retry-after'), Date.now());
    return { status: response.status, text: await readText(response, access, limits), waitMs };
  } catch (thrown) {
    if (thrown instanceof Failure || signal.aborted) throw thrown;
    throw unreachable(thrown, access);
  }
}

function redirected(response: Response, { label }: ProviderAccess, asked: string): Failure {
  const location = response.headers.get('location') ?? '';
  const to = URL.canParse(location, asked) ? new URL(location, asked).origin : 'another address';
  const what = `${label} points to ${to}, where nothing is sent: the settings name another address. Correct that address.`;
  return new Failure('search_not_set_up', what);
}

function unreachable(thrown: unknown, access: ProviderAccess): Failure {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = systemErrorCode(cause);
  const why = withoutSecrets(code ?? message, access);
  const host = new URL(access.baseUrl).host;
  const advice = certificateAdvice(code) ?? 'Check the network.';
  return new Failure('search_unreachable', `${access.label} at ${host} cannot be reached: ${why}. ${advice}`);
}

async function readText(response: Response, { label }: ProviderAccess, { mostBytes }: SearchLimits): Promise<string> {
  const text = await responseText(response, mostBytes);
  if (text !== undefined) return text;
  const most = `${Math.max(1, Math.round(mostBytes / 1024 / 1024))} MiB`;
  throw new Failure(
    'search_unreadable_answer',
    `${label} answered with more than ${most}, which is no list of results.`,
  );
}

/** `Retry-After` (RFC 9110 10.2.3): seconds or a date. In milliseconds from `now`; undefined where it says nothing of use. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  // `Date.parse` takes bare numbers for years; a date of the standard has letters.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
