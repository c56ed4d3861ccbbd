import type { AgentEvent, CompactionEvent } from '../agent/events.js';
import { errorType, modelAttributes, readModelLabel, usageAttributes, type NamedModel } from './attributes.js';
import { CallActs, type ActPlace } from './call-acts.js';
import { answerAttributes, countTokens, tellChat, tellDuration, type Request } from './chat-acts.js';
import { toldAnswer, toldResult, toldWords, type ToldMessage } from './message-content.js';
import type { Attributes } from './telemetry-acts.js';

/** Whose work a run is. */
export interface RunStart {
  readonly agent: string;
  readonly agentId?: string;
  readonly parent?: string;
  /** What it does is not told, but that it began and ended. */
  readonly isSilent?: boolean;
  readonly sessionId: string;
  readonly model: NamedModel;
}

type Message = Extract<AgentEvent, { type: 'assistant-message' }>;
type PromptEnd = Extract<AgentEvent, { type: 'prompt-end' }>;

/** How a run ended: a prompt of the person's, or work of a subagent. */
type RunEnd = Pick<PromptEnd, 'stopReason' | 'turns' | 'toolCalls' | 'usage'> &
  Partial<Pick<PromptEnd, 'text' | 'message'>> &
  Partial<Pick<Extract<AgentEvent, { type: 'subagent-end' }>, 'durationMs' | 'usageBelow'>>;

/** Of the person's words during one run. */
const MOST_SAID = 20;

/** One agent's work on one prompt: a span for it, and below it one for each request to the model and each call. */
export class RunActs {
  /** The span of the run. */
  readonly span: string;
  readonly #place: ActPlace;
  readonly #start: RunStart;
  readonly #startedAt: number;
  readonly #calls: CallActs;
  #model: NamedModel;
  #request: Request | undefined;
  /** Of its last event. */
  #lastAt = 0;
  readonly #said: ToldMessage[] = [];
  #hasEnded = false;

  constructor(place: ActPlace, start: RunStart, at: number) {
    this.#place = place;
    this.#start = start;
    this.#startedAt = at;
    this.#model = start.model;
    this.span = place.newSpan();
    this.#calls = new CallActs(place, this.span);
    const { agent, agentId, parent, sessionId, model } = start;
    place.tell({
      type: 'span-start',
      span: this.span,
      ...(parent !== undefined && { parent }),
      name: `invoke_agent ${agent}`,
      kind: 'internal',
      at,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': agent,
        ...(agentId !== undefined && { 'gen_ai.agent.id': agentId }),
        'gen_ai.conversation.id': sessionId,
        ...modelAttributes(model),
      },
    });
  }

  /** The span of a call of this run, also one that has ended. */
  spanOfCall(callId: string): string | undefined {
    return this.#calls.spanOf(callId);
  }

  /** Another model answers from the next request on. */
  modelChanged(model: NamedModel): void {
    this.#model = model;
  }

  /** Words of the person; only kept where content is sent. */
  said(text: string): void {
    if (!this.#place.content || this.#said.length === MOST_SAID) return;
    this.#said.push(toldWords(this.#place.words(text)));
  }

  note(event: AgentEvent, at: number): void {
    this.#lastAt = at;
    const { type } = event;
    if (type === 'turn-start') this.#request = { since: at };
    else if (type === 'text-delta' || type === 'thinking-delta') {
      if (this.#request !== undefined) this.#request = { firstWord: at, ...this.#request };
    } else if (type === 'model-retry') {
      this.#failed(at, 'model_error', event.reason);
      this.#request = { since: at + event.delayMs };
    } else if (type === 'assistant-message') this.#answered(event, at);
    else if (type === 'compaction') this.#compacted(event, at);
    else this.#calls.note(event, at);
  }

  end({ stopReason, turns, toolCalls, usage, message, text, durationMs, usageBelow = [] }: RunEnd, at: number): void {
    // What happened in the background may be told later.
    const endedAt = durationMs === undefined ? at : Math.min(at, this.#startedAt + durationMs);
    if (this.#start.isSilent === true) {
      countTokens(this.#place, this.#model, usage);
      for (const one of usageBelow) countTokens(this.#place, readModelLabel(one.model), one.usage);
    }
    const failed = stopReason === 'model-error' || stopReason === 'empty-answer';
    this.#finish(failed ? (message ?? '') : undefined, Math.max(endedAt, this.#lastAt), {
      'tenon.stop_reason': stopReason,
      'tenon.turns': turns,
      'tenon.tool_calls': toolCalls,
      ...usageAttributes(usage),
      ...(failed && { 'error.type': stopReason.replace('-', '_') }),
      ...(this.#place.content &&
        text !== undefined && {
          'gen_ai.output.messages': this.#place.data([toldResult(text, stopReason)]),
        }),
    });
  }

  /** Nobody reads on, or everything is closed: what is open ends here. */
  breakOff(at: number): void {
    this.#finish('', at, { 'tenon.stop_reason': 'cancelled', 'error.type': 'cancelled' });
  }

  #finish(error: string | undefined, at: number, attributes: Attributes): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const failure = attributes['error.type'];
    if (this.#request !== undefined) this.#failed(at, typeof failure === 'string' ? failure : 'cancelled', error ?? '');
    this.#calls.breakOff(at);
    const told = error === undefined ? {} : { error: this.#place.content ? this.#place.words(error) : '' };
    const said = this.#said.length === 0 ? {} : { 'gen_ai.input.messages': this.#place.data(this.#said) };
    this.#place.tell({ type: 'span-end', span: this.span, at, attributes: { ...attributes, ...said }, ...told });
    const failed = failure === undefined ? {} : { 'error.type': failure };
    this.#duration('invoke_agent', at - this.#startedAt, { 'gen_ai.agent.name': this.#start.agent, ...failed });
  }

  #answered({ content, finish, usage }: Message, at: number): void {
    const request = this.#request ?? { since: at };
    this.#request = undefined;
    const words = this.#place.content
      ? { 'gen_ai.output.messages': this.#place.data([toldAnswer(content, finish)]) }
      : {};
    this.#chat(request, at, { ...answerAttributes(request, finish, usage), ...words });
    if (usage !== undefined) countTokens(this.#place, this.#model, usage);
    this.#duration('chat', at - request.since, {});
  }

  #failed(at: number, error: string, words: string): void {
    const request = this.#request;
    // A retry that somebody cancels before it was sent is none.
    if (request === undefined || request.since > at) return;
    this.#request = undefined;
    this.#chat(request, at, { 'error.type': errorType(error) }, words);
    this.#duration('chat', at - request.since, { 'error.type': errorType(error) });
  }

  #chat({ since }: Request, at: number, attributes: Attributes, error?: string): void {
    const { sessionId } = this.#start;
    const request = { parent: this.span, sessionId, model: this.#model, since, at, attributes };
    tellChat(this.#place, error === undefined ? request : { ...request, error });
  }

  #compacted(event: CompactionEvent, at: number): void {
    const { trigger, tokensBefore, tokensAfter } = event;
    const attributes = {
      'tenon.compaction.trigger': trigger,
      'tenon.compaction.tokens_before': tokensBefore,
      'tenon.compaction.tokens_after': tokensAfter,
    };
    this.#place.tell({ type: 'span-event', span: this.span, name: 'tenon.compaction', at, attributes });
    countCompaction(this.#place, this.#model, event);
    // The request that it makes room for begins behind it.
    if (this.#request !== undefined) this.#request = { since: at };
  }

  #duration(operation: string, ms: number, more: Attributes): void {
    tellDuration(this.#place, this.#model, { operation, ms, more });
  }
}

/** Also where it was no part of a run. */
export function countCompaction(place: ActPlace, model: NamedModel, { trigger, usage }: CompactionEvent): void {
  place.tell({ type: 'count', metric: 'tenon.compactions', attributes: { 'tenon.compaction.trigger': trigger } });
  if (usage !== undefined) countTokens(place, model, usage);
}
