import { certificateAdvice } from '../network/certificate-advice.js';
import { chooseProxy } from '../network/choose-proxy.js';
import { createFetch } from '../network/create-fetch.js';
import { errorMessage, Failure } from '../util/failure.js';
import { checkedLookup } from './checked-lookup.js';
import { ACCEPTED_CODINGS, readBody } from './read-body.js';
import { RequestWatch } from './request-watch.js';
import { checkPlace, placeOf, readOwnHosts } from './url-guard.js';
import { webFailure } from './web-failure.js';
import type { WebOptions } from './web-options.js';

const MOST_BYTES = 10 * 1024 * 1024;
const WHOLE_MS = 60_000;
const CONNECT_MS = 10_000;
const IDLE_MS = 20_000;
const MOST_REDIRECTS = 5;
/** Of the body of an answer that is no success. */
const MOST_ERROR_BYTES = 64 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const AGENT = 'Tenon/1 (+a coding agent; fetches what its user asks for)';
const ACCEPT =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, application/json;q=0.8, text/plain;q=0.8, */*;q=0.5';

export interface WebPage {
  /** Where it was in the end, after redirects within the host. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Unpacked. */
  readonly bytes: Buffer<ArrayBuffer>;
}

export type Fetched =
  | { readonly kind: 'page'; readonly page: WebPage }
  /** What was held is still what is there. */
  | { readonly kind: 'unchanged'; readonly headers: Headers }
  /** The host sends whoever asks elsewhere, which nobody asked for. */
  | { readonly kind: 'moved'; readonly status: number; readonly to: string };

/** Of a page that is held: what asks the host whether it is still the same. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/**
 * What one address holds, asked for without cookies and without a word about the user. Redirects are followed within the
 * host; each is judged anew, and each connection goes to an address that was judged.
 * @throws Failure `web_refused`, `web_unreachable`, `timed_out`, `file_too_large`, or of a proxy; the signal's reason
 */
export async function fetchPage(
  start: URL,
  options: WebOptions,
  signal: AbortSignal,
  held: Validators = {},
): Promise<Fetched> {
  const own = readOwnHosts(options.allowPrivateHosts);
  const { environment = {}, connectMs = CONNECT_MS, timeoutMs = WHOLE_MS, idleMs = IDLE_MS } = options;
  let url = start;
  const lookup = checkedLookup({ resolve: options.resolve, own, current: () => url, timeoutMs: connectMs });
  const fetcher = createFetch({ environment, direct: { lookup, timeout: connectMs } });
  const watch = new RequestWatch({ wholeMs: timeoutMs, idleMs, host: start.host, signal });
  try {
    for (let redirects = 0; ; redirects += 1) {
      checkPlace(url, own, chooseProxy(url, environment) !== undefined);
      const response = await watch.during(
        fetcher.fetch(url, { headers: headersFor(held), redirect: 'manual', signal: watch.signal }),
      );
      const target = targetOf(response, url);
      if (target === undefined) return await fetchedOf(response, url, { options, watch });
      await response.body?.cancel();
      if (!isWithinHost(url, target)) return { kind: 'moved', status: response.status, to: target.href };
      if (redirects === MOST_REDIRECTS)
        throw webFailure(
          'web_unreachable',
          `${start.host} redirected more than ${MOST_REDIRECTS} times, last to ${target.href}.`,
        );
      url = target;
    }
  } catch (thrown) {
    signal.throwIfAborted();
    throw watch.failure ?? asFailure(thrown, url);
  } finally {
    watch.end();
    await fetcher.close();
  }
}

function headersFor({ etag, lastModified }: Validators): Record<string, string> {
  return {
    accept: ACCEPT,
    'accept-encoding': ACCEPTED_CODINGS,
    'accept-language': 'en, *;q=0.5',
    'user-agent': AGENT,
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}

/** Where the answer sends to; undefined for one that is not a redirect. */
function targetOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location');
  if (!REDIRECTS.has(status) || location === null) return undefined;
  if (!URL.canParse(location, from.href))
    throw webFailure('web_unreachable', `${from.host} redirects to what is no address.`);
  const target = new URL(location, from);
  target.hash = '';
  return target;
}

/** The same service: of the same host, and the port it was asked at or that of TLS. Never from TLS back to without. */
function isWithinHost(from: URL, to: URL): boolean {
  if (to.username !== '' || to.password !== '' || placeOf(from).host !== placeOf(to).host) return false;
  const isSame = from.protocol === to.protocol && placeOf(from).port === placeOf(to).port;
  return isSame || (from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '');
}

async function fetchedOf(
  response: Response,
  url: URL,
  { options, watch }: { readonly options: WebOptions; readonly watch: RequestWatch },
): Promise<Fetched> {
  const { status, headers } = response;
  if (status === 304) return { kind: 'unchanged', headers };
  const isError = status < 200 || status > 299;
  const most = options.maxBytes ?? MOST_BYTES;
  const bytes = await readBody(response, {
    host: url.host,
    most: isError ? Math.min(most, MOST_ERROR_BYTES) : most,
    cuts: isError,
    watch,
  });
  return { kind: 'page', page: { url: url.href, status, headers, bytes } };
}

function asFailure(thrown: unknown, { host }: URL): Failure {
  if (thrown instanceof Failure) return thrown;
  const causes = causesOf(thrown);
  const failure = causes.find((cause) => cause instanceof Failure);
  if (failure !== undefined) return failure;
  const coded = causes.find((cause) => 'code' in cause && typeof cause.code === 'string');
  const code = coded !== undefined && 'code' in coded ? String(coded.code) : '';
  const why = errorMessage(causes.at(-1) ?? thrown);
  const unproved = certificateAdvice(code);
  if (unproved !== undefined)
    return webFailure('web_unreachable', `${host} could not be fetched: ${code} (${why}). ${unproved}`);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return webFailure('timed_out', `${host} could not be reached in time.`);
  return webFailure('web_unreachable', `${host} could not be fetched: ${why}.`);
}

/** From the outermost to the innermost; of several that failed together, each. */
function causesOf(thrown: unknown, depth = 0): Error[] {
  if (!(thrown instanceof Error) || depth > 5) return [];
  const inner = thrown instanceof AggregateError ? thrown.errors : [];
  return [thrown, ...inner.flatMap((one) => causesOf(one, depth + 1)), ...causesOf(thrown.cause, depth + 1)];
}
