// Opening a long session: `node bench/sessions.mjs [--messages 5000] [--megabytes 50] [--runs 5] [--folder DIR]`. Needs a build.
// A log of so many messages is written as sessions write it; then a process of its own opens it (reads it, replays the
// conversation, finds what can be gone back to) and tells how long that took and what memory it had at most. Baseline: a process that
// does nothing but read the file and parse its lines, in the same run; medians. Exits with 1 when a row misses its reach.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '5000' },
    megabytes: { type: 'string', default: '50' },
    runs: { type: 'string', default: '5' },
    folder: { type: 'string', default: tmpdir() },
    core: { type: 'string' },
    /** Internal: what a child does. */
    child: { type: 'string' },
    file: { type: 'string' },
    home: { type: 'string' },
    root: { type: 'string' },
  },
});
const core = values.core ?? fileURLToPath(new URL('../packages/core/dist/index.js', import.meta.url));

const agentOf = async (more) => {
  const { ApprovalMode, createAgent } = await import(pathToFileURL(core).href);
  return createAgent({
    roots: [values.root],
    tenonHome: values.home,
    userHome: values.home,
    approvalMode: ApprovalMode.DEFAULT,
    rules: [],
    environment: process.env,
    version: 'bench',
    ...more,
  });
};

/** Half of the messages are the user's, as long as it takes; the other half are answers of the model. */
async function writeLog() {
  const pairs = Math.ceil(Number(values.messages) / 2);
  // An answer stands in the log twice: as a message, and as the last words of its prompt.
  const size = Math.floor((Number(values.megabytes) * 1024 * 1024) / pairs / 3) - 400;
  const line = 'A line of output as commands print it, with a path src/some/file.ts:120 and a word. ';
  const text = line.repeat(Math.ceil(size / line.length)).slice(0, size);
  async function* stream() {
    yield { type: 'text-delta', text };
    yield { type: 'usage', usage: { inputTokens: 10, outputTokens: 10 } };
    yield { type: 'finish', reason: 'stop' };
  }
  const agent = await agentOf({ model: { label: 'bench', model: 'bench', stream }, compactAt: 0 });
  for (let index = 0; index < pairs; index++) for await (const _ of agent.prompt(`${index} ${text}`));
  await agent.close();
}

async function openLog() {
  const model = { label: 'bench', model: 'bench', stream: () => [] };
  // A process that has its code loaded: what is asked is what the session adds.
  const warm = await agentOf({ model });
  await warm.close();
  const startedAt = performance.now();
  const agent = await agentOf({ model, session: { file: values.file } });
  const count = agent.messages.length;
  const openMs = performance.now() - startedAt;
  if (count < Number(values.messages)) throw new Error(`Only ${count} messages.`);
  const points = await agent.rewindPoints();
  const rewindMs = performance.now() - startedAt - openMs;
  if (points.length !== Math.ceil(Number(values.messages) / 2)) throw new Error(`Only ${points.length} points.`);
  await agent.close();
  return { openMs, rewindMs };
}

function parseLog() {
  const startedAt = performance.now();
  const events = readFileSync(values.file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { openMs: performance.now() - startedAt, rewindMs: 0, lines: events.length };
}

async function listLogs() {
  const { listSessions } = await import(pathToFileURL(core).href);
  const startedAt = performance.now();
  const sessions = await listSessions({ root: values.root, tenonHome: values.home });
  return { openMs: performance.now() - startedAt, rewindMs: 0, lines: sessions.length };
}

if (values.child !== undefined) {
  const work = { write: writeLog, open: openLog, parse: parseLog, list: listLogs }[values.child];
  const result = (await work()) ?? {};
  const megabytes = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ ...result, megabytes }));
  process.exit(0);
}

const folder = realpathSync(mkdtempSync(join(values.folder, 'tenon-bench-sessions-')));
const [home, root] = [join(folder, 'home'), join(folder, 'work')];
for (const path of [home, root]) mkdirSync(path);

function child(work, file = '') {
  const { messages, megabytes } = values;
  const options = { child: work, file, home, root, core, messages, megabytes };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return new Promise((resolve, reject) => {
    const started = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    started.stdout.on('data', (chunk) => (text += chunk));
    started.once('error', reject);
    started.once('close', (code) => (code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`${work}: ${code}`))));
  });
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  await child('write');
  const [project] = readdirSync(join(home, 'projects'));
  const sessions = join(home, 'projects', project, 'sessions');
  const file = join(
    sessions,
    readdirSync(sessions).find((name) => name.endsWith('.jsonl')),
  );
  const size = statSync(file).size / 1024 / 1024;
  process.stdout.write(`a log of ${values.messages} messages and ${size.toFixed(1)} MB\n`);
  const results = { parse: [], open: [], list: [] };
  for (let round = 0; round < Number(values.runs); round++)
    for (const work of Object.keys(results)) results[work].push(await child(work, file));
  const of = (work, name) => median(results[work].map((result) => result[name]));
  const base = of('parse', 'openMs');
  const rows = [
    ['read and parse (baseline)', base, of('parse', 'megabytes')],
    ['open the session', of('open', 'openMs'), of('open', 'megabytes'), 1500, 250],
    ['what can be gone back to', of('open', 'rewindMs'), of('open', 'megabytes'), 500, 250],
    ['list sessions', of('list', 'openMs'), of('list', 'megabytes'), 100],
  ];
  let missed = 0;
  for (const [name, ms, megabytes, mostMs = Infinity, mostMegabytes = Infinity] of rows) {
    const isGood = ms <= mostMs && megabytes <= mostMegabytes;
    if (!isGood) missed++;
    const reach =
      mostMs === Infinity
        ? ''
        : ` (reach: ${mostMs} ms${mostMegabytes === Infinity ? '' : `, ${mostMegabytes} MB`}) ${isGood ? 'met' : 'MISSED'}`;
    const figures = `${ms.toFixed(0).padStart(6)} ms ${(ms / base).toFixed(2).padStart(6)} x ${megabytes.toFixed(0).padStart(5)} MB`;
    process.stdout.write(`${name.padEnd(28)}${figures}${reach}\n`);
  }
  process.exitCode = missed > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
