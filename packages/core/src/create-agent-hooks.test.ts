import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { functionHook, type HookReply } from './hooks/function-hook.js';
import type { FunctionHook, HookEventName } from './hooks/hook-types.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { createFakeApprover } from './testing/fake-approver.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn } from './testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';
import { ToolConfirmationOutcome } from './tools/confirmation.js';

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agent: Agent | undefined;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({ 'a.txt': 'one\n', 'secret.txt': 'password\n' });
});
afterEach(async () => {
  await agent?.close();
  agent = undefined;
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

async function run(
  turns: readonly ScriptedTurn[],
  list: readonly FunctionHook[],
  options: Partial<AgentOptions> & { mayAllow?: boolean } = {},
): Promise<AgentEvent[]> {
  const { mayAllow = false, ...rest } = options;
  model = await startScriptedModel(turns);
  agent = await createAgent({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.DEFAULT,
    rules: [],
    environment: process.env,
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: 'test',
    hooks: { list, mayAllow },
    ...rest,
  });
  const events: AgentEvent[] = [];
  for await (const event of agent.prompt('go')) events.push(event);
  return events;
}

function saying(event: HookEventName, reply: HookReply, more: Partial<FunctionHook> = {}): FunctionHook {
  return { ...functionHook({ event, name: `says at ${event}`, run: () => reply }), ...more };
}

const read = (file: string): ScriptedTurn => ({
  toolCalls: [{ name: 'read_file', arguments: { absolute_path: workspace.path(file) } }],
});
const write = (file: string): ScriptedTurn => ({
  toolCalls: [{ name: 'write_file', arguments: { file_path: workspace.path(file), content: 'x' } }],
});
const done: ScriptedTurn = { text: 'done' };
const callEnd = (events: readonly AgentEvent[]) => events.find((event) => event.type === 'tool-call-end');
const hookRuns = (events: readonly AgentEvent[]) => events.filter((event) => event.type === 'hook-run');
const promptEnd = (events: readonly AgentEvent[]) => events.find((event) => event.type === 'prompt-end');
const sent = (): string => JSON.stringify(model.requests.at(-1)?.body.messages ?? []);

describe('hooks before a call', () => {
  it('deny it, and the log has it', async () => {
    const events = await run(
      [read('a.txt'), done],
      [saying('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no reading' })],
    );
    expect(callEnd(events)).toMatchObject({ status: 'denied' });
    expect(sent()).toContain('no reading');
    expect(hookRuns(events)).toMatchObject([{ event: 'PreToolUse', outcome: 'denied', callId: 'call_1_1' }]);
    expect(readFileSync(agent?.sessionFile ?? '', 'utf8')).toContain('"hook-run"');
  });

  it('have a call asked about that would have run', async () => {
    const { approver, requests } = createFakeApprover([{ outcome: ToolConfirmationOutcome.ProceedOnce }]);
    const events = await run([read('a.txt'), done], [saying('PreToolUse', { permissionDecision: 'ask' })], {
      approver,
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.reason).toContain('says at PreToolUse');
    expect(callEnd(events)).toMatchObject({ status: 'success' });
  });

  it('that rewrite it to something denied have it denied', async () => {
    const rules = [{ list: 'deny' as const, text: 'Read(/secret.txt)', origin: 'test' }];
    const updatedInput = { absolute_path: workspace.path('secret.txt') };
    const events = await run(
      [read('a.txt'), done],
      [saying('PreToolUse', { permissionDecision: 'allow', updatedInput })],
      {
        rules,
        mayAllow: true,
      },
    );
    expect(callEnd(events)).toMatchObject({ status: 'denied' });
    expect(sent()).not.toContain('password');
  });

  it('that rewrite it to something asked about have it asked about as it is now', async () => {
    const rules = [{ list: 'ask' as const, text: 'Read(/secret.txt)', origin: 'test' }];
    const { approver, requests } = createFakeApprover([{ outcome: ToolConfirmationOutcome.Cancel }]);
    const updatedInput = { absolute_path: workspace.path('secret.txt') };
    const events = await run(
      [read('a.txt'), done],
      [saying('PreToolUse', { permissionDecision: 'allow', updatedInput })],
      {
        rules,
        approver,
        mayAllow: true,
      },
    );
    expect(JSON.stringify(requests[0]?.effects)).toContain('secret.txt');
    expect(callEnd(events)).toMatchObject({ status: 'denied' });
    expect(hookRuns(events)[0]).toMatchObject({ updatedInput });
  });

  it('that rewrite it are looked at by the others, and the model is told', async () => {
    const updatedInput = { absolute_path: workspace.path('secret.txt') };
    const guard = functionHook({
      event: 'PreToolUse',
      name: 'guard',
      run: ({ tool_input: input }) => (JSON.stringify(input).includes('secret') ? { decision: 'block' } : undefined),
    });
    const events = await run([read('a.txt'), done], [guard, saying('PreToolUse', { updatedInput })]);
    expect(callEnd(events)).toMatchObject({ status: 'denied' });
  });

  it('that rewrite it to nonsense have it fail', async () => {
    const events = await run(
      [read('a.txt'), done],
      [saying('PreToolUse', { updatedInput: { absolute_path: 5, offset: 'x' } })],
    );
    expect(callEnd(events)).toMatchObject({ status: 'error' });
    expect(sent()).toContain('A hook of the user changed the arguments');
  });

  it('that rewrite it have the new call run, and say so', async () => {
    const updatedInput = { file_path: workspace.path('secret.txt') };
    const events = await run(
      [read('a.txt'), done],
      [saying('PreToolUse', { updatedInput, additionalContext: 'by order' })],
    );
    expect(callEnd(events)).toMatchObject({ status: 'success' });
    expect(sent()).toContain('password');
    expect(sent()).toContain('A hook of the user changed them');
    expect(sent()).toContain('by order');
  });

  it('that allow spare only the question of the mode, and only where the person said so', async () => {
    const allow = [saying('PreToolUse', { permissionDecision: 'allow' })];
    expect(callEnd(await run([write('b.txt'), done], allow))).toMatchObject({ status: 'denied' });
    await agent?.close();
    await model.close();
    expect(callEnd(await run([write('b.txt'), done], allow, { mayAllow: true }))).toMatchObject({ status: 'success' });
    await agent?.close();
    await model.close();
    const rules = [{ list: 'ask' as const, text: 'Edit', origin: 'test' }];
    expect(callEnd(await run([write('c.txt'), done], allow, { mayAllow: true, rules }))).toMatchObject({
      status: 'denied',
    });
    await agent?.close();
    await model.close();
    expect(callEnd(await run([write('.npmrc'), done], allow, { mayAllow: true }))).toMatchObject({ status: 'denied' });
    expect(existsSync(workspace.path('c.txt'))).toBe(false);
  });

  it('end the work on the prompt', async () => {
    const events = await run([read('a.txt'), done], [saying('PreToolUse', { continue: false, stopReason: 'enough' })]);
    expect(promptEnd(events)).toMatchObject({ stopReason: 'cancelled', turns: 1 });
    expect(callEnd(events)).toMatchObject({ status: 'denied' });
  });
});

describe('hooks at the question', () => {
  it('refuse before anybody is asked', async () => {
    const { approver, requests } = createFakeApprover([]);
    const deny = saying('PermissionRequest', { decision: 'block', reason: 'never' });
    const events = await run([write('b.txt'), done], [deny], { approver });
    expect(requests).toHaveLength(0);
    expect(callEnd(events)).toMatchObject({ status: 'denied' });
  });

  it('answer for nobody where they may', async () => {
    const allow = saying('PermissionRequest', { permissionDecision: 'allow' });
    expect(callEnd(await run([write('b.txt'), done], [allow], { mayAllow: true }))).toMatchObject({
      status: 'success',
    });
  });
});

describe('hooks after a call', () => {
  it('change what the model and the log get', async () => {
    const redact = functionHook({
      event: 'PostToolUse',
      run: ({ tool_response: { content } }) => ({ updatedToolOutput: content.replaceAll('password', '[redacted]') }),
    });
    const events = await run([read('secret.txt'), done], [redact]);
    expect(sent()).toContain('[redacted]');
    expect(JSON.stringify(events)).not.toContain('password');
  });

  it('object and add context, after failures as well', async () => {
    const after = saying('PostToolUse', { decision: 'block', reason: 'too short', additionalContext: 'see style.md' });
    const failed = saying('PostToolUseFailure', { additionalContext: 'try the other one' });
    await run([read('a.txt'), read('none.txt'), done], [after, failed]);
    expect(sent()).toContain('Not accepted: the hook');
    expect(sent()).toContain('see style.md');
    expect(sent()).toContain('try the other one');
  });

  it('withhold what they could not look at', async () => {
    const broken = functionHook({
      event: 'PostToolUse',
      failClosed: true,
      run: () => {
        throw new Error('no');
      },
    });
    await run([read('secret.txt'), done], [broken]);
    expect(sent()).toContain('The result is withheld');
    expect(sent()).not.toContain('password');
  });
});

describe('hooks of a session', () => {
  it('add to the first words, and block prompts before they are sent', async () => {
    const start = saying('SessionStart', { additionalContext: 'it is Monday' });
    await run([done], [start, saying('UserPromptSubmit', { additionalContext: 'be brief' })]);
    expect(sent()).toContain('it is Monday');
    expect(sent()).toContain('be brief');
    await agent?.close();
    await model.close();
    const events = await run([done], [saying('UserPromptSubmit', { decision: 'block', reason: 'has a key' })]);
    expect(promptEnd(events)).toMatchObject({
      stopReason: 'cancelled',
      turns: 0,
      message: expect.stringContaining('has a key'),
    });
    expect(model.requests).toHaveLength(0);
  });

  it('have it go on, but not for ever', async () => {
    const active: boolean[] = [];
    const stop = functionHook({
      event: 'Stop',
      run: ({ stop_hook_active: isActive }) => {
        active.push(isActive);
        return { decision: 'block', reason: 'tests fail' };
      },
    });
    const events = await run(
      Array.from({ length: 12 }, () => done),
      [stop],
    );
    expect(promptEnd(events)).toMatchObject({ stopReason: 'completed', turns: 9 });
    expect(active.slice(0, 2)).toEqual([false, true]);
    expect(sent()).toContain('tests fail');
  });

  it('are told of its end', async () => {
    const told: string[] = [];
    await run([done], [functionHook({ event: 'SessionEnd', run: ({ reason }) => void told.push(reason) })]);
    const file = agent?.sessionFile ?? '';
    await agent?.close();
    agent = undefined;
    expect(told).toEqual(['other']);
    expect(readFileSync(file, 'utf8')).toContain('SessionEnd');
  });
});

describe('a file that the model has not read', () => {
  const yes = createFakeApprover([], ToolConfirmationOutcome.ProceedOnce).approver;
  const hook = saying('PermissionRequest', { permissionDecision: 'allow' });

  it.each<[who: string, options: Parameters<typeof run>[2], hooks: readonly FunctionHook[], left: string]>([
    ['a person approves the diff', { approver: yes }, [], 'x'],
    ['nobody can be asked', {}, [], 'one\n'],
    ['a mode allows it', { approver: yes, approvalMode: ApprovalMode.AUTO_EDIT }, [], 'one\n'],
    ['a hook allows it', { approver: yes, mayAllow: true }, [hook], 'one\n'],
  ])('is overwritten only where a person approved: %s (S79)', async (_, options, hooks, left) => {
    const events = await run([write('a.txt'), done], hooks, options);
    expect(await workspace.read('a.txt')).toBe(left);
    const isWritten = left === 'x';
    expect(callEnd(events)?.error).toEqual(isWritten ? undefined : expect.objectContaining({}));
    expect(sent().includes('You have not read it. Read it first')).toBe(!isWritten && options?.approver === yes);
  });

  it('is overwritten with what the person made of the content', async () => {
    const answer = { outcome: ToolConfirmationOutcome.ModifyWithEditor, newContent: 'mine\n' };
    await run([write('a.txt'), done], [], { approver: createFakeApprover([answer]).approver });
    expect(await workspace.read('a.txt')).toBe('mine\n');
  });
});
