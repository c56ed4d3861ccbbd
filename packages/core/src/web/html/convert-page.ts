import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { abortable } from '../../util/abort.js';
import { Failure } from '../../util/failure.js';
import { visibleText } from '../visible-text.js';
import { wordsOfMarkup } from './markup-words.js';
import { depthOf } from './page-dom.js';
import type { PageContent, PageFormat } from './page-content.js';

export interface WorkerTask {
  readonly html: string;
  readonly url: string;
  readonly format: PageFormat;
}

export type WorkerAnswer =
  { readonly content: PageContent } | { readonly failed: { readonly code: string; readonly message: string } };

export interface ConvertedPage extends PageContent {
  /** Why it is the bare words of the page, hidden ones too: a clause. */
  readonly isBare?: string;
}

export interface ConvertLimits {
  /** From how many characters, or from which depth on a page is made out in a thread of its own. */
  readonly inThreadFrom: { readonly chars: number; readonly depth: number };
  readonly milliseconds: number;
  readonly megabytes: number;
  /** What the thread runs; undefined: there is no such file, and nothing is run in threads. */
  readonly worker: string | undefined;
}

/**
 * What a page says to whoever reads it. Small and flat ones are made out at once. What others take is theirs to choose (a few
 * kilobytes of nested elements take seconds), so that they get a thread, which ends with the signal, or at its limits.
 */
export async function convertPage(
  task: WorkerTask,
  signal: AbortSignal,
  limits: ConvertLimits = usualLimits(),
): Promise<ConvertedPage> {
  if (signsIn(task.html) > MOST_SIGNS) return bareWords(task.html, TANGLED);
  const { worker: file } = limits;
  const { chars, depth } = limits.inThreadFrom;
  if (file === undefined || (task.html.length < chars && depthOf(task.html) < depth)) {
    const { pageContent } = await import('./page-content.js');
    return pageContent(task.html, task.url, task.format);
  }
  const answer = await inThread(task, signal, { ...limits, worker: file });
  if ('content' in answer) return answer.content;
  if ('failed' in answer) throw new Failure(answer.failed.code, answer.failed.message);
  return bareWords(task.html, answer.gaveUp);
}

const TANGLED = 'it is too tangled to be made out';
/** The most signs of a page. The parser makes up to two nodes of each, and pages written by people have fewer. */
const MOST_SIGNS = 150_000;

/** Counts the signs that may begin a tag or a reference, an upper limit; a sign that begins none costs the parser as much. */
function signsIn(html: string): number {
  let count = 0;
  for (const _ of html.matchAll(/[<&]/g)) count += 1;
  return count;
}

function bareWords(html: string, isBare: string): ConvertedPage {
  return { text: visibleText(wordsOfMarkup(html)), title: '', isArticle: false, hiddenParts: 0, isBare };
}

/** In a build it is a file beside the others; where sources run as they are, there is none. */
function usualLimits(): ConvertLimits {
  const worker = fileURLToPath(new URL('./page-worker.js', import.meta.url));
  return {
    inThreadFrom: { chars: 8000, depth: 40 },
    milliseconds: 4000,
    megabytes: 192,
    worker: existsSync(worker) ? worker : undefined,
  };
}

type Outcome = WorkerAnswer | { readonly gaveUp: string };

async function inThread(
  task: WorkerTask,
  signal: AbortSignal,
  { milliseconds, megabytes, worker: file }: ConvertLimits & { readonly worker: string },
): Promise<Outcome> {
  signal.throwIfAborted();
  const worker = new Worker(file, {
    workerData: task,
    env: {},
    // What a library says there is nobody's concern.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  let timer: NodeJS.Timeout | undefined;
  const outcome = new Promise<Outcome>((resolve) => {
    worker.once('message', (answer: WorkerAnswer) => resolve(answer));
    worker.once('error', () => resolve({ gaveUp: TANGLED }));
    worker.once('exit', () => resolve({ gaveUp: TANGLED }));
    const seconds = milliseconds / 1000;
    timer = setTimeout(() => resolve({ gaveUp: `it could not be made out within ${seconds} s` }), milliseconds);
  });
  try {
    return await abortable(outcome, signal);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
