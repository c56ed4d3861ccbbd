import type { AgentEvent, CallEvent } from '@tenon/core';
import { innermost } from './subagent-line.js';

type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;

/** Why calls were denied, in words for a person: what the result says is meant for the model. */
export interface Refusals {
  onEvent(event: AgentEvent): void;
  reasonOf(end: Pick<CallEnd, 'callId' | 'verdict' | 'error'>): string;
  /** True when it was the person who said no: they need not be told how to allow it. */
  wasByPerson(callId: string): boolean;
  /** True when nobody could be asked, so that a rule would have let it run. */
  wasByNobody(callId: string): boolean;
}

export function createRefusals(): Refusals {
  const answers = new Map<string, Extract<AgentEvent, { type: 'approval-answer' }>>();
  const refusedBy = (callId: string): 'person' | 'nobody' | undefined => {
    const answer = answers.get(callId);
    return answer?.outcome === 'cancel' ? answer.by : undefined;
  };
  return {
    onEvent(event) {
      const answer = innermost(event);
      if (answer.type === 'approval-answer') answers.set(answer.callId, answer);
    },
    reasonOf({ callId, verdict, error }) {
      const by = refusedBy(callId);
      if (by === 'person') return 'you said no';
      if (by === 'nobody') return `${verdict?.reason ?? 'it needs approval'}; nobody can be asked`;
      if (verdict?.decision === 'deny') return verdict.reason;
      return error?.message ?? 'denied';
    },
    wasByPerson: (callId) => refusedBy(callId) === 'person',
    wasByNobody: (callId) => refusedBy(callId) === 'nobody',
  };
}
