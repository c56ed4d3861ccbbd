import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { errorMessage } from '../util/failure.js';
import { isWithin } from '../util/paths-below.js';
import type { SandboxPlaces } from './make-plan.js';
import { PROBE_PROMISES, PROBE_SCRIPT, type ProbeName, type ProbeTargets } from './probe-script.js';
import type { SandboxedCommand, SandboxNetwork, SandboxProbe, SandboxRequest } from './sandbox-types.js';

/** How the mechanism under proof starts a command. */
export type EnterSandbox = (request: SandboxRequest, places: SandboxPlaces) => Promise<SandboxedCommand>;

export interface ProofOptions {
  readonly enter: EnterSandbox;
  /** The proof's files lie in it for its time; no other than the sandbox's temp folder, and not below `/tmp` inside. */
  readonly folder: string;
  /** Stands for the temp folders inside, absolute: a proof below one of them has its places in it too. */
  readonly privateTemp: string;
  readonly network: SandboxNetwork;
  /** Whether hosts are allowed one by one. The proof allows one of its own. */
  readonly hasHosts: boolean;
  readonly localSockets: boolean;
  /** Absolute path of Node. */
  readonly node: string;
  readonly timeoutMs?: number;
}

export interface SandboxProof {
  readonly probes: readonly SandboxProbe[];
  /** Undefined when it ran; else why not, in the words of the mechanism. */
  readonly problem?: string;
}

const PROOF = 'proof-';
const LEFT_MS = 60_000;
const TEMP_FOLDERS = ['/tmp', '/var/tmp'];
const KEPT = 'kept';
const TIMEOUT_MS = 5000;
const MAX_ERROR = 300;

/** Really tries, inside, what the sandbox promises to keep from happening. */
export async function proveSandbox(options: ProofOptions): Promise<SandboxProof> {
  const servers: Server[] = [];
  let base: string | undefined;
  try {
    await removeLeftProofs(options);
    base = await realpath(await mkdtemp(join(options.folder, PROOF)));
    const targets = await makeTargets(base, servers);
    const places: SandboxPlaces = {
      roots: [targets.workspace],
      tempDir: targets.workspace,
      home: targets.workspace,
      agentFolders: [targets.secret],
      network: options.network,
      hosts: options.hasHosts ? [`localhost:${targets.allowedPort}`] : [],
      localSockets: options.localSockets,
    };
    const argv: SandboxRequest['argv'] = [options.node, '-e', PROBE_SCRIPT, JSON.stringify(targets)];
    const command = await options.enter({ argv, cwd: targets.workspace, env: { PATH: '/usr/bin:/bin' } }, places);
    try {
      const run = await runProbe(command, options.timeoutMs ?? TIMEOUT_MS);
      // Below `/tmp` the command has a folder of the same name to write in: what counts is the one outside.
      const isKept = (await readFile(targets.outside, 'utf8').catch(() => '')) === KEPT;
      return judge(run, isKept, options);
    } finally {
      await command.finish();
    }
  } catch (thrown) {
    return { probes: [], problem: errorMessage(thrown) };
  } finally {
    for (const server of servers) server.close();
    if (base !== undefined) await removeProof(base, options);
  }
}

/** What proofs have left whose process was killed: none takes as long as that. */
async function removeLeftProofs(options: ProofOptions): Promise<void> {
  const { folder, privateTemp } = options;
  for (const place of [folder, ...namesInside(folder, privateTemp)]) {
    const names = await readdir(place).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(PROOF))) {
      const path = join(place, name);
      const stats = await lstat(path).catch(() => undefined);
      if (stats !== undefined && Date.now() - stats.mtimeMs > LEFT_MS) await removeAll(path);
    }
  }
}

async function removeProof(base: string, { privateTemp }: ProofOptions): Promise<void> {
  for (const path of [base, ...namesInside(base, privateTemp)]) await removeAll(path);
}

/** Where bubblewrap made what it mounted a path on, as far as that lies below a temp folder: it does not take that away. */
function namesInside(path: string, privateTemp: string): string[] {
  return TEMP_FOLDERS.filter((folder) => isWithin(path, folder)).map((folder) =>
    join(privateTemp, relative(folder, path)),
  );
}

/** What cannot be removed now is for the next proof. Commands write in the private temp folder: no link of theirs is followed. */
async function removeAll(path: string): Promise<void> {
  const parent = dirname(path);
  if ((await realpath(parent).catch(() => undefined)) !== parent) return;
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}

async function makeTargets(base: string, servers: Server[]): Promise<ProbeTargets> {
  const [workspace, secret] = [join(base, 'workspace'), join(base, 'secret')];
  await Promise.all([mkdir(workspace), mkdir(secret)]);
  const [outside, socket] = [join(base, 'outside'), join(workspace, 'socket')];
  await Promise.all([writeFile(outside, KEPT), writeFile(join(secret, 'key'), 'secret')]);
  const port = await listen(servers, { host: '127.0.0.1', port: 0 });
  const allowedPort = await listen(servers, { host: '127.0.0.1', port: 0 });
  // Where the path is too long for a socket, the script's own try to make one has to do.
  await listen(servers, { path: socket }).catch(() => undefined);
  return {
    workspace,
    outside,
    secret,
    socket,
    port,
    allowedPort,
    control: join(workspace, '.vscode'),
    pid: process.pid,
  };
}

async function listen(servers: Server[], where: { host: string; port: number } | { path: string }): Promise<number> {
  const server = createServer((connection) => connection.destroy());
  server.unref();
  servers.push(server);
  server.listen(where);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

interface ProbeRun {
  readonly output: string;
  readonly errors: string;
}

async function runProbe({ argv, cwd, env, descriptors }: SandboxedCommand, timeoutMs: number): Promise<ProbeRun> {
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  await once(child, 'close');
  return { output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString() };
}

function judge(
  { output, errors }: ProbeRun,
  isKept: boolean,
  { network, hasHosts, localSockets }: ProofOptions,
): SandboxProof {
  let kept: Partial<Record<ProbeName | 'works', unknown>> = {};
  try {
    const value: unknown = JSON.parse(output);
    if (typeof value === 'object' && value !== null) kept = { ...value, write: isKept };
  } catch {
    const said = errors.trim().slice(0, MAX_ERROR);
    return { probes: [], problem: said === '' ? 'it ended without a word' : said };
  }
  if (kept.works !== true) return { probes: [], problem: 'programs cannot work in it' };
  const unwanted: ReadonlySet<string> = new Set([
    ...(network === 'on' ? ['connect'] : []),
    ...(hasHosts ? [] : ['hosts']),
    ...(localSockets ? ['socket'] : []),
  ]);
  const probes = Object.entries(PROBE_PROMISES)
    .filter(([name]) => !unwanted.has(name))
    .map(([name, promise]) => ({ name, promise, holds: new Map(Object.entries(kept)).get(name) === true }));
  return { probes };
}
