import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { functionHook } from './hooks/function-hook.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { decide } from './policy/decide.js';
import { ownToolNames } from './testing/own-tools.js';
import { createFakeApprover } from './testing/fake-approver.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn } from './testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';
import { ToolConfirmationOutcome } from './tools/confirmation.js';

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agents: Agent[];

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({ 'a.txt': 'one\n' });
  agents = [];
});
afterEach(async () => {
  for (const agent of agents) await agent.close();
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

async function begin(options: Partial<AgentOptions> = {}): Promise<Agent> {
  const agent = await createAgent({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.DEFAULT,
    rules: [],
    environment: process.env,
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: 'test',
    ...options,
  });
  agents.push(agent);
  return agent;
}

async function say(agent: Agent, text: string, signal?: AbortSignal): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.prompt(text, signal)) events.push(event);
  return events;
}

type CallEnd = Extract<AgentEvent, { type: 'tool-call-end' }>;
const endsOf = (events: readonly AgentEvent[]): CallEnd[] => events.filter((event) => event.type === 'tool-call-end');
const toldOf = (events: readonly AgentEvent[]): string => JSON.stringify(endsOf(events).map(({ content }) => content));
const call = (name: string, args: Readonly<Record<string, unknown>>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});
const done: ScriptedTurn = { text: 'done' };
const { ProceedOnce, ProceedAlways, Cancel } = ToolConfirmationOutcome;

const QUESTION = {
  questions: [{ question: 'Which one?', header: 'One', options: [{ label: 'a' }, { label: 'b' }] }],
};
const ask = call('ask_user', QUESTION);

describe('plan mode', () => {
  /** What of them changes something, or sends something away, with arguments with which it would. */
  const changing = (): Record<string, object> => ({
    edit: { file_path: workspace.path('a.txt'), old_string: 'one', new_string: 'two' },
    apply_patch: { patch: '*** Begin Patch\n*** Add File: new.txt\n+x\n*** End Patch\n' },
    write_file: { file_path: workspace.path('new.txt'), content: 'x' },
    run_shell_command: { command: 'touch new.txt' },
    job_input: { id: 'nothing', text: 'touch new.txt' },
    lsp: { operation: 'rename', file_path: workspace.path('a.txt'), line: 1, symbol: 'one', new_name: 'two' },
    web_fetch: { url: 'http://127.0.0.1:9/' },
    web_search: { query: 'x' },
    save_memory: { fact: 'The tests are run with make.' },
  });
  /** Reads what lies in the workspace, keeps what is the agent's own, or asks. */
  const harmless = [
    'read_file',
    'read_many_files',
    'list_directory',
    'glob',
    'grep_search',
    'job_output',
    'job_stop',
    'job_list',
    'todo_write',
    'tool_search',
    'mcp_resource',
    'skill',
    'task',
    'enter_plan_mode',
    'exit_plan_mode',
    'ask_user',
  ];

  it('lets no built-in tool change anything, and asks only before it reads the web (S125)', async () => {
    model = await startScriptedModel([]);
    const { approver, requests } = createFakeApprover([], ToolConfirmationOutcome.Cancel);
    const agent = await begin({
      approvalMode: ApprovalMode.PLAN,
      approver,
      environment: { ...process.env, BRAVE_API_KEY: 'none' },
    });
    const calls = changing();
    const unjudged = ownToolNames(agent.config).filter((name) => !harmless.includes(name) && !(name in calls));
    expect(unjudged).toEqual([]);
    const requested = Object.entries(calls).map(([toolName, args]) => ({
      callId: toolName,
      toolName,
      argumentsText: JSON.stringify(args),
    }));
    const ended = new Map<string, string>();
    for await (const event of agent.runCalls(requested, new AbortController().signal))
      if (event.type === 'tool-call-end') ended.set(event.toolName, event.status);
    // There is no language server here: what it would change cannot even be found out.
    for (const name of Object.keys(calls).filter((each) => each !== 'lsp'))
      expect([name, ended.get(name)]).toEqual([name, 'denied']);
    expect(ended.get('lsp')).not.toBe('success');
    expect(requests.map(({ toolName }) => toolName).sort()).toEqual(['web_fetch', 'web_search']);
    expect(readdirSync(workspace.root)).toEqual(['a.txt']);
    expect(readFileSync(workspace.path('a.txt'), 'utf8')).toBe('one\n');
  });

  it.each(['changes', 'destroys', 'unknown'] as const)('lets no tool of others run that %s (S125)', (does) => {
    const effect = { kind: 'foreign', from: 'files', tool: 'put', does, reason: 'nobody said more' } as const;
    const context = { mode: ApprovalMode.PLAN, rules: [], roots: ['/w'], home: '/h', controlFolders: [] };
    expect(decide({ toolName: 'mcp__files__put', effects: [effect] }, context).decision).toBe('deny');
    const reading = { ...effect, does: 'reads' } as const;
    expect(decide({ toolName: 'mcp__files__get', effects: [reading] }, context).decision).toBe('allow');
  });

  it('is entered when the person says yes, left with a plan that they changed, and goes on in the mode they chose (S125)', async () => {
    const plan = '# Plan\n1. Edit a.txt';
    const edited = '# Plan\n1. Edit a.txt to say "two"';
    model = await startScriptedModel([
      call('enter_plan_mode', { reason: 'Much to do.' }),
      call('write_file', { file_path: workspace.path('a.txt'), content: 'early' }),
      call('exit_plan_mode', { plan }),
      call('write_file', { file_path: workspace.path('b.txt'), content: 'two\n' }),
      done,
    ]);
    const { approver, requests } = createFakeApprover([ProceedOnce, { outcome: ProceedAlways, newContent: edited }]);
    const agent = await begin({ approver });
    const ends = endsOf(await say(agent, 'go'));
    expect(ends.map(({ toolName, status }) => `${toolName} ${status}`)).toEqual([
      'enter_plan_mode success',
      'write_file denied',
      'exit_plan_mode success',
      'write_file success',
    ]);
    expect(requests.map(({ details }) => details.type)).toEqual(['info', 'plan']);
    expect(requests[1]).toMatchObject({ canModify: true, alwaysRules: [], details: { plan } });
    expect(ends[2]?.content).toEqual([{ text: expect.stringContaining(`not yours:\n\n${edited}\n`) }]);
    const file = agent.config.getPlanning().conversation?.plan()?.file ?? '';
    expect(ends[2]?.data).toMatchObject({ file });
    expect(file.startsWith(join(home, 'projects'))).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(`${edited}\n`);
    expect(agent.config.getApprovalMode()).toBe('auto_edit');
    expect(agent.config.getPlanning().conversation?.plan()).toEqual({ text: edited, file });
    expect(existsSync(join(workspace.root, '.tenon'))).toBe(false);
  });

  it('stays when the person says no, with their words', async () => {
    model = await startScriptedModel([call('exit_plan_mode', { plan: 'x' }), done]);
    const { approver } = createFakeApprover([{ outcome: Cancel, feedback: 'smaller steps' }]);
    const agent = await begin({ approver, approvalMode: ApprovalMode.PLAN });
    const told = toldOf(await say(agent, 'go'));
    expect(told).toContain('did not approve the plan; plan mode stays on');
    expect(told).toContain('smaller steps');
    expect(agent.config.getApprovalMode()).toBe('plan');
  });

  it('ends with the plan as the answer where nobody can be asked, and that is no denial', async () => {
    model = await startScriptedModel([call('exit_plan_mode', { plan: 'x' }), { text: 'The plan: x' }]);
    const agent = await begin({ approvalMode: ApprovalMode.PLAN });
    const events = await say(agent, 'go');
    expect(toldOf(events)).toContain('End with the plan as your answer.');
    expect(events.at(-1)).toMatchObject({ type: 'prompt-end', stopReason: 'completed', denials: [] });
    expect(model.requests[0]?.body.tools?.map(({ function: { name } }) => name)).not.toContain('ask_user');
  });
});

describe('questions of the model', () => {
  it('are asked in every mode, and the answers told (S125)', async () => {
    for (const approvalMode of Object.values(ApprovalMode)) {
      model = await startScriptedModel([ask, done]);
      const { approver, requests } = createFakeApprover([{ outcome: ProceedOnce, answers: [{ selected: ['b'] }] }]);
      const agent = await begin({ approver, approvalMode });
      const events = await say(agent, 'go');
      expect(endsOf(events)[0]?.content).toEqual([{ text: expect.stringContaining('Which one?\n   b') }]);
      expect(endsOf(events)[0]?.data).toMatchObject({ answers: [{ selected: ['b'] }] });
      expect(requests).toMatchObject([{ toolName: 'ask_user', alwaysRules: [], details: { type: 'question' } }]);
      await model.close();
    }
  });

  it('are answered by nobody who is not there, in yolo mode neither', async () => {
    model = await startScriptedModel([ask, done]);
    const agent = await begin({ approvalMode: ApprovalMode.YOLO });
    const events = await say(agent, 'go');
    expect(toldOf(events)).toContain('Nobody can be asked here. Decide yourself');
    expect(events.at(-1)).toMatchObject({ denials: [] });
  });

  it('may be declined, may fail and may be cancelled, and never hang', async () => {
    model = await startScriptedModel([ask, ask, ask, done, ask]);
    const { approver, requests } = createFakeApprover([
      { outcome: Cancel, feedback: 'not now' },
      () => Promise.reject(new Error('the client went away')),
      { outcome: ProceedOnce },
      'hang',
    ]);
    const agent = await begin({ approver });
    const told = toldOf(await say(agent, 'go'));
    expect(told).toContain('did not want to answer. Decide yourself where you can');
    expect(told).toContain('not now');
    expect(told).toContain('chose no answer');
    const stop = new AbortController();
    const pending = say(agent, 'again', stop.signal);
    await vi.waitFor(() => expect(requests).toHaveLength(4), { timeout: 20_000 });
    stop.abort();
    const events = await pending;
    expect(endsOf(events)[0]?.status).toBe('cancelled');
    expect(events.at(-1)).toMatchObject({ stopReason: 'cancelled' });
  });

  it('may come two at once, each with its answer', async () => {
    const other = { questions: [{ question: 'And?', options: [{ label: 'x' }, { label: 'y' }] }] };
    model = await startScriptedModel([
      {
        toolCalls: [
          { name: 'ask_user', arguments: QUESTION },
          { name: 'ask_user', arguments: other },
        ],
      },
      done,
    ]);
    const agent = await begin({
      approver: async ({ details }) => {
        const isFirst = details.type === 'question' && details.questions[0]?.question === 'Which one?';
        return { outcome: ProceedOnce, answers: [{ selected: [isFirst ? 'a' : 'y'] }] };
      },
    });
    const ends = endsOf(await say(agent, 'go'));
    const answers = ends.map(({ data }) => (data as { answers: { selected: string[] }[] }).answers[0]?.selected[0]);
    expect(new Set(answers)).toEqual(new Set(['a', 'y']));
  });

  it('are not answered by a hook that allows, but are kept from the person by one that denies', async () => {
    const { approver, requests } = createFakeApprover([], { outcome: ProceedOnce, answers: [{ selected: ['a'] }] });
    const hooked = async (decision: 'allow' | 'deny'): Promise<string> => {
      model = await startScriptedModel([ask, done]);
      const hook = functionHook({
        event: 'PermissionRequest',
        name: decision,
        run: () => ({ permissionDecision: decision }),
      });
      const agent = await begin({ approver, hooks: { list: [hook], mayAllow: true } });
      const [end] = endsOf(await say(agent, 'go'));
      await model.close();
      return end?.status ?? '';
    };
    expect(await hooked('allow')).toBe('success');
    expect(requests).toHaveLength(1);
    expect(await hooked('deny')).toBe('denied');
    expect(requests).toHaveLength(1);
  });
});

describe('the task list', () => {
  const list = (status: string, content = 'write b.txt'): ScriptedTurn =>
    call('todo_write', { todos: [{ id: '1', content, status }] });
  const todosOf = (agent: Agent) =>
    agent.config
      .getPlanning()
      .todosOf('main')
      .map(({ status }) => status);

  it('goes with the conversation: on, back, into another session and out again (S124)', async () => {
    model = await startScriptedModel([list('pending'), done, list('in_progress'), done, done, list('completed'), done]);
    const first = await begin();
    await say(first, 'one');
    await say(first, 'two');
    expect(todosOf(first)).toEqual(['in_progress']);
    const [point] = await first.rewindPoints();
    await first.rewind(point?.id ?? '', { conversation: true, files: false });
    expect(todosOf(first)).toEqual(['pending']);
    const { sessionFile } = first;
    await first.switchSession();
    expect(todosOf(first)).toEqual([]);
    await say(first, 'elsewhere');
    await first.switchSession({ file: sessionFile });
    expect(todosOf(first)).toEqual(['pending']);
    await first.close();
    const second = await begin({ session: { file: sessionFile } });
    expect(todosOf(second)).toEqual(['pending']);
    const told = toldOf(await say(second, 'three'));
    expect(told).toContain('1 of 1 done. Done since: write b.txt.');
  });

  it('is told after a compaction, as the approved plan and the answers of the person are (S124)', async () => {
    model = await startScriptedModel([
      list('in_progress'),
      call('exit_plan_mode', { plan: 'first the tests' }),
      ask,
      { text: 'words '.repeat(4000) },
      { text: 'more '.repeat(4000) },
      { text: 'SUMMARY' },
      done,
    ]);
    const { approver } = createFakeApprover([
      { outcome: ProceedOnce, newContent: 'first the tests, then b.txt' },
      { outcome: ProceedOnce, answers: [{ words: 'neither of them' }] },
    ]);
    const agent = await begin({ approver, approvalMode: ApprovalMode.PLAN, contextWindow: 20_000, compactAt: 0 });
    await say(agent, 'go');
    await say(agent, 'on');
    const compacted: AgentEvent[] = [];
    for await (const event of agent.compact(undefined, new AbortController().signal)) compacted.push(event);
    expect(compacted.map(({ type }) => type)).toContain('compaction');
    await say(agent, 'and on');
    const sent = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(sent).toContain('SUMMARY');
    expect(sent).toContain('- [in_progress] 1: write b.txt');
    expect(sent).toContain('first the tests, then b.txt');
    expect(sent).toContain('neither of them');
    expect(todosOf(agent)).toEqual(['in_progress']);
  });
});
