import { describeEffect } from '../effects/describe.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import { ruleText } from '../policy/rule.js';
import type { Decision, Verdict } from '../policy/verdict.js';
import type { CallStatus } from '../scheduler/call-events.js';
import type { LoggedEvent } from './log-lines.js';

/** What was done in a session, in order. All texts are untrusted. */
export type AuditStep =
  | { readonly kind: 'session'; readonly time: string; readonly text: string }
  | { readonly kind: 'prompt'; readonly time: string; readonly id?: string; readonly text: string }
  | ({ readonly kind: 'call' } & AuditedCall)
  /** The conversation or files went back, was made shorter, or another model answers. */
  | { readonly kind: 'change'; readonly time: string; readonly text: string }
  | { readonly kind: 'warning'; readonly time: string; readonly text: string };

/** One call: what it would do, who let it, and what became of it. */
export interface AuditedCall {
  /** When it began. */
  readonly time: string;
  readonly callId: string;
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

/**
 * Who asked for what, and who allowed it. `changes`: the journal of the project, for the files; a call is known in it by its
 * id, its session and the prompt that it belongs to.
 */
export function auditTrail(events: readonly LoggedEvent[], changes: readonly JournalEntry[] = []): AuditStep[] {
  const audit = new Audit(changedByCall(changes));
  for (const logged of events) audit.add(logged);
  return audit.steps;
}

class Audit {
  readonly steps: AuditStep[] = [];
  readonly #files: ReadonlyMap<string, readonly string[]>;
  /** Where the call stands that began last with an id. */
  readonly #open = new Map<string, number>();
  #sessionId = '';
  #turn = 0;

  constructor(files: ReadonlyMap<string, readonly string[]>) {
    this.#files = files;
  }

  add({ event, time }: LoggedEvent): void {
    if (event.type === 'tool-call-start') this.#begin(event, time);
    else if (event.type === 'approval-request') this.#update(event.callId, (call) => withQuestion(call, event, time));
    else if (event.type === 'approval-answer') this.#update(event.callId, (call) => withAnswer(call, event));
    else if (event.type === 'tool-call-end') this.#update(event.callId, (call) => withEnd(call, event));
    else if (event.type === 'session-start') {
      this.#sessionId = event.sessionId;
      this.steps.push({ kind: 'session', time, text: startText(event) });
    } else if (event.type === 'user-message') {
      if (event.isSteering !== true) this.#turn += 1;
      this.steps.push({ kind: 'prompt', time, text: event.text, ...(event.id === undefined ? {} : { id: event.id }) });
    } else if (event.type === 'notice') {
      if (event.level === 'warning') this.steps.push({ kind: 'warning', time, text: event.text });
    } else {
      const text = changeText(event);
      if (text !== undefined) this.steps.push({ kind: 'change', time, text });
    }
  }

  #begin({ callId, toolName, title, args }: Of<'tool-call-start'>, time: string): void {
    const changed = this.#files.get(keyOf(this.#sessionId, this.#turn, callId)) ?? [];
    const call: AuditedCall = { time, callId, toolName, title, args, effects: [], approvals: [], changed };
    this.#open.set(callId, this.steps.push({ kind: 'call', ...call }) - 1);
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
    const key = keyOf(call.sessionId, call.turn ?? 0, call.callId);
    files.set(key, [...new Set([...(files.get(key) ?? []), ...all.map(({ path }) => path)])]);
  }
  return files;
}

function keyOf(sessionId: string, turn: number, callId: string): string {
  return JSON.stringify([sessionId, turn, callId]);
}
