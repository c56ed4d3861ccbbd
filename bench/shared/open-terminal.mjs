// Programs in a terminal.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const pty = createRequire(new URL('../../packages/core/package.json', import.meta.url))('@lydell/node-pty');
export const tenon = fileURLToPath(new URL('../../packages/cli/bin/tenon.js', import.meta.url));

/** What opens programs of Node in a terminal; what they write can be waited for. */
export function terminalsIn({ cwd, env }) {
  const all = { ...env, LANG: 'C.UTF-8', TERM: 'xterm-256color' };
  return (args) => openOne(args, { cwd, env: all });
}

function openOne(args, { cwd, env }) {
  const startedAt = performance.now();
  const child = pty.spawn(process.execPath, args, { cwd, env, cols: 100, rows: 30 });
  let seen = '';
  let heard = () => undefined;
  child.onData((text) => {
    seen = (seen + text).slice(-200_000);
    heard();
  });
  const ended = new Promise((resolve) => child.onExit(resolve));
  return {
    startedAt,
    child,
    ended,
    write: (text) => child.write(text),
    forget: () => (seen = ''),
    /** Milliseconds of the clock when it came. */
    sees: (wanted, limit = 300_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${wanted} did not come: ${seen.slice(-2_000)}`)), limit);
        heard = () => {
          if (!seen.includes(wanted)) return;
          clearTimeout(timer);
          heard = () => undefined;
          resolve(performance.now());
        };
        heard();
      }),
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
  };
}

/** From the start to the composer, and back: milliseconds. `open`: of `terminalsIn`. */
export async function firstPrompt(open, args = []) {
  const session = open([tenon, ...args]);
  const at = await session.sees('›');
  session.write('\u0004');
  await session.ended;
  return at - session.startedAt;
}

/** The same of a program that does nothing else. */
export async function bareNode(open) {
  const session = open(['-e', 'process.stdout.write("›")']);
  const at = await session.sees('›');
  await session.ended;
  return at - session.startedAt;
}
