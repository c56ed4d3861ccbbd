import {
  agentLabel,
  makeSafe,
  safeText,
  type AgentEvent,
  type Painter,
  type Safe,
  type SubagentEvent,
} from '@tenon/core';
import { briefEnd } from './call-view.js';
import { hookLine } from './hook-line.js';
import { createRefusals, type Refusals } from './refusals.js';
import { safeLine } from './safe-lines.js';
import { subagentEndLine } from './subagent-line.js';

/** What subagents do, a line each, with the name of the one that does it: many may work at once. */
export interface SubagentView {
  /** Undefined when there is nothing to say. */
  line(event: SubagentEvent): Safe | undefined;
  /** Whether a subagent works for the call, so that its own progress says nothing new. */
  worksFor(callId: string): boolean;
}

interface Known {
  readonly name: Safe;
  readonly label: string;
  readonly refusals: Refusals;
}

const LONGEST_NAME = 60;

export function createSubagentView(paint: Painter): SubagentView {
  const agents = new Map<string, Known>();
  const callIds = new Set<string>();

  const knownAs = (agentId: string, agent = 'subagent'): Known => {
    const known = agents.get(agentId);
    if (known !== undefined) return known;
    const label = agentLabel(agent, agentId);
    const made = { label, name: makeSafe(label, { maxLength: LONGEST_NAME }), refusals: createRefusals() };
    agents.set(agentId, made);
    return made;
  };

  const inner = ({ name, refusals }: Known, event: AgentEvent): Safe | undefined => {
    const said = (words: Safe): Safe => safeText`  ${paint('cyan', name)} ${words}`;
    const { type } = event;
    if (type === 'tool-call-start')
      return said(safeText`${paint('bold', safeLine(event.displayName))} ${safeLine(event.title)}`);
    if (type === 'approval-answer') refusals.onEvent(event);
    const end = type === 'tool-call-end' ? briefEnd(event, refusals, paint) : undefined;
    if (end !== undefined) return said(end);
    const warning = warningOf(event);
    return warning === undefined ? undefined : said(paint('yellow', safeLine(warning)));
  };

  const line = (event: SubagentEvent): Safe | undefined => {
    let current = event;
    for (;;) {
      const { agentId } = current;
      if (current.type === 'subagent-start') {
        const { name } = knownAs(agentId, current.agent);
        const where = current.isBackground === true ? ' in the background' : '';
        return safeText`  ${paint('cyan', name)} ${safeLine(`begins${where}: ${current.description}`)}`;
      }
      if (current.type === 'subagent-end') {
        const { label } = knownAs(agentId);
        agents.delete(agentId);
        return safeText`  ${paint('dim', safeLine(subagentEndLine(label, current)))}`;
      }
      const { event: next } = current;
      if (next.type !== 'subagent-start' && next.type !== 'subagent-event' && next.type !== 'subagent-end')
        return inner(knownAs(agentId), next);
      current = next;
    }
  };

  return {
    line(event) {
      if (event.type === 'subagent-start') callIds.add(event.callId);
      return line(event);
    },
    worksFor: (callId) => callIds.has(callId),
  };
}

function warningOf(event: AgentEvent): string | undefined {
  if (event.type === 'model-retry') return `tries again: ${event.reason}`;
  if (event.type === 'notice') return event.level === 'warning' ? event.text : undefined;
  if (event.type === 'hook-run') return event.problem === undefined ? undefined : hookLine(event);
  return event.type === 'approval-answer' ? event.problem : undefined;
}
