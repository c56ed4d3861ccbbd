import { randomUUID } from 'node:crypto';
import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { ToolConfirmationOutcome, type CallEvent, type Kind, type ToolResultDisplay } from '@tenon/core';
import {
  changedLocations,
  finalContent,
  kindOf,
  liveContent,
  locationsOf,
  rawOutputOf,
  terminalContent,
  textContent,
  titleOf,
} from './call-content.js';
import type { ClientPaths } from './client-paths.js';

export type LifeEvent = Exclude<CallEvent, { type: 'hook-run' }>;
type EventOf<T extends LifeEvent['type']> = Extract<LifeEvent, { type: T }>;

/** The subagent that makes a call. */
export interface CallOwner {
  readonly agentId: string;
  /** As questions name it, whatever that is. */
  readonly name: string;
  /** The same, to be shown. */
  readonly label: string;
  /** The key of the call that it works for. */
  readonly above: string;
}

interface OpenCall {
  readonly id: string;
  readonly kind: Kind;
  readonly owner: CallOwner | undefined;
  isRunning: boolean;
  isWaiting: boolean;
  /** A subagent works for it, whose progress is what is shown. */
  hasAgent: boolean;
  /** The client's terminal that shows it. */
  terminalId?: string;
}

/** What a call is known by here: ids of calls are those of one agent only. `agent`: the subagent, as questions name it. */
export function callKey({ callId, agent }: { readonly callId: string; readonly agent?: string | undefined }): string {
  return agent === undefined ? callId : `${agent}\n${callId}`;
}

/**
 * What becomes of calls, for a client. Its laws: a call is told of before anything else about it, pending; it runs before
 * it is completed; it ends once, as completed or failed; its id is that of no other call of the session.
 */
export class CallUpdates {
  readonly #paths: ClientPaths;
  readonly #newId: () => string;
  readonly #open = new Map<string, OpenCall>();
  readonly #ids = new Set<string>();

  constructor(paths: ClientPaths, newId: () => string = randomUUID) {
    this.#paths = paths;
    this.#newId = newId;
  }

  idOf(key: string): string | undefined {
    return this.#open.get(key)?.id;
  }

  isOpen(key: string): boolean {
    return this.#open.has(key);
  }

  of(event: LifeEvent, owner?: CallOwner): SessionUpdate[] {
    const key = callKey({ callId: event.callId, agent: owner?.name });
    const call = this.#open.get(key);
    switch (event.type) {
      case 'tool-call-start':
        // One that was left open is one of a process that was killed.
        return [...this.#close(key), this.#start(event, key, owner)];
      case 'approval-request':
        if (call !== undefined) call.isWaiting = true;
        return [];
      case 'approval-answer':
        if (call === undefined) return [];
        call.isWaiting = false;
        return event.outcome === ToolConfirmationOutcome.Cancel ? [] : this.#running(call);
      case 'tool-call-update':
        return call === undefined ? [] : this.#update(call, event.display);
      case 'tool-call-end':
        this.#open.delete(key);
        return call === undefined ? [] : this.#end(event, call);
      default:
        return event satisfies never;
    }
  }

  /** What the subagents that work for a call have done so far. */
  progress(key: string, text: string): SessionUpdate[] {
    const call = this.#open.get(key);
    if (call === undefined) return [];
    call.hasAgent = true;
    const content = [textContent(text)];
    return [...this.#running(call), { sessionUpdate: 'tool_call_update', toolCallId: call.id, content }];
  }

  /** Calls that wait neither for an answer nor for anything that is known of, and were not told as running yet. */
  startedBy(key: string): SessionUpdate[] {
    const call = this.#open.get(key);
    const others = [...this.#open.values()];
    if (call === undefined || call.isWaiting || others.some(({ isWaiting }) => isWaiting)) return [];
    return this.#running(call);
  }

  /** From now on the client's terminal is what is shown of a call. Undefined: the client knows of no such call that runs. */
  showTerminal(key: string, terminalId: string): SessionUpdate[] | undefined {
    const call = this.#open.get(key);
    if (call === undefined) return undefined;
    call.terminalId = terminalId;
    const content = terminalContent(terminalId);
    return [...this.#running(call), { sessionUpdate: 'tool_call_update', toolCallId: call.id, content }];
  }

  /** Calls that never came to an end: whoever ran them was killed. `agentId`: those of this subagent. */
  closeOpen(agentId?: string): SessionUpdate[] {
    const keys = [...this.#open].filter(([, { owner }]) => agentId === undefined || owner?.agentId === agentId);
    // Those further down first.
    return keys.toReversed().flatMap(([key]) => this.#close(key));
  }

  #start(event: EventOf<'tool-call-start'>, key: string, owner: CallOwner | undefined): SessionUpdate {
    const { callId, toolName, kind, locations, args } = event;
    const wanted = owner === undefined ? callId : `${owner.agentId}:${callId}`;
    const id = this.#ids.has(wanted) ? `${wanted}-${this.#newId()}` : wanted;
    this.#ids.add(id);
    this.#open.set(key, { id, kind, owner, isRunning: false, isWaiting: false, hasAgent: false });
    // A command is shown as it is.
    const title = kind === 'execute' ? titleOf(event) : this.#paths.inTitle(titleOf(event));
    return {
      sessionUpdate: 'tool_call',
      toolCallId: id,
      title: owner === undefined ? title : `${owner.label}: ${title}`,
      name: toolName,
      kind: kindOf(toolName, kind),
      status: 'pending',
      locations: locationsOf(locations, this.#paths),
      rawInput: args,
      ...(owner !== undefined && {
        _meta: { tenon: { parentToolCallId: this.idOf(owner.above), agentId: owner.agentId, agent: owner.label } },
      }),
    };
  }

  #close(key: string): SessionUpdate[] {
    const call = this.#open.get(key);
    this.#open.delete(key);
    if (call === undefined) return [];
    return [{ sessionUpdate: 'tool_call_update', toolCallId: call.id, status: 'failed' }];
  }

  #running(call: OpenCall): SessionUpdate[] {
    if (call.isRunning) return [];
    call.isRunning = true;
    return [{ sessionUpdate: 'tool_call_update', toolCallId: call.id, status: 'in_progress' }];
  }

  #update(call: OpenCall, display: ToolResultDisplay): SessionUpdate[] {
    const started = this.#running(call);
    if (call.terminalId !== undefined || call.hasAgent) return started;
    const content = liveContent(call.kind, display);
    if (content === undefined) return started;
    return [...started, { sessionUpdate: 'tool_call_update', toolCallId: call.id, content }];
  }

  #end(event: EventOf<'tool-call-end'>, call: OpenCall): SessionUpdate[] {
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
}
