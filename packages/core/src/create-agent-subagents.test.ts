import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
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
  workspace = await createTempWorkspace({ 'a.txt': 'one\ntwo\n', 'b.txt': 'bee\n' });
});
afterEach(async () => {
  await agent.close();
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

/** What an agent says: by its id (`main`, `a1`, …) and how many answers it has given. */
type Script = (who: string, turn: number, request: RecordedRequest) => ScriptedTurn | Promise<ScriptedTurn>;

async function start(script: Script, options: Partial<AgentOptions> = {}): Promise<void> {
  const play = (request: RecordedRequest): ScriptedTurn | Promise<ScriptedTurn> => {
    const said = request.body.messages.filter(({ role }) => role === 'assistant').length;
    return script(whoAsks(request), said, request);
  };
  model = await startScriptedModel(Array.from({ length: 400 }, () => play));
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

async function prompt(text = 'go', signal?: AbortSignal): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.prompt(text, signal)) events.push(event);
  return events;
}

const task = (more: Record<string, unknown> = {}) => ({
  name: 'task',
  arguments: { description: 'a task', prompt: 'do it', ...more },
});
const call = (name: string, args: Record<string, unknown>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});
const read = (file: string): ScriptedTurn => call('read_file', { absolute_path: workspace.path(file) });
const ends = (events: readonly AgentEvent[]) => events.filter((event) => event.type === 'tool-call-end');
const endOf = (events: readonly AgentEvent[]) => events.find((event) => event.type === 'prompt-end');
const textOf = (event: AgentEvent | undefined): string =>
  event?.type === 'tool-call-end' ? event.content.map((part) => ('text' in part ? part.text : '')).join('') : '';

type Kind = AgentEvent['type'];
type Of<K extends Kind> = Extract<AgentEvent, { type: K }>;
const of = <K extends Kind>(events: readonly AgentEvent[], type: K): Of<K>[] =>
  events.filter((event): event is Of<K> => event.type === type);
/** What one subagent did, out of the stream, however deep it is. */
const inside = (events: readonly AgentEvent[], agentId: string): AgentEvent[] =>
  of(events, 'subagent-event').flatMap(({ agentId: id, event }) =>
    id === agentId ? [event] : inside([event], agentId),
  );
const toolsOf = (who: string): string[] =>
  (model.requests.find((request) => whoAsks(request) === who)?.body.tools ?? []).map((tool) => tool.function.name);

describe('a task', () => {
  it('is done by a subagent with a conversation of its own, whose last words are the result (S123)', async () => {
    await start((who, turn) => {
      if (who === 'main') return turn === 0 ? { toolCalls: [task({ prompt: 'count the lines' })] } : { text: 'done' };
      return turn === 0 ? read('a.txt') : { text: 'Two lines.' };
    });
    const events = await prompt();
    const [end] = ends(events);
    expect(end).toMatchObject({ status: 'success', verdict: { decision: 'allow' } });
    expect(textOf(end)).toContain('Two lines.');
    expect(endOf(events)).toMatchObject({ stopReason: 'completed', text: 'done', turns: 2, toolCalls: 1 });
    const [first] = model.requests.filter((request) => whoAsks(request) === 'a1');
    expect(JSON.stringify(first?.body.messages)).toContain('count the lines');
    expect(JSON.stringify(first?.body.messages)).not.toContain('"go"');
    expect(of(events, 'subagent-start')).toMatchObject([{ agentId: 'a1', agent: 'general', description: 'a task' }]);
    expect(of(events, 'subagent-end')).toMatchObject([{ stopReason: 'completed', turns: 2, toolCalls: 1 }]);
    expect(inside(events, 'a1').map(({ type }) => type)).toContain('assistant-message');
    const kinds = events.map(({ type }) => type);
    expect(kinds.indexOf('tool-call-start')).toBeLessThan(kinds.indexOf('subagent-start'));
    expect(kinds.lastIndexOf('subagent-end')).toBeLessThan(kinds.indexOf('tool-call-end'));
  });

  it('tells what it does as it does it, and where all of it can be read', async () => {
    await start((who, turn) => {
      if (who === 'main') return turn === 0 ? { toolCalls: [task()] } : { text: 'done' };
      return turn === 0 ? read('a.txt') : { text: 'Two lines.' };
    });
    const events = await prompt();
    const told = of(events, 'tool-call-update').map(({ display }) => JSON.stringify(display));
    expect(told.some((line) => /general \(a1\), 1 call so far: ReadFile .*a\.txt/.test(line))).toBe(true);
    const [, transcript = ''] = /All that it did: (\S+\.md)\]/.exec(textOf(ends(events)[0])) ?? [];
    const text = readFileSync(transcript, 'utf8');
    expect(text).toContain('# general (a1): a task');
    expect(text).toContain('do it');
    expect(text).toContain('one\n');
    expect(text).toContain('Two lines.');
    expect(agent.config.getWorkspaceGate().check(transcript)).toBeNull();
  });

  it('of a kind that there is not is refused with the nearest one', async () => {
    await start((who, turn) =>
      who === 'main' && turn === 0 ? { toolCalls: [task({ subagent_type: 'explorer' })] } : { text: 'ok' },
    );
    const [end] = ends(await prompt());
    expect(end?.status).toBe('error');
    expect(textOf(end)).toContain('Did you mean "explore"?');
  });

  it('that a rule forbids by the kind of agent is not handed on', async () => {
    await start((who, turn) => (who === 'main' && turn === 0 ? { toolCalls: [task()] } : { text: 'ok' }), {
      rules: [{ list: 'deny', text: 'Task(general)', origin: 'test' }],
    });
    const events = await prompt();
    expect(ends(events)[0]?.status).toBe('denied');
    expect(of(events, 'subagent-start')).toEqual([]);
  });

  it('has long last words cut in the middle, with where they are', async () => {
    const long = `BEGIN ${'x'.repeat(40_000)} END`;
    await start((who, turn) => {
      if (who === 'main') return turn === 0 ? { toolCalls: [task()] } : { text: 'done' };
      return { text: long, chunkSize: 4000 };
    });
    const text = textOf(ends(await prompt())[0]);
    expect(text.length).toBeLessThan(17_000);
    expect(text).toContain('BEGIN');
    expect(text).toMatch(/\[2\d{4} characters are left out here; they are in \/\S+\.md\]/);
    expect(text).toContain('END');
  });

  it('ends with what the model said, also where the model cannot be reached', async () => {
    await start((who, turn) => {
      if (who === 'main') return turn === 0 ? { toolCalls: [task()] } : { text: 'done' };
      return { error: { status: 401, message: 'bad key' } };
    });
    const events = await prompt();
    expect(ends(events)[0]?.status).toBe('error');
    expect(textOf(ends(events)[0])).toContain('bad key');
    expect(endOf(events)?.stopReason).toBe('completed');
  });
});

describe('several at once', () => {
  it('two work side by side, each with its own events in order', async () => {
    let waiting: (() => void) | undefined;
    // The first of the two to ask gets its answer only once the other has asked.
    const both = new Promise<void>((resolve) => (waiting = resolve));
    const asked = new Set<string>();
    await start(async (who, turn) => {
      if (who === 'main')
        return turn === 0 ? { toolCalls: [task(), task({ subagent_type: 'explore' })] } : { text: 'ok' };
      asked.add(who);
      if (asked.size === 2) waiting?.();
      await both;
      return turn < 3 ? read(turn % 2 === 0 ? 'a.txt' : 'b.txt') : { text: `I am ${who}` };
    });
    const events = await prompt();
    expect(ends(events).map((end) => [end.status, /I am (\w+)/.exec(textOf(end))?.[1]])).toEqual(
      expect.arrayContaining([
        ['success', 'a1'],
        ['success', 'a2'],
      ]),
    );
    for (const id of ['a1', 'a2']) {
      const turns = of(inside(events, id), 'turn-start').map(({ turn }) => turn);
      expect(turns).toEqual([1, 2, 3, 4]);
      const whole = inside(events, id).at(-1);
      expect(whole).toMatchObject({ type: 'prompt-end', stopReason: 'completed' });
    }
  });

  it('twenty are done, eight at a time, and nothing of theirs is lost', async () => {
    let now = 0;
    let most = 0;
    await start(async (who, turn) => {
      if (who === 'main') return turn === 0 ? { toolCalls: Array.from({ length: 20 }, () => task()) } : { text: 'ok' };
      if (turn > 0) return { text: `done by ${who}` };
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 30));
      now -= 1;
      return read('a.txt');
    });
    const events = await prompt();
    expect(endOf(events)).toMatchObject({ stopReason: 'completed', toolCalls: 20 });
    expect(ends(events)).toHaveLength(20);
    const said = new Set(ends(events).map((end) => /done by (a\d+)/.exec(textOf(end))?.[1]));
    expect(said.size).toBe(20);
    expect(of(events, 'subagent-start')).toHaveLength(20);
    expect(of(events, 'subagent-end').map(({ toolCalls }) => toolCalls)).toEqual(Array.from({ length: 20 }, () => 1));
    for (const id of said) {
      const deltas = of(inside(events, id ?? ''), 'text-delta');
      expect(deltas.map(({ text }) => text).join('')).toBe(`done by ${id}`);
    }
    expect(most).toBeLessThanOrEqual(8);
    expect(most).toBeGreaterThan(2);
    // Calls of different agents never have one name: people are asked by it.
    const ids = [...said].flatMap((id) => of(inside(events, id ?? ''), 'tool-call-start').map(({ callId }) => callId));
    expect(new Set(ids).size).toBe(20);
  }, 30_000);

  it('a reader who takes his time loses nothing, and one who stops leaves nothing behind', async () => {
    await start(async (who, turn) => {
      if (who === 'main') return turn === 0 ? { toolCalls: [task(), task()] } : { text: 'ok' };
      return turn === 0
        ? {
            text: 'y'.repeat(3000),
            chunkSize: 3,
            toolCalls: [{ name: 'read_file', arguments: { absolute_path: workspace.path('a.txt') } }],
          }
        : { text: who };
    });
    const events: AgentEvent[] = [];
    for await (const event of agent.prompt('go')) {
      events.push(event);
      if (events.length % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    for (const id of ['a1', 'a2'])
      expect(
        of(inside(events, id), 'text-delta')
          .map(({ text }) => text)
          .join(''),
      ).toBe('y'.repeat(3000) + id);
    for await (const event of agent.prompt('again')) if (event.type === 'subagent-event') break;
    const next: AgentEvent[] = await prompt('once more');
    expect(endOf(next)?.stopReason).toBe('completed');
  }, 30_000);
});

describe('nested agents', () => {
  const down: Script = (who, turn) => {
    if (turn > 0) return { text: `back from ${who}` };
    return who === 'a1.1.1' ? { toolCalls: [task()] } : { toolCalls: [task({ description: `below ${who}` })] };
  };

  it('hand work on to a depth of three, and the last is told why it cannot', async () => {
    await start(down);
    const events = await prompt();
    expect(textOf(ends(events)[0])).toContain('back from a1');
    expect(of(inside(events, 'a1.1'), 'subagent-start')).toMatchObject([{ agentId: 'a1.1.1' }]);
    const [refused] = of(inside(events, 'a1.1.1'), 'tool-call-end');
    expect(refused?.status).toBe('error');
    expect(toolsOf('a1.1')).toContain('task');
    expect(toolsOf('a1.1.1')).not.toContain('task');
    const [end] = of(events, 'subagent-end');
    expect(end?.usageBelow).toMatchObject([{ model: expect.any(String), requests: 4 }]);
  });

  it('never wait for one another for ever, even where one may work at a time', async () => {
    await start(
      (who, turn) => (turn > 0 ? { text: who } : who === 'a1.1.1' ? read('a.txt') : { toolCalls: [task(), task()] }),
      { agents: { maxParallel: 1, maxDepth: 2 } },
    );
    const events = await prompt();
    expect(endOf(events)?.stopReason).toBe('completed');
    expect(ends(events).map(({ status }) => status)).toEqual(['success', 'success']);
  }, 20_000);
});

describe('ending', () => {
  const hang: ScriptedTurn = { hangAfterChunks: -1 };

  it('reaches all agents, nested ones too, within a second, and the conversation goes on', async () => {
    await start((who, turn, request) => {
      if (JSON.stringify(request.body.messages).includes('and now this')) return { text: 'here' };
      if (who === 'main') return { toolCalls: [task(), task()] };
      return who === 'a1' && turn === 0 ? { toolCalls: [task()] } : hang;
    });
    const stop = new AbortController();
    const events: AgentEvent[] = [];
    let stoppedAt = 0;
    for await (const event of agent.prompt('go', stop.signal)) {
      events.push(event);
      const isDeep =
        event.type === 'subagent-event' && inside([event], 'a1.1').some(({ type }) => type === 'turn-start');
      if (isDeep) {
        stoppedAt = performance.now();
        stop.abort();
      }
    }
    expect(performance.now() - stoppedAt).toBeLessThan(1000);
    expect(endOf(events)?.stopReason).toBe('cancelled');
    expect(ends(events).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(of(events, 'subagent-end').map(({ stopReason }) => stopReason)).toEqual(['cancelled', 'cancelled']);
    for (const { closed } of model.requests.slice(1)) expect(await closed).toBeDefined();
    expect(endOf(await prompt('and now this'))?.text).toBe('here');
  });

  it('of the program ends commands that subagents run', async () => {
    const mark = workspace.path('alive');
    await start((who, turn) => {
      if (who === 'main') return { toolCalls: [task()] };
      return turn === 0
        ? call('run_shell_command', { command: `while true; do date +%s%N > ${mark}; sleep 0.05; done` })
        : hang;
    });
    const running = prompt();
    await expect.poll(() => readdirSync(workspace.root).includes('alive'), { timeout: 5000 }).toBe(true);
    await agent.close();
    await running;
    const last = readFileSync(mark, 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(readFileSync(mark, 'utf8')).toBe(last);
  });

  it('ends jobs with the subagent that left them running', async () => {
    await start((who, turn) => {
      if (who === 'main') return turn === 0 ? { toolCalls: [task()] } : { text: 'ok' };
      return turn === 0 ? call('run_shell_command', { command: 'sleep 60', is_background: true }) : { text: 'left it' };
    });
    const events = await prompt();
    expect(of(inside(events, 'a1'), 'job-end')).toHaveLength(1);
    expect(agent.config.getJobs().list()).toEqual([]);
  });
});

describe('files', () => {
  it('that two agents change meet the same rules of staleness, and the journal names who did it', async () => {
    const edit = (from: string, to: string): ScriptedTurn =>
      call('edit', { file_path: workspace.path('a.txt'), old_string: from, new_string: to });
    const write = call('write_file', { file_path: workspace.path('a.txt'), content: 'all new\n' });
    let changed: (() => void) | undefined;
    const isChanged = new Promise<void>((resolve) => (changed = resolve));
    let seen: (() => void) | undefined;
    const isSeen = new Promise<void>((resolve) => (seen = resolve));
    await start(async (who, turn) => {
      if (who === 'main') return turn === 0 ? { toolCalls: [task(), task()] } : { text: 'ok' };
      if (turn === 0) return read('a.txt');
      if (who === 'a1') {
        // It has read the old text; the other one changes it; then it would overwrite all of it.
        if (turn === 1) {
          seen?.();
          await isChanged;
          return write;
        }
        return { text: 'tried' };
      }
      if (turn === 1) {
        await isSeen;
        return edit('two', 'TWO');
      }
      changed?.();
      return { text: 'changed' };
    });
    const events = await prompt();
    const [, over] = of(inside(events, 'a1'), 'tool-call-end');
    expect(over?.status).toBe('error');
    expect(textOf(over)).toMatch(/changed/);
    expect(readFileSync(workspace.path('a.txt'), 'utf8')).toBe('one\nTWO\n');
    expect(journalText()).toMatch(/"agent":\s*"a2"/);
    expect(journalText()).toContain(agent.sessionId);
    expect(journalText()).not.toMatch(/"agent":\s*"a1"/);
  });

  it('that a subagent changed go back with the message of the person', async () => {
    await start((who, turn) => {
      if (who === 'main') return turn === 0 ? { toolCalls: [task()] } : { text: 'ok' };
      return turn === 0
        ? call('write_file', { file_path: workspace.path('new.txt'), content: 'x\n' })
        : { text: 'done' };
    });
    await prompt();
    expect(readdirSync(workspace.root)).toContain('new.txt');
    const [point] = await agent.rewindPoints();
    await agent.rewind(point?.id ?? '', { conversation: true, files: true });
    expect(readdirSync(workspace.root)).not.toContain('new.txt');
  });
});

describe('a worktree of its own', () => {
  const git = (...args: readonly string[]): void => {
    const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...own, ...args], { cwd: workspace.root, stdio: 'ignore' });
  };
  const rootOf = (request: RecordedRequest): string =>
    /Workspace: ([^\s;]+?)[.;]? /.exec(String(request.body.messages[0]?.content))?.[1] ?? '';
  const script: Script = (who, turn, request) => {
    if (who === 'main') return turn === 0 ? { toolCalls: [task({ isolation: 'worktree' })] } : { text: 'ok' };
    const file = join(rootOf(request), 'made.txt');
    return turn === 0 ? call('write_file', { file_path: file, content: 'made\n' }) : { text: `made ${file}` };
  };

  it('keeps what is done out of the workspace until it is approved as one change', async () => {
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'begin');
    const { approver, requests } = createFakeApprover([
      ToolConfirmationOutcome.ProceedOnce,
      (request) => {
        expect(request.agent).toBe('general (a1)');
        expect(readdirSync(workspace.root)).not.toContain('made.txt');
        return { outcome: ToolConfirmationOutcome.ProceedOnce };
      },
    ]);
    await start(script, { approvalMode: ApprovalMode.DEFAULT, approver });
    const events = await prompt();
    expect(textOf(ends(events)[0])).not.toContain(`made ${workspace.root}/`);
    expect(requests).toHaveLength(2);
    expect(readFileSync(workspace.path('made.txt'), 'utf8')).toBe('made\n');
    expect(of(inside(events, 'a1'), 'approval-request')).toHaveLength(2);
    expect(ends(events)[0]?.data).toMatchObject({ worktree: { state: 'applied', changed: ['made.txt'] } });
    expect(journalText()).toMatch(/"agent":\s*"a1"/);
  }, 20_000);

  it('needs a repository; without one nothing is done', async () => {
    await start(script);
    const events = await prompt();
    expect(ends(events)[0]?.status).toBe('error');
    expect(model.requests.map(whoAsks)).toEqual(['main', 'main']);
    expect(readdirSync(workspace.root)).not.toContain('made.txt');
  });
});

/** All that the journal holds of changes. */
function journalText(): string {
  const [project = ''] = readdirSync(join(home, 'projects'));
  const folder = join(home, 'projects', project, 'journal');
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}
