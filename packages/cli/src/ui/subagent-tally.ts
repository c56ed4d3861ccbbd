import type { AgentEvent, SubagentEvent } from '@tenon/core';

/** A subagent that has ended. */
export type SubagentSummary = Omit<Extract<SubagentEvent, { type: 'subagent-end' }>, 'type' | 'callId'> & {
  /** The name of its definition. */
  readonly agent: string;
  readonly description: string;
  /** The log of all that it said and did: absolute. */
  readonly logFile: string;
  /** The subagent that handed the work on. */
  readonly parentId?: string;
};

/** Counts what subagents of all depths did in a run. */
export interface SubagentTally {
  onEvent(event: AgentEvent): void;
  readonly ended: readonly SubagentSummary[];
}

type Begun = Pick<SubagentSummary, 'agent' | 'description' | 'logFile'>;

export function createSubagentTally(): SubagentTally {
  const ended: SubagentSummary[] = [];
  const begun = new Map<string, Begun>();

  const end = (event: Extract<SubagentEvent, { type: 'subagent-end' }>, parentId: string | undefined): void => {
    const { type: _type, callId: _callId, ...counts } = event;
    const { agent = '', description = '', logFile = '' } = begun.get(event.agentId) ?? {};
    ended.push({ ...counts, agent, description, logFile, ...(parentId !== undefined && { parentId }) });
    begun.delete(event.agentId);
  };

  return {
    ended,
    onEvent(event) {
      let parent: string | undefined;
      for (let current = event; ; current = current.event) {
        if (current.type === 'subagent-start') {
          const { agentId, agent, description, logFile } = current;
          begun.set(agentId, { agent, description, logFile });
        } else if (current.type === 'subagent-end') end(current, parent);
        if (current.type !== 'subagent-event') return;
        parent = current.agentId;
      }
    },
  };
}
