import { errorMessage, Failure } from '../util/failure.js';
import { bubblewrapArguments, type BubblewrapOptions } from './bubblewrap-arguments.js';
import { canonical, lookAt, readText } from './disk.js';
import { inheritedDescriptors, withDescriptors } from './inherited-descriptors.js';
import { makePlan, type SandboxPlaces } from './make-plan.js';
import { FORWARDER_SCRIPT } from './network/forwarder-script.js';
import { findShell } from '../process/start-command.js';
import { insideWords, type InsideOptions } from './inside-words.js';
import { showProgram, type SystemPlaces } from './mounts.js';
import type { OpenLink } from './network/open-link.js';
import { Placeholders } from './placeholders.js';
import { PrivateData } from './private-data.js';
import { sandboxEnvironment } from './sandbox-environment.js';
import type { SandboxedCommand, SandboxFindings, SandboxPlan, SandboxRequest } from './sandbox-types.js';
import { seccompFilter } from './seccomp-filter.js';
import { changedControlFiles, snapshotControlFiles } from './watch-control-files.js';

export interface BubblewrapPlaces {
  /** Absolute path of bubblewrap. */
  readonly program: string;
  readonly canDisableUserNamespaces: boolean;
  /** `process.arch`. */
  readonly architecture: string;
  /** The user that this process is; root is somebody else inside. */
  readonly userId: number;
  /** A folder of our own that no command can see: for data on its way to bubblewrap, and for the ledger. */
  readonly stateFolder: string;
  /** Stands for `/tmp` inside. */
  readonly privateTemp: string;
  /** Absolute path of Node: for the forwarder, and for the proof. */
  readonly node: string;
}

/** Who root is inside. Its user id means nothing but "not root": files stay the real user's. */
const INSIDE_ROOT = { uid: 1000, gid: 1000, name: 'tenon' };

/** Prepares commands for bubblewrap. */
export class Bubblewrap {
  readonly #places: BubblewrapPlaces;
  readonly #placeholders: Placeholders;
  readonly #system = systemPlaces();

  constructor(places: BubblewrapPlaces) {
    this.#places = places;
    this.#placeholders = new Placeholders(places.stateFolder);
  }

  /**
   * `link`: its way to the allowed hosts, where there are any; closed when the command has ended.
   * @throws Failure `sandbox_failed`
   */
  enter(request: SandboxRequest, places: SandboxPlaces, link?: OpenLink): SandboxedCommand {
    const data = new PrivateData(this.#places.stateFolder, request.terminal === true);
    const held: string[] = [];
    const release = (): void => {
      data.close();
      link?.close();
      this.#placeholders.release(held.splice(0));
    };
    try {
      const wanted = makePlan(places, this.#places.privateTemp, this.#placeholders.isHeld);
      held.push(...this.#placeholders.hold(wanted.placeholders));
      const plan = { ...wanted, placeholders: held.slice() };
      const before = snapshotControlFiles(places.roots);
      const argv = this.#argv(plan, request, { data, link });
      const finish = async (): Promise<SandboxFindings> => {
        release();
        const refusedHosts = link?.refused() ?? [];
        return Promise.resolve({
          controlFiles: changedControlFiles(before, places.roots, plan),
          ...(refusedHosts.length > 0 && { refusedHosts }),
        });
      };
      // The variables are set inside: a library that one of them names must not be loaded by bubblewrap, outside.
      return { argv, cwd: request.cwd, env: {}, descriptors: data.descriptors, finish };
    } catch (thrown) {
      release();
      throw new Failure(
        'sandbox_failed',
        `The sandbox could not be prepared: ${errorMessage(thrown)}. Free some space, or check the rights of ${this.#places.stateFolder}.`,
      );
    }
  }

  /** Everything but the command goes through a descriptor: paths and variables are nobody's to read in a process list. */
  #argv(plan: SandboxPlan, request: SandboxRequest, { data, link }: Passed): [string, ...string[]] {
    const { program, node, userId } = this.#places;
    const env = sandboxEnvironment(request.env, plan, link?.proxyPort);
    const given = this.#options(plan, request, data);
    const shown = showProgram(canonical(node) ?? node, plan, this.#system);
    const isNode = request.argv[0] === node;
    const forwarder = link && forwarderOf(shown.path, link, data);
    const options = bubblewrapArguments(
      plan,
      { ...request, env },
      { ...given, ...((isNode || link !== undefined) && { shown: shown.mounts }) },
    );
    const words = insideWords(
      isNode ? [shown.path, ...request.argv.slice(1)] : request.argv,
      // The kernel does not count root's, whoever it is inside.
      { ...(userId !== 0 && { processes: plan.processes }), ...(forwarder && { forwarder }) },
      findShell(),
    );
    const text = options.map((option) => `${option}\0`).join('');
    const argv = [program, '--args', String(data.give(Buffer.from(text))), '--', ...words] as const;
    // A number that is passed on means our data by then.
    const closed = inheritedDescriptors().filter((descriptor) => descriptor > data.descriptors.length + 2);
    return withDescriptors(argv, { closed, files: data.files });
  }

  #options(plan: SandboxPlan, { env }: SandboxRequest, data: PrivateData): BubblewrapOptions {
    const { canDisableUserNamespaces, architecture, userId } = this.#places;
    const filter = seccompFilter(architecture, plan);
    const seccomp = filter === undefined ? {} : { seccomp: data.give(filter) };
    const common = { canDisableUserNamespaces, system: this.#system };
    if (userId !== 0) return { ...common, descriptors: seccomp };
    const users = data.give(Buffer.from(usersFile(env['HOME'] ?? '/root')));
    const groups = data.give(Buffer.from(groupsFile()));
    return { ...common, identity: INSIDE_ROOT, descriptors: { ...seccomp, users, groups } };
  }
}

interface Passed {
  readonly data: PrivateData;
  readonly link: OpenLink | undefined;
}

function forwarderOf(
  node: string,
  { ends: [input, output], proxyPort, localPorts }: OpenLink,
  data: PrivateData,
): NonNullable<InsideOptions['forwarder']> {
  const script = data.give(Buffer.from(FORWARDER_SCRIPT));
  return { node, script, input: data.lend(input), output: data.lend(output), proxyPort, localPorts };
}

function usersFile(home: string): string {
  const { uid, gid, name } = INSIDE_ROOT;
  const others = linesWithout('/etc/passwd', uid, name);
  return [...others, `${name}:x:${uid}:${gid}::${home.replaceAll(/[:\n]/g, '')}:/bin/sh`, ''].join('\n');
}

function groupsFile(): string {
  const { gid, name } = INSIDE_ROOT;
  return [...linesWithout('/etc/group', gid, name), `${name}:x:${gid}:`, ''].join('\n');
}

function linesWithout(file: string, id: number, name: string): string[] {
  const lines = (readText(file) ?? '').split('\n');
  return lines.filter((line) => {
    const [first, , third] = line.split(':');
    return first !== '' && first !== name && third !== String(id);
  });
}

function systemPlaces(): SystemPlaces {
  const isFolder = (path: string): boolean => lookAt(path)?.isDirectory() === true;
  const resolverFile = canonical('/etc/resolv.conf');
  return {
    privateFolders: ['/tmp', '/var/tmp', '/run', '/var/run'].filter(isFolder),
    ...(resolverFile === undefined ? {} : { resolverFile }),
    exists: (path) => canonical(path) === path,
  };
}
