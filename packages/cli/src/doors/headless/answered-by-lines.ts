import type { ApprovalAnswer, Approver } from '@tenon/core';

/** Questions that are answered by lines of the input. */
export interface QuestionDesk {
  readonly approver: Approver;
  /** False: nothing is asked about that call. */
  readonly answer: (callId: string, answer: ApprovalAnswer) => boolean;
  /** Nobody answers any more: what waits and what comes is refused. */
  readonly close: () => void;
}

export function createQuestionDesk(): QuestionDesk {
  const waiting = new Map<string, (answer: ApprovalAnswer) => void>();
  const closing = new AbortController();
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
        if (ended.aborted) refuse();
      }),
    answer(callId, answer) {
      const give = waiting.get(callId);
      give?.(answer);
      return give !== undefined;
    },
    close: () => closing.abort(),
  };
}
