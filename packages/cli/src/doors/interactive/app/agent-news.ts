import type { Agent, AgentEvent, BackgroundSubagent, StopReason, SubagentEvent } from '@tenon/core';

export interface AgentNews {
  /** Whatever the stream tells. True for what is told from here: where the stream tells it, it comes late. */
  readonly isTold: (event: AgentEvent) => boolean;
  /** What is shown begins anew: those that work are told again. */
  readonly again: () => void;
}

/** Tells of subagents in the background at once, when they begin and when they end, between prompts too. */
export function agentNews(agent: Pick<Agent, 'config'>, show: (event: SubagentEvent) => void): AgentNews {
  const known = new Set<string>();
  const all = (): readonly BackgroundSubagent[] => agent.config.getSubagents()?.background() ?? [];
  const watch = (): void => {
    for (const one of all()) {
      if (known.has(one.agentId)) continue;
      known.add(one.agentId);
      show(startOf(one));
      void one.ended.then(() => show(endOf(one)));
    }
  };
  return {
    isTold(event) {
      // One begins within the call that starts it.
      if (event.type === 'tool-call-end' || event.type === 'subagent-start') watch();
      return (event.type === 'subagent-start' || event.type === 'subagent-end') && known.has(event.agentId);
    },
    again() {
      for (const one of all()) if (one.state === 'running' && known.has(one.agentId)) show(startOf(one));
    },
  };
}

function startOf({ agentId, agent, description }: BackgroundSubagent): SubagentEvent {
  const nowhere = { callId: '', model: '', logFile: '' };
  return { type: 'subagent-start', ...nowhere, agentId, agent, description, isBackground: true };
}

function endOf({ agentId, report }: BackgroundSubagent): SubagentEvent {
  const { stopReason = 'completed', turns = 0, toolCalls = 0, durationMs = 0 } = report ?? {};
  const usage = { inputTokens: 0, outputTokens: 0 };
  // A report has the reason as the loop gave it.
  const reason = stopReason as StopReason;
  const counts = { turns, toolCalls, usage, durationMs };
  return { type: 'subagent-end', callId: '', agentId, stopReason: reason, model: '', ...counts };
}
