import { MAIN_AGENT } from '../effects/call-context.js';
import { describeEffect } from '../effects/describe.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import { ruleText } from '../policy/rule.js';
import type { Decision, Verdict } from '../policy/verdict.js';
import type { CallStatus } from '../scheduler/call-events.js';
import { count } from '../util/count.js';
import { mergeByTime, type AgentLog } from './agent-logs.js';
import type { LoggedEvent } from './log-lines.js';

/** What was done in a session, in order. All texts are untrusted. */
export type AuditStep =
  | { readonly kind: 'session'; readonly time: string; readonly text: string }
  /** What the person said, or, to a subagent, the agent above it. */
  | {
      readonly kind: 'prompt';
      readonly time: string;
      readonly id?: string;
      readonly agent?: string;
      readonly text: string;
    }
  | ({ readonly kind: 'call' } & AuditedCall)
  /** The conversation or files went back, was made shorter, another model answers, or a subagent begins or ends. */
  | { readonly kind: 'change'; readonly time: string; readonly agent?: string; readonly text: string }
  | { readonly kind: 'warning'; readonly time: string; readonly agent?: string; readonly text: string };

/** One call: what it would do, who let it, and what became of it. */
export interface AuditedCall {
  /** When it began. */
  readonly time: string;
  readonly callId: string;
  /** The subagent that made it, as it is named to people; absent for the agent that talks with the person. */
  readonly agent?: string;
  readonly toolName: string;
  /** One line. */
  readonly title: string;
  readonly args: unknown;
  /** What it would do, as far as it was worked out. */
  readonly effects: readonly string[];
  /** How the policy judged it; absent when it never got that far. */
  readonly verdict?: { readonly decision: Decision; readonly reason: string; readonly rule?: string };
  /** The questions that were put, and how they were answered. */
  readonly approvals: readonly AuditedApproval[];
  /** Undefined when the log does not tell of its end. */
  readonly status?: CallStatus;
  readonly error?: string;
  /** In milliseconds. */
  readonly durationMs?: number;
  /** Files that it changed, by the journal; absolute. */
  readonly changed: readonly string[];
}

export interface AuditedApproval {
  readonly time: string;
  readonly reason: string;
  /** Undefined when it was never answered. */
  readonly outcome?: string;
  readonly by?: 'person' | 'nobody';
  readonly feedback?: string;
  /** The rules that the answer granted. */
  readonly granted: readonly string[];
}

/** A subagent whose calls are told with those of the session. */
export type AuditedAgent = Pick<AgentLog, 'agentId' | 'label' | 'events'>;

/**
 * Who asked for what, and who allowed it. `changes`: the journal of the project, for the files; a call is known in it by its
 * id, its session, and the prompt that it belongs to or the subagent that made it.
 */
export function auditTrail(
  events: readonly LoggedEvent[],
  changes: readonly JournalEntry[] = [],
  agents: readonly AuditedAgent[] = [],
): AuditStep[] {
  const files = changedByCall(changes);
  const main = stepsOf(events, new Audit(files));
  const others = agents.map((agent) => stepsOf(agent.events, new Audit(files, agent)));
  return others.length === 0 ? main : mergeByTime([main, ...others]);
}

function stepsOf(events: readonly LoggedEvent[], audit: Audit): AuditStep[] {
  for (const logged of events) audit.add(logged);
  return audit.steps;
}

class Audit {
  readonly steps: AuditStep[] = [];
  readonly #files: ReadonlyMap<string, readonly string[]>;
  /** Where the call stands that began last with an id. */
  readonly #open = new Map<string, number>();
  readonly #agent: Omit<AuditedAgent, 'events'> | undefined;
  readonly #by: { readonly agent?: string };
  readonly #labels = new Map<string, string>();
  #sessionId = '';
  #turn = 0;

  constructor(files: ReadonlyMap<string, readonly string[]>, agent?: Omit<AuditedAgent, 'events'>) {
    this.#files = files;
    this.#agent = agent;
    this.#by = agent === undefined ? {} : { agent: agent.label };
  }

  add({ event, time }: LoggedEvent): void {
    if (event.type === 'tool-call-start') this.#begin(event, time);
    else if (event.type === 'approval-request') this.#update(event.callId, (call) => withQuestion(call, event, time));
    else if (event.type === 'approval-answer') this.#update(event.callId, (call) => withAnswer(call, event));
    else if (event.type === 'tool-call-end') this.#update(event.callId, (call) => withEnd(call, event));
    else if (event.type === 'session-start') {
      this.#sessionId = event.sessionId;
      if (this.#agent === undefined) this.steps.push({ kind: 'session', time, text: startText(event) });
    } else if (event.type === 'subagent-start') {
      const { agentId, agent, description, model } = event;
      this.#labels.set(agentId, `${agent} (${agentId})`);
      this.#change(`the subagent ${agent} (${agentId}) begins with ${model}: ${description}`, time);
    } else if (event.type === 'user-message') {
      if (event.isSteering !== true) this.#turn += 1;
      const id = event.id === undefined ? {} : { id: event.id };
      this.steps.push({ kind: 'prompt', time, text: event.text, ...id, ...this.#by });
    } else if (event.type === 'notice') {
      if (event.level === 'warning') this.steps.push({ kind: 'warning', time, text: event.text, ...this.#by });
    } else this.#change(this.#changeText(event), time);
  }

  #change(text: string | undefined, time: string): void {
    if (text !== undefined) this.steps.push({ kind: 'change', time, text, ...this.#by });
  }

  #changeText(event: Event): string | undefined {
    if (event.type !== 'subagent-end') return changeText(event);
    const { agentId, stopReason, turns, toolCalls, durationMs } = event;
    const label = this.#labels.get(agentId) ?? agentId;
    return `the subagent ${label} ended (${stopReason}) after ${count(turns, 'turn')}, ${count(toolCalls, 'call')}, ${durationMs} ms`;
  }

  #begin({ callId, toolName, title, args }: Of<'tool-call-start'>, time: string): void {
    const changed = this.#files.get(this.#keyOf(callId)) ?? [];
    const call: AuditedCall = {
      time,
      callId,
      ...this.#by,
      toolName,
      title,
      args,
      effects: [],
      approvals: [],
      changed,
    };
    this.#open.set(callId, this.steps.push({ kind: 'call', ...call }) - 1);
  }

  /** The log of a subagent is named after the session and the subagent, and prompts go on while it works. */
  #keyOf(callId: string): string {
    const { agentId } = this.#agent ?? {};
    if (agentId === undefined) return keyOf(this.#sessionId, this.#turn, callId);
    return keyOf(this.#sessionId.slice(0, -agentId.length - 1), agentId, callId);
  }

  #update(callId: string, change: (call: AuditedCall) => AuditedCall): void {
    const place = this.#open.get(callId);
    const step = place === undefined ? undefined : this.steps[place];
    if (place !== undefined && step?.kind === 'call') this.steps[place] = { kind: 'call', ...change(step) };
  }
}

type Event = LoggedEvent['event'];
type Of<T extends Event['type']> = Extract<Event, { readonly type: T }>;

function startText(start: Of<'session-start'>): string {
  const { sessionId, version, model, approvalMode, roots, resumed, forkedFrom } = start;
  const after = resumed === undefined ? '' : ` after ${resumed.lines} lines`;
  const how = forkedFrom === undefined ? after : ` as a copy of ${forkedFrom}`;
  return `session ${sessionId}${how}: Tenon ${version}, ${model}, ${approvalMode} mode, in ${roots.join(', ')}`;
}

function changeText(event: Event): string | undefined {
  if (event.type === 'model-change') return `from here on ${event.model} answers`;
  if (event.type === 'compaction') return ['the conversation was made shorter', ...event.told].join('; ');
  if (event.type === 'rewind') {
    const files = event.files === undefined ? [] : [`${event.files.reverted} files back, ${event.files.left} left`];
    return [`back to before message ${event.to}`, ...(event.conversation ? ['conversation'] : []), ...files].join('; ');
  }
  if (event.type !== 'job-end') return undefined;
  const how = event.exitCode === null ? `signal ${event.signal ?? '?'}` : `exit code ${event.exitCode}`;
  return `background job ${event.jobId} ended (${how}): ${event.command}`;
}

function withQuestion(call: AuditedCall, { request }: Of<'approval-request'>, time: string): AuditedCall {
  const approval: AuditedApproval = { time, reason: request.reason, granted: [] };
  return { ...call, effects: request.effects.map(describeEffect), approvals: [...call.approvals, approval] };
}

function withAnswer(call: AuditedCall, answer: Of<'approval-answer'>): AuditedCall {
  const last = call.approvals.at(-1);
  if (last === undefined) return call;
  const { outcome, by, feedback, rules: granted = [] } = answer;
  const told = feedback === undefined ? {} : { feedback };
  return { ...call, approvals: [...call.approvals.slice(0, -1), { ...last, outcome, by, ...told, granted }] };
}

function withEnd(call: AuditedCall, { verdict, status, durationMs, error }: Of<'tool-call-end'>): AuditedCall {
  const effects = effectsOf(verdict) ?? call.effects;
  const failed = error === undefined ? {} : { error: error.message };
  return { ...call, ...judged(verdict), effects, status, durationMs, ...failed };
}

function judged(verdict: Verdict | undefined): Pick<AuditedCall, 'verdict'> {
  if (verdict === undefined) return {};
  const { decision, reason, rule } = verdict;
  return { verdict: { decision, reason, ...(rule === undefined ? {} : { rule: ruleText(rule) }) } };
}

function effectsOf(verdict: Verdict | undefined): string[] | undefined {
  const effects = verdict?.parts.flatMap(({ effect }) => (effect === undefined ? [] : [describeEffect(effect)]));
  return effects === undefined || effects.length === 0 ? undefined : effects;
}

function changedByCall(changes: readonly JournalEntry[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const { call, kind, changes: all } of changes) {
    if (call?.sessionId === undefined || kind === 'undo' || kind === 'redo') continue;
    const { sessionId, turn = 0, callId, agent = MAIN_AGENT } = call;
    const key = keyOf(sessionId, agent === MAIN_AGENT ? turn : agent, callId);
    files.set(key, [...new Set([...(files.get(key) ?? []), ...all.map(({ path }) => path)])]);
  }
  return files;
}

/** `within`: the prompt, or the subagent. */
function keyOf(sessionId: string, within: number | string, callId: string): string {
  return JSON.stringify([sessionId, within, callId]);
}
