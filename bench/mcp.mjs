// What Tenon's MCP client costs, as a ratio to the SDK's own client in the same run, against the same server:
// `node bench/mcp.mjs [--rounds 9] [--calls 1000] [--starts 7]`. Needs a build (`npm ci` made one). Each way of calling has
// a process of the same server to itself and gets the same arguments. Ends with 1 where a reach is missed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ApprovalMode, createToolSystem } from '../packages/core/dist/index.js';
import { createMcpClients } from '../packages/core/dist/mcp/mcp-client.js';
import { CommandSupervisor } from '../packages/core/dist/process/command-supervisor.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    calls: { type: 'string', default: '1000' },
    starts: { type: 'string', default: '7' },
  },
});
const [rounds, calls, starts] = [values.rounds, values.calls, values.starts].map(Number);
/** Calls that are timed together. */
const BLOCK = 100;
const MOST_FOR_CALLS = 1.3;
const MOST_FOR_START = 1.2;

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const reference = (name) => file(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
const SCRIPTED = file('integration-tests/mcp/scripted-server.mjs');
const never = new AbortController().signal;
const supervisor = new CommandSupervisor();
const env = { PATH: process.env.PATH };

/** Each: alias and the arguments of Node. */
const definitionsFor = (servers) =>
  servers.map(([alias, ...args]) => ({
    alias,
    origin: 'user',
    transport: { kind: 'stdio', command: process.execPath, args, cwd: process.cwd(), env: {} },
    timeoutMs: 60_000,
    startupMs: 60_000,
    trust: false,
    excludeTools: [],
    sampling: false,
    negotiation: 'legacy',
    disabled: false,
  }));

function clientsFor(servers) {
  return createMcpClients(definitionsFor(servers), {
    connect: supervisor.connect,
    environment: () => env,
    fetch,
    host: { client: { name: 'tenon', version: '0' }, roots: () => [] },
  });
}

async function bareClient(args) {
  const client = new Client({ name: 'bare', version: '0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return client;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function timed(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function report(name, ms, baseName, base, most, ratio = ms / base) {
  const isMet = most === undefined || ratio <= most;
  const reach = most === undefined ? '' : ` (reach: ${most} x) ${isMet ? 'met' : 'MISSED'}`;
  console.log(
    `${name.padEnd(34)} ${ms.toFixed(0).padStart(6)} ms  ${ratio.toFixed(2).padStart(5)} x ${baseName}, ${base.toFixed(0)} ms${reach}`,
  );
  return isMet;
}

/** Ours: the client alone, and the whole life of a call, with its checks and its budget. */
async function benchCalls(name, args) {
  const clients = clientsFor([['bench', ...args]]);
  const server = clients.server('bench');
  await server.connect(never);
  const bare = await bareClient(args);
  const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'));
  const system = await createToolSystem({
    roots: [folder],
    tenonHome: join(folder, 'home'),
    userHome: folder,
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: { PATH: process.env.PATH },
    mcp: { servers: definitionsFor([['bench', ...args]]) },
  });
  await system.readyFor(['bench__echo'], never);
  const message = 'x'.repeat(100);
  const params = { name: 'echo', arguments: { message, text: message } };
  const work = {
    ours: () => server.callTool(params.name, params.arguments, { signal: never }),
    bare: () => bare.callTool(params),
    whole: () => wholeCall(system, params.arguments),
  };
  const times = await inBlocks(work);
  await bare.close();
  await clients.close();
  await system.close();
  rmSync(folder, { recursive: true, force: true });
  return [
    reportCalls(`${calls} calls, ${name}`, times.ours, times.bare),
    reportCalls('  through their whole life', times.whole, times.bare),
  ].every(Boolean);
}

/** Blocks that ran one after the other are compared, so that a moment in which the machine is busy counts for both. */
function reportCalls(name, times, bare) {
  const ratio = median(times.map((ms, block) => ms / bare[block]));
  return report(name, median(times), "the SDK's client", median(bare), MOST_FOR_CALLS, ratio);
}

let callCount = 0;
async function wholeCall(system, args) {
  const request = { callId: `call-${callCount++}`, toolName: 'bench__echo', argumentsText: JSON.stringify(args) };
  for await (const event of system.runCalls([request], never)) {
    if (event.type === 'tool-call-end' && event.status !== 'success') throw new Error(JSON.stringify(event));
  }
}

/** What each takes, for as many calls as are asked for. */
async function inBlocks(work) {
  const names = Object.keys(work);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const blocks = (rounds * calls) / BLOCK;
  // The first blocks warm up all. Each goes first, second and last as often as the others.
  for (let block = -12; block < blocks; block++) {
    const first = (block + 12) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const ms = await timed(async () => {
        for (let done = 0; done < BLOCK; done++) await work[name]();
      });
      if (block >= 0) times[name].push((ms * calls) / BLOCK);
    }
  }
  return times;
}

async function start(servers) {
  const clients = clientsFor(servers);
  const ms = await timed(async () => {
    clients.start();
    await clients.settled(never);
  });
  const failed = clients.servers.filter((server) => server.status().state !== 'ready');
  await clients.close();
  if (failed.length > 0) throw new Error(`not ready: ${JSON.stringify(failed.map((server) => server.status()))}`);
  return ms;
}

async function benchStart(name, servers, most) {
  const alone = servers.map(() => []);
  const together = [];
  const bare = [];
  await start(servers);
  for (let round = 0; round < starts; round++) {
    for (const [index, server] of servers.entries()) alone[index].push(await start([server]));
    together.push(await start(servers));
    let clients = [];
    bare.push(await timed(async () => (clients = await Promise.all(servers.map(([, ...args]) => bareClient(args))))));
    await Promise.all(clients.map((client) => client.close()));
  }
  const slowest = Math.max(...alone.map(median));
  const isMet = report(`start, ${name}`, median(together), 'the slowest of them alone', slowest, most);
  report('', median(together), "three of the SDK's clients", median(bare));
  return isMet;
}

const slow = (ms) => [`slow${ms}`, SCRIPTED, `slow-start=${ms}`];
const references = ['everything', 'filesystem', 'memory'].map((name) => [name, reference(name)]);
references[1].push(process.cwd());

const met = [
  await benchCalls('a server without a library', [SCRIPTED]),
  await benchCalls('the reference server', [reference('everything')]),
  // These wait, as servers that look at the network do; the reference servers compute, and share the processors.
  await benchStart('three servers that wait', [slow(500), slow(700), slow(900)], MOST_FOR_START),
  await benchStart('three reference servers', references),
];
process.exitCode = met.every(Boolean) ? 0 : 1;
