import type { ApprovalAnswer, ApprovalRequest, Approver } from '../scheduler/approval.js';
import { ToolConfirmationOutcome } from '../tools/confirmation.js';

/** `hang`: the person does not answer; the question ends when its signal is aborted. */
export type ScriptedApproval =
  | ToolConfirmationOutcome
  | ApprovalAnswer
  | 'hang'
  | ((request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>);

export interface FakeApprover {
  readonly approver: Approver;
  /** Every question, in the order in which it was asked. */
  readonly requests: readonly ApprovalRequest[];
}

/**
 * A person who answers from a script, one entry for each question in the order of asking. After the
 * last entry every question is refused, with words that say so, unless `otherwise` says different.
 */
export function createFakeApprover(script: readonly ScriptedApproval[], otherwise?: ScriptedApproval): FakeApprover {
  const requests: ApprovalRequest[] = [];
  const approver: Approver = async (request, signal) => {
    const entry = script[requests.length] ?? otherwise;
    requests.push(request);
    if (entry === undefined) {
      const feedback = `The fake approver has ${script.length} answers, and this is question ${requests.length}.`;
      return { outcome: ToolConfirmationOutcome.Cancel, feedback };
    }
    if (entry === 'hang') return untilAborted(signal);
    if (typeof entry === 'function') return entry(request);
    return typeof entry === 'string' ? { outcome: entry } : entry;
  };
  return { approver, requests };
}

async function untilAborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
