import { attachable, readAttached } from './agent/attachments.js';
import type { Agent, AgentOptions, PromptOptions } from './agent-types.js';
import { CurrentModel } from './agent/current-model.js';
import type { AgentEvent } from './agent/events.js';
import { jobEvent, JobInbox } from './agent/job-inbox.js';
import { runPrompt } from './agent/loop.js';
import type { LoopServices, Prompt } from './agent/loop-types.js';
import { summarizeWith } from './agent/summarize.js';
import { systemPrompt } from './agent/system-prompt.js';
import { createToolSystem, wireTools, type Wired } from './create-tool-system.js';
import { besideTheCalls, noticeEvents, withMemory } from './extensions/agent-side.js';
import { beginHooks, endHooks } from './extensions/wire-hooks.js';
import { locksFolderOf } from './journal/locks-folder.js';
import type { McpHost } from './mcp/mcp-types.js';
import type { Asker } from './mcp/questions/asker.js';
import type { ModelPort } from './models/model.js';
import { NO_AGENT, type Caller } from './scheduler/services.js';
import { beginWork } from './session/begin-work.js';
import { OpenSession, type SessionPlace } from './session/open-session.js';
import { SessionGauge } from './session/session-gauge.js';
import { ToolOffer } from './tools/deferral/tool-offer.js';
import { Failure } from './util/failure.js';

export { createToolSystem };

/** What the agent that talks with the person is called where reads and changes are remembered. */
const MAIN_AGENT = 'main';
const DEFAULT_MAX_TURNS = 100;
const DEFAULT_MAX_TOOL_CALLS = 500;

/** A wired agent: tools, policy, scheduler, session log and the loop over `options.model`. @throws Failure `no_session`, `session_open` */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  let agent: TenonAgent | undefined;
  const models = new CurrentModel(options.model);
  const { asker } = options;
  const sample = asker === undefined ? undefined : await samplerOf(models, asker);
  const system = await wireTools(options, () => agent?.caller() ?? NO_AGENT, {
    sample,
    web: { summarize: summarizeWith(models) },
  });
  try {
    const session = await OpenSession.open(placeOf(system), options.session);
    agent = new TenonAgent({ options, system, session, models });
  } catch (thrown) {
    await system.close();
    throw thrown;
  }
  system.extensions.start();
  return agent;
}

/** For servers only; without a person to ask there is none. */
async function samplerOf(model: ModelPort, asker: Asker): Promise<McpHost['sample']> {
  const { createSampler } = await import('./agent/sampling.js');
  return createSampler({ model, asker });
}

type Costs = Pick<AgentOptions, 'contextWindow' | 'prices'>;

interface AgentParts {
  readonly options: AgentOptions;
  readonly system: Wired;
  readonly session: OpenSession;
  readonly models: CurrentModel;
}

class TenonAgent implements Agent {
  readonly config: Agent['config'];
  readonly notices: Agent['notices'];
  readonly servers: Agent['servers'];
  readonly readyFor: Agent['readyFor'];
  readonly runCalls: Agent['runCalls'];
  readonly endCommands: Agent['endCommands'];
  readonly mcp: Agent['mcp'];
  readonly grants: Agent['grants'];
  readonly #options: AgentOptions;
  readonly #system: Wired;
  readonly #models: CurrentModel;
  readonly #inbox: JobInbox;
  readonly #closing = new AbortController();
  #session: OpenSession;
  #offer: ToolOffer;
  #isBusy = false;
  #hasBegun = false;
  readonly #steering: string[] = [];
  #modelNews: AgentEvent[] = [];
  #gauge: SessionGauge;
  /** Of the model that answers now. */
  #costs: Costs;

  constructor({ options, system, session, models }: AgentParts) {
    this.#options = options;
    this.#system = system;
    this.#session = session;
    this.#models = models;
    this.config = system.config;
    this.notices = system.notices;
    this.servers = system.servers;
    this.readyFor = system.readyFor;
    this.runCalls = system.runCalls;
    this.endCommands = system.endCommands;
    this.mcp = system.extensions.servers;
    this.grants = system.grants;
    this.#offer = this.#newOffer();
    this.#costs = options;
    this.#gauge = this.#newGauge();
    system.hooks?.noteTranscript(session.file);
    this.#inbox = new JobInbox(system.config.getJobs(), system.config.getTargetDir());
  }

  get sessionId(): string {
    return this.#session.id;
  }

  get sessionFile(): string {
    return this.#session.file;
  }

  get history(): Agent['history'] {
    return this.#session.history;
  }

  get sessionProblems(): readonly string[] {
    return this.#session.problems;
  }

  get messages(): Agent['messages'] {
    return this.#session.conversation.messages;
  }

  get model(): ModelPort {
    return this.#models.now;
  }

  caller(): Caller {
    const { id, turn, conversation } = this.#session;
    return { agent: MAIN_AGENT, sessionId: id, turn, stillShown: (callId) => conversation.hasResult(callId) };
  }

  onJob(listener: Parameters<Agent['onJob']>[0]): () => void {
    return this.config.getJobs().listen((news) => listener(jobEvent(news)));
  }

  setModel(...[model, more = {}]: Parameters<Agent['setModel']>): void {
    this.#models.now = model;
    this.#costs = more;
    this.#gauge.modelChanged(model, more);
    // The beginning of a session names the model by itself.
    if (this.#session.hasBegun) this.#modelNews = [{ type: 'model-change', model: model.label }];
  }

  steer(text: string): boolean {
    if (this.#isBusy) this.#steering.push(text);
    return this.#isBusy;
  }

  prompt(text: string, signal?: AbortSignal, more: PromptOptions = {}): AsyncGenerator<AgentEvent> {
    return this.#working((until) => this.#prompted(text, more, until), signal);
  }

  compact(focus: string | undefined, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    return this.#working((until) => this.#compacted(focus, until), signal);
  }

  context(): ReturnType<Agent['context']> {
    return this.#gauge.report({ system: this.#instructions(), tools: this.#offer.forModel() });
  }

  usage(): ReturnType<Agent['usage']> {
    return this.#gauge.usage();
  }

  async rewindPoints(): ReturnType<Agent['rewindPoints']> {
    return this.#session.rewindPoints(await this.#undo());
  }

  async rewind(...[id, what]: Parameters<Agent['rewind']>): ReturnType<Agent['rewind']> {
    const end = this.#work();
    try {
      const start = () => this.#sessionStart();
      const report = await this.#session.rewind(id, what, { undo: await this.#undo(), start });
      if (what.conversation) this.#forgetWhatWasSaid();
      return report;
    } finally {
      end();
    }
  }

  async switchSession(source?: Parameters<Agent['switchSession']>[0]): Promise<void> {
    const end = this.#work();
    try {
      if (source?.file === this.#session.file && source.fork !== true) return;
      const next = await OpenSession.open(placeOf(this.#system), source);
      this.#session.close();
      this.#session = next;
      this.#offer = this.#newOffer();
      this.#gauge = this.#newGauge();
      this.#modelNews = [];
      // What this session's model saw, and what was granted for this session only, is none of the next one's.
      this.#forgetWhatWasSaid();
      this.#system.grants.endSession();
      this.#system.hooks?.noteTranscript(next.file);
    } finally {
      end();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Failure('agent_closed', 'The agent was closed.'));
    for (const event of this.#hasBegun ? await endHooks(this.#system.hooks) : [])
      Array.from(this.#session.record(event));
    await this.#system.close();
    this.#session.close();
  }

  /** The model does not have it any more: neither files that it read, nor what folders say of themselves. */
  #forgetWhatWasSaid(): void {
    this.config.getFileVersions().forget(MAIN_AGENT);
    this.config.getMemory().forgetNotes();
  }

  async *#prompted(text: string, more: PromptOptions, until: AbortSignal): AsyncGenerator<AgentEvent> {
    const { extensions, hooks } = this.#system;
    await extensions.beforePrompt(more.waitsForServers !== false, until);
    const isFirst = !this.#hasBegun;
    if (isFirst) beginWork(this.#system, this.#closing.signal);
    this.#hasBegun = true;
    const { record, conversation } = this.#session;
    yield* this.#session.begin(() => this.#sessionStart());
    const begun = isFirst ? await beginHooks(hooks, { model: this.#models.label, conversation }, until) : [];
    for (const event of begun) yield* record(event);
    for (const notice of await this.config.getMemory().refresh()) yield* record({ type: 'notice', ...notice });
    for (const event of noticeEvents(extensions.news)) yield* record(event);
    for (const note of more.notes ?? []) conversation.addNote(note);
    for await (const event of runPrompt(promptOf(text, more, this.#system), this.#loopServices(), until))
      yield* record(event);
  }

  async *#compacted(focus: string | undefined, until: AbortSignal): AsyncGenerator<AgentEvent> {
    const { record } = this.#session;
    yield* this.#session.begin(() => this.#sessionStart());
    const parts = { system: this.#instructions(), tools: this.#offer.forModel() };
    for await (const event of this.#gauge.keeper.compactNow(parts, focus, until)) yield* record(event);
    this.config.getMemory().forgetNotes();
  }

  /** One thing at a time, until the reader stops or the agent is closed. */
  async *#working(
    work: (until: AbortSignal) => AsyncGenerator<AgentEvent>,
    signal?: AbortSignal,
  ): AsyncGenerator<AgentEvent> {
    const end = this.#work();
    try {
      yield* work(AbortSignal.any([...(signal === undefined ? [] : [signal]), this.#closing.signal]));
    } finally {
      end();
    }
  }

  #work(): () => void {
    if (this.#isBusy)
      throw new Failure(
        'agent_busy',
        'This agent is working on a prompt. Wait for its end, or cancel it, before the next.',
      );
    this.#isBusy = true;
    return () => {
      this.#isBusy = false;
    };
  }

  #newOffer(): ToolOffer {
    return new ToolOffer(this.config.getToolRegistry(), this.#options.mcp?.toolBudget);
  }

  #newGauge(): SessionGauge {
    const { compactAt } = this.#options;
    return new SessionGauge(this.#session, { model: this.#models, compactAt, ...this.#costs });
  }

  async #undo() {
    const { openUndo } = await import('./session/open-undo.js');
    return openUndo({ roots: this.#options.roots, tenonHome: this.#options.tenonHome });
  }

  #instructions(): string {
    const { config, extensions } = this.#system;
    return systemPrompt({
      roots: config.getWorkspaceContext().getDirectories(),
      approvalMode: config.getApprovalMode(),
      platform: process.platform,
      canAsk: this.#options.approver !== undefined,
      instructions: extensions.instructions(),
      memory: config.getMemory().section(),
    });
  }

  /** What the loop is given: what it tells the model is asked anew for every request. */
  #loopServices(): LoopServices {
    const { extensions, hooks, runCalls: run } = this.#system;
    const memory = this.config.getMemory();
    const costs = (): Costs => this.#costs;
    const offer = this.#offer;
    const session = this.#session;
    const beside = withMemory(besideTheCalls(this.#inbox, extensions), memory);
    return {
      model: this.#models,
      conversation: session.conversation,
      system: () => this.#instructions(),
      tools: () => {
        // Those of servers come when these are ready, also the ones that the session knows from before.
        offer.note(session.tools);
        return offer.forModel();
      },
      runCalls: (calls, callSignal) => {
        offer.note(calls.map(({ toolName }) => toolName));
        return memory.follow(run(calls, callSignal));
      },
      maxTurns: this.#options.maxTurns ?? DEFAULT_MAX_TURNS,
      maxToolCalls: this.#options.maxToolCalls ?? DEFAULT_MAX_TOOL_CALLS,
      maxSeconds: this.#options.maxSeconds,
      maxCost: this.#options.maxCost,
      get prices() {
        return costs().prices;
      },
      context: this.#gauge.keeper,
      takeSteering: () => this.#steering.splice(0),
      hooks: hooks?.session,
      jobs: { ...beside, takeEvents: () => [...this.#takeModelNews(), ...beside.takeEvents()] },
    };
  }

  #takeModelNews(): readonly AgentEvent[] {
    const news = this.#modelNews;
    this.#modelNews = [];
    return news;
  }

  #sessionStart(): Extract<AgentEvent, { type: 'session-start' }> {
    const { config } = this;
    return {
      type: 'session-start',
      sessionId: this.#session.id,
      version: this.#options.version,
      model: this.#models.label,
      roots: config.getWorkspaceContext().getDirectories(),
      approvalMode: config.getApprovalMode(),
      tools: config
        .getToolRegistry()
        .getAllTools()
        .map((tool) => tool.name),
    };
  }
}

function placeOf({ folders, roots }: Wired): SessionPlace {
  return { sessions: folders.sessions, locks: locksFolderOf(folders.journal), roots };
}

function promptOf(text: string, more: PromptOptions, { config, extensions, runCalls: run }: Wired): Prompt {
  const { attach = [], content = [], endsJobs = false } = more;
  const named = attach.map((mention) => ({ mention, resource: extensions.resourceOf(mention) }));
  const paths = attachable(
    named.filter(({ resource }) => resource === undefined).map(({ mention }) => mention),
    config,
  );
  const resources = named.flatMap(({ resource }) => resource ?? []);
  const prompt = { text, endsJobs };
  if (paths.length + resources.length + content.length === 0) return prompt;
  return { ...prompt, attach: (inner: AbortSignal) => readAttached({ paths, resources, content }, run, inner) };
}
