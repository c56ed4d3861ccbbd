import type { Agent, AgentOptions, PromptOptions } from './agent-types.js';
import { CurrentModel } from './agent/current-model.js';
import { hidingNamed, withoutSecrets } from './agent/prompt-secrets.js';
import type { AgentEvent } from './agent/events.js';
import { jobEvent, JobInbox } from './agent/job-inbox.js';
import { runPrompt } from './agent/loop.js';
import type { LoopServices } from './agent/loop-types.js';
import { OneAtATime } from './agent/one-at-a-time.js';
import { CostMeter, PromptTime } from './agent/prompt-limits.js';
import { summarizeWith } from './agent/summarize.js';
import { systemPrompt } from './agent/system-prompt.js';
import { createToolSystem, wireTools, type Wired } from './create-tool-system.js';
import type { Delegation } from './delegation/delegation.js';
import type { DelegationHost } from './delegation/delegation-types.js';
import { openDelegation } from './delegation/open-delegation.js';
import { MAIN_AGENT } from './effects/call-context.js';
import { besideTheCalls, noticeEvents, withMemory } from './extensions/agent-side.js';
import { promptOf } from './extensions/prompt-of.js';
import { sessionStart } from './extensions/session-start.js';
import { SessionMoments } from './extensions/wire-hooks.js';
import { locksFolderOf } from './journal/locks-folder.js';
import type { McpHost } from './mcp/mcp-types.js';
import type { Asker } from './mcp/questions/asker.js';
import type { ModelPort } from './models/model.js';
import { NO_AGENT, type Caller } from './scheduler/services.js';
import { beginWork } from './session/begin-work.js';
import { openSecrets } from './session/open-secrets.js';
import { OpenSession, type SessionPlace } from './session/open-session.js';
import { SessionGauge } from './session/session-gauge.js';
import { tellChanges } from './session/tell-changes.js';
import { followAside } from './telemetry/aside-requests.js';
import type { AsidePurpose } from './telemetry/chat-acts.js';
import { followCalls, followPrompt } from './telemetry/wire-telemetry.js';
import { ToolOffer } from './tools/deferral/tool-offer.js';
import { Failure } from './util/failure.js';

export { createToolSystem };

/** A wired agent: tools, policy, scheduler, session log and the loop over `options.model`. @throws Failure `no_session`, `session_open` */
export async function createAgent(given: AgentOptions): Promise<Agent> {
  let agent: TenonAgent | undefined;
  const secrets = openSecrets(given, () => (agent?.model ?? given.model).heldKeys?.());
  const options = { ...given, ...hidingNamed(given, secrets) };
  const models = new CurrentModel(options.model, secrets);
  const { asker } = options;
  const aside = (purpose: AsidePurpose): ModelPort => followAside(models, purpose, () => system.telemetry);
  const sample = asker === undefined ? undefined : await samplerOf(aside('sampling'), asker);
  const { delegation, notices } = await openDelegation(options);
  const system = await wireTools(options, () => agent?.caller() ?? NO_AGENT, {
    sample,
    web: { summarize: summarizeWith(aside('page')) },
    subagents: delegation.main,
    ...(secrets !== undefined && { secrets }),
  });
  try {
    const session = await OpenSession.open(placeOf(system), options.session);
    agent = new TenonAgent({ options, system, session, models, delegation, notices });
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
  readonly delegation: Delegation;
  /** Beside those of the system. */
  readonly notices: readonly string[];
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
  readonly #delegation: Delegation;
  readonly #inbox: JobInbox;
  readonly #closing = new AbortController();
  #session: OpenSession;
  #offer: ToolOffer;
  readonly #work = new OneAtATime();
  #hasBegun = false;
  readonly #steering: string[] = [];
  readonly #moments: SessionMoments;
  #modelNews: AgentEvent[] = [];
  #gauge: SessionGauge;
  /** Of the model that answers now. */
  #costs: Costs;
  /** The time of the last prompt. */
  #time: PromptTime | undefined;
  /** Of the prompt that is worked on, with all that subagents do for it. */
  #cost = new CostMeter();

  constructor({ options, system, session, models, delegation, notices }: AgentParts) {
    this.#options = options;
    this.#system = system;
    this.#session = session;
    this.#models = models;
    this.#delegation = delegation;
    this.config = system.config;
    this.notices = [...system.notices, ...notices];
    this.servers = system.servers;
    this.readyFor = system.readyFor;
    this.runCalls = followCalls(system);
    this.endCommands = system.endCommands;
    this.mcp = system.extensions.servers;
    this.grants = system.grants;
    this.#offer = this.#newOffer();
    this.#costs = options;
    this.#gauge = this.#newGauge();
    this.#moments = new SessionMoments(system.hooks, { isResumed: options.session !== undefined });
    system.hooks?.noteTranscript(session.file);
    system.config.getPlanning().follow(MAIN_AGENT, () => this.#gauge.keeper.plans);
    delegation.connect(this.#host());
    this.#inbox = new JobInbox(system.config.getJobs(), system.config.getTargetDir(), delegation.background);
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

  hideSecrets(text: string): string {
    return this.#system.secrets?.hide(text) ?? text;
  }

  steer(text: string): boolean {
    if (this.#work.isBusy) this.#steering.push(this.hideSecrets(text));
    return this.#work.isBusy;
  }

  prompt(words: string, signal?: AbortSignal, given: PromptOptions = {}): AsyncGenerator<AgentEvent> {
    const { text, more } = withoutSecrets(words, given, this.#system.secrets);
    const events = this.#working((until) => this.#prompted(text, more, until), signal);
    const session = () => ({ sessionId: this.sessionId, label: this.#models.label });
    return followPrompt(this.#system.telemetry, events, session);
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
    const end = this.#work.begin();
    try {
      const start = () => this.#sessionStart();
      if (what.conversation) await this.#inbox.endAgents();
      const report = await this.#session.rewind(id, what, { undo: await this.#undo(), start });
      if (what.conversation) this.#forgetWhatWasSaid();
      return report;
    } finally {
      end();
    }
  }

  async switchSession(source?: Parameters<Agent['switchSession']>[0]): Promise<void> {
    const end = this.#work.begin();
    try {
      if (source?.file === this.#session.file && source.fork !== true) return;
      const next = await OpenSession.open(placeOf(this.#system), source);
      await this.#inbox.endAgents();
      await this.#endSession(source === undefined ? 'clear' : 'resume');
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
    await this.#delegation.close();
    await this.#endSession('other');
    await this.#system.close();
    this.#session.close();
  }

  async #endSession(ending: 'other' | 'clear' | 'resume'): Promise<void> {
    for (const event of await this.#moments.end(ending, this.#time?.hasPassed)) Array.from(this.#session.record(event));
  }

  /** What subagents take from this agent. */
  #host(): DelegationHost {
    return {
      options: this.#options,
      system: this.#system,
      model: () => ({ model: this.#models.hiding, facts: this.#costs }),
      session: () => {
        const { id, turn, agents, conversation } = this.#session;
        return { id, turn, agents, shareCallIds: (taken) => conversation.shareCallIds(taken) };
      },
      cost: () => this.#cost,
    };
  }

  /** The model does not have it any more: neither files that it read, nor what folders say of themselves. */
  #forgetWhatWasSaid(): void {
    this.config.getFileVersions().forget(MAIN_AGENT);
    this.config.getMemory().forgetNotes();
  }

  async *#prompted(text: string, more: PromptOptions, until: AbortSignal): AsyncGenerator<AgentEvent> {
    const time = new PromptTime(this.#options.maxSeconds, until);
    this.#time = time;
    const { extensions } = this.#system;
    await extensions.beforePrompt(more.waitsForServers !== false, time.signal, (ask) => time.without(ask));
    if (!this.#hasBegun) beginWork(this.#system, this.#closing.signal);
    this.#hasBegun = true;
    const { record, conversation } = this.#session;
    yield* this.#session.begin(() => this.#sessionStart());
    const begun = await this.#moments.begin({ model: this.#models.label, conversation }, time.signal);
    for (const event of begun) yield* record(event);
    const noticed = [...(await this.config.getMemory().refresh()), ...(await this.config.getSkills().refresh())];
    for (const notice of noticed) yield* record({ type: 'notice', ...notice });
    for (const event of noticeEvents(extensions.news)) yield* record(event);
    for (const note of more.notes ?? []) conversation.addNote(note);
    for await (const event of runPrompt(promptOf(text, more, this.#system), this.#loopServices(), time))
      yield* record(tellChanges(event, this.config.getFileChanges(), this.#session));
    this.#moments.waiting(record);
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
    const end = this.#work.begin();
    try {
      yield* work(AbortSignal.any([...(signal === undefined ? [] : [signal]), this.#closing.signal]));
    } finally {
      this.#time?.stop();
      end();
    }
  }

  #newOffer(): ToolOffer {
    return new ToolOffer(this.config.getToolRegistry(), this.#options.mcp?.toolBudget);
  }

  #newGauge(): SessionGauge {
    const { compactAt } = this.#options;
    const hooks = this.#system.hooks?.session;
    return new SessionGauge(this.#session, { model: this.#models, compactAt, ...this.#costs, hooks });
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
      hidesSecrets: this.#system.secrets !== undefined,
    });
  }

  /** What the loop is given: what it tells the model is asked anew for every request. */
  #loopServices(): LoopServices {
    const { extensions, hooks, runCalls: run } = this.#system;
    const memory = this.config.getMemory();
    const costs = (): Costs => this.#costs;
    const offer = this.#offer;
    const session = this.#session;
    const beside = withMemory(withMemory(besideTheCalls(this.#inbox, extensions), memory), this.config.getSkills());
    const { outlet } = this.#delegation;
    this.#cost = new CostMeter();
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
        return outlet.merge(calls, this.config.getToolRegistry(), memory.follow(run(calls, callSignal)));
      },
      maxTurns: this.#options.maxTurns ?? Number.POSITIVE_INFINITY,
      maxToolCalls: this.#options.maxToolCalls ?? Number.POSITIVE_INFINITY,
      maxCost: this.#options.maxCost,
      cost: this.#cost,
      get prices() {
        return costs().prices;
      },
      context: this.#gauge.keeper,
      takeSteering: () => this.#steering.splice(0),
      hooks: hooks?.session,
      jobs: { ...beside, takeEvents: () => [...this.#takeModelNews(), ...outlet.takeEvents(), ...beside.takeEvents()] },
    };
  }

  #takeModelNews(): readonly AgentEvent[] {
    const news = this.#modelNews;
    this.#modelNews = [];
    return news;
  }

  #sessionStart(): Extract<AgentEvent, { type: 'session-start' }> {
    const { id: sessionId } = this.#session;
    const facts = { sessionId, version: this.#options.version, model: this.#models.label };
    return sessionStart(facts, this.config, this.config.getToolRegistry());
  }
}

function placeOf({ folders, roots, secrets }: Wired): SessionPlace {
  return { sessions: folders.sessions, locks: locksFolderOf(folders.journal), roots, hide: secrets?.hideIn };
}
