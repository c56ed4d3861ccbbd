import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import { createTempConfig } from '../testing/temp-config.js';
import { ExitPlanModeTool } from './exitPlanMode.js';
import { ToolConfirmationOutcome, type ToolResult } from './tools.js';

const { config, reset, remove } = await createTempConfig({ approvalMode: ApprovalMode.PLAN });
const tool = new ExitPlanModeTool(config);
const { signal } = new AbortController();
afterEach(reset);
afterAll(remove);

describe('ExitPlanModeTool', () => {
  async function answer(outcome: ToolConfirmationOutcome): Promise<ToolResult> {
    const invocation = tool.build({ plan: '1. Fix it' });
    const details = await invocation.shouldConfirmExecute?.(signal);
    expect(details).toMatchObject({ type: 'plan', plan: '1. Fix it' });
    if (details) await details.onConfirm?.(outcome);
    return invocation.execute(signal);
  }

  it('shows the plan and returns to normal operation when it is approved (S125)', async () => {
    const result = await answer(ToolConfirmationOutcome.ProceedOnce);
    expect(result.error).toBeUndefined();
    expect(result.llmContent).toContain('Plan mode is off');
    expect(config.getApprovalMode()).toBe(ApprovalMode.DEFAULT);
  });

  it('lets edits through without a question when the answer is always (S125)', async () => {
    await answer(ToolConfirmationOutcome.ProceedAlways);
    expect(config.getApprovalMode()).toBe(ApprovalMode.AUTO_EDIT);
  });

  it('stays in plan mode without a yes (S125)', async () => {
    expect((await answer(ToolConfirmationOutcome.Cancel)).error?.type).toBe('execution_denied');
    expect((await tool.build({ plan: 'x' }).execute(signal)).error?.type).toBe('execution_denied');
    expect(config.getApprovalMode()).toBe(ApprovalMode.PLAN);
  });

  it('says so when plan mode is not on, and asks nothing', async () => {
    config.setApprovalMode(ApprovalMode.YOLO);
    const invocation = tool.build({ plan: 'x' });
    expect(await invocation.shouldConfirmExecute?.(signal)).toBe(false);
    expect((await invocation.execute(signal)).llmContent).toContain('Plan mode is not on');
    expect(config.getApprovalMode()).toBe(ApprovalMode.YOLO);
    expect(await invocation.effects?.()).toEqual([{ kind: 'ask' }]);
  });

  it('goes no further than the administrator lets it', async () => {
    const origin = 'managed settings (/m.json:1:2)';
    const answerUnder = async (mode: ApprovalMode) => {
      const held = await createTempConfig({ approvalMode: ApprovalMode.PLAN, approvalCeiling: { mode, origin } });
      try {
        const invocation = new ExitPlanModeTool(held.config).build({ plan: 'x' });
        const details = await invocation.shouldConfirmExecute?.(signal);
        if (details) await details.onConfirm?.(ToolConfirmationOutcome.ProceedAlways);
        const { error } = await invocation.execute(signal);
        return { isAsked: details !== false, mode: held.config.getApprovalMode(), error };
      } finally {
        await held.remove();
      }
    };
    expect(await answerUnder(ApprovalMode.DEFAULT)).toEqual({ isAsked: true, mode: 'default', error: undefined });
    const inPlan = await answerUnder(ApprovalMode.PLAN);
    expect(inPlan).toMatchObject({ isAsked: false, mode: 'plan', error: { type: 'execution_denied' } });
    expect(inPlan.error?.message).toContain(`the ${origin} allow no other`);
  });

  it('refuses an empty plan', () => {
    expect(tool.validateToolParams({ plan: ' \n' })).toContain('The plan is empty');
  });
});
