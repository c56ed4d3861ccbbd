// Bare ripgrep: the very program that the tools use, with the flags that mean the same truth.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const core = createRequire(new URL('../../packages/core/package.json', import.meta.url));
const { rgPath } = await import(core.resolve('@vscode/ripgrep'));

/** Hidden files are searched, `.git` is not; ignore files that git does not know and those above do not count. */
const SAME_TRUTH = [
  '--no-config',
  '--hidden',
  '--no-ignore-dot',
  '--no-ignore-parent',
  '--no-ignore-global',
  '-g',
  '!.git',
];

/** @returns `{ ms, output }`; the output is a list of byte strings as text, undefined unless it is asked for */
export function ripgrep(args, { root, isGit, wantsOutput = false }) {
  const flags = isGit ? SAME_TRUTH : [...SAME_TRUTH, '--no-require-git'];
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(rgPath, [...flags, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => wantsOutput && chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      const ms = performance.now() - startedAt;
      if (code !== 0 && code !== 1) reject(new Error(`rg exited with ${code}`));
      else resolve({ ms, output: wantsOutput ? Buffer.concat(chunks).toString('utf8') : undefined });
    });
  });
}

/** Matching lines by path, with `-c`, the cheapest way in which ripgrep tells everything that the tool counts. */
export const countArgs = (pattern) => ['-i', '-c', '-0', '-e', pattern, '.'];

/** @returns Map of path (relative to the root) to matching lines */
export async function countsOf(pattern, place) {
  const { output } = await ripgrep(countArgs(pattern), { ...place, wantsOutput: true });
  const counts = new Map();
  for (let at = 0; at < output.length;) {
    const [nul, end] = [output.indexOf('\0', at), output.indexOf('\n', output.indexOf('\0', at))];
    counts.set(output.slice(at, nul).replace(/^\.\//, ''), Number(output.slice(nul + 1, end)));
    at = end + 1;
  }
  return counts;
}

/** All files that are searched, relative to the root. */
export async function filesOf(place) {
  const { output } = await ripgrep(['--files', '-0'], { ...place, wantsOutput: true });
  return output.split('\0').filter((path) => path !== '');
}
