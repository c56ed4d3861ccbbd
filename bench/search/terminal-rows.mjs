// The program itself in a terminal: how soon the first results of a long search are seen there, in the first search of a project's first session.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startScriptedModel } from '../../packages/core/dist/testing/index.js';
import { tenon, terminalsIn } from '../shared/open-terminal.mjs';
import { programEnvironment } from '../shared/program-environment.mjs';
import { median } from './report.mjs';

const LIVE_REACH_MS = 200;
/** Sooner no model has thought of a call and written it down. */
const MODEL_MS = 500;

export async function terminalRows(report, context, place) {
  const [name, pattern] = place.patterns.find(([one]) => one === 'common');
  const label = `grep ${name}, first result in a terminal (${place.label})`;
  if (!report.wants(label)) return;
  const runs = [];
  for (let round = -1; round < Math.min(5, report.runs); round += 1) {
    const run = await inTerminal(context, place.root, pattern);
    if (round >= 0) runs.push(run);
  }
  const [live, whole] = [median(runs.map((run) => run.live)), median(runs.map((run) => run.whole))];
  const slowest = Math.max(...runs.map((run) => run.live));
  const words = `${live.toFixed(0).padStart(6)} ms of ${whole.toFixed(0)} after the model's call, slowest ${slowest.toFixed(0)} ms; the model took ${MODEL_MS} ms (reach ${LIVE_REACH_MS} ms)`;
  report.say(label, words, live <= LIVE_REACH_MS);
}

/** @returns ms from the model's call until its first results are seen, and until the answer to what it was told */
async function inTerminal({ home }, root, pattern) {
  const folder = mkdtempSync(join(home, 'terminal-'));
  let called = 0;
  const turn = async () => {
    await sleep(MODEL_MS);
    called = performance.now();
    return { toolCalls: [{ name: 'grep_search', arguments: { pattern } }] };
  };
  const model = await startScriptedModel([turn, { text: 'That was it.' }]);
  try {
    const session = terminalsIn({ cwd: root, env: programEnvironment(folder, model) })([tenon]);
    await session.sees('›');
    session.forget();
    session.write('search\r');
    const live = (await session.sees('so far')) - called;
    const whole = (await session.sees('That was it.')) - called;
    session.write('\u0004');
    await session.ended;
    return { live, whole };
  } finally {
    await model.close();
  }
}
