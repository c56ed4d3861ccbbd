import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentOptions } from '../agent-types.js';
import type { AgentEvent } from '../agent/events.js';
import { createAgent } from '../create-agent.js';
import { functionHook } from '../hooks/function-hook.js';
import { createOpenAiChatModel } from '../models/openai-chat.js';
import { FileJournal } from '../journal/file-journal.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import { auditTrail } from '../session/audit-trail.js';
import { loadAgentLogs } from '../session/agent-logs.js';
import { loadSessionLog } from '../session/session-log.js';
import { verifySession } from '../session/verify-session.js';
import { createFakeApprover } from '../testing/fake-approver.js';
import { startScriptedModel, type ScriptedModel } from '../testing/scripted-model-server.js';
import type { RecordedRequest, ScriptedTurn } from '../testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { ToolConfirmationOutcome } from '../tools/confirmation.js';

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agent: Agent;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({ 'a.txt': 'one\ntwo\n' });
});
afterEach(async () => {
  await agent.close();
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
  rmSync(`${home}-worktrees`, { recursive: true, force: true });
});

/** What an agent says: by its id (`main`, `a1`, …) and how many answers it has given. */
type Script = (who: string, turn: number, request: RecordedRequest) => ScriptedTurn | Promise<ScriptedTurn>;

async function start(script: Script, options: Partial<AgentOptions> = {}): Promise<void> {
  const answered = new Map<string, number>();
  const play = (request: RecordedRequest): ScriptedTurn | Promise<ScriptedTurn> => {
    const who = whoAsks(request);
    const turn = answered.get(who) ?? 0;
    answered.set(who, turn + 1);
    return script(who, turn, request);
  };
  model = await startScriptedModel(Array.from({ length: 100 }, () => play));
  agent = await createAgent({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: process.env,
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: 'test',
    ...options,
  });
}

function whoAsks({ body }: RecordedRequest): string {
  const system = JSON.stringify(body.messages[0]?.content ?? '');
  const [, subagent] = /You are the subagent \S+ \((a[\d.]+)\)/.exec(system) ?? [];
  return subagent ?? ((body.tools ?? []).length > 0 ? 'main' : 'other');
}

async function prompt(): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.prompt('go')) events.push(event);
  return events;
}

const call = (name: string, args: Record<string, unknown>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});
const task = (more: Record<string, unknown> = {}): ScriptedTurn =>
  call('task', { description: 'a task', prompt: 'do it', ...more });
const ends = (events: readonly AgentEvent[]) => events.filter((event) => event.type === 'tool-call-end');
const inside = (events: readonly AgentEvent[]): AgentEvent[] =>
  events.flatMap((event) => (event.type === 'subagent-event' ? [event.event, ...inside([event.event])] : []));
const textOf = (event: AgentEvent | undefined): string =>
  event?.type === 'tool-call-end' ? event.content.map((part) => ('text' in part ? part.text : '')).join('') : '';
const treeOf = ({ body }: RecordedRequest): string =>
  /git worktree of your own: (\S+?)\. It is/.exec(String(body.messages[0]?.content))?.[1] ?? '';

const rootOf = ({ body }: RecordedRequest): string =>
  /Workspace: ([^\s;]+?)[.;]? /.exec(String(body.messages[0]?.content))?.[1] ?? '';

function makeRepository(): void {
  const git = (...words: readonly string[]): void => {
    const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...own, ...words], { cwd: workspace.root, stdio: 'ignore' });
  };
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'begin');
}

describe('what a worktree gives back', () => {
  const writes: Script = (who, turn, request) => {
    if (who === 'main') return turn === 0 ? task({ isolation: 'worktree' }) : { text: 'ok' };
    return turn === 0
      ? call('write_file', { file_path: join(treeOf(request), 'made.txt'), content: 'made\n' })
      : { text: 'made it' };
  };

  async function trail() {
    const { events } = loadSessionLog(agent.sessionFile);
    const [project = ''] = readdirSync(join(home, 'projects'));
    const gate = agent.config.getWorkspaceGate();
    const { entries } = await new FileJournal({ gate, folder: join(home, 'projects', project, 'journal') }).entries();
    const steps = auditTrail(events, entries, loadAgentLogs(agent.sessionFile, events));
    return steps.filter((step) => step.kind === 'call' && step.toolName === 'apply_patch');
  }

  it('is in the audit, with who let it and the files, and in the transcript', async () => {
    makeRepository();
    const { approver } = createFakeApprover([], ToolConfirmationOutcome.ProceedOnce);
    await start(writes, { approvalMode: ApprovalMode.DEFAULT, approver });
    const [end] = ends(await prompt());
    expect(await trail()).toMatchObject([
      {
        agent: 'general (a1)',
        title: expect.stringContaining('made.txt') as string,
        approvals: [{ outcome: ToolConfirmationOutcome.ProceedOnce, by: 'person' }],
        status: 'success',
        changed: [workspace.path('made.txt')],
      },
    ]);
    const { events } = loadSessionLog(agent.sessionFile);
    expect(loadAgentLogs(agent.sessionFile, events).flatMap(({ problems }) => problems)).toEqual([]);
    expect(verifySession(agent.sessionFile)).toMatchObject({ status: 'intact' });
    const [, transcript = ''] = /All that it did: (\S+\.md)/.exec(textOf(end)) ?? [];
    expect(readFileSync(transcript, 'utf8')).toContain('What general (a1) changed in its worktree: made.txt');
  }, 20_000);

  it('is there too when the person said no', async () => {
    makeRepository();
    const { approver } = createFakeApprover([ToolConfirmationOutcome.ProceedOnce], ToolConfirmationOutcome.Cancel);
    await start(writes, { approvalMode: ApprovalMode.DEFAULT, approver });
    await prompt();
    expect(await trail()).toMatchObject([
      {
        agent: 'general (a1)',
        approvals: [{ outcome: ToolConfirmationOutcome.Cancel }],
        status: 'denied',
        changed: [],
      },
    ]);
  }, 20_000);

  it('is there too for an agent in the background, of which no stream tells', async () => {
    makeRepository();
    const { approver } = createFakeApprover([], ToolConfirmationOutcome.ProceedOnce);
    const behind: Script = (who, turn, request) =>
      who === 'main' && turn === 0
        ? task({ isolation: 'worktree', run_in_background: true })
        : writes(who, turn, request);
    await start(behind, { approvalMode: ApprovalMode.DEFAULT, approver });
    await prompt();
    const [background] = agent.config.getSubagents()?.background() ?? [];
    await background?.ended;
    expect(background?.report?.worktree).toMatchObject({ state: 'applied' });
    expect(await trail()).toMatchObject([{ agent: 'general (a1)', status: 'success' }]);
  }, 20_000);
});

describe('when an agent has ended', () => {
  it('nothing of its list of tasks stays, nor of those below it in a worktree', async () => {
    makeRepository();
    const list = call('todo_write', { todos: [{ id: '1', content: 'one', status: 'in_progress' }] });
    const seen: string[][] = [];
    const todos = (): string[] => ['a1', 'a1.1'].filter((id) => agent.config.getPlanning().todosOf(id).length > 0);
    await start((who, turn) => {
      seen.push(todos());
      if (turn === 0) return who === 'main' ? task({ isolation: 'worktree' }) : list;
      return who === 'a1' && turn === 1 ? task() : { text: 'ok' };
    });
    await prompt();
    expect(seen).toContainEqual(['a1', 'a1.1']);
    expect(todos()).toEqual([]);
  }, 20_000);
});

describe('before the conversation of a subagent is made shorter', () => {
  it('hooks are asked, and told whose it is; the session does not begin anew for them', async () => {
    const asked: unknown[] = [];
    const begun: unknown[] = [];
    const list = [
      functionHook({
        event: 'PreCompact',
        name: 'what to keep',
        run: (input) => {
          asked.push(input);
          return { additionalContext: 'Keep the names of files.' };
        },
      }),
      functionHook({
        event: 'SessionStart',
        matcher: 'compact',
        name: 'again',
        run: (input) => void begun.push(input),
      }),
    ];
    await workspace.write({ 'long.txt': 'words and more words\n'.repeat(600) });
    await start(
      (who, turn) => {
        if (who === 'other') return { text: 'What was done so far.' };
        if (who === 'main') return turn === 0 ? task() : { text: 'done' };
        return turn < 8
          ? call('run_shell_command', { command: `cat long.txt; echo ${turn}`, description: 'looks' })
          : { text: 'ready' };
      },
      { contextWindow: 30_000, hooks: { list } },
    );
    const events = await prompt();
    expect(inside(events).map(({ type }) => type)).toContain('compaction');
    expect(asked[0]).toMatchObject({ trigger: 'auto', agent_id: 'a1', agent_type: 'general' });
    expect(inside(events)).toContainEqual(
      expect.objectContaining({ type: 'hook-run', event: 'PreCompact', name: 'what to keep' }),
    );
    expect(begun).toEqual([]);
  }, 20_000);
});

describe('in plan mode', () => {
  it('agents only read, whatever they are described as, however deep and wherever they work', async () => {
    makeRepository();
    mkdirSync(join(home, 'agents'), { recursive: true });
    writeFileSync(
      join(home, 'agents', 'free.md'),
      '---\nname: free\ndescription: for tests\napprovalMode: yolo\n---\nBe brief.\n',
    );
    const write = (file: string): ScriptedTurn => call('write_file', { file_path: file, content: 'x\n' });
    await start(
      (who, turn, request) => {
        if (who === 'main')
          return turn === 0
            ? {
                toolCalls: [{ isolation: 'worktree' }, {}].map((more) => ({
                  name: 'task',
                  arguments: { description: 'a', prompt: 'b', subagent_type: 'free', ...more },
                })),
              }
            : { text: 'ok' };
        const steps = [
          call('read_file', { absolute_path: join(rootOf(request), 'a.txt') }),
          write(join(rootOf(request), 'new.txt')),
          call('run_shell_command', { command: 'echo x > new.txt', description: 'x' }),
          ...(who.includes('.') ? [] : [task({ subagent_type: 'free' })]),
        ];
        return steps[turn] ?? { text: 'ok' };
      },
      { approvalMode: ApprovalMode.PLAN },
    );
    const told = ends(inside(await prompt()));
    const statuses = (tool: string): string[] => told.flatMap((end) => (end.toolName === tool ? [end.status] : []));
    expect(statuses('read_file')).toEqual(Array.from({ length: 4 }, () => 'success'));
    expect(statuses('write_file')).toEqual(Array.from({ length: 4 }, () => 'denied'));
    expect(statuses('run_shell_command')).toEqual(Array.from({ length: 4 }, () => 'denied'));
    expect(statuses('task')).toEqual(['success', 'success']);
    expect(readdirSync(workspace.root).toSorted()).toEqual(['.git', 'a.txt']);
    expect(readdirSync(`${home}-worktrees`).flatMap((name) => readdirSync(join(`${home}-worktrees`, name)))).toEqual(
      [],
    );
    const tools = model.requests.filter((request) => whoAsks(request) !== 'main').map(({ body }) => body.tools ?? []);
    expect(tools.flat().map((tool) => tool.function.name)).not.toContain('exit_plan_mode');
  }, 20_000);
});

describe('a subagent that may ask the person', () => {
  const asking = (head: string): void => {
    mkdirSync(join(home, 'agents'), { recursive: true });
    writeFileSync(
      join(home, 'agents', 'asker.md'),
      `---\nname: asker\ndescription: for tests\n${head}\n---\nBe brief.\n`,
    );
  };
  const question = { question: 'Which way?', options: [{ label: 'left' }, { label: 'right' }] };
  const asks: Script = (who, turn) => {
    if (who === 'main') return turn === 0 ? task({ subagent_type: 'asker' }) : { text: 'ok' };
    return turn === 0 ? call('ask_user', { questions: [question] }) : { text: 'asked' };
  };

  it('has its answer, and the question says who asks', async () => {
    asking('tools: AskUserQuestion');
    const { approver, requests } = createFakeApprover([
      { outcome: ToolConfirmationOutcome.ProceedOnce, answers: [{ selected: ['right'] }] },
    ]);
    await start(asks, { approver });
    const events = await prompt();
    expect(requests).toMatchObject([{ agent: 'asker (a1)', details: { type: 'question' } }]);
    const [end] = ends(inside(events));
    expect([end?.status, textOf(end)]).toEqual(['success', expect.stringContaining('right')]);
  });

  it('is told to decide itself where nobody can be asked, and has no such tool unless its file names it', async () => {
    asking('tools: ask_user, read_file');
    await start(asks);
    expect(ends(inside(await prompt()))[0]?.status).not.toBe('success');
    await agent.close();
    await model.close();
    asking('tools: "*"');
    await start(asks, { approver: createFakeApprover([]).approver });
    const events = await prompt();
    expect(ends(inside(events))[0]?.status).toBe('error');
    const tools = model.requests.filter((request) => whoAsks(request) === 'a1').flatMap(({ body }) => body.tools ?? []);
    expect(tools.map((tool) => tool.function.name)).not.toContain('ask_user');
  });
});
