import { RequestError, type StopReason } from '@agentclientprotocol/sdk';
import type { AgentEvent, FinishReason } from '@tenon/core';

type PromptEnd = Extract<AgentEvent, { type: 'prompt-end' }>;

/**
 * How a turn ended, in the words of the protocol. Pure.
 * @throws RequestError when the model could not be reached or refused the request: then there was no turn
 */
export function stopReasonOf(
  end: Pick<PromptEnd, 'stopReason' | 'message'>,
  finish: FinishReason | undefined,
): StopReason {
  switch (end.stopReason) {
    case 'completed':
      if (finish === 'length') return 'max_tokens';
      return finish === 'content-filter' ? 'refusal' : 'end_turn';
    case 'cancelled':
      return 'cancelled';
    case 'max-turns':
    case 'max-tool-calls':
    case 'max-seconds':
    case 'max-cost':
    case 'loop':
      return 'max_turn_requests';
    case 'empty-answer':
    case 'model-error':
      throw new RequestError(-32603, end.message ?? 'The model could not be reached.');
    default:
      return end.stopReason satisfies never;
  }
}
