import { describe, expect, it } from 'vitest';
import type { ApprovalAnswer, ApprovalRequest, PlanChoice } from '@tenon/core';
import type { EditText } from '../edit-text.js';
import { createPanelApprover } from './panel-approver.js';
import { createPanelStage, type PanelStage } from './testing/panel-stage.js';
import { TimeByHand } from './testing/time-by-hand.js';

const PLAN = '# The plan\n\n1. **Read** it\n2. Fix `a.ts`\n';
const CHOICES: readonly PlanChoice[] = [
  { outcome: 'proceed_once', mode: 'default' },
  { outcome: 'proceed_always', mode: 'auto_edit' },
  { outcome: 'restore_previous', mode: 'yolo' },
];

interface Person {
  readonly stage: PanelStage;
  readonly answer: Promise<ApprovalAnswer>;
  readonly press: (...names: readonly string[]) => void;
}

function person(editText: EditText = async (text) => text, choices = CHOICES, rows = 24): Person {
  const stage = createPanelStage({ columns: 80, rows });
  const time = new TimeByHand();
  const approver = createPanelApprover({
    stage,
    editText,
    interrupt: () => undefined,
    bell: () => undefined,
    after: time.after,
  });
  const request: ApprovalRequest = {
    callId: '1',
    toolName: 'exit_plan_mode',
    displayName: 'ExitPlanMode',
    description: 'the plan, for approval',
    effects: [{ kind: 'ask' }],
    details: { type: 'plan', title: 'Leave plan mode and carry out this plan?', plan: PLAN, choices },
    reason: 'it is a question for you',
    alwaysRules: [],
    canModify: true,
    changedSinceApproval: false,
  };
  return {
    stage,
    answer: approver(request, new AbortController().signal),
    press(...names) {
      for (const name of names) {
        stage.frame();
        time.pass(1_000);
        stage.press(name);
      }
    },
  };
}

describe('a plan to approve', () => {
  it('is drawn as Markdown, and shown as it was written on request', () => {
    const { stage, press } = person();
    expect(stage.screen()).toContain('Leave plan mode and carry out this plan?');
    expect(stage.screen()).toContain('1. Read it');
    expect(stage.screen()).not.toContain('**Read**');
    expect(stage.screen()).toContain('[y] yes, and ask before changes');
    expect(stage.screen()).toContain('[a] yes, and accept edits');
    expect(stage.screen()).toContain('[r] yes, back to yolo mode');
    press('s');
    expect(stage.screen()).toContain('1. **Read** it');
  });

  it.each<[readonly string[], object]>([
    [['y'], { outcome: 'proceed_once' }],
    [['a'], { outcome: 'proceed_always' }],
    [['r'], { outcome: 'restore_previous' }],
    [['escape'], { outcome: 'cancel' }],
    [['n', '«smaller»', 'enter'], { outcome: 'cancel', feedback: 'smaller' }],
    [['enter', 'enter'], { outcome: 'cancel' }],
  ])('is answered by %j', async (keys, expected) => {
    const { answer, press } = person();
    press(...keys);
    expect(await answer).toEqual(expected);
  });

  it('offers only the modes that there are', () => {
    const { stage } = person(undefined, CHOICES.slice(0, 1));
    expect(stage.screen()).toContain('[y] yes');
    expect(stage.screen()).not.toContain('[a]');
    expect(stage.screen()).not.toContain('[r]');
  });

  it('is changed in the editor, shown again, and agreed to as the person made it', async () => {
    const seen: string[] = [];
    const { stage, answer, press } = person(async (text, fileName) => {
      seen.push(fileName, text);
      return `${text}3. Test it\n`;
    });
    press('e');
    await expect.poll(() => stage.screen()).toContain('3. Test it');
    expect(stage.screen()).toContain('This is your version');
    expect(stage.lent).toBe(1);
    press('e');
    await expect.poll(() => seen.length).toBe(4);
    await expect.poll(() => stage.screen()).toContain('4. Test it');
    press('a');
    expect(await answer).toEqual({
      outcome: 'proceed_always',
      newContent: `${PLAN}3. Test it\n3. Test it\n`,
    });
    expect(seen).toEqual(['plan.md', PLAN, 'plan.md', `${PLAN}3. Test it\n`]);
  });

  it('is changed in place as well', async () => {
    const { stage, answer, press } = person();
    press('i', '«0. Ask. »', 'ctrl+s');
    expect(stage.screen()).toContain('0. Ask. # The plan');
    press('y');
    expect(await answer).toEqual({ outcome: 'proceed_once', newContent: `0. Ask. ${PLAN}` });
  });

  it('stays as it was when it is emptied, or the editor fails', async () => {
    const emptied = person(async () => ' \n');
    emptied.press('e');
    await expect.poll(() => emptied.stage.screen()).toContain('An empty plan is none');
    emptied.press('y');
    expect(await emptied.answer).toEqual({ outcome: 'proceed_once' });
    const failed = person(async () => Promise.reject(new Error('no editor')));
    failed.press('e');
    await expect.poll(() => failed.stage.screen()).toContain('no editor');
    failed.press('escape');
    expect(await failed.answer).toEqual({ outcome: 'cancel' });
  });
});
