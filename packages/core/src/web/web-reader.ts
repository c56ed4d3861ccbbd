import type { Failure } from '../util/failure.js';
import { fetchPage, type WebPage } from './fetch-page.js';
import { rawOfGitHub } from './github-raw.js';
import { PageCache, type HeldPage } from './page-cache.js';
import { readPage, type WebFormat, type WebImage, type WebText } from './page-text.js';
import { readWebUrl } from './url-guard.js';
import { webFailure } from './web-failure.js';
import type { WebOptions } from './web-options.js';

export type WebAnswer =
  | { readonly kind: 'page'; readonly page: WebPage; readonly isHeld: boolean }
  | { readonly kind: 'moved'; readonly status: number; readonly to: string };

/** What one session fetches, and what it still has of it. */
export class WebReader {
  readonly #options: WebOptions;
  readonly #cache: PageCache;
  /** What was made of pages that are held, for a further part of it. */
  readonly #made = new WeakMap<WebPage, Map<WebFormat, WebText | WebImage>>();

  constructor(options: WebOptions, cache = new PageCache()) {
    this.#options = options;
    this.#cache = cache;
  }

  /**
   * What is asked for, in this order, by an address as it was given: itself, and where it shows a file, that file.
   * @throws Failure `web_refused`
   */
  addresses(text: string): { readonly given: URL; readonly asked: URL } {
    const given = readWebUrl(text, this.#options);
    return { given, asked: rawOfGitHub(given) ?? given };
  }

  /** `goesOn`: for a further part of what was read before. @throws Failure, as `fetchPage`; `web_status` for an answer that is no success */
  async read(
    url: URL,
    { goesOn, signal }: { readonly goesOn: boolean; readonly signal: AbortSignal },
  ): Promise<WebAnswer> {
    const held = this.#cache.find(url.href);
    if (held !== undefined && this.#cache.isFresh(held, goesOn)) return { kind: 'page', page: held.page, isHeld: true };
    const fetched = await fetchPage(url, this.#options, signal, held?.validators);
    if (fetched.kind === 'moved') return fetched;
    if (fetched.kind === 'unchanged') return this.#unchanged(url, held, fetched.headers);
    const { page } = fetched;
    if (page.status < 200 || page.status > 299) throw statusFailure(page);
    this.#cache.keep(url.href, page);
    return { kind: 'page', page, isHeld: false };
  }

  /** As `readPage`, once for a page that is held. */
  async content(page: WebPage, format: WebFormat, signal: AbortSignal): Promise<WebText | WebImage> {
    const made = this.#made.get(page) ?? new Map<WebFormat, WebText | WebImage>();
    this.#made.set(page, made);
    const content = made.get(format) ?? (await readPage(page, format, signal));
    made.set(format, content);
    return content;
  }

  #unchanged(url: URL, held: HeldPage | undefined, headers: Headers): WebAnswer {
    if (held === undefined)
      throw webFailure('web_status', `${url.host} says that nothing changed, although nothing is held.`);
    this.#cache.renew(url.href, headers);
    return { kind: 'page', page: held.page, isHeld: true };
  }
}

const ADVICE: ReadonlyMap<number, string> = new Map([
  [401, 'It wants a sign-in, which is not done here.'],
  [403, 'It does not let this be fetched. Look for the same elsewhere.'],
  [404, 'Check the address, or look for the page from another one.'],
  [410, 'It is gone for good.'],
  [429, 'Too much was asked of it. Wait before you ask again.'],
  [451, 'It may not be shown for legal reasons.'],
]);

function statusFailure({ url, status, headers }: WebPage): Failure {
  const retry = headers.get('retry-after');
  const later =
    retry !== null && /^[\w ,:]{1,40}$/.test(retry)
      ? ` It says to retry after ${/^\d+$/.test(retry) ? `${retry} seconds` : retry}.`
      : '';
  const advice = ADVICE.get(status) ?? (status >= 500 ? 'The trouble is on its side. Try again later.' : '');
  return webFailure('web_status', `${url} answered with status ${status}. ${advice}${later}`.trim());
}
