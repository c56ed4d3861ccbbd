import type { AgentEvent } from '../agent/events.js';
import { readModelLabel, safeName, type NamedModel } from './attributes.js';
import { CallActs, type ActPlace } from './call-acts.js';
import { answerAttributes, countTokens, tellChat, tellDuration, type AsideRequest } from './chat-acts.js';
import { contentJson, contentText } from './content-text.js';
import { toldAnswer } from './message-content.js';
import { countCompaction, RunActs } from './run-acts.js';
import type { Attributes, TelemetryAct } from './telemetry-acts.js';

/** What agents are called whose name is none, and the one that talks with the person. */
const SOME_AGENT = 'agent';
const MAIN_AGENT = 'tenon';

/** A session, as it is when work in it begins. */
export interface SessionFacts {
  readonly sessionId: string;
  /** Of the model that answers. */
  readonly label: string;
}

interface PlannerOptions {
  /** Whether words, arguments and results are told. */
  readonly content: boolean;
  /** Takes out of them what nobody is to see. */
  readonly hide?: ((text: string) => string) | undefined;
}

/**
 * Makes of the events of one session what is to be told of them: a state machine without any act of its own. It is given
 * every event of the stream, with the time at which it came.
 */
export class ActPlanner {
  readonly #place: ActPlace;
  readonly #subagents = new Map<string, RunActs>();
  /** Calls that no prompt made. */
  readonly #loose: CallActs;
  #run: RunActs | undefined;
  #model: NamedModel = readModelLabel('');
  #sessionId = '';
  #spans = 0;

  constructor(tell: (act: TelemetryAct) => void, { content, hide = (text) => text }: PlannerOptions) {
    const words = (text: string): string => contentText(text, hide);
    const data = (value: unknown): string => contentJson(value, hide);
    this.#place = { tell, content, words, data, newSpan: () => String(++this.#spans) };
    this.#loose = new CallActs(this.#place, undefined);
  }

  /** What comes is of this session. */
  inSession({ sessionId, label }: SessionFacts): void {
    this.#sessionId = sessionId;
    this.#model = readModelLabel(label);
  }

  /** Work on a prompt begins. */
  begin(at: number): void {
    const start = { agent: MAIN_AGENT, sessionId: this.#sessionId, model: this.#model };
    this.#run = new RunActs(this.#place, start, at);
  }

  note(event: AgentEvent, at: number): void {
    if (event.type === 'prompt-end') {
      this.#run?.end(event, at);
      const attributes = { 'tenon.stop_reason': event.stopReason };
      this.#place.tell({ type: 'count', metric: 'tenon.prompts', attributes });
      this.#run = undefined;
    } else this.#noteOf(this.#run, event, at);
  }

  /** A request beside the conversation: of the prompt that is worked on, where there is one. */
  noteAside({ purpose, label, text, finish, usage, failed, ...request }: AsideRequest, at: number): void {
    const model = readModelLabel(label);
    const place = this.#place;
    const parent = this.#run?.span;
    const type: Attributes = failed === undefined ? {} : { 'error.type': failed.type };
    const said = finish === undefined || !place.content ? [] : [toldAnswer([{ type: 'text', text }], finish)];
    tellChat(place, {
      ...(parent !== undefined && { parent }),
      sessionId: this.#sessionId,
      model,
      since: request.since,
      at,
      attributes: {
        'tenon.request.purpose': purpose,
        ...(finish !== undefined && answerAttributes(request, finish, usage)),
        ...(said.length > 0 && { 'gen_ai.output.messages': place.data(said) }),
        ...type,
      },
      ...(failed !== undefined && { error: failed.words }),
    });
    if (usage !== undefined) countTokens(place, model, usage);
    tellDuration(place, model, { operation: 'chat', ms: at - request.since, more: type });
  }

  /** No more comes of the prompt that began; it has ended already where all went well. */
  end(at: number): void {
    this.#run?.breakOff(at);
    this.#run = undefined;
  }

  /** Nothing comes any more. */
  close(at: number): void {
    for (const run of this.#subagents.values()) run.breakOff(at);
    this.#subagents.clear();
    this.end(at);
    this.#loose.breakOff(at);
  }

  /** `run`: of whose work the event is. */
  #noteOf(run: RunActs | undefined, event: AgentEvent, at: number): void {
    const { type } = event;
    if (type === 'subagent-start') this.#beginSubagent(run, event, at);
    else if (type === 'subagent-event') {
      const subagent = this.#subagents.get(event.agentId);
      if (subagent !== undefined) this.#noteOf(subagent, event.event, at);
    } else if (type === 'subagent-end') {
      this.#subagents.get(event.agentId)?.end(event, at);
      this.#subagents.delete(event.agentId);
    } else if (type === 'session-start' || type === 'model-change') run?.modelChanged(readModelLabel(event.model));
    else if (type === 'user-message') run?.said(event.text);
    else if (run !== undefined) run.note(event, at);
    else if (type === 'compaction') countCompaction(this.#place, this.#model, event);
    else this.#loose.note(event, at);
  }

  #beginSubagent(
    above: RunActs | undefined,
    { agentId, callId, agent, model, isBackground }: Extract<AgentEvent, { type: 'subagent-start' }>,
    at: number,
  ): void {
    this.#subagents.get(agentId)?.breakOff(at);
    const parent = above?.spanOfCall(callId) ?? above?.span;
    const start = {
      agent: safeName(agent, SOME_AGENT),
      agentId: safeName(agentId, SOME_AGENT),
      sessionId: this.#sessionId,
      model: readModelLabel(model),
      isSilent: isBackground === true,
      ...(parent !== undefined && { parent }),
    };
    this.#subagents.set(agentId, new RunActs(this.#place, start, at));
  }
}
