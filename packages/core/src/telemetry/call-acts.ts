import type { AgentEvent } from '../agent/events.js';
import type { CallEvent } from '../scheduler/call-events.js';
import { toParts } from '../tools/tool-result.js';
import { ToolErrorType } from '../tools/tool-error.js';
import { errorType, safeName } from './attributes.js';
import type { Attributes, TelemetryAct } from './telemetry-acts.js';

/** Where acts go, and how. */
export interface ActPlace {
  readonly tell: (act: TelemetryAct) => void;
  readonly newSpan: () => string;
  /** Whether words, arguments and results are told. */
  readonly content: boolean;
  /** Any of them, fit to be sent. */
  readonly words: (text: string) => string;
  /** Data, as JSON. */
  readonly data: (value: unknown) => string;
}

interface OpenCall {
  readonly span: string;
  readonly tool: string;
  readonly askedAt?: number;
}

type CallStart = Extract<CallEvent, { type: 'tool-call-start' }>;
type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;
type Answer = Extract<CallEvent, { type: 'approval-answer' }>;

/** What the name stands for that a model made up. */
const UNKNOWN_TOOL = 'unknown';
const SECOND = 1000;

/** A span for each call of one run, and the numbers of what became of them. */
export class CallActs {
  readonly #place: ActPlace;
  readonly #parent: string | undefined;
  readonly #open = new Map<string, OpenCall>();
  /** Begun with arguments that could not be read, or of a tool that is not there: its end tells which. */
  readonly #unread = new Map<string, { readonly start: CallStart; readonly at: number }>();
  readonly #spans = new Map<string, string>();

  /** `parent`: the span that the calls are part of; undefined: each is a trace of its own. */
  constructor(place: ActPlace, parent: string | undefined) {
    this.#place = place;
    this.#parent = parent;
  }

  /** Also of one that has ended. */
  spanOf(callId: string): string | undefined {
    return this.#spans.get(callId);
  }

  /** What is not of a call is left alone. */
  note(event: AgentEvent, at: number): void {
    if (event.type === 'tool-call-start') {
      if (typeof event.args === 'string') this.#unread.set(event.callId, { start: event, at });
      else this.#begin(event, event.toolName, at);
    } else if (event.type === 'approval-request') this.#asked(event.callId, at);
    else if (event.type === 'approval-answer') this.#answered(event, at);
    else if (event.type === 'tool-call-end') this.#end(event, at);
    else if (event.type === 'hook-run') {
      const attributes = { 'tenon.hook.event': event.event, 'tenon.hook.outcome': event.outcome };
      this.#place.tell({ type: 'count', metric: 'tenon.hook.runs', attributes });
    }
  }

  /** What is open ends here. */
  breakOff(at: number): void {
    for (const call of this.#open.values()) this.#giveUp(call, at);
    this.#open.clear();
    this.#unread.clear();
  }

  #begin({ callId, kind, args }: CallStart, name: string, at: number): OpenCall {
    const tool = safeName(name, UNKNOWN_TOOL);
    const earlier = this.#open.get(callId);
    if (earlier !== undefined) this.#giveUp(earlier, at);
    const call = { span: this.#place.newSpan(), tool };
    this.#open.set(callId, call);
    // Only a run is asked for them, and it does not last as long as a server that makes calls.
    if (this.#parent !== undefined) this.#spans.set(callId, call.span);
    this.#place.tell({
      type: 'span-start',
      span: call.span,
      ...(this.#parent !== undefined && { parent: this.#parent }),
      name: `execute_tool ${tool}`,
      kind: 'internal',
      at,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'gen_ai.tool.call.id': safeName(callId, UNKNOWN_TOOL),
        'gen_ai.tool.type': 'function',
        'tenon.tool.kind': kind,
        ...(this.#place.content && { 'gen_ai.tool.call.arguments': this.#place.data(args) }),
      },
    });
    return call;
  }

  #giveUp({ span }: OpenCall, at: number): void {
    const attributes = { 'tenon.tool.status': 'cancelled', 'error.type': 'cancelled' };
    this.#place.tell({ type: 'span-end', span, at, attributes, error: '' });
  }

  #asked(callId: string, at: number): void {
    const call = this.#open.get(callId);
    if (call !== undefined) this.#open.set(callId, { ...call, askedAt: at });
  }

  #answered({ callId, outcome, by }: Answer, at: number): void {
    const call = this.#open.get(callId);
    if (call === undefined) return;
    const attributes = { 'tenon.approval.outcome': outcome, 'tenon.approval.by': by };
    const waited = call.askedAt === undefined ? {} : { 'tenon.approval.waited_ms': at - call.askedAt };
    const told = { ...attributes, ...waited };
    this.#place.tell({ type: 'span-event', span: call.span, name: 'tenon.approval', at, attributes: told });
    const counted = { 'gen_ai.tool.name': call.tool, ...attributes };
    this.#place.tell({ type: 'count', metric: 'tenon.approvals', attributes: counted });
  }

  #end(event: CallEnd, at: number): void {
    const { callId, status, durationMs, error, verdict, content } = event;
    const call = this.#open.get(callId) ?? this.#late(event);
    if (call === undefined) return;
    this.#open.delete(callId);
    const failure = failureOf(event);
    const failed: Attributes = failure === undefined ? {} : { 'error.type': failure };
    const words = this.#place.content ? this.#place.words(error?.message ?? '') : '';
    this.#place.tell({
      type: 'span-end',
      span: call.span,
      at,
      attributes: {
        'tenon.tool.status': status,
        'tenon.tool.duration_ms': durationMs,
        ...(verdict !== undefined && { 'tenon.policy.decision': verdict.decision }),
        ...failed,
        ...(this.#place.content && { 'gen_ai.tool.call.result': this.#place.words(textOf(content)) }),
      },
      ...(failure !== undefined && { error: words }),
    });
    const attributes = { 'gen_ai.tool.name': call.tool, 'tenon.tool.status': status, ...failed };
    this.#place.tell({ type: 'count', metric: 'tenon.tool.calls', attributes });
    const value = durationMs / SECOND;
    this.#place.tell({ type: 'record', metric: 'tenon.tool.call.duration', value, attributes });
  }

  #late({ callId, error }: CallEnd): OpenCall | undefined {
    const unread = this.#unread.get(callId);
    if (unread === undefined) return undefined;
    this.#unread.delete(callId);
    const isUnknown = error?.type === ToolErrorType.TOOL_NOT_REGISTERED;
    return this.#begin(unread.start, isUnknown ? UNKNOWN_TOOL : unread.start.toolName, unread.at);
  }
}

/** A refusal is how things should be, no fault of the call. */
function failureOf({ status, error }: CallEnd): string | undefined {
  if (status === 'success' || status === 'denied') return undefined;
  return errorType(error?.type ?? status);
}

/** Texts alone: pictures are not sent. */
function textOf(content: CallEnd['content']): string {
  return toParts([...content])
    .map((part) => ('text' in part ? part.text : `[${part.inlineData.mimeType}]`))
    .join('\n');
}
