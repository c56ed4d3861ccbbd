// One call in a process of its own: its time, its first live result, and what memory it takes above rest. Run as
// `node fresh.mjs JSON` by `inFreshProcess`.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { call, openSystem, settle } from './tools.mjs';

const script = fileURLToPath(import.meta.url);
const MB = 1024 * 1024;

/**
 * `request`: `{ core, root, home, tool, args, times }`. @returns `{ first, last, peakMb, heldMb, childMb }`: the first and the last
 * of `times` calls (`{ ms, firstUpdate, total, fileCount }`), the peak of resident memory above that before the first call, what of
 * it is still held when everything is learned, and the peak of the processes that it started.
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

/** Begins to measure anew; the returned function gives the peak in bytes since then. */
function watchPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    return () => statusOf('self', 'VmHWM');
  } catch {
    let peak = 0;
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
    return () => {
      clearInterval(timer);
      return Math.max(peak, process.memoryUsage().rss);
    };
  }
}

async function main({ core, root, home, tool, args, times = 1 }) {
  const system = await openSystem({ core, root, home });
  globalThis.gc();
  const rest = process.memoryUsage().rss;
  const peakOf = watchPeak();
  const results = [];
  for (let time = 0; time < times; time += 1) {
    const { ms, firstUpdate, data } = await call(system, tool, args);
    results.push({ ms, firstUpdate, total: data.total, fileCount: data.fileCount });
  }
  const peakMb = (peakOf() - rest) / MB;
  await settle(system);
  globalThis.gc();
  const heldMb = (process.memoryUsage().rss - rest) / MB;
  await system.close();
  process.stdout.write(JSON.stringify({ first: results[0], last: results.at(-1), peakMb, heldMb }));
}

if (resolve(process.argv[1] ?? '') === script) await main(JSON.parse(process.argv[2]));
