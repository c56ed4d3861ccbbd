import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../scheduler/approval.js';
import { ToolConfirmationOutcome } from '../tools/confirmation.js';
import { createFakeApprover } from './fake-approver.js';

const request = (callId: string): ApprovalRequest => ({
  callId,
  toolName: 'edit',
  displayName: 'Edit',
  description: 'Edit a file',
  effects: [],
  details: { type: 'info', title: 'Edit', prompt: 'Edit?' },
  reason: 'the mode asks',
  alwaysRules: [],
  canModify: false,
  changedSinceApproval: false,
});
const signal = new AbortController().signal;

describe('createFakeApprover', () => {
  it('answers in the order of its script and records what it was asked', async () => {
    const { approver, requests } = createFakeApprover([
      ToolConfirmationOutcome.ProceedOnce,
      { outcome: ToolConfirmationOutcome.Cancel, feedback: 'not there' },
      ({ callId }) => ({ outcome: ToolConfirmationOutcome.ModifyWithEditor, newContent: callId }),
    ]);
    expect(await approver(request('1'), signal)).toEqual({ outcome: 'proceed_once' });
    expect(await approver(request('2'), signal)).toEqual({ outcome: 'cancel', feedback: 'not there' });
    expect(await approver(request('3'), signal)).toEqual({ outcome: 'modify_with_editor', newContent: '3' });
    expect(requests.map(({ callId }) => callId)).toEqual(['1', '2', '3']);
  });

  it('refuses what it has no answer for, unless told otherwise', async () => {
    const strict = createFakeApprover([]);
    expect(await strict.approver(request('1'), signal)).toEqual({
      outcome: 'cancel',
      feedback: 'The fake approver has 0 answers, and this is question 1.',
    });
    const kind = createFakeApprover([], ToolConfirmationOutcome.ProceedOnce);
    expect(await kind.approver(request('1'), signal)).toEqual({ outcome: 'proceed_once' });
  });

  it('lets a question hang until its signal is aborted', async () => {
    const controller = new AbortController();
    const answer = createFakeApprover(['hang']).approver(request('1'), controller.signal);
    controller.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
  });
});
