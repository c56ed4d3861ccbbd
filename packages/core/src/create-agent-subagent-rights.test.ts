import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { functionHook } from './hooks/function-hook.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { loadSessionLog } from './session/session-log.js';
import { verifySession } from './session/verify-session.js';
import { createFakeApprover } from './testing/fake-approver.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { RecordedRequest, ScriptedTurn } from './testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';
import { ToolConfirmationOutcome } from './tools/confirmation.js';

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agent: Agent;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({
    'a.txt': 'one\ntwo\n',
    'sub/TENON.md': 'words of sub\n',
    'sub/x.txt': 'x\n',
  });
});
afterEach(async () => {
  await agent.close();
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

type Script = (who: string, turn: number, request: RecordedRequest) => ScriptedTurn | Promise<ScriptedTurn>;

async function start(script: Script, options: Partial<AgentOptions> = {}): Promise<void> {
  const play = (request: RecordedRequest): ScriptedTurn | Promise<ScriptedTurn> => {
    const said = request.body.messages.filter(({ role }) => role === 'assistant').length;
    return script(whoAsks(request), said, request);
  };
  model = await startScriptedModel(Array.from({ length: 200 }, () => play));
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
  return /You are the subagent \S+ \((a[\d.]+)\)/.exec(system)?.[1] ?? 'main';
}

async function prompt(text = 'go'): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.prompt(text)) events.push(event);
  return events;
}

const call = (name: string, args: Record<string, unknown>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});
const task = (more: Record<string, unknown> = {}): ScriptedTurn =>
  call('task', { description: 'a task', prompt: 'do it', ...more });
/** The main agent hands one task on; `script` is what the subagent says. */
const handingOn =
  (script: (turn: number) => ScriptedTurn, more: Record<string, unknown> = {}): Script =>
  (who, turn) =>
    who === 'main' ? (turn === 0 ? task(more) : { text: 'done' }) : script(turn);
const once =
  (turn: ScriptedTurn) =>
  (count: number): ScriptedTurn =>
    count === 0 ? turn : { text: 'ready' };

type Kind = AgentEvent['type'];
type Of<K extends Kind> = Extract<AgentEvent, { type: K }>;
const of = <K extends Kind>(events: readonly AgentEvent[], type: K): Of<K>[] =>
  events.filter((event): event is Of<K> => event.type === type);
const inside = (events: readonly AgentEvent[]): AgentEvent[] => of(events, 'subagent-event').map(({ event }) => event);
const endOf = (events: readonly AgentEvent[]) => of(events, 'prompt-end')[0];
const textOf = (end: Of<'tool-call-end'> | undefined): string =>
  (end?.content ?? []).map((part) => ('text' in part ? part.text : '')).join('');
const requestsOf = (who: string) => model.requests.filter((request) => whoAsks(request) === who);
const toolsOf = (who: string): string[] => (requestsOf(who)[0]?.body.tools ?? []).map((tool) => tool.function.name);

/** The file of an agent of the person's own. */
function describeAgent(name: string, head: string, body = 'Be brief.'): void {
  mkdirSync(join(home, 'agents'), { recursive: true });
  writeFileSync(
    join(home, 'agents', `${name}.md`),
    `---\nname: ${name}\ndescription: for tests\n${head}\n---\n${body}\n`,
  );
}

describe('the mode of a subagent', () => {
  const modes = ['plan', 'default', 'auto_edit', 'yolo'] as const;
  const pairs = modes.flatMap((above) => [undefined, ...modes].map((own) => [above, own] as const));

  it.each(pairs)('is the stricter one of that above (%s) and that of its definition (%s)', async (above, own) => {
    describeAgent('tester', own === undefined ? '' : `approvalMode: ${own}`);
    const write = call('write_file', { file_path: workspace.path('new.txt'), content: 'x\n' });
    const { approver, requests } = createFakeApprover([], ToolConfirmationOutcome.Cancel);
    await start(handingOn(once(write), { subagent_type: 'tester' }), { approvalMode: above, approver });
    const events = await prompt();
    const [end] = of(inside(events), 'tool-call-end');
    const stricter = modes[Math.min(modes.indexOf(above), own === undefined ? 3 : modes.indexOf(own))];
    const isFree = stricter === 'auto_edit' || stricter === 'yolo';
    expect(end?.status).toBe(isFree ? 'success' : 'denied');
    expect(requests).toHaveLength(stricter === 'default' ? 1 : 0);
    expect(readdirSync(workspace.root).includes('new.txt')).toBe(isFree);
  });

  it('is that above at the moment, not that at its beginning', async () => {
    const write = (name: string): ScriptedTurn =>
      call('write_file', { file_path: workspace.path(name), content: 'x\n' });
    await start(
      handingOn((turn) => {
        if (turn === 0) return write('first.txt');
        agent.config.setApprovalMode(ApprovalMode.PLAN);
        return turn === 1 ? write('second.txt') : { text: 'ready' };
      }),
    );
    const events = await prompt();
    expect(of(inside(events), 'tool-call-end').map(({ status }) => status)).toEqual(['success', 'denied']);
  });
});

describe('the tools of a subagent', () => {
  it('are those that its definition names, of those that are there above', async () => {
    describeAgent('reader', 'tools: Read, Grep, Bash(git *), WebFetch, NoSuchTool');
    await start(
      handingOn(once(call('write_file', { file_path: workspace.path('n.txt'), content: 'x' })), {
        subagent_type: 'reader',
      }),
      {
        offered: { without: ['web_fetch'] },
      },
    );
    const events = await prompt();
    expect(toolsOf('a1').toSorted()).toEqual([
      'grep_search',
      'job_input',
      'job_list',
      'job_output',
      'job_stop',
      'read_file',
      'run_shell_command',
    ]);
    expect(of(inside(events), 'tool-call-end')[0]).toMatchObject({ status: 'error' });
    expect(readdirSync(workspace.root)).not.toContain('n.txt');
    expect(agent.notices.join('\n')).toContain('"Bash(git *)" in tools means the tool as a whole');
  });

  it('are none more than those of the agent above, level by level', async () => {
    describeAgent('small', 'tools: read_file, task');
    await start((who, turn) => {
      if (turn > 0) return { text: who };
      return task({ subagent_type: who === 'main' ? 'small' : 'general' });
    });
    await prompt();
    expect(toolsOf('a1')).toEqual(['read_file', 'task']);
    expect(toolsOf('a1.1')).toEqual(['read_file', 'task']);
  });

  it('of the built-in explorer change nothing, in yolo mode neither', async () => {
    await start(handingOn(once(call('run_shell_command', { command: 'touch x' })), { subagent_type: 'explore' }));
    await prompt();
    const names = toolsOf('a1');
    expect(names).toContain('grep_search');
    for (const name of ['edit', 'write_file', 'apply_patch', 'run_shell_command', 'task'])
      expect(names).not.toContain(name);
    expect(readdirSync(workspace.root)).not.toContain('x');
  });

  it('never are those that choose the mode of the session or speak with the person', async () => {
    describeAgent('bold', 'tools: "*"');
    await start(handingOn(once({ text: 'x' }), { subagent_type: 'bold' }), { approvalMode: ApprovalMode.PLAN });
    await prompt();
    for (const name of ['exit_plan_mode', 'enter_plan_mode', 'ask_user']) expect(toolsOf('a1')).not.toContain(name);
  });

  it('include tools of the program, as they come and go above', async () => {
    await start(
      handingOn((turn) => {
        if (turn === 0) agent.config.getToolRegistry().removeTool('glob');
        return turn === 0 ? call('read_file', { absolute_path: workspace.path('a.txt') }) : { text: 'x' };
      }),
    );
    await prompt();
    const [first, second] = requestsOf('a1').map(({ body }) => (body.tools ?? []).map((tool) => tool.function.name));
    expect(first).toContain('glob');
    expect(second).not.toContain('glob');
  });
});

describe('approval', () => {
  const command = call('run_shell_command', { command: 'touch made' });

  it('is asked of the same person, who is told which agent wants it, and "always" holds for all', async () => {
    const { approver, requests } = createFakeApprover([ToolConfirmationOutcome.ProceedAlways]);
    await start(
      (who, turn) => {
        if (who === 'main') return turn < 2 ? task() : { text: 'done' };
        return once(command)(turn);
      },
      { approvalMode: ApprovalMode.DEFAULT, approver },
    );
    const events = await prompt();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ agent: 'general (a1)', agentId: 'a1' });
    expect(of(inside(events), 'approval-request')[0]?.request.agent).toBe('general (a1)');
    expect(of(inside(events), 'tool-call-end').map(({ status }) => status)).toEqual(['success', 'success']);
  });

  it('is denied where nobody can be asked, and the end of the prompt says what', async () => {
    await start(handingOn(once(command)), { approvalMode: ApprovalMode.DEFAULT });
    const events = await prompt();
    expect(of(inside(events), 'tool-call-end')[0]?.status).toBe('denied');
    expect(endOf(events)?.denials).toMatchObject([
      { toolName: 'run_shell_command', rules: ['run_shell_command(touch made)'] },
    ]);
  });

  it('stops the clock of all agents above while it waits', async () => {
    const slow = createFakeApprover([], async () => {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      return { outcome: ToolConfirmationOutcome.ProceedOnce };
    });
    const options = {
      approvalMode: ApprovalMode.DEFAULT,
      approver: slow.approver,
      maxSeconds: 1.2,
      agents: { maxSeconds: 1 },
    };
    await start(handingOn(once(command)), options);
    expect(endOf(await prompt())?.stopReason).toBe('completed');
  });
});

describe('what a subagent may take', () => {
  it('ends at its turns, with what it says then', async () => {
    describeAgent('short', 'max_turns: 2');
    const looks = (turn: number): ScriptedTurn => ({
      text: `so far ${turn}`,
      toolCalls: [{ name: 'read_file', arguments: { absolute_path: workspace.path('a.txt'), offset: turn } }],
    });
    await start(handingOn(looks, { subagent_type: 'short' }));
    const events = await prompt();
    const [end] = of(events, 'tool-call-end');
    expect(end?.status).toBe('success');
    expect(textOf(end)).toContain('so far 2');
    expect(textOf(end)).toContain('did not come to its end: max-turns');
    expect(of(events, 'subagent-end')).toMatchObject([{ stopReason: 'max-turns', turns: 2 }]);
  });

  it('ends at its time', async () => {
    await start(
      handingOn(() => ({ hangAfterChunks: -1 })),
      { agents: { maxSeconds: 0.3 } },
    );
    const events = await prompt();
    expect(of(events, 'subagent-end')).toMatchObject([{ stopReason: 'max-seconds' }]);
    expect(endOf(events)?.stopReason).toBe('completed');
  });

  it('counts for the limit of the cost of the prompt, and for what the session has used', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    await start(
      (who, turn) => {
        if (who === 'main') return turn === 0 ? { ...task(), usage } : { text: 'done', usage };
        return { ...call('read_file', { absolute_path: workspace.path('a.txt'), offset: turn }), usage };
      },
      { maxCost: 4.5, prices: { input: 1, output: 1 } },
    );
    const events = await prompt();
    // One request of the agent itself, then those below until the limit is passed.
    expect(of(events, 'subagent-end')).toMatchObject([{ stopReason: 'max-cost', turns: 4 }]);
    expect(endOf(events)?.stopReason).toBe('max-cost');
    expect(agent.usage()).toMatchObject({ inputTokens: 5_000_000, requests: 5, cost: 5 });
  });
});

describe('what is written down', () => {
  it('in the log of the session are beginning and end alone; the subagent has a chained log of its own', async () => {
    await start(handingOn(once(call('read_file', { absolute_path: workspace.path('a.txt') }))));
    const events = await prompt();
    const [{ logFile } = { logFile: '' }] = of(events, 'subagent-start');
    await agent.close();
    const types = loadSessionLog(agent.sessionFile).events.map(({ event }) => event.type);
    expect(types.filter((type) => type.startsWith('subagent'))).toEqual(['subagent-start', 'subagent-end']);
    expect(logFile).toContain(`/sessions/agents/`);
    expect(logFile).toContain(`${agent.sessionId}.a1.jsonl`);
    const own = loadSessionLog(logFile);
    expect(own.problems).toEqual([]);
    expect(own.events.map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(['session-start', 'user-message', 'tool-call-end', 'prompt-end']),
    );
    expect(verifySession(logFile)).toMatchObject({ status: 'intact', faults: [] });
  });

  it('gives the same conversation again, and agents of the resumed session new names', async () => {
    const script = handingOn(once(call('read_file', { absolute_path: workspace.path('a.txt') })));
    await start(script);
    await prompt();
    const { messages, sessionFile } = agent;
    const said = structuredClone(messages);
    const used = agent.usage();
    await agent.close();
    await model.close();
    await start(
      (who, turn, request) => (who === 'main' && turn === 2 ? task() : script(who, turn === 3 ? 1 : turn, request)),
      {
        session: { file: sessionFile },
      },
    );
    expect(agent.messages).toEqual(said);
    expect(agent.usage()).toEqual(used);
    expect(of(await prompt('more'), 'subagent-start')[0]?.agentId).toBe('a2');
  });
});

describe('around a subagent', () => {
  it('hooks are asked when it would stop, and may have it go on', async () => {
    const asked: unknown[] = [];
    const list = [
      functionHook({
        event: 'SubagentStop',
        name: 'not yet',
        run: (input) => {
          asked.push(input);
          return asked.length === 1 ? { decision: 'block', reason: 'look once more' } : undefined;
        },
      }),
    ];
    await start(
      handingOn((turn) => ({ text: `answer ${turn}` })),
      { hooks: { list } },
    );
    const events = await prompt();
    expect(asked).toMatchObject([
      { agent_id: 'a1', agent_type: 'general', stop_hook_active: false, last_assistant_message: 'answer 0' },
      { stop_hook_active: true, last_assistant_message: 'answer 1' },
    ]);
    expect(textOf(of(events, 'tool-call-end')[0])).toContain('answer 1');
    expect(JSON.stringify(requestsOf('a1')[1]?.body.messages)).toContain('look once more');
  });

  it('context files of folders are told to the agent that touched them, and to no other', async () => {
    await start(
      (who, turn) => {
        if (who === 'main')
          return turn === 0
            ? task()
            : turn === 1
              ? call('read_file', { absolute_path: workspace.path('a.txt') })
              : { text: 'done' };
        return turn === 0 ? call('read_file', { absolute_path: workspace.path('sub/x.txt') }) : { text: 'ready' };
      },
      { memory: { isTrusted: true } },
    );
    await prompt();
    expect(JSON.stringify(requestsOf('a1').at(-1)?.body.messages)).toContain('words of sub');
    expect(JSON.stringify(requestsOf('main').at(-1)?.body.messages)).not.toContain('words of sub');
  });

  it('its own model answers where it can be had; else that above, and the person is told', async () => {
    describeAgent('other', 'model: other-model');
    describeAgent('lost', 'model: lost-model');
    await start(
      (who, turn) =>
        who === 'main'
          ? turn === 0
            ? task({ subagent_type: 'other' })
            : turn === 1
              ? task({ subagent_type: 'lost' })
              : { text: 'done' }
          : { text: 'hi' },
      {
        modelNamed: async (name) => {
          if (name === 'lost-model') throw new Error('it is not served here');
          return { model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: name }) };
        },
      },
    );
    const events = await prompt();
    expect(requestsOf('a1')[0]?.body.model).toBe('other-model');
    expect(requestsOf('a2')[0]?.body.model).toBe('scripted');
    expect(of(inside(events), 'notice').map(({ text }) => text)).toEqual([
      expect.stringContaining('The model lost-model of the agent lost cannot be had (it is not served here)'),
    ]);
  });

  it('its system prompt has its instructions, and that it works for another', async () => {
    describeAgent('poet', 'tools: Read', 'Answer in rhymes.');
    await start(handingOn(once({ text: 'ok' }), { subagent_type: 'poet' }));
    await prompt();
    const system = JSON.stringify(requestsOf('a1')[0]?.body.messages[0]);
    expect(system).toContain('Answer in rhymes.');
    expect(system).toContain('another agent, not the user, gave you the task');
    expect(system).toContain(workspace.root);
  });

  it('agents of the folder are used once it is trusted, and not before', async () => {
    mkdirSync(workspace.path('.claude/agents'), { recursive: true });
    writeFileSync(
      workspace.path('.claude/agents/helper.md'),
      '---\nname: helper\ndescription: SECRET WORDS\n---\nBe good.\n',
    );
    await start(handingOn(once({ text: 'ok' }), { subagent_type: 'helper' }));
    const events = await prompt();
    expect(of(events, 'tool-call-end')[0]?.status).toBe('error');
    expect(model.requests.map(({ bodyText }) => bodyText).join('')).not.toContain('SECRET WORDS');
    expect(agent.notices.join('\n')).toContain('cannot be used until you trust it');
    await agent.close();
    await model.close();
    await start(handingOn(once({ text: 'ok' }), { subagent_type: 'helper' }), { agents: { isTrusted: true } });
    expect(of(await prompt(), 'tool-call-end')[0]?.status).toBe('success');
  });
});

it('leaves no listeners on the signal of the prompt', async () => {
  const signal = new AbortController().signal;
  let listening = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listening += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listening -= 1;
    remove(...args);
  };
  await start(handingOn(once({ text: 'ok' })));
  for await (const event of agent.prompt('go', signal)) expect(event.type).toBeDefined();
  expect(listening).toBeLessThanOrEqual(1);
  expect(readFileSync(workspace.path('a.txt'), 'utf8')).toBe('one\ntwo\n');
});
