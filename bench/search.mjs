// The search tools through the whole life of a call, as a ratio to bare ripgrep in the same run:
// `node bench/search.mjs [--runs 15] [--folder DIR]`. Without a folder, a tree of 20,000 files is made.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ApprovalMode, createToolSystem } from '../packages/core/dist/index.js';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' }, folder: { type: 'string' } } });
const runs = Number(values.runs);
// The very ripgrep that the tools use.
const core = createRequire(new URL('../packages/core/package.json', import.meta.url));
const { rgPath } = await import(core.resolve('@vscode/ripgrep'));
const base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-bench-')));
const root = values.folder ?? makeTree(join(base, 'tree'));
const system = await createToolSystem({
  roots: [root],
  tenonHome: join(base, 'home'),
  userHome: base,
  approvalMode: ApprovalMode.DEFAULT,
  rules: [],
  environment: process.env,
});

function makeTree(folder) {
  for (let index = 0; index < 20_000; index++) {
    const inner = join(folder, `a${index % 20}`, `b${index % 200}`);
    mkdirSync(inner, { recursive: true });
    writeFileSync(
      join(inner, `f${index}.ts`),
      `export const value${index} = ${index};\n${'// filler line\n'.repeat(20)}`,
    );
  }
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n*.log\n!keep.log\n');
  return folder;
}

async function call(toolName, args) {
  const startedAt = performance.now();
  const request = { callId: '1', toolName, argumentsText: JSON.stringify(args) };
  for await (const event of system.runCalls([request], new AbortController().signal)) {
    if (event.type === 'tool-call-end' && event.error) throw new Error(event.error.message);
  }
  return performance.now() - startedAt;
}

function ripgrep(args) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(rgPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    child.once('error', reject);
    child.once('close', () => resolve(performance.now() - startedAt));
  });
}

const rows = [
  [
    'grep_search, few hits',
    () => call('grep_search', { pattern: 'value1999\\d' }),
    () => ripgrep(['-in', 'value1999\\d']),
  ],
  [
    'grep_search, no hit',
    () => call('grep_search', { pattern: 'no such text' }),
    () => ripgrep(['-in', 'no such text']),
  ],
  ['glob **/*.ts', () => call('glob', { pattern: '**/*.ts' }), () => ripgrep(['--files', '--hidden', '-g', '**/*.ts'])],
];
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  for (const [name, ours, bare] of rows) {
    const times = { ours: [], bare: [] };
    for (let round = -1; round < runs; round++) {
      const [mine, theirs] = [await ours(), await bare()];
      // The first round warms the file system's cache.
      if (round < 0) continue;
      times.ours.push(mine);
      times.bare.push(theirs);
    }
    const [mine, theirs] = [median(times.ours), median(times.bare)];
    console.log(
      `${name.padEnd(22)} ${mine.toFixed(0).padStart(5)} ms  ${(mine / theirs).toFixed(2).padStart(6)} x bare ripgrep (${theirs.toFixed(0)} ms)`,
    );
  }
} finally {
  await system.close();
  rmSync(base, { recursive: true, force: true });
}
