import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { agentLabel, type AgentEvent, type SubagentEvent } from '@tenon/core';
import { hookLine } from '../../ui/hook-line.js';
import { safeLine } from '../../ui/safe-lines.js';
import { innermost, subagentEndLine, workDone } from '../../ui/subagent-line.js';
import { callKey, type CallOwner, type CallUpdates, type LifeEvent } from './call-updates.js';

interface LiveAgent extends CallOwner {
  readonly description: string;
  /** Nobody waits for it: what it does goes on when the turn of the client is over, where no call may be open. */
  readonly isBackground: boolean;
  calls: number;
  tokens: number;
}

export interface SubagentServices {
  readonly calls: CallUpdates;
  readonly notice: (text: string, severity?: 'info' | 'warning') => SessionUpdate;
}

/**
 * What subagents do, for a client: ACP has no tree, so each of their calls is a call of its own that names the subagent and,
 * in `_meta`, the call above it; how far they are is the content of that call.
 */
export class SubagentUpdates {
  readonly #calls: CallUpdates;
  readonly #notice: SubagentServices['notice'];
  readonly #agents = new Map<string, LiveAgent>();

  constructor({ calls, notice }: SubagentServices) {
    this.#calls = calls;
    this.#notice = notice;
  }

  /** The key of the call that an event of a subagent is about; undefined for none. */
  keyOf(event: SubagentEvent): string | undefined {
    let current = event;
    for (;;) {
      if (current.type !== 'subagent-event') return undefined;
      const { event: next, agentId } = current;
      if (next.type === 'subagent-start' || next.type === 'subagent-event' || next.type === 'subagent-end')
        current = next;
      else if (!('callId' in next) || next.callId === undefined) return undefined;
      else return callKey({ callId: next.callId, agent: this.#agents.get(agentId)?.name });
    }
  }

  of(event: SubagentEvent): SessionUpdate[] {
    const updates: SessionUpdate[] = [];
    let above: LiveAgent | undefined;
    let current = event;
    for (;;) {
      if (current.type === 'subagent-start') return [...updates, ...this.#begin(current, above)];
      const agent = this.#agents.get(current.agentId);
      // What began before the client listened.
      if (agent === undefined) return updates;
      if (current.type === 'subagent-end') return [...updates, ...this.#end(current, agent)];
      const { event: next } = current;
      this.#count(agent, innermost(next));
      if (next.type !== 'subagent-start' && next.type !== 'subagent-event' && next.type !== 'subagent-end')
        return [...updates, ...this.#inner(agent, next)];
      [above, current] = [agent, next];
    }
  }

  #begin(start: Extract<SubagentEvent, { type: 'subagent-start' }>, parent: LiveAgent | undefined): SessionUpdate[] {
    const { agentId, agent, callId, isBackground: detached = false } = start;
    const name = agentLabel(agent, agentId);
    const label = cutLine(safeLine(name));
    const isBackground = detached || parent?.isBackground === true;
    const above = callKey({ callId, agent: parent?.name });
    const description = safeLine(start.description);
    this.#agents.set(agentId, { agentId, name, label, above, description, isBackground, calls: 0, tokens: 0 });
    if (detached) return [this.#notice(`${label} works in the background: ${description}`)];
    return isBackground ? [] : this.#calls.progress(above, `${label} begins: ${description}`);
  }

  #end(end: Extract<SubagentEvent, { type: 'subagent-end' }>, agent: LiveAgent): SessionUpdate[] {
    this.#agents.delete(agent.agentId);
    const closed = this.#calls.closeOpen(agent.agentId);
    const line = subagentEndLine(agent.label, end);
    return agent.isBackground
      ? [...closed, this.#notice(`${line} (${agent.description})`)]
      : [...closed, ...this.#calls.progress(agent.above, line)];
  }

  #count(agent: LiveAgent, event: AgentEvent): void {
    if (event.type === 'tool-call-start') agent.calls += 1;
    if (event.type === 'assistant-message')
      agent.tokens += (event.usage?.inputTokens ?? 0) + (event.usage?.outputTokens ?? 0);
  }

  #inner(agent: LiveAgent, event: AgentEvent): SessionUpdate[] {
    if (event.type === 'tool-call-start') {
      if (agent.isBackground) return [];
      return [...this.#calls.of(event, agent), ...this.#calls.progress(agent.above, progressOf(agent, event))];
    }
    const warning = warningOf(event);
    const notes = warning === undefined ? [] : [this.#notice(`${agent.label}: ${warning}`, 'warning')];
    return isOfCall(event) ? [...this.#calls.of(event, agent), ...notes] : notes;
  }
}

function isOfCall(event: AgentEvent): event is LifeEvent {
  const { type } = event;
  return (
    type === 'approval-request' ||
    type === 'approval-answer' ||
    type === 'tool-call-update' ||
    type === 'tool-call-end' ||
    type === 'tool-call-start'
  );
}

function warningOf(event: AgentEvent): string | undefined {
  if (event.type === 'notice') return event.level === 'warning' ? event.text : undefined;
  if (event.type === 'approval-answer') return event.problem;
  return event.type === 'hook-run' && event.problem !== undefined ? hookLine(event) : undefined;
}

const LONGEST_LABEL = 60;

function cutLine(line: string): string {
  return line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL - 1)}…` : line;
}

function progressOf(
  { label, description, calls, tokens }: LiveAgent,
  { displayName, title }: Extract<AgentEvent, { type: 'tool-call-start' }>,
): string {
  return `${label}: ${description}\n${workDone(calls, tokens)} · ${safeLine(displayName)} ${safeLine(title)}`;
}
