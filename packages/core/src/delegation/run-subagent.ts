import { ContextKeeper } from '../agent/context-keeper.js';
import { Denials } from '../agent/denials.js';
import type { AgentEvent, Denial, SubagentEvent } from '../agent/events.js';
import { runPrompt } from '../agent/loop.js';
import { errorMessage } from '../util/failure.js';
import { sessionStart } from '../extensions/session-start.js';
import { recordEvents } from '../session/record-events.js';
import type { SubagentReport, Subagents } from '../subagents/subagent-types.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { agentLabel } from './agent-label.js';
import { AgentLog } from './agent-log.js';
import { AgentOutlet } from './agent-outlet.js';
import { agentTools, type AgentTools } from './agent-tools.js';
import { AgentTranscript } from './agent-transcript.js';
import type { WorkDone } from './background-agents.js';
import { chooseModel } from './choose-model.js';
import type { AgentAbove, SubagentTask } from './delegation-types.js';
import { withLastWords } from './last-words.js';
import { narrowRuntime } from './narrow-runtime.js';
import { compactionHooks, loopServices } from './subagent-loop.js';
import { UsageBelow } from './usage-below.js';
import { openWorkPlace, unused, type WorkPlace } from './work-place.js';
import type { WorkingAgent } from './working-agent.js';

/**
 * One subagent from its task to its last word. Aborted, it resolves with what there is, once all that it started has ended.
 * @throws Failure where it could not begin
 */
export async function runSubagent(
  task: SubagentTask,
  signal: AbortSignal,
  update: (status: string) => void,
): Promise<WorkDone> {
  const startedAt = performance.now();
  const begun = await begin(task, signal);
  const agent = await setUp(begun, signal).catch(async (thrown: unknown) => {
    const durationMs = Math.round(performance.now() - startedAt);
    await endUnbegun(begun, { thrown, durationMs, signal });
    throw thrown;
  });
  const end = await live(agent, signal, update);
  const { order, agentId, definition } = task;
  let worktree: SubagentReport['worktree'];
  const refused = new Denials();
  try {
    await takeDown(agent);
    worktree = await bringBack(agent, refused, signal);
  } finally {
    agent.log.close();
    agent.transcript.close();
  }
  const durationMs = Math.round(performance.now() - startedAt);
  const { stopReason, turns, toolCalls, usage, text, message, below } = end;
  const denials = [...end.denials, ...refused.list()];
  const told: WorkDone['end'] = {
    type: 'subagent-end',
    callId: order.callId,
    agentId,
    stopReason,
    model: agent.model.now().model.label,
    turns,
    toolCalls,
    usage,
    ...(below.length > 0 && { usageBelow: below }),
    ...(order.isBackground && denials.length > 0 && { denials: named(denials, task) }),
    durationMs,
  };
  const report: SubagentReport = {
    agentId,
    stopReason,
    text,
    ...(message !== undefined && { message }),
    turns,
    toolCalls,
    durationMs,
    transcript: agent.transcript.file,
    ...(worktree !== undefined && { worktree }),
  };
  if (!order.isBackground) await task.above.outlet.emit(told, signal);
  update(`${agentLabel(definition.name, agentId)}: ${stopReason}`);
  return { report, end: told };
}

/** Its own say whose they are. */
function named(denials: readonly Denial[], { agentId, definition }: SubagentTask): readonly Denial[] {
  return denials.map((denial) =>
    denial.agentId === undefined ? { ...denial, agentId, agent: definition.name } : denial,
  );
}

/** What it did in a workspace of its own. Its log tells who let that be taken over, as of every call. */
async function bringBack(
  { task, label, work, self, log, transcript }: WorkingAgent,
  refused: Denials,
  signal: AbortSignal,
): Promise<SubagentReport['worktree']> {
  const { order, agentId, above } = task;
  const emit = (event: AgentEvent): void => {
    transcript.note(event);
    log.record(event);
    refused.note(event);
    if (!order.isBackground)
      void above.outlet.emit({ type: 'subagent-event', callId: order.callId, agentId, event }, signal);
  };
  return work.finish?.({ label, caller: self.services.caller, emit, signal });
}

type Begun = Pick<WorkingAgent, 'task' | 'label' | 'log' | 'transcript' | 'keeper' | 'model'>;

/** What is there before it has a place to work in; its beginning is told. */
async function begin(task: SubagentTask, signal: AbortSignal): Promise<Begun> {
  signal.throwIfAborted();
  const { above, agentId, definition, host, order, taken } = task;
  const { system } = host;
  const { secrets } = above.services;
  const model = await chooseModel(definition, above, host);
  const label = agentLabel(definition.name, agentId);
  const log: AgentLog = new AgentLog({
    sessions: system.folders.sessions,
    sessionId: host.session().id,
    agentId,
    taken,
    hide: secrets?.hideIn,
    follow: (event) => {
      keeper.note(event);
    },
  });
  const keeper = new ContextKeeper({
    get model() {
      return model.now().model;
    },
    conversation: log.conversation,
    window: model.now().facts?.contextWindow,
    compactAt: host.options.compactAt,
    hooks: compactionHooks(system.hooks, { agentId, agent: definition.name, logFile: log.file }),
  });
  const facts = {
    label,
    description: order.description,
    model: model.now().model.label,
    logFile: log.file,
    hide: secrets?.hide,
  };
  const transcript = new AgentTranscript(system.folders.temp, agentId, facts);
  const begun: SubagentEvent = {
    type: 'subagent-start',
    callId: order.callId,
    agentId,
    agent: definition.name,
    description: order.description,
    model: facts.model,
    logFile: log.file,
    ...(order.isBackground && { isBackground: true }),
  };
  await above.outlet.emit(begun, signal);
  return { task, label, log, transcript, keeper, model };
}

interface Unbegun {
  readonly thrown: unknown;
  readonly durationMs: number;
  readonly signal: AbortSignal;
}

/** It was told that it begins, so that its end is told as well; that of one in the background by those who look after it. */
async function endUnbegun(
  { task, log, transcript, model }: Begun,
  { thrown, durationMs, signal }: Unbegun,
): Promise<void> {
  const { order, agentId, above, host } = task;
  const { label } = model.now().model;
  const stopReason = signal.aborted ? 'cancelled' : 'model-error';
  const end = { type: 'prompt-end', ...NOTHING_DONE, stopReason, message: errorMessage(thrown) } as const;
  const facts = { sessionId: log.id, version: host.options.version, model: label };
  log.record(sessionStart(facts, above.runtime, new ToolRegistry()));
  log.record(end);
  transcript.note(end);
  log.close();
  transcript.close();
  if (order.isBackground) return;
  const { text: _text, denials: _denials, ...counts } = NOTHING_DONE;
  const { callId } = order;
  await above.outlet.emit(
    { type: 'subagent-end', callId, agentId, model: label, ...counts, stopReason, durationMs },
    signal,
  );
}

async function setUp(begun: Begun, signal: AbortSignal): Promise<WorkingAgent> {
  const { task } = begun;
  const work = await openWorkPlace(task, signal);
  try {
    return wire(begun, work);
  } catch (thrown) {
    await work.close();
    await work.finish?.(unused(task.agentId, task.definition.name));
    throw thrown;
  }
}

function wire(begun: Begun, work: WorkPlace): WorkingAgent {
  const { task, label, log, model } = begun;
  const { above, agentId, definition, host, place } = task;
  const runtime = narrowRuntime({
    above: above.runtime,
    place: work.config === above.config ? undefined : work.config,
    mode: definition.approvalMode,
    own: { getSubagents: () => subagents, getJobs: () => work.jobs },
  });
  let count = 0;
  const self: AgentAbove = {
    config: work.config,
    runtime,
    get registry() {
      return tools.registry;
    },
    services: {
      ...work.services,
      get registry() {
        return tools.registry;
      },
      agent: label,
      agentId,
      policyContext: () => ({ ...work.services.policyContext(), mode: runtime.getApprovalMode() }),
      caller: () => {
        const { id, turn } = host.session();
        return { agent: agentId, sessionId: id, turn, stillShown: (callId) => log.conversation.hasResult(callId) };
      },
    },
    journalDir: work.journalDir,
    outlet: new AgentOutlet(),
    depth: above.depth + 1,
    model: model.now,
    place,
    nextId: () => `${agentId}.${++count}`,
  };
  const subagents: Subagents = task.below(self);
  const tools: AgentTools = agentTools({ runtime, above: above.registry, definition });
  return { ...begun, work, tools, self };
}

interface Lived extends Pick<
  Extract<AgentEvent, { type: 'prompt-end' }>,
  'stopReason' | 'text' | 'message' | 'turns' | 'toolCalls' | 'usage' | 'denials'
> {
  readonly below: ReturnType<UsageBelow['list']>;
}

/** Its events, one after the other, to its log, its transcript, and to those above. Never rejects. */
async function live(agent: WorkingAgent, signal: AbortSignal, update: (status: string) => void): Promise<Lived> {
  const { task, log, transcript, model, self } = agent;
  const { order, agentId, definition, above, host } = task;
  const below = new UsageBelow();
  const status = new StatusLine(agentLabel(definition.name, agentId), update);
  const emit = async (event: SubagentEvent): Promise<void> => above.outlet.emit(event, signal);
  let last: Lived = { ...NOTHING_DONE, below: [] };
  const record = recordEvents((event) => log.record(event), above.services.secrets?.hideIn);
  const tell = async (told: AgentEvent): Promise<void> => {
    transcript.note(told);
    below.note(told);
    status.note(told);
    for (const event of record(told))
      if (!order.isBackground) await emit({ type: 'subagent-event', callId: order.callId, agentId, event });
  };
  const facts = { sessionId: log.id, version: host.options.version, model: model.now().model.label };
  log.record(sessionStart(facts, self.runtime, self.registry));
  try {
    if (model.notice !== undefined) await tell({ type: 'notice', level: 'warning', text: model.notice });
    const services = loopServices(agent);
    const prompt = { text: order.prompt, endsJobs: true };
    for await (const event of withLastWords(runPrompt(prompt, services, signal), services, signal)) {
      if (event.type === 'prompt-end') last = { ...event, below: [] };
      await tell(event);
    }
  } catch (thrown) {
    last = { ...last, stopReason: signal.aborted ? 'cancelled' : 'model-error', message: errorMessage(thrown) };
  }
  for (const event of self.outlet.takeEvents()) await tell(event);
  return { ...last, below: below.list() };
}

const NOTHING_DONE = {
  stopReason: 'cancelled',
  text: '',
  turns: 0,
  toolCalls: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  denials: [],
} as const;

/** Nothing of it stays but its log, its transcript and what it changed. */
async function takeDown({ task, work, tools, self }: WorkingAgent): Promise<void> {
  const { agentId } = task;
  tools.close();
  await work.close();
  work.config.getFileVersions().forget(agentId);
  work.config.getMemory().forgetAgent(agentId);
  work.config.getSkills().takeNote(agentId);
  // That of the session, also below an agent with a workspace of its own.
  self.runtime.getPlanning().keepTodos(agentId, []);
}

/** What it does now, in one line, for those who wait. */
class StatusLine {
  readonly #label: string;
  readonly #update: (status: string) => void;
  #calls = 0;

  constructor(label: string, update: (status: string) => void) {
    this.#label = label;
    this.#update = update;
  }

  note(event: AgentEvent): void {
    if (event.type === 'tool-call-start') {
      this.#calls += 1;
      this.#tell(`${event.displayName} ${event.title}`);
    } else if (event.type === 'turn-start') this.#tell('thinks');
    else if (event.type === 'approval-request') this.#tell('waits for approval');
    else if (event.type === 'compaction') this.#tell('makes room in its conversation');
  }

  #tell(what: string): void {
    const calls = `${this.#calls} ${this.#calls === 1 ? 'call' : 'calls'}`;
    const line = what.replaceAll(/\s+/g, ' ').slice(0, 160);
    this.#update(`${this.#label}, ${calls} so far: ${line}`);
  }
}
