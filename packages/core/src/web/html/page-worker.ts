import { parentPort, workerData } from 'node:worker_threads';
import { Failure, errorMessage } from '../../util/failure.js';
import { pageContent } from './page-content.js';
import type { WorkerAnswer, WorkerTask } from './convert-page.js';

// A thread of its own, for one page: it is ended from outside where it takes too long.
const { html, url, format } = workerData as WorkerTask;
parentPort?.postMessage(await answerOf(), []);

async function answerOf(): Promise<WorkerAnswer> {
  try {
    return { content: await pageContent(html, url, format) };
  } catch (thrown) {
    const code = thrown instanceof Failure ? thrown.code : 'read_content_failure';
    return { failed: { code, message: errorMessage(thrown) } };
  }
}
