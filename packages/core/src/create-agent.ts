import { randomBytes, randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attachable, readAttached } from './agent/attachments.js';
import type { Agent, AgentOptions, PromptOptions, ToolSystem, ToolSystemOptions } from './agent-types.js';
import { Conversation } from './agent/conversation.js';
import type { AgentEvent } from './agent/events.js';
import { jobEvent, JobInbox } from './agent/job-inbox.js';
import { runPrompt, type LoopServices, type Prompt } from './agent/loop.js';
import { summarizeWith, type OfModel } from './agent/summarize.js';
import { systemPrompt } from './agent/system-prompt.js';
import { Config } from './config/config.js';
import { commandNotices, openCommands } from './config/open-commands.js';
import { besideTheCalls, noticeEvents, readyCalls, withMemory } from './extensions/agent-side.js';
import type { Extensions } from './extensions/open-extensions.js';
import { wireExtensions } from './extensions/wire-extensions.js';
import { beginHooks, endHooks, wireHooks } from './extensions/wire-hooks.js';
import { userExcludesFile } from './files/ignore-user-excludes.js';
import type { OpenedHooks } from './hooks/open-hooks.js';
import { mendJournal, mendLeftJobs, tidyJournal } from './journal/tend-journal.js';
import { wireLanguageServers } from './lsp/wire-language-servers.js';
import type { McpHost } from './mcp/mcp-types.js';
import type { Asker } from './mcp/questions/asker.js';
import type { ModelPort } from './models/model.js';
import { RuleCompiler } from './policy/compile-rules.js';
import { UntrustedContent } from './policy/untrusted-content.js';
import { Grants } from './policy/grants.js';
import type { PolicyContext } from './policy/verdict.js';
import { readRulesOf } from './policy/withheld-below.js';
import { endLeftBehind } from './process/end-left-behind.js';
import { JobRegistry } from './process/jobs/job-registry.js';
import type { CallEvent } from './scheduler/call-events.js';
import type { CallRequest } from './scheduler/prepare-call.js';
import { DEFAULT_OUTPUT_LIMITS, NO_AGENT, type Caller, type SchedulerServices } from './scheduler/services.js';
import { projectFolders, type ProjectFolders } from './session/project-folders.js';
import { recordEvents } from './session/record-events.js';
import { SessionLog } from './session/session-log.js';
import { tidyTemp } from './session/tidy-temp.js';
import { repositoryTrust } from './trust/repository-trust.js';
import { startBound } from './trust/bound-commands.js';
import { TrustStore } from './trust/trust-store.js';
import { ToolOffer } from './tools/deferral/tool-offer.js';
import { Failure } from './util/failure.js';
import { WebSearch } from './web/search/web-search.js';

/** What the agent that talks with the person is called where reads and changes are remembered. */
const MAIN_AGENT = 'main';
const DEFAULT_MAX_TURNS = 100;
const DEFAULT_MAX_TOOL_CALLS = 500;
/** By then the first request has been sent, so that looking ahead does not hold it up. */
const REQUEST_SENT_MS = 150;

interface Wired extends ToolSystem {
  readonly folders: ProjectFolders;
  readonly extensions: Extensions;
  readonly hooks: OpenedHooks | undefined;
}

/** The tools, wired: for doors that make calls of their own, without a model. */
export async function createToolSystem(options: ToolSystemOptions): Promise<ToolSystem> {
  return wire(options, () => NO_AGENT);
}

/** A wired agent: tools, policy, scheduler, session log and the loop over `options.model`. */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const sessionId = randomUUID();
  const conversation = new Conversation();
  let turn = 0;
  const caller = (): Caller => ({
    agent: MAIN_AGENT,
    sessionId,
    turn,
    stillShown: (callId) => conversation.hasResult(callId),
  });
  const { model, asker } = options;
  const sample = asker === undefined ? undefined : await samplerOf(model, asker);
  const system = await wire(options, caller, { sample, web: { summarize: summarizeWith(model) } });
  const { config, extensions } = system;
  const log = new SessionLog(join(system.folders.sessions, `${startStamp()}-${sessionId}.jsonl`));
  system.hooks?.noteTranscript(log.file);
  const services = loopServices(options, system, conversation);
  let busy = false;
  let started = false;
  const record = recordEvents(log);
  const closing = new AbortController();

  async function* logged(prompt: SessionPrompt, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    if (busy)
      throw new Failure(
        'agent_busy',
        'This agent is working on a prompt. Wait for its end, or cancel it, before the next.',
      );
    busy = true;
    turn += 1;
    const until = AbortSignal.any([signal, closing.signal]);
    try {
      await extensions.beforePrompt(prompt.waitsForServers !== false, until);
      if (!started) {
        started = true;
        beginSession(system, closing.signal);
        yield* record(sessionStart(options, config, sessionId));
        const beginning = { model: model.label, conversation };
        for (const event of await beginHooks(system.hooks, beginning, until)) yield* record(event);
      }
      for (const event of noticeEvents(extensions.news)) yield* record(event);
      for (const notice of await config.getMemory().refresh()) yield* record({ type: 'notice', ...notice });
      for await (const event of runPrompt(prompt, services, until)) yield* record(event);
    } finally {
      busy = false;
    }
  }

  extensions.start();
  return {
    config,
    notices: system.notices,
    servers: system.servers,
    readyFor: system.readyFor,
    runCalls: system.runCalls,
    endCommands: system.endCommands,
    mcp: extensions.servers,
    sessionId,
    sessionFile: log.file,
    onJob: (listener) => config.getJobs().listen((news) => listener(jobEvent(news))),
    prompt: (text, signal, more = {}) => logged(promptOf(text, more, system), signal ?? new AbortController().signal),
    close: async () => {
      closing.abort(new Failure('agent_closed', 'The agent was closed.'));
      for (const event of started ? await endHooks(system.hooks) : []) Array.from(record(event));
      await system.close();
      log.close();
    },
  };
}

/** For servers only; without a person to ask there is none. */
async function samplerOf(model: ModelPort, asker: Asker): Promise<McpHost['sample']> {
  const { createSampler } = await import('./agent/sampling.js');
  return createSampler({ model, asker });
}

/** What the loop is given: what it tells the model is asked anew for every request. */
function loopServices(
  options: AgentOptions,
  { config, extensions, hooks, runCalls: run }: Wired,
  conversation: Conversation,
): LoopServices {
  const offer = new ToolOffer(config.getToolRegistry(), options.mcp?.toolBudget);
  return {
    model: options.model,
    conversation,
    system: () =>
      systemPrompt({
        roots: config.getWorkspaceContext().getDirectories(),
        approvalMode: config.getApprovalMode(),
        platform: process.platform,
        canAsk: options.approver !== undefined,
        instructions: extensions.instructions(),
        memory: config.getMemory().section(),
      }),
    tools: () => offer.forModel(),
    runCalls: (calls, callSignal) => {
      offer.note(calls.map(({ toolName }) => toolName));
      return config.getMemory().follow(run(calls, callSignal));
    },
    maxTurns: options.maxTurns ?? DEFAULT_MAX_TURNS,
    maxToolCalls: options.maxToolCalls ?? DEFAULT_MAX_TOOL_CALLS,
    ...(hooks !== undefined && { hooks: hooks.session }),
    jobs: withMemory(
      besideTheCalls(new JobInbox(config.getJobs(), config.getTargetDir()), extensions),
      config.getMemory(),
    ),
  };
}

interface SessionPrompt extends Prompt {
  readonly waitsForServers?: boolean;
}

function promptOf(text: string, more: PromptOptions, { config, extensions, runCalls: run }: Wired): SessionPrompt {
  const { attach = [], content = [], endsJobs = false, waitsForServers = true } = more;
  const named = attach.map((mention) => ({ mention, resource: extensions.resourceOf(mention) }));
  const paths = attachable(
    named.filter(({ resource }) => resource === undefined).map(({ mention }) => mention),
    config,
  );
  const resources = named.flatMap(({ resource }) => resource ?? []);
  const prompt = { text, endsJobs, waitsForServers };
  if (paths.length + resources.length + content.length === 0) return prompt;
  return { ...prompt, attach: (inner: AbortSignal) => readAttached({ paths, resources, content }, run, inner) };
}

async function wire(options: ToolSystemOptions, caller: () => Caller, ofModel: OfModel = {}): Promise<Wired> {
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
    webSearch,
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
    web: { ...options.web, ...ofModel.web, environment: options.environment },
    memory: {
      ...options.memory,
      home: options.tenonHome,
      userHome: options.userHome,
      environment: options.environment,
    },
    ...languages.config,
    ...handedOn(options),
  });
  // A change of what is remembered for all projects may have been cut short too.
  const { gate = config.getWorkspaceGate() } = config.getMemory().savePlace('global') ?? {};
  const mended = [
    ...(await mendJournal(gate, folders.journal)),
    ...(await mendLeftJobs(gate, folders.journal, userExcludes)),
  ];
  const hooks = await wireHooks(options.hooks, {
    connect: supervisor.connect,
    environment,
    shell,
    folder: options.roots[0] ?? firstRoot,
    roots: canonical,
    home: options.userHome,
    variables: options.environment,
    session: () => ({ sessionId: caller().sessionId ?? '', approvalMode: config.getApprovalMode() }),
  });
  const services = {
    ...schedulerServices({ options, config, grants, roots: canonical, temp: folders.temp, caller }),
    ...(hooks !== undefined && { hooks: hooks.calls }),
  };
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
    sample: ofModel.sample,
  });
  return {
    config,
    folders,
    extensions,
    hooks,
    servers: clients,
    readyFor: async (names, signal) => {
      await extensions.readyFor(names, signal);
      return extensions.news.takeNotices().map(({ text }) => text);
    },
    notices: [
      ...notices,
      ...languages.notices,
      ...webSearch.notices,
      ...leftBehind,
      ...mended,
      ...(await commandNotices(config.getShellOptions(), sandbox)),
    ],
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

type HandedOn = Pick<ToolSystemOptions, 'approvalCeiling' | 'readGitIgnored' | 'extraTools' | 'offered'>;

/** Options that are handed on as they are, where they are given. */
function handedOn({ approvalCeiling, readGitIgnored, extraTools, offered }: ToolSystemOptions): HandedOn {
  return {
    ...(approvalCeiling !== undefined && { approvalCeiling }),
    ...(readGitIgnored !== undefined && { readGitIgnored }),
    ...(extraTools !== undefined && { extraTools }),
    ...(offered !== undefined && { offered }),
  };
}

/** What is done beside the first prompt. */
function beginSession({ folders, config }: Wired, signal: AbortSignal): void {
  void tidyJournal(folders.journal);
  void tidyTemp(folders.temp);
  void prepareSearch(config, signal);
}

/** The model takes a while to answer: time for what the first search would have to do, once the request is on its way. */
async function prepareSearch(config: Config, signal: AbortSignal): Promise<void> {
  try {
    await sleep(REQUEST_SENT_MS, undefined, { ref: false, signal });
    const [index] = await Promise.all([config.getSearchIndex(), import('./tools/grep-run.js')]);
    await index.prepare(config.getTargetDir(), config.getWorkspaceContext().getDirectories(), signal);
  } catch {
    // A head start only: whoever searches meets the same trouble, and says so.
  }
}

function sessionStart(options: AgentOptions, config: Config, sessionId: string): AgentEvent {
  return {
    type: 'session-start',
    sessionId,
    version: options.version,
    model: options.model.label,
    roots: config.getWorkspaceContext().getDirectories(),
    approvalMode: config.getApprovalMode(),
    tools: config
      .getToolRegistry()
      .getAllTools()
      .map((tool) => tool.name),
  };
}

async function spillTo(folder: string, text: string): Promise<string> {
  const file = join(folder, `output-${randomBytes(6).toString('hex')}.txt`);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return file;
}

/** Sorts by time, and is a file name everywhere. */
function startStamp(): string {
  return new Date().toISOString().replace(/[:.]/g, '-');
}
