import type { Validators, WebPage } from './fetch-page.js';

const MOST_BYTES = 32 * 1024 * 1024;
const MOST_PAGE_BYTES = 8 * 1024 * 1024;
const MOST_PAGES = 200;
/** For the next part of a text that was begun: its places mean nothing in another version. */
const READING_MS = 15 * 60_000;
/** Whatever a host says: what is older is asked about again. */
const LONGEST_FRESH_MS = 24 * 60 * 60_000;

export interface HeldPage {
  readonly page: WebPage;
  readonly validators: Validators;
  /** As `Date.now`. */
  readonly heldAt: number;
  readonly freshUntil: number;
}

/** The pages of one session by address, in memory, the least recently used dropped first. */
export class PageCache {
  readonly #pages = new Map<string, HeldPage>();
  readonly #now: () => number;
  #bytes = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  find(url: string): HeldPage | undefined {
    const held = this.#pages.get(url);
    if (held === undefined) return undefined;
    this.#pages.delete(url);
    this.#pages.set(url, held);
    return held;
  }

  /** May be used without asking the host. `goesOn`: for a further part of what was read before. */
  isFresh({ freshUntil, heldAt }: HeldPage, goesOn: boolean): boolean {
    const now = this.#now();
    return now < freshUntil || (goesOn && now - heldAt < READING_MS);
  }

  keep(url: string, page: WebPage): void {
    this.#drop(url);
    const directives = directivesOf(page.headers);
    const isKept =
      page.status === 200 &&
      page.bytes.length <= MOST_PAGE_BYTES &&
      !directives.has('no-store') &&
      page.headers.get('vary') !== '*';
    if (!isKept) return;
    const validators = {
      etag: page.headers.get('etag') ?? undefined,
      lastModified: page.headers.get('last-modified') ?? undefined,
    };
    this.#add(url, { page, validators, heldAt: this.#now(), freshUntil: this.#now() + freshMs(page.headers) });
  }

  /** The host said that it is still the same. */
  renew(url: string, headers: Headers): void {
    const held = this.#pages.get(url);
    if (held === undefined) return;
    this.#drop(url);
    this.#add(url, { ...held, heldAt: this.#now(), freshUntil: this.#now() + freshMs(headers) });
  }

  #add(url: string, held: HeldPage): void {
    this.#pages.set(url, held);
    this.#bytes += held.page.bytes.length;
    for (const oldest of this.#pages.keys()) {
      if (this.#bytes <= MOST_BYTES && this.#pages.size <= MOST_PAGES) return;
      this.#drop(oldest);
    }
  }

  #drop(url: string): void {
    this.#bytes -= this.#pages.get(url)?.page.bytes.length ?? 0;
    this.#pages.delete(url);
  }
}

/** By RFC 9111 as far as a private cache goes: for how long the page need not be asked about. In milliseconds. */
export function freshMs(headers: Headers): number {
  const directives = directivesOf(headers);
  if (directives.has('no-cache') || directives.has('no-store')) return 0;
  const age = Number(headers.get('age') ?? 0) || 0;
  const maxAge = directives.get('max-age');
  const seconds = maxAge === undefined ? secondsToExpiry(headers) : Number(maxAge);
  const ms = (seconds - age) * 1000;
  return Number.isFinite(ms) ? Math.min(LONGEST_FRESH_MS, Math.max(0, ms)) : 0;
}

function secondsToExpiry(headers: Headers): number {
  const expires = Date.parse(headers.get('expires') ?? '');
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(expires) || Number.isNaN(date) ? 0 : (expires - date) / 1000;
}

function directivesOf(headers: Headers): ReadonlyMap<string, string> {
  const parts = (headers.get('cache-control') ?? '').toLowerCase().split(',');
  return new Map(
    parts.map((part) => {
      const [name = '', value = ''] = part.trim().split('=');
      return [name.trim(), value.trim().replaceAll('"', '')] as const;
    }),
  );
}
