// The file tools as ratios to bare Node in the same run. Reads go through the whole life of a call; changes are calls of
// the tool with its parameters as objects (everything that it does: staleness, plan, diff, transaction with journal,
// report), and once more through the whole life, from the JSON text on, in rows without a reach:
// `node bench/files.mjs [--quick] [--runs 7] [--folder DIR] [--core FILE]`. Needs a build and 1.5 GB of room in DIR
// (the folder for temporary files by default; `--quick` takes a tenth). Exits with 1 when a row misses its reach.
//
// Baselines, all with one warm file cache: to line N, awaited reads of 1 MiB in which Buffer.indexOf finds the line
// feeds (twice as fast as a loop over the bytes in Node 20); small files, awaited `fs.promises.readFile`; changes,
// read + write of a temporary file + fsync + rename. Medians of interleaved runs. Peak memory is that of a child process
// of its own. What a change costs depends on the file system: ext4 is meant, not tmpfs.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    runs: { type: 'string' },
    folder: { type: 'string' },
    core: { type: 'string' },
    /** Internal: JSON of the calls, `[tool, parameters]`, whose peak memory is asked for. */
    child: { type: 'string' },
  },
});
const corePath = values.core ?? fileURLToPath(new URL('../packages/core/dist/index.js', import.meta.url));
const { ApprovalMode, createToolSystem } = await import(pathToFileURL(corePath).href);
const MIB = 1024 * 1024;

const openSystem = (root, home) =>
  createToolSystem({
    roots: [root],
    tenonHome: join(home, 'tenon'),
    userHome: home,
    approvalMode: ApprovalMode.AUTO_EDIT,
    rules: [],
    environment: process.env,
  });

let calls = 0;

/** The whole life of a call; gives its last event, throws what it failed with. */
async function call(system, toolName, argumentsText) {
  calls += 1;
  const request = { callId: String(calls), toolName, argumentsText };
  let last;
  for await (const event of system.runCalls([request], new AbortController().signal)) last = event;
  if (last.error) throw new Error(`${toolName}: ${last.error.message}`);
  return last;
}

/** The tool alone, for an agent that must have seen what it overwrites. */
async function callTool(system, toolName, params) {
  calls += 1;
  const context = { callId: String(calls), toolName, title: toolName, agent: 'bench', stillShown: () => false };
  const invocation = system.config.getToolRegistry().getTool(toolName).build(params);
  const result = await invocation.execute(new AbortController().signal, undefined, context);
  if (result.error) throw new Error(`${toolName}: ${result.error.message}`);
}

async function timed(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const ratioOf = (ours, bare, reach) =>
  `${ours.toFixed(1).padStart(8)} ms  ${(ours / bare).toFixed(2).padStart(6)} x bare (${bare.toFixed(1)} ms; ${reach === undefined ? 'no reach' : `reach: ${reach} x`})`;

const sourceText = (bytes) => {
  const lines = [];
  for (let line = 0, length = 0; length < bytes; line += 1) {
    lines.push(`  const value${line} = compute(${line}, options);\n`);
    length += lines[line].length;
  }
  return lines.join('');
};

if (values.child !== undefined) {
  const { root, home, calls: wanted } = JSON.parse(values.child);
  const system = await openSystem(root, home);
  for (const [tool, params] of wanted) await call(system, tool, JSON.stringify(params));
  await system.close();
  process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
} else {
  await main();
}

async function main() {
  const base = realpathSync(mkdtempSync(join(values.folder ?? tmpdir(), 'tenon-bench-')));
  const [root, home] = [join(base, 'work'), join(base, 'home')];
  mkdirSync(root);
  mkdirSync(home);
  const runs = Number(values.runs ?? (values.quick ? 5 : 7));
  const context = { root, home, runs, share: values.quick ? 0.1 : 1, small: join(root, 'small.txt') };
  writeFileSync(context.small, 'hello\n');
  let missed = 0;
  const report = (name, words, isMet) => {
    if (!isMet) missed += 1;
    console.log(`${name.padEnd(32)} ${words} ${isMet ? 'met' : 'MISSED'}`);
  };
  try {
    for (const row of [farLine, longLine, smallReads, editLarge, writeLarge, overwriteLarge, patchMany, editHuge])
      await row(context, report);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  process.exitCode = missed === 0 ? 0 : 1;
}

/** Peak memory, in MB, of a process that makes these calls. */
function peakOf({ root, home }, wanted) {
  const script = fileURLToPath(import.meta.url);
  const child = spawn(
    process.execPath,
    [script, '--core', corePath, '--child', JSON.stringify({ root, home, calls: wanted })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(Number(text)) : reject(new Error(`child exited with ${code}`)),
    );
  });
}

function makeFile(path, blocks, blockOf) {
  const file = openSync(path, 'w');
  for (let block = 0; block < blocks; block += 1) writeSync(file, blockOf(block));
  closeSync(file);
}

/** A line far into a file of 1 GiB in 20 million lines, for the first and for the second time. */
async function farLine(context, report) {
  const { root, home, runs, share } = context;
  const path = join(root, 'lines.txt');
  const blockLines = 20_000;
  makeFile(path, 1000 * share, (block) => {
    let text = '';
    for (let line = 0; line < blockLines; line += 1)
      // 53.7 bytes each: 1 GiB in all.
      text += `line ${String(block * blockLines + line).padStart(8, '0')} of a file of so many of them......${line % 16 < 11 ? '.....' : '....'}\n`;
    return text;
  });
  // An index of a file that was changed a moment ago is not kept.
  await pause(200);
  const offset = 15_000_000 * share;
  const argumentsText = JSON.stringify({ absolute_path: path, offset, limit: 100 });
  const times = { cold: [], warm: [], bare: [] };
  for (let round = -1; round < runs; round += 1) {
    const bare = await timed(() => scanTo(path, offset));
    const system = await openSystem(root, home);
    await call(system, 'read_file', JSON.stringify({ absolute_path: context.small }));
    let told;
    const cold = await timed(async () => (told = await call(system, 'read_file', argumentsText)));
    if (!JSON.stringify(told.content).includes(`line ${String(offset).padStart(8, '0')}`))
      throw new Error('the wrong lines were read');
    const further = JSON.stringify({ absolute_path: path, offset: offset - 12_345, limit: 100 });
    const warm = await timed(() => call(system, 'read_file', further));
    await system.close();
    // The first round warms the file cache.
    if (round < 0) continue;
    times.bare.push(bare);
    times.cold.push(cold);
    times.warm.push(warm);
  }
  const [cold, warm, bare] = [median(times.cold), median(times.warm), median(times.bare)];
  report(`line ${offset}, first time`, ratioOf(cold, bare, 1.5), cold <= 1.5 * bare);
  report(`line ${offset}, second time`, `${warm.toFixed(1).padStart(8)} ms  (reach: 20 ms)`, warm <= 20);
  await reportPeak(context, report, { name: 'memory for it', reads: [{ absolute_path: path, offset }] });
  rmSync(path);
}

async function scanTo(path, wanted) {
  const file = await open(path);
  const buffer = Buffer.allocUnsafe(MIB);
  try {
    let found = 0;
    for (let position = 0; ;) {
      const { bytesRead } = await file.read(buffer, 0, MIB, position);
      if (bytesRead === 0) return;
      const bytes = buffer.subarray(0, bytesRead);
      for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) if (++found === wanted) return;
      position += bytesRead;
    }
  } finally {
    await file.close();
  }
}

async function reportPeak(context, report, { name, reads }) {
  const rest = await restOf(context);
  const peak = await peakOf(
    context,
    reads.map((read) => ['read_file', read]),
  );
  const above = peak - rest;
  report(
    name,
    `${peak.toFixed(0).padStart(8)} MB  ${above.toFixed(0).padStart(6)} MB above rest (${rest.toFixed(0)} MB; reach: 60 MB)`,
    above <= 60,
  );
}

/** What a process takes that does next to nothing. */
function restOf(context) {
  return peakOf(context, [['read_file', { absolute_path: context.small }]]);
}

/** 300 MB without a line feed: its start, and a piece of its middle. */
async function longLine(context, report) {
  const path = join(context.root, 'one-line.json');
  const size = 300 * context.share;
  makeFile(path, size, () => 'x'.repeat(MIB));
  const reads = [{ absolute_path: path }, { absolute_path: path, offset: 0, column: (size / 2) * MIB }];
  await reportPeak(context, report, { name: `one line of ${size} MB`, reads });
  rmSync(path);
}

async function smallReads({ root, home, runs }, report) {
  const paths = Array.from({ length: 1000 }, (_, index) => join(root, `small-${index}.ts`));
  for (const [index, path] of paths.entries()) {
    writeFileSync(path, `export const value${index} = ${index};\n${'// another line of it\n'.repeat(40)}`);
  }
  const system = await openSystem(root, home);
  const times = { ours: [], bare: [] };
  for (let round = -1; round < runs; round += 1) {
    const bare = await timed(async () => {
      for (const path of paths) await readFile(path);
    });
    const ours = await timed(async () => {
      for (const path of paths)
        await call(system, 'read_file', JSON.stringify({ absolute_path: path, limit: 1000 + round }));
    });
    if (round < 0) continue;
    times.bare.push(bare);
    times.ours.push(ours);
  }
  await system.close();
  const [ours, bare] = [median(times.ours), median(times.bare)];
  report('1,000 small reads', ratioOf(ours, bare, 3), ours <= 3 * bare);
  for (const path of paths) rmSync(path);
}

/** Medians of interleaved runs of each of the works, which get the number of the round and give milliseconds. */
async function medians(runs, works) {
  const times = new Map(Object.keys(works).map((name) => [name, []]));
  for (let round = -2; round < runs; round += 1) {
    for (const [name, work] of Object.entries(works)) {
      const time = await work(round);
      // The first rounds warm up.
      if (round >= 0) times.get(name).push(time);
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)]));
}

/** One line in the middle of 5 MB, there and back. */
async function editLarge({ root, home, runs }, report) {
  const paths = ['large-bare.ts', 'large.ts', 'large-life.ts'].map((name) => join(root, name));
  const [other, path, third] = paths;
  const text = sourceText(5 * MIB);
  for (const made of paths) writeFileSync(made, text);
  const system = await openSystem(root, home);
  const editOf = (file_path, round) => {
    const [from, to] = round % 2 === 0 ? ['compute', 'edited'] : ['edited', 'compute'];
    return { file_path, old_string: `value50000 = ${from}(`, new_string: `value50000 = ${to}(` };
  };
  for (const seen of [path, third]) await callTool(system, 'read_file', { absolute_path: seen, offset: 50_000 });
  const { bare, tool, life } = await medians(runs, {
    bare: (round) =>
      timed(async () => {
        const { old_string: before, new_string: after } = editOf(other, round);
        await replaceFile(other, (await readFile(other, 'utf8')).replace(before, after));
      }),
    tool: (round) => timed(() => callTool(system, 'edit', editOf(path, round))),
    life: (round) => timed(() => call(system, 'edit', JSON.stringify(editOf(third, round)))),
  });
  await system.close();
  report('edit in a file of 5 MB', ratioOf(tool, bare, 3), tool <= 3 * bare);
  report('  its whole life', ratioOf(life, bare), true);
  for (const made of paths) rmSync(made);
}

/** A new file of 10 MB. */
async function writeLarge({ root, home, runs }, report) {
  const content = sourceText(10 * MIB);
  const system = await openSystem(root, home);
  const making = async (name, make) => {
    const path = join(root, name);
    const time = await timed(() => make(path));
    await rm(path);
    return time;
  };
  const { bare, tool, life, parse } = await medians(runs, {
    bare: (round) => making(`new-bare-${round}.ts`, (path) => replaceFile(path, content)),
    tool: (round) => making(`new-${round}.ts`, (path) => callTool(system, 'write_file', { file_path: path, content })),
    life: (round) => {
      const name = `new-life-${round}.ts`;
      const argumentsText = JSON.stringify({ file_path: join(root, name), content });
      return making(name, () => call(system, 'write_file', argumentsText));
    },
    parse: async () => {
      const json = JSON.stringify({ content });
      return timed(async () => JSON.parse(json));
    },
  });
  await system.close();
  report('write of 10 MB', ratioOf(tool, bare, 1.5), tool <= 1.5 * bare);
  report('  its whole life', `${ratioOf(life, bare)}, of which the JSON takes ${parse.toFixed(1)} ms`, true);
}

/** Another content for a file of 10 MB: the old one is read, compared and kept. */
async function overwriteLarge({ root, home, runs }, report) {
  const [path, other] = [join(root, 'over.ts'), join(root, 'over-bare.ts')];
  const first = sourceText(10 * MIB);
  const contents = [first.replaceAll('compute', 'reckon'), first];
  const system = await openSystem(root, home);
  writeFileSync(other, first);
  await callTool(system, 'write_file', { file_path: path, content: first });
  const contentOf = (round) => contents[Math.abs(round % 2)];
  const { bare, tool } = await medians(runs, {
    bare: (round) => timed(() => replaceFile(other, contentOf(round))),
    tool: (round) => timed(() => callTool(system, 'write_file', { file_path: path, content: contentOf(round) })),
  });
  await system.close();
  report('another 10 MB over 10 MB', ratioOf(tool, bare), true);
  for (const made of [path, other]) rmSync(made);
}

/** One patch of 200 small files: one transaction. */
async function patchMany({ root, home, runs }, report) {
  const count = 200;
  const paths = Array.from({ length: count }, (_, index) => join(root, `patched-${index}.ts`));
  for (const path of paths) for (const made of [path, `${path}.bare`]) writeFileSync(made, 'first\nvalue 0\n');
  const system = await openSystem(root, home);
  for (const path of paths) await callTool(system, 'read_file', { absolute_path: path });
  let version = 0;
  const patchOf = (from) =>
    ['*** Begin Patch', ...paths.map((path) => updateOf(path, from)), '*** End Patch', ''].join('\n');
  const { bare, tool } = await medians(Math.min(runs, 5), {
    bare: () =>
      timed(async () => {
        for (const path of paths) await replaceFile(`${path}.bare`, await readFile(`${path}.bare`));
      }),
    tool: () => timed(() => callTool(system, 'apply_patch', { patch: patchOf(version++) })),
  });
  await system.close();
  report(`each of ${count} files of a patch`, ratioOf(tool / count, bare / count), true);
  for (const path of paths) for (const made of [path, `${path}.bare`]) rmSync(made);
}

function updateOf(path, from) {
  return `*** Update File: ${path}\n@@\n first\n-value ${from}\n+value ${from + 1}`;
}

/** Memory of an edit of the largest files that are taken as one text. */
async function editHuge(context, report) {
  const path = join(context.root, 'huge.ts');
  const size = 60 * context.share;
  writeFileSync(path, sourceText(size * MIB));
  const edit = { file_path: path, old_string: 'value50000 = compute(', new_string: 'value50000 = edited(' };
  const above = (await peakOf(context, [['edit', edit]])) - (await restOf(context));
  const words = `${above.toFixed(0).padStart(8)} MB above rest: ${(above / size).toFixed(1)} x the file`;
  report(`memory for an edit in ${size} MB`, `${words} (reach: 8 x)`, above <= 8 * size);
  rmSync(path);
}

async function replaceFile(path, bytes) {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
