import { ToolConfirmationOutcome, ToolNames, type Approver } from '@tenon/core';

/** Commands that the person typed themselves. */
export interface TypedCalls {
  /** To be the agent's approver: says yes, once, to exactly what was typed, and leaves every other question to the person. */
  readonly approver: Approver;
  /** The person typed this command, and it is about to be called under this id. What is returned takes that back. */
  expect(callId: string, command: string): () => void;
}

/**
 * Whoever types a command has said yes to it: it is not asked about again. What the policy denies stays denied, and a call
 * that is not letter by letter what was typed, or no longer does what it did, is asked about as ever.
 */
export function createTypedCalls(ask: Approver): TypedCalls {
  const expected = new Map<string, string>();
  return {
    approver: async (request, signal) => {
      const command = expected.get(request.callId);
      expected.delete(request.callId);
      const { details, toolName, changedSinceApproval } = request;
      const isTyped = toolName === ToolNames.SHELL && details.type === 'exec' && details.command === command;
      if (command !== undefined && isTyped && !changedSinceApproval)
        return { outcome: ToolConfirmationOutcome.ProceedOnce };
      return ask(request, signal);
    },
    expect: (callId, command) => {
      expected.set(callId, command);
      return () => void expected.delete(callId);
    },
  };
}
