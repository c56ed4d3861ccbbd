// One call in a process of its own: its time, its first live result, and what memory it takes above rest. Run as
// `node fresh.mjs JSON` by `inFreshProcess`.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, openSystem, settle } from './tools.mjs';

const script = fileURLToPath(import.meta.url);
const MB = 1024 * 1024;
/** `begins` of a session that has the time it wants. */
export const PREPARED_MS = 60_000;

/**
 * `request`: `{ core, root, home, keepsHome, begins, weighs, tool, args, times }` (see `openSystem`; with `begins`, in ms, as in a session whose model takes
 * that long at most to answer). @returns `{ first, last, peakMb, heldMb, childMb }`: the first and the last
 * of `times` calls (`{ ms, firstUpdate, peakMb, total, fileCount }`), and for one that `weighs` the peak of resident memory above that before the first
 * call (until the end of each, and of all), what of it is still held when everything is learned, and the peak of the processes that it started.
 */
export function inFreshProcess(request) {
  const child = spawn(process.execPath, ['--expose-gc', script, JSON.stringify(request)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  let childPeak = 0;
  child.stdout.on('data', (chunk) => (text += chunk));
  const timer = setInterval(() => (childPeak = Math.max(childPeak, residentOfChildren(child.pid))), 20);
  return new Promise((done, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(timer);
      if (code === 0) done({ ...JSON.parse(text), childMb: childPeak / MB });
      else reject(new Error(`a fresh process exited with ${code}`));
    });
  });
}

const LEARNED_BY = { tool: 'grep_search', args: { pattern: 'zqxj' } };

/**
 * A home where a process that has ended left what it learned of a project: made once. Undefined when it stored nothing, as older
 * builds do.
 */
export async function homeThatKnows({ core, home }, root) {
  const known = join(home, `knows-${root.replaceAll('/', '-')}`);
  if (!hasStored(known))
    await inFreshProcess({ core, root, home: known, keepsHome: true, linger: 4000, ...LEARNED_BY });
  return hasStored(known) ? known : undefined;
}

function hasStored(home) {
  try {
    return readdirSync(home, { recursive: true }).some((name) => name.endsWith('search/index'));
  } catch {
    return false;
  }
}

/** Linux tells; elsewhere 0. */
function residentOfChildren(pid) {
  try {
    let sum = 0;
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
      for (const one of children) sum += statusOf(one, 'VmRSS');
    }
    return sum;
  } catch {
    return 0;
  }
}

function statusOf(pid, field) {
  const line = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

/** Begins to measure anew; the returned function gives the peak in bytes from then until now. */
function watchPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    return () => statusOf('self', 'VmHWM');
  } catch {
    let peak = 0;
    setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5).unref();
    return () => Math.max(peak, process.memoryUsage().rss);
  }
}

/** As a session does at its first prompt, of which it hides the secrets; its timers keep no process alive. */
async function begin(system, { core, root, begins }) {
  const alive = setInterval(() => undefined, 1000);
  const load = (name) => import(new URL(name, pathToFileURL(core)).href);
  const { signal } = new AbortController();
  system.secrets?.hideIn({ text: 'words of a request\n'.repeat(2_000) });
  const { prepareFirstCalls } = await load('session/begin-work.js');
  if (prepareFirstCalls === undefined) {
    // An older build.
    const [index] = await Promise.all([system.config.getSearchIndex(), load('tools/grep-run.js')]);
    await index.prepare(root, [root], signal);
  } else await Promise.race([prepareFirstCalls(system.config, signal), sleep(begins, undefined, { ref: false })]);
  clearInterval(alive);
}

async function main({ core, root, home, keepsHome, begins, weighs, tool, args, times = 1, linger = 0 }) {
  const system = await openSystem({ core, root, home, keepsHome });
  if (begins) await begin(system, { core, root, begins });
  // It throws away compiled code as well, so that the times of who weighs say nothing.
  if (weighs) globalThis.gc();
  const rest = process.memoryUsage().rss;
  const peakOf = watchPeak();
  const results = [];
  let peakMb = 0;
  for (let time = 0; time < times; time += 1) {
    const { ms, firstUpdate, data } = await call(system, tool, args);
    peakMb = (peakOf() - rest) / MB;
    results.push({ ms, firstUpdate, peakMb, total: data.total, fileCount: data.fileCount });
  }
  await settle(system);
  // What was learned is stored when it has been quiet for two seconds, or at the end if that takes no time.
  await sleep(linger);
  globalThis.gc();
  const heldMb = (process.memoryUsage().rss - rest) / MB;
  await system.close();
  process.stdout.write(JSON.stringify({ first: results[0], last: results.at(-1), peakMb, heldMb }));
}

if (resolve(process.argv[1] ?? '') === script) await main(JSON.parse(process.argv[2]));
