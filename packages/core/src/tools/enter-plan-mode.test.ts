import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { EnterPlanModeTool } from './enter-plan-mode.js';
import { ToolConfirmationOutcome, type ToolResult } from './tools.js';

const { config, reset, remove } = await createTempConfig({ planning: { canAsk: true } });
const tool = new EnterPlanModeTool(config);
const { signal } = new AbortController();
afterEach(reset);
afterAll(remove);

async function answer(outcome: ToolConfirmationOutcome): Promise<ToolResult> {
  const invocation = tool.build({ reason: 'It touches every file.' });
  const details = await invocation.shouldConfirmExecute?.(signal);
  expect(details).toMatchObject({ type: 'info', prompt: 'It touches every file.' });
  if (details) await details.onConfirm?.(outcome);
  return invocation.execute(signal);
}

describe('EnterPlanModeTool', () => {
  it('switches plan mode on when the person says yes, and remembers what was before (S125)', async () => {
    config.setApprovalMode('auto_edit');
    expect((await answer(ToolConfirmationOutcome.ProceedOnce)).llmContent).toContain('plan mode is on');
    expect(config.getApprovalMode()).toBe('plan');
    expect(config.getPlanning().modeBefore).toBe('auto_edit');
    const again = tool.build({ reason: 'x' });
    expect(await again.shouldConfirmExecute?.(signal)).toBe(false);
    expect((await again.execute(signal)).llmContent).toContain('on already');
    expect(config.getPlanning().modeBefore).toBe('auto_edit');
  });

  it('changes nothing without a yes', async () => {
    expect((await answer(ToolConfirmationOutcome.Cancel)).error?.type).toBe('execution_denied');
    expect((await tool.build({ reason: 'x' }).execute(signal)).error?.type).toBe('execution_denied');
    expect(config.getApprovalMode()).toBe('default');
  });

  it('has the model plan all the same where nobody can be asked', async () => {
    const alone = await createTempConfig();
    try {
      const unasked = new EnterPlanModeTool(alone.config);
      expect(unasked.isOffered).toBe(false);
      const invocation = unasked.build({ reason: 'x' });
      expect(await invocation.shouldConfirmExecute?.(signal)).toBe(false);
      expect((await invocation.execute(signal)).error?.message).toContain('the mode stays default. Plan all the same');
      expect(alone.config.getApprovalMode()).toBe('default');
    } finally {
      await alone.remove();
    }
  });

  it('needs a reason', () => {
    expect(tool.validateToolParams({ reason: ' ' })).toContain('The reason is empty');
  });
});
