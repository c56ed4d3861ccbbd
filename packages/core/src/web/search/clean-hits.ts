import { cleanText, cutBytes } from '../../util/clean-text.js';
import type { RawHit, SearchHit } from './search-types.js';

const MOST_TITLE_BYTES = 200;
const MOST_SNIPPET_BYTES = 700;
const MOST_DATE_BYTES = 40;
const LONGEST_URL = 2000;
/** More is not looked at. */
const LONGEST_TEXT = 20_000;

/** Tags that search engines put around words. Not any: results on programming are full of `Map<string, T>`. */
const MARKUP =
  /<\/?(?:strong|b|em|i|u|s|br|p|span|div|a|mark|code|pre|wbr|sub|sup|small|font|ul|ol|li|h[1-6]|table|tr|td|th|img|script|style)(?:\s[^<>]*)?\/?>/gi;
const ENTITY =
  /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp|hellip|ndash|mdash|middot|lsquo|rsquo|ldquo|rdquo));/gi;
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    hellip: '…',
    ndash: '–',
    mdash: '—',
    middot: '·',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
  }),
);

export interface CleanHits {
  readonly hits: readonly SearchHit[];
  /** Without an address of the web, which cannot be followed. */
  readonly withoutAddress: number;
}

/** The first results, each address once, as texts that may be shown to a model: see `SearchHit`. Pure. */
export function cleanHits(raw: readonly RawHit[], limit: number): CleanHits {
  const hits = new Map<string, SearchHit>();
  let withoutAddress = 0;
  for (const each of raw) {
    if (hits.size === limit) break;
    const url = webAddress(each.url);
    if (url === undefined) withoutAddress += 1;
    else if (!hits.has(url)) hits.set(url, { ...cleanHit(each), url });
  }
  return { hits: [...hits.values()], withoutAddress };
}

function cleanHit({ title, snippet, date }: RawHit): Omit<SearchHit, 'url'> {
  const day = dayOf(date);
  return {
    title: cutBytes(plainLine(title), MOST_TITLE_BYTES) || '(without a title)',
    snippet: cutBytes(plainLine(snippet), MOST_SNIPPET_BYTES),
    ...(day !== '' && { date: day }),
  };
}

/** Without markup, entities and what cannot be seen, on one line; empty for what is no text. */
export function plainLine(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value
    .slice(0, LONGEST_TEXT)
    .replaceAll(MARKUP, (tag) => (/^<\/?(?:br|p|div|li|tr|td|th|h\d)/i.test(tag) ? ' ' : ''))
    .replaceAll(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff) ? '' : String.fromCodePoint(code);
    });
  return cleanText(text, { strict: true }).text.replaceAll(/\s+/g, ' ').trim();
}

function webAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_URL || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const isWeb = (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
  return isWeb && url.href.length <= LONGEST_URL ? url.href : undefined;
}

function dayOf(value: unknown): string {
  const text = plainLine(value);
  const iso = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(text)?.[0];
  if (iso !== undefined) return iso;
  // `Mon, 05 Oct 2026 10:00:00 GMT`; words such as "3 days ago" are left as they are.
  const time = /^[A-Z][a-z]{2}, \d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? cutBytes(text, MOST_DATE_BYTES) : new Date(time).toISOString().slice(0, 10);
}
