// Hiding secrets in the output of commands: `node bench/secrets.mjs [--megabytes 100] [--runs 5] [--core FILE]`. Needs a build.
// A command prints so many megabytes, which go to memory and to a file as those of every command do; in turns without the filter (the
// baseline) and with it, which then knows twenty secrets and the keys of all kinds. Two commands: a program that makes its lines, as test
// runners and builds do, and one that only copies a file, for comparison. Medians of the same run. Exits with 1 when the first misses its reach.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '100' },
    runs: { type: 'string', default: '5' },
    core: { type: 'string' },
  },
});
const core = values.core ?? fileURLToPath(new URL('../packages/core/dist/index.js', import.meta.url));
const { createToolSystem, ApprovalMode } = await import(pathToFileURL(core).href);
const megabytes = Number(values.megabytes);
const runs = Number(values.runs);
const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-secrets-'));
const secrets = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`SERVICE_${index}_TOKEN`, randomBytes(24).toString('base64url')]),
);
const line = (index) =>
  `2024-05-01T12:00:${String(index % 60).padStart(2, '0')} INFO worker-${index % 7} finished GET /api/v1/items/${index} from https://shop.example/list?page=${index % 90} in ${index % 97}ms status=200\n`;
const block = Array.from({ length: 10_000 }, (_, index) => line(index)).join('');
writeFileSync(
  join(folder, 'log.txt'),
  block.repeat(Math.ceil((megabytes * 1e6) / block.length)).slice(0, megabytes * 1e6),
);

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

async function measure(isHiding, printing) {
  const home = mkdtempSync(join(folder, 'home-'));
  const system = await createToolSystem({
    roots: [folder],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: { PATH: process.env.PATH, ...secrets },
    secrets: { enabled: isHiding },
  });
  const command = async (text) => {
    const begin = performance.now();
    const args = JSON.stringify({ command: text });
    for await (const event of system.runCalls(
      [{ callId: 'a', toolName: 'run_shell_command', argumentsText: args }],
      new AbortController().signal,
    ))
      if (event.type === 'tool-call-end' && event.status !== 'success') throw new Error(JSON.stringify(event));
    return performance.now() - begin;
  };
  await command('head -c 3000000 log.txt');
  const took = await command(printing);
  await system.close();
  rmSync(home, { recursive: true, force: true });
  return took;
}

/** Writes a log by `console.log`, a line at a time. */
writeFileSync(
  join(folder, 'print.mjs'),
  `import { readFileSync } from 'node:fs';
const lines = readFileSync('log.txt', 'utf8').split('\\n');
for (const line of lines) console.log(line);
`,
);

/** A few hundredths, and what a shared machine adds to that. */
const REACH = 1.15;
const rows = [
  { name: 'a program that makes its lines', printing: `"${process.execPath}" print.mjs`, reach: REACH },
  { name: 'a program that copies a file', printing: 'cat log.txt' },
];
let missed = false;
for (const { name, printing, reach } of rows) {
  const [plain, hiding] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    plain.push(await measure(false, printing));
    hiding.push(await measure(true, printing));
  }
  const [without, withHiding] = [median(plain), median(hiding)];
  const ratio = withHiding / without;
  const end = reach === undefined ? '' : ` (reach ${reach}: ${ratio <= reach ? 'reached' : 'missed'})`;
  missed ||= reach !== undefined && ratio > reach;
  console.log(
    `${name}: ${megabytes} MB in ${without.toFixed(0)} ms as they are, ${withHiding.toFixed(0)} ms hidden; ratio ${ratio.toFixed(2)}${end}`,
  );
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = missed ? 1 : 0;
