import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { errorMessage, Failure } from '../util/failure.js';

/** The text of a PDF, taken out page by page. */
export interface PdfText {
  readonly pageCount: number;
  /** Of one page, from 1. */
  page(number: number): Promise<PdfPage>;
  close(): Promise<void>;
}

export interface PdfPage {
  /** In the order in which the page has them; none for a page that is only a picture. */
  readonly lines: readonly string[];
  /**
   * Text stands there, or may, that cannot be told: its font does not say which characters its signs are, or it
   * needs tables of characters that are not at hand.
   */
  readonly isIncomplete: boolean;
}

export interface PdfRequest {
  /** The whole file, in memory of its own that is given away. */
  readonly bytes: Buffer<ArrayBuffer>;
  /** Used in messages. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** For one page, and for opening the file; 20,000 by default. */
  readonly maxMilliseconds?: number;
  /** Processor time for opening the file and reading a page; each further page adds 100. Default: 4,000. */
  readonly maxWorkMilliseconds?: number;
}

const MAX_MILLISECONDS = 20_000;
/** Processor time, not clock time, so that a busy machine makes no file too hard. Pages of long documents take some ten each. */
const MAX_WORK_MILLISECONDS = 4000;
const WORK_PER_PAGE = 100;
const MAX_MEMORY_MB = 192;
/**
 * Of the whole process, while the reader works: what it unpacks lies outside the heap that can be limited, so that
 * growth is all that is seen of it. Nothing else here grows so fast.
 */
const MAX_GROWTH_BYTES = 192 * 1024 * 1024;
const WATCH_MILLISECONDS = 20;
/** No page that somebody wrote has more; what a few bytes unpack to may. */
const MAX_PAGE_CHARS = 1_000_000;

/**
 * The reader's program as text: a file of its own would have to be found from the sources, from the compiled package
 * and from a bundle alike. It runs beside the rest, so that a page which never ends can be stopped, and one that
 * unpacks to more than the memory allowed takes nothing else with it. The library tells of fonts that it cannot read
 * only by a warning. Signs taken for characters without a table show themselves by control characters among them.
 */
const READER_SOURCE = String.raw`
'use strict';
const { parentPort, workerData } = require('node:worker_threads');
const { getDocumentProxy } = require(workerData.library);
let failedFonts = false;
const warned = (...words) => { failedFonts ||= /translateFont failed/.test(words.join(' ')); };
Object.assign(console, { log: warned, warn: warned, info: warned });
const fail = (thrown) => parentPort.postMessage({ failed: String((thrown && thrown.message) || thrown), kind: String(thrown && thrown.name) });
const opened = getDocumentProxy(workerData.bytes, { verbosity: 1 });
opened.then((document) => parentPort.postMessage({ pages: document.numPages }), fail);
const readable = (items) => {
  const fonts = new Map();
  for (const { font, text } of items) {
    const seen = fonts.get(font) || { all: 0, bad: 0 };
    fonts.set(font, seen);
    seen.all += text.length;
    seen.bad += (text.match(/[\0-\x08\x0b\x0e-\x1f\x7f-\x9f]/g) || []).length;
  }
  return items.map((item) => {
    const { all, bad } = fonts.get(item.font);
    return bad > 0 && bad >= all * 0.05 ? { ...item, text: '', unread: true } : item;
  });
};
parentPort.on('message', (number) => {
  opened
    .then((document) => document.getPage(number))
    .then(async (page) => {
      const reader = page.streamTextContent().getReader();
      const items = [];
      let [chars, rest] = [0, ''];
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        for (const item of value.items) {
          items.push({ font: item.fontName, text: item.str || '', end: item.hasEOL ? '\n' : '' });
          chars += (item.str || '').length + 1;
        }
        if (chars <= workerData.maxChars) continue;
        rest = '\n(the rest of this page is left out: it is too long)';
        await reader.cancel(new Error('enough'));
        break;
      }
      page.cleanup();
      const read = readable(items);
      const text = read.map((item) => item.text + item.end).join('').slice(0, workerData.maxChars) + rest;
      parentPort.postMessage({ text, isIncomplete: failedFonts || read.some((item) => item.unread) });
    })
    .catch(fail);
});
`;

interface Message {
  readonly pages?: number;
  readonly text?: string;
  readonly isIncomplete?: boolean;
  readonly failed?: string;
  readonly kind?: string;
}

/** @throws Failure `read_content_failure` for a PDF that is encrypted, damaged or takes too long */
export async function openPdf({
  bytes,
  name,
  signal,
  maxMilliseconds = MAX_MILLISECONDS,
  maxWorkMilliseconds = MAX_WORK_MILLISECONDS,
}: PdfRequest): Promise<PdfText> {
  signal.throwIfAborted();
  const library = findLibrary(name);
  // The library takes no Buffer, though a Buffer is one of these.
  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const worker = new Worker(READER_SOURCE, {
    eval: true,
    env: {},
    stdout: true,
    stderr: true,
    workerData: { library, bytes: data, maxChars: MAX_PAGE_CHARS },
    transferList: [data.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  const limits = { signal, maxMilliseconds, budget: { leftMs: maxWorkMilliseconds } };
  const close = async (): Promise<void> => {
    await worker.terminate();
  };
  try {
    const { pages = 0 } = await nextMessage(worker, { ...limits, what: name });
    return {
      pageCount: pages,
      page: async (number) => {
        limits.budget.leftMs += WORK_PER_PAGE;
        const answer = nextMessage(worker, { ...limits, what: `page ${number} of ${name}` });
        worker.postMessage(number, []);
        const { text = '', isIncomplete = false } = await answer;
        return { lines: linesOf(text), isIncomplete };
      },
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** @throws Failure `read_content_failure` where the package was left out of the installation */
function findLibrary(name: string): string {
  try {
    const require = createRequire(import.meta.url);
    return require.resolve('unpdf');
  } catch {
    throw new Failure(
      'read_content_failure',
      `The text of ${name} cannot be read here: the package unpdf is not installed. Install it, or use a command that understands PDFs.`,
    );
  }
}

interface Wait {
  readonly what: string;
  readonly signal: AbortSignal;
  readonly maxMilliseconds: number;
  /** The remaining processor time for the document. */
  readonly budget: { leftMs: number };
}

function nextMessage(worker: Worker, { what, signal, maxMilliseconds, budget }: Wait): Promise<Message> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(tooHard(what, 'it took too long'))), maxMilliseconds);
    const before = process.memoryUsage.rss();
    const start = process.cpuUsage();
    const worked = (): number => {
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > MAX_GROWTH_BYTES) {
        settle(() => reject(tooHard(what, 'it takes too much memory')));
      } else if (worked() > budget.leftMs) settle(() => reject(tooHard(what, 'it takes too much work')));
    }, WATCH_MILLISECONDS);
    const settle = (how: () => void): void => {
      budget.leftMs -= worked();
      clearTimeout(timer);
      clearInterval(watch);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
      how();
    };
    const onMessage = (message: Message): void =>
      settle(() => (message.failed === undefined ? resolve(message) : reject(unreadable(message, what))));
    const onError = (thrown: unknown): void => settle(() => reject(tooHard(what, errorMessage(thrown))));
    const onExit = (): void => settle(() => reject(tooHard(what, 'its reader ended')));
    const onAbort = (): void => settle(() => reject(signal.reason as Error));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal.addEventListener('abort', onAbort);
  });
}

function linesOf(text: string): string[] {
  // Codes that are no text.
  const plain = text.replace(/[\0-\x08\x0b-\x1f\x7f]/g, '').trimEnd();
  // Not by a pattern: in a line of blanks that would take the square of its length.
  return plain === '' ? [] : plain.split('\n').map((line) => line.trimEnd());
}

function unreadable({ failed, kind }: Message, what: string): Failure {
  const message =
    kind === 'PasswordException'
      ? `The text of ${what} cannot be read: the PDF is encrypted and needs a password. Make a copy without one first.`
      : `The text of ${what} cannot be read: the PDF is damaged (${failed}). Repair it first, or use a command that understands it.`;
  return new Failure('read_content_failure', message);
}

function tooHard(what: string, why: string): Failure {
  return new Failure(
    'read_content_failure',
    `The text of ${what} cannot be read: ${why}. Try other pages, or use a command that understands PDFs.`,
  );
}
