import { realpathSync } from 'node:fs';
import type { OfModel } from './agent/summarize.js';
import type { AgentOptions, ToolSystem, ToolSystemOptions } from './agent-types.js';
import { Config, type ConfigOptions } from './config/config.js';
import { homeNotice } from './config/home-notice.js';
import { commandNotices, openCommands, type Commands } from './config/open-commands.js';
import { secretCommands } from './config/secret-commands.js';
import type { DelegationSystem, OwnPlace } from './delegation/delegation-types.js';
import { tendWorktrees } from './delegation/worktree/tend-worktrees.js';
import { readyCalls } from './extensions/agent-side.js';
import { checkedCalls } from './extensions/checked-calls.js';
import { wireCustomTools } from './extensions/custom-tools/wire-custom-tools.js';
import type { Extensions } from './extensions/open-extensions.js';
import { schedulerServices } from './extensions/scheduler-services.js';
import { wireExtensions } from './extensions/wire-extensions.js';
import { askedWithHooks, wireHooks } from './extensions/wire-hooks.js';
import type { ReadRules } from './effects/withheld.js';
import { GitUser } from './files/ignore-settings.js';
import { mendJournal, mendLeftJobs } from './journal/tend-journal.js';
import { wireLanguageServers } from './lsp/wire-language-servers.js';
import { Grants } from './policy/grants.js';
import { readRulesOf } from './policy/withheld-below.js';
import { endLeftBehind } from './process/end-left-behind.js';
import { JobRegistry } from './process/jobs/job-registry.js';
import type { StartPiped } from './process/piped-process.js';
import { NO_AGENT, type Caller } from './scheduler/services.js';
import type { Secrets } from './secrets/secrets.js';
import { planningOf } from './session/open-planning.js';
import { openSecrets } from './session/open-secrets.js';
import { projectFolders, type ProjectFolders } from './session/project-folders.js';
import { repositoryTrust } from './trust/repository-trust.js';
import type { Telemetry } from './telemetry/open-telemetry.js';
import { followCalls, wireTelemetry } from './telemetry/wire-telemetry.js';
import { startBound } from './trust/bound-commands.js';
import { TrustStore } from './trust/trust-store.js';
import { Failure } from './util/failure.js';
import { WebSearch } from './web/search/web-search.js';

/** What an agent works with beside what every door sees. */
export interface Wired extends ToolSystem, Omit<DelegationSystem, 'config'> {
  readonly grants: Grants;
  readonly telemetry: Telemetry | undefined;
  /** Undefined where nothing is hidden. */
  readonly secrets: Secrets | undefined;
  /** Canonical. */
  readonly roots: readonly string[];
}

/** The tools, wired: for doors that make calls of their own, without a model. */
export async function createToolSystem(options: ToolSystemOptions): Promise<ToolSystem> {
  const system = await wireTools(options, () => NO_AGENT);
  // Nobody waits for a model, during whose time that would be done.
  void system.secrets?.lookAround();
  await system.config.getSkills().load();
  return { ...system, runCalls: followCalls(system) };
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
  const notices = [...homeNotice(canonical, options.userHome), ...(await grants.load())];
  const leftBehind = await endLeftBehind(folders.running);
  const secrets = ofModel.secrets ?? openSecrets(options);
  const { supervisor, connectHeld, sandbox, environment, shell, ...opened } = openCommands(options, folders, canonical);
  const commands = secretCommands(opened.commands, secrets);
  const gitUser = new GitUser(options.userHome, options.environment);
  const connect = startBound(supervisor.connect, options.boundCommands ?? []);
  const languages = wireLanguageServers(options.lsp, startBound(connectHeld, options.boundCommands ?? []), environment);
  const webSearch = new WebSearch({ settings: options.webSearch ?? {}, environment: options.environment });
  const shared = sharedOf(options, ofModel, { folders, environment, shell, gitUser, secrets });
  const rulesFor = (roots: readonly string[]) =>
    readRulesOf(() => ({ rules: [...options.rules, ...grants.rules()], roots, home: options.userHome }));
  const config = new Config({
    ...shared,
    ...(ofModel.subagents !== undefined && { subagents: ofModel.subagents }),
    planning: planningOf(options, folders.plans, canonical),
    webSearch,
    ...runningOf(commands, sandbox),
    readRules: rulesFor(canonical),
    ...languages.config,
  });
  const mended = [
    ...(await mendedThings(config, folders.journal, gitUser)),
    ...(await tendWorktrees(config, folders, options.tenonHome)),
  ];
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
  const parts = { options, grants, temp: folders.temp, caller, hooks: hooks?.calls, secrets };
  const services = schedulerServices({ ...parts, config, roots: canonical });
  const runChecked = checkedCalls(config, services);
  const asker = askedWithHooks(options.asker, hooks);
  const outside = await wireOutside(options, { asker, config, folders, connect, sample: ofModel.sample, secrets });
  const { extensions, clients, telemetry } = outside;
  const told = [outside.notices, notices, languages.notices, webSearch.notices, leftBehind, mended];
  return {
    config,
    folders,
    extensions,
    grants,
    hooks,
    telemetry,
    secrets,
    roots: canonical,
    services,
    newJobs: () => new JobRegistry(commands.start),
    openPlace: placeOpener({ options, folders, roots: canonical, supervisor, shared, rulesFor, secrets }),
    servers: clients,
    readyFor: (names, signal) => ready(extensions, names, signal),
    notices: [...told.flat(), ...(await commandNotices(config.getShellOptions(), sandbox))],
    runCalls: (calls, signal) => readyCalls(extensions, calls, signal, () => runChecked(calls, signal)),
    endCommands: () => supervisor.endAll(),
    close: async () => {
      // First they may end by themselves.
      await Promise.all([outside.close(), hooks?.close(), config.getLanguageServers()?.close()]);
      supervisor.endAll();
      await config.close();
      await outside.closeLast();
    },
  };
}

interface OutsideParts {
  readonly asker: ToolSystemOptions['asker'];
  readonly config: Config;
  readonly folders: ProjectFolders;
  readonly connect: StartPiped;
  readonly sample: OfModel['sample'];
  readonly secrets: Secrets | undefined;
}

/** What comes from outside, and goes there: servers, the person's own tools, telemetry. */
async function wireOutside(
  options: ToolSystemOptions,
  { asker, config, folders, connect, sample, secrets }: OutsideParts,
) {
  const { extensions, clients, close } = await wireExtensions({
    ...serversOf(options),
    asker,
    config,
    folder: folders.base,
    connect,
    sample,
    hide: secrets?.hide,
  });
  const warn = (text: string): void => extensions.news.warn(text);
  const watch = await wireTelemetry({ ...options, version: versionOf(options), onProblem: warn, hide: secrets?.hide });
  const custom = await wireCustomTools(options.customTools, {
    config,
    folder: folders.base,
    streams: options.ownStreams,
    warn,
  });
  return {
    extensions,
    clients,
    telemetry: watch.telemetry,
    notices: [...custom.notices, ...watch.notices],
    close,
    /** Once no call runs any more. */
    closeLast: async () => {
      await custom.close();
      await watch.telemetry?.close();
    },
  };
}

interface SharedParts {
  readonly folders: ProjectFolders;
  readonly environment: Readonly<Record<string, string>>;
  readonly shell: Commands['shell'];
  readonly gitUser: GitUser | undefined;
  readonly secrets: Secrets | undefined;
}

/** What is the same in every workspace of the session. */
function sharedOf(
  options: ToolSystemOptions,
  ofModel: OfModel,
  { folders, environment, shell, gitUser, secrets }: SharedParts,
) {
  return {
    ...handedOn(options),
    ...reachOf(options, ofModel),
    ...placesOf(options, folders),
    childEnvironment: environment,
    isTrustedRepository: repositoryTrust(new TrustStore(options.tenonHome), environment),
    gitUser,
    ...(secrets !== undefined && { secrets }),
    shell: { ...options.shell, ...shell },
  };
}

function runningOf(commands: Commands['commands'], sandbox: Commands['sandbox']) {
  return {
    runCommand: commands.run,
    jobs: new JobRegistry(commands.start),
    ...(sandbox !== undefined && { sandboxStatus: async () => (await sandbox()).status }),
  };
}

interface PlaceParts {
  readonly options: ToolSystemOptions;
  readonly folders: ProjectFolders;
  /** Canonical. */
  readonly roots: readonly string[];
  readonly supervisor: Commands['supervisor'];
  readonly shared: ReturnType<typeof sharedOf>;
  readonly rulesFor: (roots: readonly string[]) => ReadRules;
  readonly secrets: Secrets | undefined;
}

/** Opens workspaces of their own for subagents: with the same rules, and commands held to them. */
function placeOpener(parts: PlaceParts): (place: OwnPlace) => Config {
  const { options, folders, supervisor, rulesFor, secrets } = parts;
  // An editor has the files of the workspace itself open.
  const { hostFiles: _files, ...shared } = parts.shared;
  return (place) => {
    const { roots } = place;
    const there = openCommands({ ...options, narrowedTo: roots }, folders, [...parts.roots, ...roots], supervisor);
    return new Config({
      ...shared,
      ...place,
      // Those of the agent above are used as they are.
      extraTools: () => [],
      ...runningOf(secretCommands(there.commands, secrets), there.sandbox),
      readRules: rulesFor(roots),
    });
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
  const { tenonHome, environment, approver, mcp, discovery } = options;
  return {
    tenonHome,
    environment,
    version: versionOf(options),
    approver,
    servers: mcp?.servers ?? [],
    discovery,
  };
}

/** Tells what an earlier process left half done, once it is mended. */
async function mendedThings(config: Config, journal: string, gitUser: GitUser | undefined): Promise<string[]> {
  // A change of what is remembered for all projects may have been cut short too.
  const { gate = config.getWorkspaceGate() } = config.getMemory().savePlace('global') ?? {};
  return [...(await mendJournal(gate, journal)), ...(await mendLeftJobs(gate, journal, gitUser))];
}

function versionOf(options: ToolSystemOptions & Partial<Pick<AgentOptions, 'version'>>): string {
  return options.version ?? '0';
}

/** What reaches beyond the workspace: the web, what is remembered for all projects, and the person's own skills. */
function reachOf(options: ToolSystemOptions, ofModel: OfModel): Pick<ConfigOptions, 'web' | 'memory' | 'skills'> {
  const { environment, tenonHome: home, userHome } = options;
  return {
    web: { ...options.web, ...ofModel.web, environment },
    memory: { ...options.memory, home, userHome, environment },
    skills: { ...options.skills, home, userHome },
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
