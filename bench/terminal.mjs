// The terminal: a key with much behind it, an earlier session that is opened. Needs a build. Its start is in `startup.mjs`.
//   node bench/terminal.mjs [--runs 9] [--scrollback 50]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ApprovalMode, createAgent } from '../packages/core/dist/index.js';
import { startScriptedModel } from '../packages/core/dist/testing/index.js';
import { tenon, terminalsIn } from './shared/open-terminal.mjs';
import { programEnvironment } from './shared/program-environment.mjs';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '9' }, scrollback: { type: 'string', default: '50' } },
});
const runs = Number(values.runs);
const megabytes = Number(values.scrollback);
const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'));
const work = join(folder, 'work');
mkdirSync(work);

const ANSWER = 'Some words of an answer that is long, with `code` and **bold** in it.\n\n'.repeat(14_000);
const answers = Math.ceil((megabytes * 1024 * 1024) / ANSWER.length);
let answered = 0;
// What is asked without tools is a summary of what was said so far: such a long session needs some.
const turnFor = (request) =>
  request.body.tools === undefined || request.body.tools.length === 0
    ? { text: 'The model said much.' }
    : { text: `${ANSWER}end of ${answered++};`, chunkSize: 4096 };
const model = await startScriptedModel(Array.from({ length: 4 * answers + 10 }, () => turnFor));
const env = programEnvironment(folder, model);

const open = terminalsIn({ cwd: work, env });

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const rows = [];
const row = (name, value, unit, reach) => {
  const isGood = reach === undefined || value <= reach;
  rows.push(isGood);
  const told = reach === undefined ? '' : `  (reach: ${reach} ${unit}) ${isGood ? 'met' : 'MISSED'}`;
  console.log(`${name.padEnd(56)} ${value.toFixed(1).padStart(8)} ${unit}${told}`);
};

const MESSAGES = 5_000;

/** An earlier session of the folder, as sessions write it. */
async function writeSession() {
  const text = 'A line of output as commands print it, with a path src/some/file.ts:120. '.repeat(45);
  async function* stream() {
    yield { type: 'text-delta', text };
    yield { type: 'finish', reason: 'stop' };
  }
  const agent = await createAgent({
    roots: [work],
    tenonHome: env.TENON_HOME,
    userHome: folder,
    approvalMode: ApprovalMode.DEFAULT,
    rules: [],
    environment: env,
    version: 'bench',
    model: { label: 'bench', model: 'bench', stream },
    compactAt: 0,
  });
  for (let index = 0; index < MESSAGES / 2; index++) for await (const _ of agent.prompt(`${index} ${text}`));
  for await (const _ of agent.prompt('the last words'));
  await agent.close();
}

/** Milliseconds from a key to its echo. */
async function typing(session, keys = 60) {
  const times = [];
  for (let index = 0; index < keys; index++) {
    session.forget();
    const letter = String.fromCharCode(97 + (index % 26));
    const from = performance.now();
    session.write(letter);
    times.push((await session.sees(letter, 10_000)) - from);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  return times;
}

try {
  const session = open([tenon]);
  await session.sees('›');
  const empty = await typing(session, 30);
  row('a key in an empty session, median', median(empty), 'ms', 30);
  session.write('\u0003');
  const from = performance.now();
  for (let answer = 0; answer < answers; answer++) {
    session.forget();
    session.write('go on\r');
    await session.sees(`end of ${answer};`);
    // What is typed before it is done would be said to the model meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const printed = (performance.now() - from) / 1000;
  row(`${megabytes} MB of answers printed`, printed, 's');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const keys = await typing(session);
  row(`a key with ${megabytes} MB behind it, median`, median(keys), 'ms', 30);
  row('  slowest', Math.max(...keys), 'ms', 60);
  row('memory then', session.memory(), 'MB', 250);
  session.write('\u0003\u0004');
  await session.ended;

  await writeSession();
  const opened = [];
  let memory = 0;
  for (let run = 0; run < runs; run++) {
    const again = open([tenon, '--continue']);
    opened.push((await again.sees('the last words')) - again.startedAt);
    memory = Math.max(memory, again.memory());
    again.write('\u0004');
    await again.ended;
  }
  row(`a session of ${MESSAGES} messages goes on, to its last words`, median(opened), 'ms', 1500);
  row('  memory then', memory, 'MB', 250);
} finally {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}
writeFileSync(1, rows.every(Boolean) ? 'All met.\n' : 'Some were missed.\n');
process.exitCode = rows.every(Boolean) ? 0 : 1;
