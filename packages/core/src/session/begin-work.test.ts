import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createTempConfig, type TempConfig } from '../testing/temp-config.js';
import { prepareFirstCalls } from './begin-work.js';

let temp: TempConfig | undefined;
afterEach(async () => {
  await temp?.remove();
  temp = undefined;
});

/** Enough for threads, and for a rehearsal. */
const entries = Object.fromEntries(
  Array.from({ length: 600 }, (_, at) => [`d${at % 9}/f${at}.ts`, 'import x from "y1";\nreturn x;\n']),
);

it('what is prepared ends when it is told to: nothing is learned', async () => {
  temp = await createTempConfig({ entries });
  const index = await temp.config.getSearchIndex();
  const ending = new AbortController();
  const preparing = prepareFirstCalls(temp.config, ending.signal);
  // Searches are tried out once the threads are there.
  while (index.threads.state !== 'warm') await sleep(1);
  ending.abort(new Error('enough'));
  await preparing;
  expect([index.content.searches, index.content.files]).toEqual([0, 0]);
});

it('what cannot be prepared is told to nobody', async () => {
  temp = await createTempConfig();
  temp.config.getSearchIndex = () => Promise.reject(new Error('no room'));
  await expect(prepareFirstCalls(temp.config, new AbortController().signal)).resolves.toBeUndefined();
});
