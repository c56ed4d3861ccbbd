import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfModel } from './agent/summarize.js';
import type { AgentOptions, ToolSystem, ToolSystemOptions } from './agent-types.js';
import { Config, type ConfigOptions } from './config/config.js';
import { commandNotices, openCommands } from './config/open-commands.js';
import { readyCalls } from './extensions/agent-side.js';
import type { Extensions } from './extensions/open-extensions.js';
import { wireExtensions } from './extensions/wire-extensions.js';
import { wireHooks } from './extensions/wire-hooks.js';
import { userExcludesFile } from './files/ignore-user-excludes.js';
import type { OpenedHooks } from './hooks/open-hooks.js';
import { mendJournal, mendLeftJobs } from './journal/tend-journal.js';
import { wireLanguageServers } from './lsp/wire-language-servers.js';
import { RuleCompiler } from './policy/compile-rules.js';
import { Grants } from './policy/grants.js';
import { UntrustedContent } from './policy/untrusted-content.js';
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
import { WebSearch } from './web/search/web-search.js';

/** What an agent works with beside what every door sees. */
export interface Wired extends ToolSystem {
  readonly folders: ProjectFolders;
  readonly extensions: Extensions;
  readonly grants: Grants;
  readonly hooks: OpenedHooks | undefined;
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
  ofModel: OfModel = {},
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
  const webSearch = new WebSearch({ settings: options.webSearch ?? {}, environment: options.environment });
  const config = new Config({
    ...handedOn(options),
    ...reachOf(options, ofModel),
    ...placesOf(options, folders),
    webSearch,
    runCommand: commands.run,
    jobs: new JobRegistry(commands.start),
    shell: { ...options.shell, ...shell },
    ...(sandbox === undefined ? {} : { sandboxStatus: async () => (await sandbox()).status }),
    readRules: readRulesOf(() => ({
      rules: [...options.rules, ...grants.rules()],
      roots: canonical,
      home: options.userHome,
    })),
    childEnvironment: environment,
    isTrustedRepository: repositoryTrust(new TrustStore(options.tenonHome), environment),
    userExcludes,
    ...languages.config,
  });
  const mended = await mendedThings(config, folders.journal, userExcludes);
  const hooks = await wireHooks(options.hooks, {
    connect: supervisor.connect,
    environment,
    shell,
    folder: firstRoot,
    roots: canonical,
    home: options.userHome,
    variables: options.environment,
    session: () => ({ sessionId: caller().sessionId ?? '', approvalMode: config.getApprovalMode() }),
  });
  const given = schedulerServices({ options, config, grants, roots: canonical, temp: folders.temp, caller });
  const services = { ...given, ...(hooks !== undefined && { hooks: hooks.calls }) };
  const runChecked = checkedCalls(config, services);
  const { extensions, clients, ...wired } = await wireExtensions({
    ...serversOf(options),
    config,
    folder: folders.base,
    connect,
    sample: ofModel.sample,
  });
  const told = [notices, languages.notices, webSearch.notices, leftBehind, mended];
  return {
    config,
    folders,
    extensions,
    grants,
    hooks,
    roots: canonical,
    servers: clients,
    readyFor: (names, signal) => ready(extensions, names, signal),
    notices: [...told.flat(), ...(await commandNotices(config.getShellOptions(), sandbox))],
    runCalls: (calls, signal) => readyCalls(extensions, calls, signal, () => runChecked(calls, signal)),
    endCommands: () => supervisor.endAll(),
    close: async () => {
      // First they may end by themselves.
      await Promise.all([wired.close(), hooks?.close(), config.getLanguageServers()?.close()]);
      supervisor.endAll();
      await config.close();
    },
  };
}

async function ready(extensions: Extensions, names: readonly string[], signal: AbortSignal): Promise<string[]> {
  await extensions.readyFor(names, signal);
  return extensions.news.takeNotices().map(({ text }) => text);
}

function placesOf(options: ToolSystemOptions, folders: ProjectFolders) {
  return {
    roots: options.narrowedTo ?? options.roots,
    tempDir: folders.temp,
    journalDir: folders.journal,
    searchDir: folders.search,
    approvalMode: options.approvalMode,
  };
}

function serversOf(options: ToolSystemOptions) {
  const { tenonHome, environment, approver, mcp, discovery, asker } = options;
  return {
    tenonHome,
    environment,
    version: versionOf(options),
    approver,
    servers: mcp?.servers ?? [],
    discovery,
    asker,
  };
}

/** Tells what an earlier process left half done, once it is mended. */
async function mendedThings(config: Config, journal: string, userExcludes: string | undefined): Promise<string[]> {
  // A change of what is remembered for all projects may have been cut short too.
  const { gate = config.getWorkspaceGate() } = config.getMemory().savePlace('global') ?? {};
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
  const untrusted = options.web?.askAfterUntrusted === false ? undefined : new UntrustedContent();
  return {
    registry: config.getToolRegistry(),
    gate: config.getWorkspaceGate(),
    policyContext: (): PolicyContext => ({
      mode: config.getApprovalMode(),
      rules: [...options.rules, ...grants.rules()],
      roots,
      home: options.userHome,
      controlFolders,
      ...(untrusted?.state !== undefined && { untrusted: untrusted.state }),
    }),
    ...(untrusted !== undefined && { untrusted }),
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

/** What reaches beyond the workspace: the web, and what is remembered for all projects. */
function reachOf(options: ToolSystemOptions, ofModel: OfModel): Pick<ConfigOptions, 'web' | 'memory'> {
  const { environment, tenonHome: home, userHome } = options;
  return {
    web: { ...options.web, ...ofModel.web, environment },
    memory: { ...options.memory, home, userHome, environment },
  };
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
