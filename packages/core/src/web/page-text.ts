import { describeBinary, sniffMedia } from '../files/media.js';
import { isBinaryHead } from '../files/detect-encoding.js';
import type { WebPage } from './fetch-page.js';
import { charsetOf, decodePage } from './page-charset.js';
import { visibleText } from './visible-text.js';
import { webFailure } from './web-failure.js';

export type WebFormat = 'markdown' | 'text' | 'html' | 'raw';

export interface WebText {
  readonly kind: 'text';
  readonly text: string;
  /** What it was made from: `text/html`. */
  readonly mimeType: string;
  readonly title?: string;
  /** For the model, on what was done to it. */
  readonly notes: readonly string[];
}

export interface WebImage {
  readonly kind: 'image';
  readonly bytes: Buffer;
  readonly mimeType: string;
}

/** Of HTML that is turned into something else: making it out takes many times its size. */
const MOST_HTML_CHARS = 1_500_000;
const MOST_PDF_CHARS = 4_000_000;

/** What a page says, as text, or the picture that it is. @throws Failure `read_content_failure`, `binary_file` */
export async function readPage(page: WebPage, format: WebFormat, signal: AbortSignal): Promise<WebText | WebImage> {
  const { bytes, headers, url } = page;
  const contentType = headers.get('content-type') ?? '';
  const stated = contentType.split(';', 1).join('').trim().toLowerCase();
  const media = sniffMedia(bytes.subarray(0, 4096));
  if (media?.kind === 'image') return { kind: 'image', bytes, mimeType: media.mimeType };
  if (media?.kind === 'pdf') return pdfText(page, signal);
  if (isBinaryHead(bytes) && !/^utf-(?:16|32)/.test(charsetOf(contentType) ?? ''))
    throw webFailure(
      'read_content_failure',
      `${url} is ${describeBinary(bytes.subarray(0, 4096))}, not text. Download it to a file with a command instead.`,
    );
  const isHtml = isHtmlPage(stated, bytes);
  const isMarkup = isHtml || /\bxml\b/.test(stated);
  const decoded = await decodePage({ bytes, stated: charsetOf(contentType), isMarkup, name: url });
  const mimeType = isHtml ? 'text/html' : stated || 'text/plain';
  if (format === 'raw') return { kind: 'text', text: visibleText(decoded), mimeType, notes: [] };
  if (isHtml) return htmlText(decoded, page, format, signal);
  const isJson = /^(?:application|text)\/(?:[\w.+-]+\+)?json$/.test(stated);
  const text = visibleText(isJson ? prettyJson(decoded) : decoded);
  return { kind: 'text', text, mimeType, notes: [] };
}

function isHtmlPage(stated: string, bytes: Buffer): boolean {
  if (stated === 'text/html' || stated === 'application/xhtml+xml') return true;
  if (stated !== '' && stated !== 'application/octet-stream') return false;
  return /^\ufeff?\s*(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype html|html|head|body)[\s>]/i.test(
    bytes.subarray(0, 2048).toString('latin1'),
  );
}

async function htmlText(
  decoded: string,
  { url }: WebPage,
  format: Exclude<WebFormat, 'raw'>,
  signal: AbortSignal,
): Promise<WebText> {
  const { convertPage } = await import('./html/convert-page.js');
  const task = { html: decoded.slice(0, MOST_HTML_CHARS), url, format };
  const { text, title, isArticle, hiddenParts, isBare } = await convertPage(task, signal);
  const notes = [
    ...(isBare === undefined
      ? []
      : [`These are the bare words of the page, for ${isBare}; what nobody sees of it may be among them.`]),
    ...(decoded.length > MOST_HTML_CHARS ? ['The page is too long to be read whole; its end is left out.'] : []),
    ...(isArticle ? ['The article of the page; the format "raw" gives all of it.'] : []),
    ...(hiddenParts > 0
      ? [`Hidden text was left out, at ${hiddenParts === 1 ? 'one place' : `${hiddenParts} places`}.`]
      : []),
    ...(text === '' ? ['The page has no text of its own; it may be made by a program in the browser.'] : []),
  ];
  return { kind: 'text', text, title, mimeType: 'text/html', notes };
}

function prettyJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value, null, 2);
  } catch {
    // Several values, or none: it is shown as it came.
    return text;
  }
}

async function pdfText({ bytes, url }: WebPage, signal: AbortSignal): Promise<WebText> {
  const { openPdf } = await import('../files/pdf-text.js');
  // What is handed over is given away, and the page may be held for later.
  const own = Buffer.alloc(bytes.length);
  bytes.copy(own);
  const pdf = await openPdf({ bytes: own, name: url, signal });
  try {
    const pages: string[] = [];
    let chars = 0;
    let isIncomplete = false;
    for (let number = 1; number <= pdf.pageCount && chars < MOST_PDF_CHARS; number += 1) {
      const page = await pdf.page(number);
      isIncomplete ||= page.isIncomplete;
      const text = visibleText(page.lines.join('\n'));
      chars += text.length;
      pages.push(`## Page ${number} of ${pdf.pageCount}\n\n${text === '' ? '(no text; it may be a picture)' : text}`);
    }
    const notes = [
      ...(isIncomplete ? ['Some text cannot be told: its fonts do not say which characters they show.'] : []),
      ...(pages.length < pdf.pageCount ? [`The PDF is too long: only its first ${pages.length} pages are here.`] : []),
    ];
    return { kind: 'text', text: pages.join('\n\n'), mimeType: 'application/pdf', notes };
  } finally {
    await pdf.close();
  }
}
