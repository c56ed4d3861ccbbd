import { randomUUID } from 'node:crypto';
import type { ContentBlock, SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk';
import {
  ToolConfirmationOutcome,
  type AgentEvent,
  type CallEvent,
  type Kind,
  type LoggedEvent,
  type ToolResultDisplay,
} from '@tenon/core';
import {
  changedLocations,
  finalContent,
  kindOf,
  liveContent,
  locationsOf,
  rawOutputOf,
  terminalContent,
  titleOf,
} from './call-content.js';
import type { ClientPaths } from './client-paths.js';
import { hookLine } from '../../ui/hook-line.js';

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

interface OpenCall {
  readonly id: string;
  readonly kind: Kind;
  isRunning: boolean;
  isWaiting: boolean;
  /** The client's terminal that shows it. */
  terminalId?: string;
}

/**
 * What the events of a session are for a client. Its laws: a call is told of before anything else about it, pending; it
 * runs before it is completed; it ends once, as completed or failed; its id is that of no other call of the session.
 */
export class EventUpdates {
  readonly #paths: ClientPaths;
  readonly #newId: () => string;
  readonly #open = new Map<string, OpenCall>();
  readonly #ids = new Set<string>();
  #answerId: string;
  #thoughtId: string;
  #saidId: string;
  #saidInTurn = false;
  #thoughtInTurn = false;

  constructor(paths: ClientPaths, newId: () => string = randomUUID) {
    this.#paths = paths;
    this.#newId = newId;
    this.#answerId = newId();
    this.#thoughtId = newId();
    this.#saidId = newId();
  }

  /** The id by which the client knows a call that has begun. */
  idOf(callId: string): string {
    return this.#open.get(callId)?.id ?? callId;
  }

  /** As it happens. Todo lists, the mode and what was used are told elsewhere. */
  live(event: AgentEvent): SessionUpdate[] {
    switch (event.type) {
      case 'turn-start':
        this.#newTurn();
        return [];
      case 'text-delta':
        this.#saidInTurn = true;
        return event.text === '' ? [] : [this.#answer(event.text)];
      case 'thinking-delta':
        this.#thoughtInTurn = true;
        return event.text === '' ? [] : [this.#thought(event.text)];
      case 'model-retry': {
        const voided = this.#saidInTurn ? ' What was said of the answer so far does not count.' : '';
        this.#newTurn();
        return [this.note(`The request is sent again (${event.reason}).${voided}`)];
      }
      case 'assistant-message':
        return this.#message(event);
      case 'notice':
        return event.level === 'warning' ? [this.note(event.text)] : [];
      case 'compaction':
        return [this.note(['The conversation was made shorter.', ...event.told].join('\n'))];
      case 'job-end':
        return [this.note(jobText(event))];
      case 'tool-call-start':
      case 'approval-request':
      case 'approval-answer':
      case 'tool-call-update':
      case 'tool-call-end':
        return this.#ofCall(event);
      case 'session-start':
      case 'user-message':
      case 'turn-end':
      case 'job-wait':
      case 'model-change':
      case 'rewind':
      case 'prompt-end':
        return [];
      case 'hook-run':
        return event.problem === undefined ? [] : [this.note(hookLine(event) ?? '')];
      default:
        return unknownEvent(event);
    }
  }

  /** From a log: what the client would have been told then, but for what was only of use then. */
  replayed(event: LoggedEvent['event']): SessionUpdate[] {
    if (event.type === 'model-retry' || event.type === 'notice') return [];
    if (event.type === 'answer-interrupted') return event.content.map(({ text }) => this.#answer(text));
    if (event.type === 'context-added')
      return event.as === 'user' ? event.content.flatMap(pictureOf).map((picture) => this.#said(picture)) : [];
    if (event.type !== 'user-message') return this.live(event);
    this.#saidId = event.id ?? this.#newId();
    return [this.#said({ type: 'text', text: event.text })];
  }

  /** Calls that never came to an end: whoever ran them was killed. */
  closeOpen(): SessionUpdate[] {
    return [...this.#open.keys()].flatMap((callId) => this.#close(callId));
  }

  /** Calls that wait neither for an answer nor for anything that is known of, and were not told as running yet. */
  startedBy(callId: string): SessionUpdate[] {
    const call = this.#open.get(callId);
    const others = [...this.#open.values()];
    if (call === undefined || call.isWaiting || others.some(({ isWaiting }) => isWaiting)) return [];
    return this.#running(call);
  }

  /** From now on the client's terminal is what is shown of a call. Undefined: the client knows of no such call that runs. */
  showTerminal(callId: string, terminalId: string): SessionUpdate[] | undefined {
    const call = this.#open.get(callId);
    if (call === undefined) return undefined;
    call.terminalId = terminalId;
    const content = terminalContent(terminalId);
    return [...this.#running(call), { sessionUpdate: 'tool_call_update', toolCallId: call.id, content }];
  }

  /** Whether the client was told of a call that runs. */
  isOpen(callId: string): boolean {
    return this.#open.has(callId);
  }

  /** Something that Tenon says, not the model. */
  note(text: string): SessionUpdate {
    return {
      sessionUpdate: 'agent_message_chunk',
      messageId: this.#newId(),
      content: { type: 'text', text: `${text}\n` },
      _meta: { tenon: { note: true } },
    };
  }

  #ofCall(event: Exclude<CallEvent, { type: 'hook-run' }>): SessionUpdate[] {
    switch (event.type) {
      case 'tool-call-start':
        // One that was left open is one of a process that was killed.
        return [...this.#close(event.callId), this.#start(event)];
      case 'approval-request': {
        const call = this.#open.get(event.callId);
        if (call !== undefined) call.isWaiting = true;
        return [];
      }
      case 'approval-answer': {
        const call = this.#open.get(event.callId);
        if (call === undefined) return [];
        call.isWaiting = false;
        return event.outcome === ToolConfirmationOutcome.Cancel ? [] : this.#running(call);
      }
      case 'tool-call-update':
        return this.#update(event.callId, event.display);
      case 'tool-call-end':
        return this.#end(event);
      default:
        return event satisfies never;
    }
  }

  #start(event: EventOf<'tool-call-start'>): SessionUpdate {
    const { callId, toolName, kind, locations, args } = event;
    const id = this.#ids.has(callId) ? `${callId}-${this.#newId()}` : callId;
    this.#ids.add(id);
    this.#open.set(callId, { id, kind, isRunning: false, isWaiting: false });
    return {
      sessionUpdate: 'tool_call',
      toolCallId: id,
      title: titleOf(event),
      name: toolName,
      kind: kindOf(toolName, kind),
      status: 'pending',
      locations: locationsOf(locations, this.#paths),
      rawInput: args,
    };
  }

  #close(callId: string): SessionUpdate[] {
    const call = this.#open.get(callId);
    this.#open.delete(callId);
    if (call === undefined) return [];
    return [{ sessionUpdate: 'tool_call_update', toolCallId: call.id, status: 'failed' }];
  }

  #running(call: OpenCall): SessionUpdate[] {
    if (call.isRunning) return [];
    call.isRunning = true;
    return [{ sessionUpdate: 'tool_call_update', toolCallId: call.id, status: 'in_progress' }];
  }

  #update(callId: string, display: ToolResultDisplay): SessionUpdate[] {
    const call = this.#open.get(callId);
    if (call === undefined) return [];
    const started = this.#running(call);
    if (call.terminalId !== undefined) return started;
    const content = liveContent(call.kind, display);
    if (content === undefined) return started;
    return [...started, { sessionUpdate: 'tool_call_update', toolCallId: call.id, content }];
  }

  #end(event: EventOf<'tool-call-end'>): SessionUpdate[] {
    const call = this.#open.get(event.callId);
    if (call === undefined) return [];
    this.#open.delete(event.callId);
    const isDone = event.status === 'success';
    const rawOutput = rawOutputOf(event);
    const locations = changedLocations(event, this.#paths);
    const end: ToolCallUpdate = {
      toolCallId: call.id,
      status: isDone ? 'completed' : 'failed',
      content:
        call.terminalId === undefined ? finalContent(call.kind, event, this.#paths) : terminalContent(call.terminalId),
      ...(locations !== undefined && { locations }),
      ...(rawOutput !== undefined && { rawOutput }),
      ...(!isDone && { _meta: { tenon: { status: event.status } } }),
    };
    // What was denied never ran.
    const started = isDone ? this.#running(call) : [];
    return [...started, { sessionUpdate: 'tool_call_update', ...end }];
  }

  /** What did not come in pieces. */
  #message({ content }: EventOf<'assistant-message'>): SessionUpdate[] {
    return content.flatMap((block): SessionUpdate[] => {
      if (block.type === 'text' && !this.#saidInTurn && block.text !== '') return [this.#answer(block.text)];
      if (block.type === 'thinking' && !this.#thoughtInTurn && block.text !== '') return [this.#thought(block.text)];
      return [];
    });
  }

  #newTurn(): void {
    this.#answerId = this.#newId();
    this.#thoughtId = this.#newId();
    this.#saidInTurn = false;
    this.#thoughtInTurn = false;
  }

  #answer(text: string): SessionUpdate {
    return { sessionUpdate: 'agent_message_chunk', messageId: this.#answerId, content: { type: 'text', text } };
  }

  #said(content: ContentBlock): SessionUpdate {
    return { sessionUpdate: 'user_message_chunk', messageId: this.#saidId, content };
  }

  #thought(text: string): SessionUpdate {
    return { sessionUpdate: 'agent_thought_chunk', messageId: this.#thoughtId, content: { type: 'text', text } };
  }
}

type ContextBlock = Extract<LoggedEvent['event'], { type: 'context-added' }>['content'][number];

/** Texts that went along are not repeated: they are those of files. */
function pictureOf(block: ContextBlock): ContentBlock[] {
  if (block.type !== 'media' || !block.mimeType.startsWith('image/')) return [];
  return [{ type: 'image', data: block.data, mimeType: block.mimeType }];
}

/** Logs of newer versions, and what logs alone have. */
function unknownEvent(_event: never): [] {
  return [];
}

function jobText({ jobId, command, exitCode, signal }: EventOf<'job-end'>): string {
  const how = exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${exitCode}`;
  return `The background job ${jobId} (${command}) ${how}.`;
}

/** What of a log still counts: what a rewind took back is not shown again. Pure. */
export function inForce(events: readonly LoggedEvent['event'][]): LoggedEvent['event'][] {
  const kept: LoggedEvent['event'][] = [];
  for (const event of events) {
    if (event.type !== 'rewind') kept.push(event);
    else if (event.conversation) {
      const start = kept.findIndex((each) => each.type === 'user-message' && each.id === event.to);
      if (start >= 0) kept.length = start;
    }
  }
  return kept;
}
