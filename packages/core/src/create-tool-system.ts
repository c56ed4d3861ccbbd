import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentOptions, ToolSystem, ToolSystemOptions } from './agent-types.js';
import { Config } from './config/config.js';
import { commandNotices, openCommands } from './config/open-commands.js';
import { readyCalls } from './extensions/agent-side.js';
import type { Extensions } from './extensions/open-extensions.js';
import { wireExtensions } from './extensions/wire-extensions.js';
import { userExcludesFile } from './files/ignore-user-excludes.js';
import { mendJournal, mendLeftJobs } from './journal/tend-journal.js';
import { wireLanguageServers } from './lsp/wire-language-servers.js';
import type { McpHost } from './mcp/mcp-types.js';
import { RuleCompiler } from './policy/compile-rules.js';
import { Grants } from './policy/grants.js';
import type { PolicyContext } from './policy/verdict.js';
import { readRulesOf } from './policy/withheld-below.js';
import { endLeftBehind } from './process/end-left-behind.js';
import { JobRegistry } from './process/jobs/job-registry.js';
import type { CallEvent } from './scheduler/call-events.js';
import type { CallRequest } from './scheduler/prepare-call.js';
import { DEFAULT_OUTPUT_LIMITS, NO_AGENT, type Caller, type SchedulerServices } from './scheduler/services.js';
import { projectFolders, type ProjectFolders } from './session/project-folders.js';
import { repositoryTrust } from './trust/repository-trust.js';
import { startBound } from './trust/bound-commands.js';
import { TrustStore } from './trust/trust-store.js';
import { Failure } from './util/failure.js';

/** What an agent works with beside what every door sees. */
export interface Wired extends ToolSystem {
  readonly folders: ProjectFolders;
  readonly extensions: Extensions;
  readonly grants: Grants;
  /** Canonical. */
  readonly roots: readonly string[];
}

/** The tools, wired: for doors that make calls of their own, without a model. */
export async function createToolSystem(options: ToolSystemOptions): Promise<ToolSystem> {
  return wireTools(options, () => NO_AGENT);
}

/** Tools, policy, scheduler and servers; `caller`: who makes a call, asked with each. @throws Failure `no_workspace`, `home_unusable` */
export async function wireTools(
  options: ToolSystemOptions,
  caller: () => Caller,
  sample?: McpHost['sample'],
): Promise<Wired> {
  const [firstRoot] = options.roots;
  if (firstRoot === undefined) throw new Failure('no_workspace', 'An agent needs at least one workspace folder.');
  const canonical = options.roots.map((root) => realpathSync.native(root));
  const folders = projectFolders(options.tenonHome, realpathSync.native(firstRoot));
  const grants = new Grants(folders.grantsFile, { days: options.grantDays });
  const notices = await grants.load();
  const leftBehind = await endLeftBehind(folders.running);
  const { supervisor, commands, sandbox, environment, shell } = openCommands(options, folders, canonical);
  const userExcludes = userExcludesFile(options.userHome, options.environment['XDG_CONFIG_HOME']);
  const connect = startBound(supervisor.connect, options.boundCommands ?? []);
  const languages = wireLanguageServers(options.lsp, connect, environment);
  const config = new Config({
    roots: options.narrowedTo ?? options.roots,
    tempDir: folders.temp,
    journalDir: folders.journal,
    searchDir: folders.search,
    approvalMode: options.approvalMode,
    runCommand: commands.run,
    jobs: new JobRegistry(commands.start),
    shell: { ...options.shell, ...shell },
    ...(sandbox === undefined ? {} : { sandboxStatus: async () => (await sandbox()).status }),
    readRules: readRulesOf(() => {
      return { rules: [...options.rules, ...grants.rules()], roots: canonical, home: options.userHome };
    }),
    childEnvironment: environment,
    isTrustedRepository: repositoryTrust(new TrustStore(options.tenonHome), environment),
    userExcludes,
    ...languages.config,
    ...handedOn(options),
  });
  const mended = await mendedThings(config, folders.journal, userExcludes);
  const services = schedulerServices({ options, config, grants, roots: canonical, temp: folders.temp, caller });
  const runChecked = checkedCalls(config, services);
  const { extensions, clients, ...wired } = await wireExtensions({
    config,
    folder: folders.base,
    tenonHome: options.tenonHome,
    environment: options.environment,
    version: versionOf(options),
    connect,
    approver: options.approver,
    servers: options.mcp?.servers ?? [],
    discovery: options.discovery,
    asker: options.asker,
    sample,
  });
  return {
    config,
    folders,
    extensions,
    grants,
    roots: canonical,
    servers: clients,
    readyFor: async (names, signal) => {
      await extensions.readyFor(names, signal);
      return extensions.news.takeNotices().map(({ text }) => text);
    },
    notices: [
      ...notices,
      ...languages.notices,
      ...leftBehind,
      ...mended,
      ...(await commandNotices(config.getShellOptions(), sandbox)),
    ],
    runCalls: (calls, signal) => readyCalls(extensions, calls, signal, () => runChecked(calls, signal)),
    endCommands: () => supervisor.endAll(),
    close: async () => {
      // First they may end by themselves.
      await Promise.all([wired.close(), config.getLanguageServers()?.close()]);
      supervisor.endAll();
      await config.close();
    },
  };
}

/** Tells what an earlier process left half done, once it is mended. */
async function mendedThings(config: Config, journal: string, userExcludes: string | undefined): Promise<string[]> {
  const gate = config.getWorkspaceGate();
  return [...(await mendJournal(gate, journal)), ...(await mendLeftJobs(gate, journal, userExcludes))];
}

type RunCalls = (calls: readonly CallRequest[], signal: AbortSignal) => AsyncIterable<CallEvent>;

/** Large, and of no use to a session in which nothing is called. */
async function loadScheduler(given: SchedulerServices) {
  const [{ runCalls }, { withAfterBatch }, { CallStops }] = await Promise.all([
    import('./scheduler/scheduler.js'),
    import('./scheduler/after-batch.js'),
    import('./scheduler/call-stop.js'),
  ]);
  return { runCalls, withAfterBatch, services: { ...given, stops: new CallStops() } };
}

/** After a batch of edits its result tells what is wrong since. */
function checkedCalls(config: Config, services: SchedulerServices): RunCalls {
  type Loaded = Awaited<ReturnType<typeof loadScheduler>>;
  // Kept, for asking the loader again costs a fifth of a short call.
  let loaded: Loaded | undefined;
  const run = (scheduler: Loaded, ...[calls, signal]: Parameters<RunCalls>): ReturnType<RunCalls> => {
    const events = scheduler.runCalls(calls, scheduler.services, signal);
    const edits = config.getEditWatch();
    return edits === undefined ? events : scheduler.withAfterBatch(events, edits, signal);
  };
  const runFirst: RunCalls = async function* (calls, signal) {
    loaded ??= await loadScheduler(services);
    yield* run(loaded, calls, signal);
  };
  return (calls, signal) => (loaded === undefined ? runFirst(calls, signal) : run(loaded, calls, signal));
}

interface ServiceParts {
  readonly options: ToolSystemOptions;
  readonly config: Config;
  readonly grants: Grants;
  /** Canonical. */
  readonly roots: readonly string[];
  readonly temp: string;
  readonly caller: () => Caller;
}

function schedulerServices({ options, config, grants, roots, temp, caller }: ServiceParts): SchedulerServices {
  const controlFolders = [realpathSync.native(options.tenonHome)];
  return {
    registry: config.getToolRegistry(),
    gate: config.getWorkspaceGate(),
    policyContext: (): PolicyContext => ({
      mode: config.getApprovalMode(),
      rules: [...options.rules, ...grants.rules()],
      roots,
      home: options.userHome,
      controlFolders,
    }),
    ruleCompiler: new RuleCompiler(),
    shell: config.getShellOptions().program,
    grant: async (rules, scope, call) =>
      scope === 'session' ? grants.addSession(rules, call) : grants.addProject(rules, call),
    approver: options.approver,
    spill: (text) => spillTo(temp, text),
    limits: DEFAULT_OUTPUT_LIMITS,
    caller,
  };
}

function versionOf(options: ToolSystemOptions & Partial<Pick<AgentOptions, 'version'>>): string {
  return options.version ?? '0';
}

type HandedOn = Pick<
  ToolSystemOptions,
  'approvalCeiling' | 'readGitIgnored' | 'extraTools' | 'offered' | 'hostFiles' | 'commandViewer'
>;

/** Options that are handed on as they are, where they are given. */
function handedOn(options: ToolSystemOptions): HandedOn {
  const { approvalCeiling, readGitIgnored, extraTools, offered, hostFiles, commandViewer } = options;
  return {
    ...(approvalCeiling !== undefined && { approvalCeiling }),
    ...(readGitIgnored !== undefined && { readGitIgnored }),
    ...(extraTools !== undefined && { extraTools }),
    ...(offered !== undefined && { offered }),
    ...(hostFiles !== undefined && { hostFiles }),
    ...(commandViewer !== undefined && { commandViewer }),
  };
}

async function spillTo(folder: string, text: string): Promise<string> {
  const file = join(folder, `output-${randomBytes(6).toString('hex')}.txt`);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return file;
}
