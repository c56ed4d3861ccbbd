import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage, Failure } from '../util/failure.js';
import { Bubblewrap } from './bubblewrap.js';
import { canonical } from './disk.js';
import { findProgram } from '../util/find-program.js';
import { explainDenial } from './explain-denial.js';
import { makePlan, type SandboxPlaces } from './make-plan.js';
import { openLink, type OpenLink } from './network/open-link.js';
import { removeLeftPlaceholders } from './placeholders.js';
import { proveSandbox, type EnterSandbox, type SandboxProof } from './prove-sandbox.js';
import { SeatbeltSandbox } from './seatbelt.js';
import type {
  Sandbox,
  SandboxMode,
  SandboxNetwork,
  SandboxProbe,
  SandboxRequest,
  SandboxStatus,
} from './sandbox-types.js';

export interface SandboxOptions {
  readonly mode: SandboxMode;
  /** Asked for every command: roots and settings may change. */
  readonly places: () => SandboxPlaces;
  /** A folder of the project that is the agent's own, absolute; commands cannot see it. Made when it is missing. */
  readonly stateFolder: string;
  /** Absolute path of Node, for the proof. */
  readonly node: string;
  /** By itself `process.platform` and `process.arch`. */
  readonly platform?: string;
  readonly architecture?: string;
  /** Where bubblewrap is looked for, absolute; by itself the places where systems install it. */
  readonly programs?: readonly string[];
}

const BUBBLEWRAP = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];
const SEATBELT = ['/usr/bin/sandbox-exec'];
const VERSION_TIMEOUT_MS = 2000;

/** What prepares commands, before it is proven. */
interface Mechanism {
  readonly name: 'bubblewrap' | 'seatbelt';
  readonly title: string;
  readonly stateFolder: string;
  readonly enter: EnterSandbox;
}

/**
 * Finds a mechanism, proves that it holds, and answers a sandbox that says what holds. Without one it never pretends:
 * `auto` runs commands as they are and says so, `required` refuses them. Never rejects.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { mode, places } = options;
  if (mode === 'off') return withoutSandbox(mode, 'off by setting');
  let mechanism: Mechanism | string;
  try {
    mechanism = await findMechanism(options);
  } catch (thrown) {
    mechanism = errorMessage(thrown);
  }
  if (typeof mechanism === 'string') return withoutSandbox(mode, mechanism);
  const { title, stateFolder } = mechanism;
  const { proof, ...reach } = await proveWithHosts(mechanism, options);
  const problem = proof.problem ?? problemOf(proof.probes);
  if (problem !== undefined) return withoutSandbox(mode, `${title} does not hold here: ${problem}`, proof.probes);
  const privateTemp = join(stateFolder, 'tmp');
  const { hosts, network, note } = reach;
  const held = (): SandboxPlaces => ({ ...hide(places(), stateFolder), hosts });
  const text = describe(title, reach, proof.probes);
  return {
    status: {
      mode,
      mechanism: mechanism.name,
      text,
      probes: proof.probes,
      network,
      hosts,
      ...(note !== undefined && { note }),
    },
    enter: async (request) => mechanism.enter(request, held()),
    explainDenial: (command) => explainDenial(command, makePlan(held(), privateTemp)),
  };
}

interface Reach {
  readonly network: SandboxNetwork;
  /** The hosts that are reached, as far as that holds. */
  readonly hosts: readonly string[];
  /** Why others than the wanted ones. */
  readonly note?: string;
}

/** Where the way to the allowed hosts does not hold, there is none, and the rest of the sandbox all the same. */
async function proveWithHosts(
  { name, enter, stateFolder }: Mechanism,
  options: SandboxOptions,
): Promise<Reach & { readonly proof: SandboxProof }> {
  const { network = 'off', localSockets = false, hosts: named = [] } = options.places();
  const wanted = network === 'on' ? [] : named;
  const prove = async (hasHosts: boolean): Promise<SandboxProof> =>
    proveSandbox({
      enter,
      folder: stateFolder,
      privateTemp: join(stateFolder, 'tmp'),
      network,
      hasHosts,
      localSockets,
      node: options.node,
    });
  // The other mechanism has no loopback of its own on which a command would find its way out.
  const note = wanted.length > 0 && name !== 'bubblewrap' ? 'only bubblewrap lets hosts be allowed' : undefined;
  if (wanted.length === 0 || note !== undefined)
    return { proof: await prove(false), network, hosts: [], ...(note !== undefined && { note }) };
  const proof = await prove(true);
  const problem = proof.problem ?? problemOf(proof.probes);
  if (problem === undefined) return { proof, network, hosts: wanted };
  return {
    proof: await prove(false),
    network,
    hosts: [],
    note: `the way to the allowed hosts does not hold: ${problem}`,
  };
}

function hide(places: SandboxPlaces, stateFolder: string): SandboxPlaces {
  return { ...places, agentFolders: [...places.agentFolders, stateFolder] };
}

function withoutSandbox(mode: SandboxMode, problem: string, probes: readonly SandboxProbe[] = []): Sandbox {
  const text = mode === 'off' ? 'no sandbox (off)' : `no sandbox: ${problem}`;
  const status: SandboxStatus = { mode, mechanism: 'none', text, probes, ...(mode === 'off' ? {} : { problem }) };
  return {
    status,
    enter: async (request) => {
      if (mode !== 'required') return Promise.resolve({ ...request, descriptors: [], finish: nothingFound });
      const message = `No command runs without a sandbox (sandbox: required), and there is none: ${problem}.`;
      return Promise.reject(new Failure('sandbox_required', `${message} Repair it, or set "sandbox" to "auto".`));
    },
    explainDenial: () => undefined,
  };
}

async function nothingFound(): Promise<{ controlFiles: readonly string[] }> {
  return Promise.resolve({ controlFiles: [] });
}

function problemOf(probes: readonly SandboxProbe[]): string | undefined {
  const broken = probes.filter(({ holds }) => !holds).map(({ promise }) => promise);
  return broken.length === 0 ? undefined : `not kept: ${broken.join('; ')}`;
}

function describe(title: string, { network, hosts, note }: Reach, probes: readonly SandboxProbe[]): string {
  const reach =
    hosts.length === 0 ? network : `off but for ${hosts.length} allowed ${hosts.length === 1 ? 'host' : 'hosts'}`;
  return `sandbox: ${title}, network ${reach}${note === undefined ? '' : ` (${note})`}, ${probes.length} of ${probes.length} proofs hold`;
}

async function findMechanism(options: SandboxOptions): Promise<Mechanism | string> {
  const platform = options.platform ?? process.platform;
  if (platform !== 'linux' && platform !== 'darwin') return `there is no mechanism for ${platform}`;
  const stateFolder = await prepareFolders(options.stateFolder);
  // Never one that a command could have put into the workspace.
  const search = { path: '', notBelow: options.places().roots, endings: [] };
  const candidates = options.programs ?? (platform === 'linux' ? BUBBLEWRAP : SEATBELT);
  const program = candidates.find((candidate) => findProgram(candidate, search) !== undefined);
  if (platform === 'darwin') {
    if (program === undefined) return 'sandbox-exec is not there';
    const seatbelt = new SeatbeltSandbox(program, stateFolder);
    return {
      name: 'seatbelt',
      title: 'seatbelt',
      stateFolder,
      enter: async (request, places) => Promise.resolve().then(() => seatbelt.enter(request, places)),
    };
  }
  if (program === undefined) return 'bubblewrap is not installed (on Debian: apt-get install bubblewrap)';
  const version = await versionOf(program);
  const bubblewrap = new Bubblewrap({
    program,
    canDisableUserNamespaces: isAtLeast(version, 0, 8),
    architecture: options.architecture ?? process.arch,
    userId: process.getuid?.() ?? -1,
    stateFolder,
    privateTemp: join(stateFolder, 'tmp'),
    node: options.node,
  });
  return {
    name: 'bubblewrap',
    title: `bubblewrap ${version}`,
    stateFolder,
    enter: async (request, places) => bubblewrap.enter(request, places, await linkFor(request, places, stateFolder)),
  };
}

async function linkFor(
  { terminal = false }: SandboxRequest,
  { network, hosts = [] }: SandboxPlaces,
  folder: string,
): Promise<OpenLink | undefined> {
  if (network === 'on' || hosts.length === 0) return undefined;
  try {
    return await openLink({ hosts, folder, areNamed: terminal });
  } catch (thrown) {
    throw new Failure(
      'sandbox_failed',
      `The way to the allowed hosts could not be opened: ${errorMessage(thrown)}. Check the rights of ${folder}, and that mkfifo is installed.`,
    );
  }
}

async function prepareFolders(stateFolder: string): Promise<string> {
  await mkdir(join(stateFolder, 'tmp'), { recursive: true, mode: 0o700 });
  removeLeftPlaceholders(stateFolder);
  return canonical(stateFolder) ?? stateFolder;
}

async function versionOf(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: VERSION_TIMEOUT_MS, env: {} });
  return /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? 'of unknown version';
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number);
  return first > major || (first === major && second >= minor);
}
