import { readFile, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { Config } from '../config/config.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import { openUndo } from '../session/open-undo.js';
import { projectFolders } from '../session/project-folders.js';
import { createTempConfig } from '../testing/temp-config.js';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { ExitPlanModeTool } from './exitPlanMode.js';
import { ToolConfirmationOutcome, type ConfirmationWords, type ToolResult } from './tools.js';

const plans = await createTempWorkspace();
const folder = join(plans.root, 'plans');
const planning = { canAsk: true, place: { folder } };
const { config, reset, remove } = await createTempConfig({ approvalMode: ApprovalMode.PLAN, planning });
const tool = new ExitPlanModeTool(config);
const { signal } = new AbortController();
afterEach(reset);
afterAll(async () => {
  await remove();
  await plans.remove();
});

describe('ExitPlanModeTool', () => {
  async function answer(outcome: ToolConfirmationOutcome, words?: ConfirmationWords): Promise<ToolResult> {
    const invocation = tool.build({ plan: '1. Fix it' });
    const details = await invocation.shouldConfirmExecute?.(signal);
    expect(details).toMatchObject({ type: 'plan', plan: '1. Fix it' });
    if (details) await details.onConfirm?.(outcome, words);
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
    expect((await answer(ToolConfirmationOutcome.ModifyWithEditor)).error?.type).toBe('execution_denied');
    expect(config.getApprovalMode()).toBe(ApprovalMode.PLAN);
  });

  it('offers the mode that was before plan mode, and goes back to it', async () => {
    config.setApprovalMode(ApprovalMode.YOLO);
    config.setApprovalMode(ApprovalMode.PLAN);
    config.setApprovalMode(ApprovalMode.PLAN);
    const details = await tool.build({ plan: 'x' }).shouldConfirmExecute?.(signal);
    expect(details).toMatchObject({
      choices: [
        { outcome: 'proceed_once', mode: 'default' },
        { outcome: 'proceed_always', mode: 'auto_edit' },
        { outcome: 'restore_previous', mode: 'yolo' },
      ],
    });
    await answer(ToolConfirmationOutcome.RestorePrevious);
    expect(config.getApprovalMode()).toBe(ApprovalMode.YOLO);
    expect(config.getPlanning().modeBefore).toBeUndefined();
  });

  it('does not go back to a mode where there was none before', async () => {
    const begun = await createTempConfig({ approvalMode: ApprovalMode.PLAN, planning });
    try {
      const invocation = new ExitPlanModeTool(begun.config).build({ plan: 'x' });
      const details = await invocation.shouldConfirmExecute?.(signal);
      if (details) await details.onConfirm?.(ToolConfirmationOutcome.RestorePrevious);
      expect((await invocation.execute(signal)).error?.type).toBe('execution_denied');
      expect(begun.config.getApprovalMode()).toBe('plan');
    } finally {
      await begun.remove();
    }
  });

  it('offers each mode once', async () => {
    config.setApprovalMode(ApprovalMode.AUTO_EDIT);
    config.setApprovalMode(ApprovalMode.PLAN);
    const details = await tool.build({ plan: 'x' }).shouldConfirmExecute?.(signal);
    expect(details && details.type === 'plan' && details.choices?.map(({ mode }) => mode)).toEqual([
      'default',
      'auto_edit',
    ]);
  });

  it('tells the plan that the person made of it, word for word', async () => {
    const newContent = '1. Fix it\n2. Test it — "twice"\n';
    const { llmContent, data } = await answer(ToolConfirmationOutcome.ProceedAlways, { newContent });
    expect(llmContent).toContain(`carry out this plan, not yours:\n\n${newContent}\n`);
    expect(data).toMatchObject({ plan: newContent, isEdited: true, mode: 'auto_edit' });
    config.setApprovalMode(ApprovalMode.PLAN);
    const edited = await answer(ToolConfirmationOutcome.ModifyWithEditor, { newContent: 'only this' });
    expect(edited.data).toMatchObject({ plan: 'only this', mode: 'default' });
    config.setApprovalMode(ApprovalMode.PLAN);
    const emptied = await answer(ToolConfirmationOutcome.ProceedOnce, { newContent: ' \n', feedback: 'quickly' });
    expect(emptied.data).toMatchObject({ plan: '1. Fix it', isEdited: false });
    expect(emptied.llmContent).toContain('Their words: "quickly"');
  });

  it('keeps each approved plan in a file of its own, readable by its owner only', async () => {
    const files = [await answer(ToolConfirmationOutcome.ProceedOnce)].map(({ data }) => fileOf(data));
    config.setApprovalMode(ApprovalMode.PLAN);
    files.push(fileOf((await answer(ToolConfirmationOutcome.ProceedOnce)).data));
    expect(new Set(files).size).toBe(2);
    for (const file of files) {
      expect(file).toMatch(/plans\/\d{4}-\d\d-\d\d-\d{6}-1-fix-it(-\d+)?\.md$/);
      expect(await readFile(file, 'utf8')).toBe('1. Fix it\n');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
  });

  it('keeps it in the project as a change that undo takes back, where the setting says so', async () => {
    const base = await createTempWorkspace({ 'project/': '', 'home/': '', 'away/': '' });
    const roots = [base.path('project')];
    const tenonHome = base.path('home');
    const folders = projectFolders(tenonHome, base.path('project'));
    const place = { folder: base.path('project/docs/plans'), within: base.path('project') };
    const own = new Config({
      roots,
      tempDir: folders.temp,
      journalDir: folders.journal,
      approvalMode: ApprovalMode.PLAN,
      runCommand: config.getCommandRunner(),
      jobs: config.getJobs(),
      childEnvironment: {},
      planning: { canAsk: true, place },
    });
    const approve = async () => {
      own.setApprovalMode(ApprovalMode.PLAN);
      const invocation = new ExitPlanModeTool(own).build({ plan: '1. Fix it' });
      const details = await invocation.shouldConfirmExecute?.(signal);
      if (details) await details.onConfirm?.(ToolConfirmationOutcome.ProceedOnce);
      return invocation.execute(signal);
    };
    try {
      const files = [fileOf((await approve()).data), fileOf((await approve()).data)];
      expect(new Set(files).size).toBe(2);
      for (const file of files) expect(await readFile(file, 'utf8')).toBe('1. Fix it\n');
      expect((await openUndo({ roots, tenonHome }).undo({ last: 2 })).complete).toBe(true);
      for (const file of files) await expect(stat(file)).rejects.toThrow('ENOENT');
      await rm(base.path('project/docs'), { recursive: true, force: true });
      await symlink(base.path('away'), base.path('project/docs'));
      expect((await approve()).returnDisplay).toMatchObject({
        note: expect.stringContaining('leads out of') as string,
      });
      await rm(base.path('project/docs'));
      await symlink(base.path('nowhere'), base.path('project/docs'));
      expect((await approve()).returnDisplay).toMatchObject({
        note: expect.stringContaining('not be saved') as string,
      });
      await expect(stat(base.path('nowhere'))).rejects.toThrow('ENOENT');
    } finally {
      await own.close();
      await base.remove();
    }
  });

  it('approves also where the file cannot be written, and says so', async () => {
    await plans.write({ file: 'no folder' });
    const place = { folder: join(plans.root, 'file') };
    const other = await createTempConfig({ approvalMode: ApprovalMode.PLAN, planning: { canAsk: true, place } });
    try {
      const invocation = new ExitPlanModeTool(other.config).build({ plan: 'x' });
      const details = await invocation.shouldConfirmExecute?.(signal);
      if (details) await details.onConfirm?.(ToolConfirmationOutcome.ProceedOnce);
      const result = await invocation.execute(signal);
      expect(result.error).toBeUndefined();
      expect(result.returnDisplay).toMatchObject({
        plan: 'x',
        note: expect.stringContaining('It could not be saved:'),
      });
      expect(other.config.getApprovalMode()).toBe('default');
    } finally {
      await other.remove();
    }
  });

  it('says so when plan mode is not on, and asks nothing', async () => {
    config.setApprovalMode(ApprovalMode.YOLO);
    const invocation = tool.build({ plan: 'x' });
    expect(await invocation.shouldConfirmExecute?.(signal)).toBe(false);
    expect((await invocation.execute(signal)).llmContent).toContain('Plan mode is not on');
    expect(config.getApprovalMode()).toBe(ApprovalMode.YOLO);
    expect(await invocation.effects?.()).toEqual([{ kind: 'ask' }]);
  });

  it('has the plan as the answer where nobody can be asked', async () => {
    const alone = await createTempConfig({ approvalMode: ApprovalMode.PLAN });
    try {
      const invocation = new ExitPlanModeTool(alone.config).build({ plan: 'x' });
      expect(await invocation.shouldConfirmExecute?.(signal)).toBe(false);
      expect((await invocation.execute(signal)).error?.message).toContain('End with the plan as your answer.');
      expect(alone.config.getApprovalMode()).toBe('plan');
    } finally {
      await alone.remove();
    }
  });

  it('goes no further than the administrator lets it', async () => {
    const origin = 'managed settings (/m.json:1:2)';
    const answerUnder = async (mode: ApprovalMode) => {
      const approvalCeiling = { mode, origin };
      const held = await createTempConfig({ approvalMode: ApprovalMode.PLAN, approvalCeiling, planning });
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

function fileOf(data: unknown): string {
  return typeof data === 'object' && data !== null && 'file' in data && typeof data.file === 'string' ? data.file : '';
}
