import type { Agent, AgentEvent, ApprovalAnswer, Approver, SubagentEvent } from '@tenon/core';
import { innermost } from '../../ui/subagent-line.js';

/** Questions that are answered by lines of the input. */
export interface QuestionDesk {
  readonly approver: Approver;
  /** False: nothing is asked about that call. */
  readonly answer: (callId: string, answer: ApprovalAnswer) => boolean;
  /** The agent whose subagents ask. */
  readonly follow: (agent: Pick<Agent, 'config'>) => void;
  /** Looks at what is told. */
  readonly note: (event: AgentEvent) => void;
  /** Nobody answers any more: what waits and what comes is refused. */
  readonly close: () => void;
}

/** `tell`: told of questions of which no event of the stream tells, since their agent works in the background. */
export function createQuestionDesk(tell: (event: SubagentEvent) => void): QuestionDesk {
  const waiting = new Map<string, (answer: ApprovalAnswer) => void>();
  const closing = new AbortController();
  const inBackground = new Set<string>();
  let agents: () => Iterable<string> = () => [];
  const isUntold = (agentId: string): boolean => {
    // The beginning of one may not have been told yet.
    for (const id of agents()) inBackground.add(id);
    return withThoseAbove(agentId).some((id) => inBackground.has(id));
  };
  return {
    approver: (request, signal) =>
      new Promise((resolve, reject) => {
        const ended = AbortSignal.any([signal, closing.signal]);
        const give = (answer: ApprovalAnswer): void => {
          waiting.delete(request.callId);
          resolve(answer);
        };
        const refuse = (): void => {
          waiting.delete(request.callId);
          reject(new Error('Standard input has ended: nobody answers.'));
        };
        waiting.set(request.callId, give);
        ended.addEventListener('abort', refuse, { once: true });
        if (ended.aborted) return refuse();
        const { callId, agentId } = request;
        if (agentId !== undefined && isUntold(agentId))
          tell({ type: 'subagent-event', callId: '', agentId, event: { type: 'approval-request', callId, request } });
      }),
    answer(callId, answer) {
      const give = waiting.get(callId);
      give?.(answer);
      return give !== undefined;
    },
    follow({ config }) {
      agents = () => (config.getSubagents()?.background() ?? []).map(({ agentId }) => agentId);
    },
    note(event) {
      const told = innermost(event);
      if (told.type === 'subagent-start' && told.isBackground === true) inBackground.add(told.agentId);
    },
    close: () => closing.abort(),
  };
}

/** `a1.2`: `a1`, and that one. */
function withThoseAbove(agentId: string): readonly string[] {
  const names = agentId.split('.');
  return names.map((_, index) => names.slice(0, index + 1).join('.'));
}
