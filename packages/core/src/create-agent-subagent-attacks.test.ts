import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent, ConversationEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { loadSessionLog } from './session/session-log.js';
import { createFakeApprover } from './testing/fake-approver.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { RecordedRequest, ScriptedTurn } from './testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';
import { ToolConfirmationOutcome } from './tools/confirmation.js';

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agent: Agent;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  // Worktrees lie beside Tenon's own folder.
  home = join(realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-'))), 'tenon');
  mkdirSync(home);
  workspace = await createTempWorkspace({ 'a.txt': 'one\ntwo\n' });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await workspace.remove();
  rmSync(join(home, '..'), { recursive: true, force: true });
});

/** What an agent says: by its id (`main`, `a1`, …) and how many answers it has given. */
type Script = (who: string, turn: number, request: RecordedRequest) => ScriptedTurn | Promise<ScriptedTurn>;

async function open(script: Script, options: Partial<AgentOptions> = {}): Promise<[Agent, ScriptedModel]> {
  const play = (request: RecordedRequest): ScriptedTurn | Promise<ScriptedTurn> => {
    const said = request.body.messages.filter(({ role }) => role === 'assistant').length;
    return script(whoAsks(request), said, request);
  };
  const server = await startScriptedModel(Array.from({ length: 400 }, () => play));
  const opened = await createAgent({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: process.env,
    model: createOpenAiChatModel({ baseUrl: server.baseUrl, model: 'scripted' }),
    version: 'test',
    ...options,
  });
  closing.push(
    () => server.close(),
    () => opened.close(),
  );
  return [opened, server];
}

async function start(script: Script, options: Partial<AgentOptions> = {}): Promise<void> {
  [agent, model] = await open(script, options);
}

function whoAsks({ body }: RecordedRequest): string {
  const system = JSON.stringify(body.messages[0]?.content ?? '');
  return /You are the subagent \S+ \((a[\d.]+)\)/.exec(system)?.[1] ?? 'main';
}

async function prompt(text = 'go', signal?: AbortSignal, of = agent): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of of.prompt(text, signal)) events.push(event);
  return events;
}

function git(...args: readonly string[]): void {
  const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...own, ...args], { cwd: workspace.root, stdio: 'ignore' });
}
function makeRepository(): void {
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'begin');
}

const task = (more: Record<string, unknown> = {}) => ({
  name: 'task',
  arguments: { description: 'a task', prompt: 'do it', ...more },
});
const call = (name: string, args: Record<string, unknown>, id?: string): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args, ...(id !== undefined && { id }) }],
});
const rootOf = (request: RecordedRequest): string =>
  /Workspace: ([^\s;]+?)[.;]? /.exec(String(request.body.messages[0]?.content))?.[1] ?? '';
/** The worktrees of all projects. */
const trees = (): string[] => (existsSync(`${home}-worktrees`) ? readdirSync(`${home}-worktrees`) : []);

type Kind = AgentEvent['type'];
type Of<K extends Kind> = Extract<AgentEvent, { type: K }>;
const of = <K extends Kind>(events: readonly AgentEvent[], type: K): Of<K>[] =>
  events.filter((event): event is Of<K> => event.type === type);
const inside = (events: readonly AgentEvent[], agentId: string): AgentEvent[] =>
  of(events, 'subagent-event').flatMap(({ agentId: id, event }) =>
    id === agentId ? [event] : inside([event], agentId),
  );
const endOf = (events: readonly AgentEvent[]) => of(events, 'prompt-end')[0];
const textOf = (end: Of<'tool-call-end'> | undefined): string =>
  (end?.content ?? []).map((part) => ('text' in part ? part.text : '')).join('');
/** Ids of all calls in a stream, however deep. */
const callIds = (events: readonly (AgentEvent | ConversationEvent)[]): string[] =>
  events.flatMap((event) => {
    if (event.type === 'subagent-event') return callIds([event.event]);
    return event.type === 'tool-call-start' ? [event.callId] : [];
  });

describe('one that cannot begin', () => {
  it('has a beginning and an end, in the stream and in a log of its own, and the agent above goes on', async () => {
    await start((who, turn) =>
      who === 'main' && turn === 0 ? { toolCalls: [task({ isolation: 'worktree' })] } : { text: 'without it' },
    );
    const events = await prompt();
    const told = events.map(({ type }) => type).filter((type) => /^(?:tool-call|subagent)-(?:start|end)$/.test(type));
    expect(told).toEqual(['tool-call-start', 'subagent-start', 'subagent-end', 'tool-call-end']);
    expect(of(events, 'subagent-end')).toMatchObject([{ agentId: 'a1', stopReason: 'model-error', turns: 0 }]);
    expect(textOf(of(events, 'tool-call-end')[0])).toMatch(/repository/);
    expect(endOf(events)?.text).toBe('without it');
    const { events: logged, problems } = loadSessionLog(of(events, 'subagent-start')[0]?.logFile ?? '');
    expect(problems).toEqual([]);
    expect(logged.map(({ event }) => event.type)).toEqual(['session-start', 'prompt-end']);
    expect(model.requests).toHaveLength(2);
  });

  it('in the background is told of once, beginning and end', async () => {
    await start((who, turn) =>
      who === 'main' && turn === 0
        ? { toolCalls: [task({ isolation: 'worktree', run_in_background: true })] }
        : { text: 'ok' },
    );
    const events = await prompt();
    await expect.poll(() => agent.config.getSubagents()?.background()[0]?.state).toBe('ended');
    const all = [...events, ...(await prompt('next'))];
    expect(of(all, 'subagent-start')).toMatchObject([{ agentId: 'a1', isBackground: true }]);
    expect(of(all, 'subagent-end')).toMatchObject([{ agentId: 'a1', stopReason: 'model-error' }]);
  });
});

describe('calls of all agents of a session', () => {
  it('never have one id, though their models give all of them the same, at the same time', async () => {
    const read = (count: number) => ({
      name: 'read_file',
      arguments: { absolute_path: workspace.path('a.txt'), offset: count },
      id: 'call',
    });
    const hand = (more: Record<string, unknown>) => ({ ...task(more), id: 'call' });
    await start((who, turn) => {
      if (who === 'main' && turn === 0)
        return { toolCalls: [hand({ run_in_background: true }), hand({ run_in_background: true, prompt: 'more' })] };
      if (who === 'main' && turn < 6) return { toolCalls: [read(turn), read(turn + 10)] };
      if (who === 'main' && turn === 6)
        return { toolCalls: [hand({}), hand({ prompt: 'b' }), hand({ prompt: 'c' }), read(30)] };
      if (who === 'a3' && turn === 0) return { toolCalls: [hand({}), hand({ prompt: 'b' })] };
      return turn < 5 ? { toolCalls: [read(turn), read(turn + 10)] } : { text: who };
    });
    const events = await prompt();
    await expect
      .poll(() =>
        agent.config
          .getSubagents()
          ?.background()
          .map(({ state }) => state),
      )
      .toEqual(['ended', 'ended']);
    const logs = of(events, 'subagent-start').filter(({ isBackground }) => isBackground === true);
    expect(logs).toHaveLength(2);
    const behind = logs.flatMap(({ logFile }) => callIds(loadSessionLog(logFile).events.map(({ event }) => event)));
    expect(behind).toHaveLength(20);
    const ids = [...callIds(events), ...behind];
    expect(ids.length).toBeGreaterThan(60);
    expect(new Set(ids).size).toBe(ids.length);
    // Also those of later prompts.
    const later = callIds(await prompt('more'));
    expect(later.filter((id) => ids.includes(id))).toEqual([]);
  }, 30_000);
});

describe('the limit of a subagent', () => {
  const looks = (turn: number): ScriptedTurn => ({
    text: `so far ${turn}`,
    toolCalls: [{ name: 'read_file', arguments: { absolute_path: workspace.path('a.txt'), offset: turn } }],
  });

  it('lets it say what it has, with one request in which no call runs', async () => {
    await start(
      (who, turn, request) => {
        if (who === 'main') return turn === 0 ? { toolCalls: [task()] } : { text: 'ok' };
        const isAsked = JSON.stringify(request.body.messages.at(-1)).includes('You are at the limit');
        return isAsked ? { ...looks(9), text: 'Found one; two is left.' } : looks(turn);
      },
      { agents: { maxTurns: 3 } },
    );
    const events = await prompt();
    const text = textOf(of(events, 'tool-call-end')[0]);
    expect(text).toMatch(/^Found one; two is left\.\n\n\[general \(a1\) did not come to its end: max-turns/);
    expect(of(events, 'subagent-end')).toMatchObject([{ stopReason: 'max-turns', turns: 3, toolCalls: 3 }]);
    expect(of(inside(events, 'a1'), 'tool-call-end')).toHaveLength(3);
    expect(of(inside(events, 'a1'), 'prompt-end')).toHaveLength(1);
    expect(model.requests.filter((request) => whoAsks(request) === 'a1')).toHaveLength(4);
    const [{ usage } = { usage: undefined }] = of(events, 'subagent-end');
    const said = of(inside(events, 'a1'), 'assistant-message').map((each) => each.usage?.outputTokens ?? 0);
    expect(usage?.outputTokens).toBe(said.reduce((sum, each) => sum + each, 0));
  });

  it('keeps what it said before where it then says nothing', async () => {
    await start(
      (who, turn) => {
        if (who === 'main') return turn === 0 ? { toolCalls: [task()] } : { text: 'ok' };
        return turn < 2 ? looks(turn) : { error: { status: 400, message: 'no' } };
      },
      { agents: { maxTurns: 2 } },
    );
    const events = await prompt();
    expect(textOf(of(events, 'tool-call-end')[0])).toMatch(
      /^so far 1\n\n\[general \(a1\) did not come to its end: max-turns/,
    );
    expect(endOf(events)?.text).toBe('ok');
  });

  it.each([
    ['before it is asked', 1],
    ['while it answers', 2],
  ])('does not keep whoever cancels waiting: %s', async (_when, cancelledAt) => {
    const stop = new AbortController();
    await start(
      (who, turn) => {
        if (who === 'main') return { toolCalls: [task()] };
        if (turn === cancelledAt) setTimeout(() => stop.abort(), 20);
        return turn === cancelledAt ? { hangAfterChunks: -1 } : looks(turn);
      },
      { agents: { maxTurns: 2 } },
    );
    const events = await prompt('go', stop.signal);
    expect(endOf(events)?.stopReason).toBe('cancelled');
    expect(of(events, 'subagent-end')).toHaveLength(1);
    expect(model.requests.filter((request) => whoAsks(request) === 'a1')).toHaveLength(cancelledAt + 1);
  });
});

describe('under attack', () => {
  it('twenty agents that edit one file lose no change of each other', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
    await workspace.write({ 'a.txt': `${lines.join('\n')}\n` });
    await start((who, turn, request) => {
      if (who === 'main') return turn === 0 ? { toolCalls: Array.from({ length: 20 }, () => task()) } : { text: 'ok' };
      const at = Number(who.slice(1));
      const file_path = workspace.path('a.txt');
      if (turn > 0 && !/changed|not been read|read it/i.test(JSON.stringify(request.body.messages.at(-1))))
        return turn % 2 === 0 ? { text: 'done' } : edit();
      return turn % 2 === 0 ? call('read_file', { absolute_path: file_path }) : edit();
      function edit(): ScriptedTurn {
        return call('edit', { file_path, old_string: `line ${at}\n`, new_string: `LINE ${at}\n` });
      }
    });
    const events = await prompt();
    const made = Array.from({ length: 20 }, (_, at) =>
      of(inside(events, `a${at + 1}`), 'tool-call-end').filter(
        ({ toolName, status }) => toolName === 'edit' && status === 'success',
      ),
    );
    expect(made.map((ends) => ends.length)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(readFileSync(workspace.path('a.txt'), 'utf8')).toBe(`${lines.join('\n').toUpperCase()}\n`);
  }, 60_000);

  it('a model server that dies in the middle ends its agent, and no other', async () => {
    mkdirSync(join(home, 'agents'), { recursive: true });
    writeFileSync(join(home, 'agents', 'far.md'), '---\nname: far\ndescription: far\nmodel: far\n---\nBe brief.\n');
    const far: ScriptedModel = await startScriptedModel([
      { ...call('read_file', { absolute_path: workspace.path('a.txt') }), text: 'I look.' },
      () => {
        void far.close();
        return { hangAfterChunks: -1 };
      },
    ]);
    closing.push(() => far.close());
    await start(
      (who, turn) => {
        if (who === 'main')
          return turn === 0 ? { toolCalls: [task({ subagent_type: 'far' }), task()] } : { text: 'goes on' };
        return { text: `said by ${who}` };
      },
      {
        modelNamed: async () => ({ model: createOpenAiChatModel({ baseUrl: far.baseUrl, model: 'far' }) }),
      },
    );
    const events = await prompt();
    const [dead, alive] = ['a1', 'a2'].map((id) => of(events, 'subagent-end').find(({ agentId }) => agentId === id));
    expect([dead?.stopReason, dead?.toolCalls, alive?.stopReason]).toEqual(['model-error', 1, 'completed']);
    const texts = of(events, 'tool-call-end').map(textOf);
    expect(texts.find((text) => text.includes('far (a1)'))).toMatch(
      /^I look\.\n\n\[far \(a1\) did not come to its end/,
    );
    expect(endOf(events)).toMatchObject({ stopReason: 'completed', text: 'goes on' });
  }, 20_000);

  it('a model server that says that it is down ends its agent at once, with what it has', async () => {
    await start((who, turn) => {
      if (who === 'main') return turn === 0 ? { toolCalls: [task()] } : { text: 'goes on' };
      if (turn === 0) return { ...call('read_file', { absolute_path: workspace.path('a.txt') }), text: 'I look.' };
      return { error: { status: 503, headers: { 'retry-after': '3600' }, message: 'down for today' } };
    });
    const events = await prompt();
    const [end] = of(events, 'tool-call-end');
    expect([end?.status, of(events, 'subagent-end')[0]?.stopReason]).toEqual(['error', 'model-error']);
    expect(textOf(end)).toMatch(/I look\.[^]*down for today/);
    expect(endOf(events)?.text).toBe('goes on');
  });

  it('cancelling ends an agent whose question waits, and the question', async () => {
    let questions = 0;
    const ended: unknown[] = [];
    const stop = new AbortController();
    await start(
      (who, turn) => {
        if (who === 'main') return turn === 0 ? { toolCalls: [task(), task()] } : { text: 'ok' };
        return call('run_shell_command', { command: `touch made-${who}` });
      },
      {
        approvalMode: ApprovalMode.DEFAULT,
        approver: (_request, signal) =>
          new Promise((_resolve, reject) => {
            questions += 1;
            signal.addEventListener('abort', () => {
              ended.push(signal.reason);
              reject(signal.reason as Error);
            });
            setTimeout(() => stop.abort(), 50);
          }),
      },
    );
    const events = await prompt('go', stop.signal);
    expect(endOf(events)?.stopReason).toBe('cancelled');
    expect(of(events, 'subagent-end').map(({ stopReason }) => stopReason)).toEqual(['cancelled', 'cancelled']);
    expect(ended).toHaveLength(questions);
    expect(readdirSync(workspace.root)).toEqual(['a.txt']);
    expect(agent.config.getSubagents()?.background()).toEqual([]);
  });

  it('a file of a megabyte describes no agent, and the person is told', async () => {
    mkdirSync(join(home, 'agents'), { recursive: true });
    writeFileSync(join(home, 'agents', 'huge.md'), `---\nname: huge\ndescription: h\n---\n${'x'.repeat(1024 * 1024)}`);
    await start(() => ({ text: 'ok' }));
    expect(
      agent.config
        .getSubagents()
        ?.definitions()
        .map(({ name }) => name),
    ).toEqual(['general', 'explore']);
    expect(agent.notices.filter((text) => text.includes('huge.md'))).toHaveLength(1);
  });
});

describe('worktrees', () => {
  const make =
    (name: string): Script =>
    (who, turn, request) => {
      if (who === 'main')
        return turn === 0
          ? { toolCalls: Array.from({ length: 3 }, () => task({ isolation: 'worktree' })) }
          : { text: 'ok' };
      const file_path = join(rootOf(request), `${name}-${who}.txt`);
      return turn === 0 ? call('write_file', { file_path, content: `${name}\n` }) : { text: 'made' };
    };

  it('of two sessions of one project at once do not disturb each other, and nothing is left of them', async () => {
    makeRepository();
    const opened = [await open(make('one')), await open(make('two'))];
    for (let round = 0; round < 2; round++) {
      const all = await Promise.all(opened.map(async ([each]) => prompt(`round ${round}`, undefined, each)));
      for (const events of all) expect(endOf(events)?.stopReason).toBe('completed');
      if (round > 0) continue;
      for (const events of all)
        expect(of(events, 'tool-call-end').map(({ data }) => data)).toMatchObject(
          Array.from({ length: 3 }, () => ({ worktree: { state: 'applied' } })),
        );
    }
    const names = ['one', 'two'].flatMap((name) => ['a1', 'a2', 'a3'].map((id) => `${name}-${id}.txt`));
    expect(readdirSync(workspace.root).filter((name) => name.includes('-'))).toEqual(names);
    expect(trees()).toEqual([]);
    expect(existsSync(workspace.path('.git/worktrees'))).toBe(
      existsSync(workspace.path('.git/worktrees')) && readdirSync(workspace.path('.git/worktrees')).length === 0,
    );
  }, 60_000);

  it('let git look around unasked where the repository names no program, as the workspace does, and no more', async () => {
    makeRepository();
    const commands = ['git status', 'git log --oneline', 'git -c core.pager=x log', 'git commit -am x'];
    const script: Script = (who, turn, request) => {
      if (who === 'main' && turn === 0) return { toolCalls: [task({ isolation: 'worktree' }), task()] };
      const command = commands[turn];
      if (who === 'main' || command === undefined) return { text: 'ok' };
      if (turn === 2 && who === 'a1' && rootOf(request) === workspace.root) throw new Error('not in a worktree');
      return call('run_shell_command', { command });
    };
    const verdicts = async (): Promise<string[][]> => {
      const { approver } = createFakeApprover([], ToolConfirmationOutcome.Cancel);
      // Any of git's own may say where it looks.
      const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
      await start(script, { approvalMode: ApprovalMode.DEFAULT, approver, environment });
      const events = await prompt();
      return ['a1', 'a2'].map((id) => of(inside(events, id), 'tool-call-end').map(({ status }) => status));
    };
    const looks = ['success', 'success', 'denied', 'denied'];
    expect(await verdicts()).toEqual([looks, looks]);
    git('config', 'core.fsmonitor', '/bin/false');
    const nothing = ['denied', 'denied', 'denied', 'denied'];
    expect(await verdicts()).toEqual([nothing, nothing]);
  }, 60_000);
});
