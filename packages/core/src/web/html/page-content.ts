import { visibleText } from '../visible-text.js';
import { removeHidden } from './hidden-parts.js';
import { plainTextOf } from './plain-text.js';
import { guarded, parsePage, type PageDocument, type PageElement } from './page-dom.js';

export type PageFormat = 'markdown' | 'text' | 'html';

export interface PageContent {
  readonly text: string;
  readonly title: string;
  /** True where only the article of the page is given. */
  readonly isArticle: boolean;
  /** How many elements with text were left out because nobody sees them. */
  readonly hiddenParts: number;
}

/** An article shorter than this, or than that share of the page, is taken for a part of what the page is about. */
const LEAST_ARTICLE_CHARS = 250;
const LEAST_ARTICLE_SHARE = 0.4;
/** Looking for the article takes time that grows with the page. */
const MOST_ARTICLE_CHARS = 500_000;
/** Around what a page says rather than of it. */
const AROUND = 'nav, footer, aside, [role="navigation"], [role="banner"], [role="contentinfo"]';

/** What a page says to whoever reads it: its article, or all of its body where it has none. `url`: what links start from. */
export async function pageContent(html: string, url: string, format: PageFormat): Promise<PageContent> {
  const document = await parsePage(html);
  const title = visibleText(document.querySelector('title')?.textContent ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const base = baseOf(document, url);
  return guardedContent({ document, title, base, format, isLong: html.length > MOST_ARTICLE_CHARS });
}

interface Given {
  readonly document: PageDocument;
  readonly title: string;
  readonly base: string;
  readonly format: PageFormat;
  readonly isLong: boolean;
}

async function guardedContent({ document, title, base, format, isLong }: Given): Promise<PageContent> {
  const hiddenParts = guarded(() => removeHidden(document));
  guarded(() => makeAbsolute(document, base));
  const article = isLong ? undefined : await articleOf(document);
  const inner = article ?? document.body.innerHTML;
  const text = visibleText(await written(inner, format));
  const isTitled = format === 'markdown' && title !== '' && !/^# /m.test(text.slice(0, 2000));
  return {
    text: isTitled ? `# ${title}\n\n${text}` : text,
    title,
    isArticle: article !== undefined,
    hiddenParts,
  };
}

async function written(inner: string, format: PageFormat): Promise<string> {
  if (format === 'html') return inner.trim();
  if (format === 'text') return plainTextOf((await parsePage(inner)).body);
  const { toMarkdown } = await import('./to-markdown.js');
  return guarded(() => toMarkdown(inner));
}

/** The article, as HTML; undefined for a page that is none: a list, an index, an application. */
async function articleOf(document: PageDocument): Promise<string | undefined> {
  const { Readability } = await import('@mozilla/readability');
  const whole = document.body.innerHTML;
  const bodyText = charsOf(document.body) - charsOfAll(document.body.querySelectorAll(AROUND));
  try {
    // It changes what it reads.
    const copy = await parsePage(whole);
    const article = new Readability(copy, {
      keepClasses: true,
      disableJSONLD: true,
    }).parse();
    const chars = countChars(article?.textContent ?? '');
    const isAll = chars >= LEAST_ARTICLE_CHARS && chars >= LEAST_ARTICLE_SHARE * bodyText;
    return isAll ? (article?.content ?? undefined) : undefined;
  } catch {
    // A page that it cannot cope with is given whole.
    return undefined;
  }
}

function charsOf({ textContent }: PageElement): number {
  return countChars(textContent ?? '');
}

function countChars(text: string): number {
  return text.replaceAll(/\s+/g, '').length;
}

function charsOfAll(elements: Iterable<PageElement>): number {
  return [...elements]
    .filter((one) => one.parentElement === null || one.parentElement.closest(AROUND) === null)
    .reduce((sum, one) => sum + charsOf(one), 0);
}

function baseOf(document: PageDocument, url: string): string {
  const stated = document.querySelector('base')?.getAttribute('href');
  return stated !== null && stated !== undefined && URL.canParse(stated, url) ? new URL(stated, url).href : url;
}

/** Links and pictures by their whole address; without those that lead nowhere, and without pictures that stand in the page. */
function makeAbsolute(document: PageDocument, base: string): void {
  for (const link of document.querySelectorAll('a[href]')) {
    const target = absolute(link.getAttribute('href'), base);
    if (target === undefined) link.removeAttribute('href');
    else link.setAttribute('href', target);
  }
  for (const image of document.querySelectorAll('img')) {
    const source = absolute(image.getAttribute('src') ?? image.getAttribute('data-src'), base);
    if (source === undefined) image.remove();
    else image.setAttribute('src', source);
  }
}

function absolute(address: string | null, base: string): string | undefined {
  if (address === null || !URL.canParse(address.trim(), base)) return undefined;
  const url = new URL(address.trim(), base);
  return /^(?:https?|mailto|ftp):$/.test(url.protocol) ? url.href : undefined;
}
