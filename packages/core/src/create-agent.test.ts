import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { loadSessionLog } from './session/session-log.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn, TurnFunction } from './testing/scripted-turn.js';

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agent: Agent;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({ 'a.txt': 'one\ntwo\nthree\n' });
});
afterEach(async () => {
  await agent.close();
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

async function start(
  turns: readonly (ScriptedTurn | TurnFunction)[],
  options: Partial<AgentOptions> = {},
): Promise<void> {
  model = await startScriptedModel(turns);
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

async function prompt(text: string, signal?: AbortSignal): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.prompt(text, signal)) events.push(event);
  return events;
}

type End = Extract<AgentEvent, { type: 'prompt-end' }>;
const endOf = (events: readonly AgentEvent[]): End | undefined => events.find((event) => event.type === 'prompt-end');
const read = (file: string): ScriptedTurn => ({
  toolCalls: [{ name: 'read_file', arguments: { absolute_path: file } }],
});
const lastMessages = (count: number): readonly unknown[] => (model.requests.at(-1)?.body.messages ?? []).slice(-count);

describe('an agent', () => {
  it('runs the calls of the model and sends their results back until it answers (S1, S25)', async () => {
    await start([read(workspace.path('a.txt')), { text: 'Three lines.' }]);
    const events = await prompt('How many lines?');
    expect(endOf(events)).toMatchObject({ stopReason: 'completed', text: 'Three lines.', turns: 2, toolCalls: 1 });
    const [call, result] = lastMessages(2);
    expect(call).toMatchObject({ role: 'assistant', tool_calls: [{ function: { name: 'read_file' } }] });
    expect(result).toMatchObject({ role: 'tool', tool_call_id: 'call_1_1' });
    expect(JSON.stringify(result)).toContain('two');
  });

  it('gives results in the order of the model, whichever ends first', async () => {
    const slow = { name: 'run_shell_command', arguments: { command: 'sleep 0.3' } };
    const fast = { name: 'read_file', arguments: { absolute_path: workspace.path('a.txt') } };
    await start([{ toolCalls: [slow, fast] }, { text: 'ok' }]);
    const events = await prompt('go');
    const ended = events.flatMap((event) => (event.type === 'tool-call-end' ? [event.toolName] : []));
    expect(ended).toEqual(['read_file', 'run_shell_command']);
    expect(lastMessages(2)).toMatchObject([{ tool_call_id: 'call_1_1' }, { tool_call_id: 'call_1_2' }]);
  });

  it('answers broken arguments, unknown tools and repeated ids with results, and goes on', async () => {
    const toolCalls = [
      { name: 'read_file', arguments: '{"absolute_path": "/unfin', id: 'x' },
      { name: 'raed_file', arguments: {}, id: 'x' },
    ];
    await start([{ toolCalls }, { text: 'ok' }]);
    expect(endOf(await prompt('go'))?.stopReason).toBe('completed');
    const results = lastMessages(2).map((message) => JSON.stringify(message));
    expect(results[0]).toContain('cut');
    expect(results[1]).toContain('read_file');
    const ids = lastMessages(2).map((message) => (message as { tool_call_id: string }).tool_call_id);
    expect(new Set(ids).size).toBe(2);
  });

  it('asks again after 429, 5xx and broken streams, and never runs half a call', async () => {
    const cut = { ...read(workspace.path('a.txt')), chunkSize: 4, cutAfterChunks: 3 };
    const busy = { error: { status: 429, headers: { 'retry-after': '0' } } };
    await start([busy, { error: { status: 503 } }, cut, { text: 'done' }]);
    const events = await prompt('go');
    expect(events.filter((event) => event.type === 'model-retry')).toHaveLength(3);
    expect(events.some((event) => event.type === 'tool-call-start')).toBe(false);
    expect(endOf(events)?.text).toBe('done');
  });

  it('asks three times where nothing comes, then stops and says so', async () => {
    await start([{ text: '' }, { thinking: 'hm' }, { text: ' ' }]);
    const events = await prompt('go');
    expect(events.filter((event) => event.type === 'model-retry')).toHaveLength(2);
    expect(endOf(events)).toMatchObject({
      stopReason: 'empty-answer',
      message: 'The model gave an empty answer. It was asked 3 times. Try again, or with another model.',
    });
  });

  it('stops with the reason when the model refuses the request', async () => {
    await start([{ error: { status: 401, message: 'bad key' } }]);
    expect(endOf(await prompt('go'))).toMatchObject({ stopReason: 'model-error' });
    expect(model.requests).toHaveLength(1);
  });

  it('stops a model that repeats the same call with the same result, and says so', async () => {
    await start(Array.from({ length: 9 }, () => read(workspace.path('a.txt'))));
    expect(endOf(await prompt('go'))).toMatchObject({ stopReason: 'loop', turns: 5 });
  });

  it('has no budget of turns and calls unless it is given one', async () => {
    const reads = Array.from({ length: 600 }, (_, offset) => ({
      name: 'read_file',
      arguments: { absolute_path: workspace.path('a.txt'), offset },
    }));
    const turns = Array.from({ length: 120 }, (_, turn): ScriptedTurn => ({
      toolCalls: reads.slice(turn * 5, turn * 5 + 5),
    }));
    await start([...turns, { text: 'done' }]);
    const end = endOf(await prompt('go'));
    expect(end).toMatchObject({ stopReason: 'completed', turns: 121, toolCalls: 600 });
  }, 60_000);

  it('keeps to its budgets of turns and calls', async () => {
    const reads = (count: number): ScriptedTurn => ({
      toolCalls: Array.from({ length: count }, (_, offset) => ({
        name: 'read_file',
        arguments: { absolute_path: workspace.path('a.txt'), offset },
      })),
    });
    await start([reads(1), reads(2), reads(3), { text: 'after' }], { maxTurns: 2 });
    expect(endOf(await prompt('go'))?.stopReason).toBe('max-turns');
    await agent.close();
    await model.close();
    await start([reads(3), { text: 'after' }], { maxToolCalls: 2 });
    expect(endOf(await prompt('go'))).toMatchObject({ stopReason: 'max-tool-calls', toolCalls: 2 });
    await prompt('and now?');
    expect(lastMessages(2)[0]).toMatchObject({ role: 'tool', tool_call_id: 'call_1_3' });
  });

  it.each(['while the model speaks', 'while a call runs'])(
    'can be interrupted %s, and goes on with the next prompt',
    async (when) => {
      const speaking = { text: 'A long answer that never ends', chunkSize: 4, hangAfterChunks: 3 };
      const running = { toolCalls: [{ name: 'run_shell_command', arguments: { command: 'sleep 30' } }] };
      await start([when === 'while a call runs' ? running : speaking, { text: 'Going on.' }]);
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('Ctrl-C')), 300);
      expect(endOf(await prompt('go', controller.signal))?.stopReason).toBe('cancelled');
      expect(endOf(await prompt('continue'))).toMatchObject({ stopReason: 'completed', text: 'Going on.' });
      const messages = model.requests.at(-1)?.body.messages ?? [];
      const calls = messages.flatMap((message) => message.tool_calls ?? []).map((call) => call.id);
      expect(messages.flatMap((message) => message.tool_call_id ?? [])).toEqual(calls);
    },
  );

  it('leaves a conversation that can be continued when the reader stops reading', async () => {
    await start([{ toolCalls: [{ name: 'run_shell_command', arguments: { command: 'sleep 30' } }] }, { text: 'ok' }]);
    for await (const event of agent.prompt('go')) if (event.type === 'tool-call-start') break;
    expect(endOf(await prompt('again'))?.text).toBe('ok');
    expect(lastMessages(2)[0]).toMatchObject({ role: 'tool', tool_call_id: 'call_1_1' });
  });

  it('pairs every call when the reader stops at the answer, and keeps a result that was there', async () => {
    await start([read(workspace.path('a.txt')), { text: 'ok' }, read(workspace.path('a.txt')), { text: 'ok' }]);
    for await (const event of agent.prompt('go')) if (event.type === 'assistant-message') break;
    await prompt('again');
    expect(lastMessages(2)[0]).toMatchObject({ role: 'tool', tool_call_id: 'call_1_1' });
    for await (const event of agent.prompt('once more')) if (event.type === 'tool-call-end') break;
    await prompt('and now?');
    expect(JSON.stringify(lastMessages(2)[0])).toContain('two');
  });

  it('is not taken for a loop when one answer holds the same call many times', async () => {
    const call = { name: 'read_file', arguments: { absolute_path: workspace.path('a.txt') } };
    await start([{ toolCalls: Array.from({ length: 6 }, () => call) }, { text: 'ok' }]);
    expect(endOf(await prompt('go'))?.stopReason).toBe('completed');
  });

  it('writes nothing more after it was closed in the middle of a prompt', async () => {
    await start([{ text: 'a long answer', chunkSize: 2, delayMs: 20 }]);
    const events: AgentEvent[] = [];
    let size = 0;
    for await (const event of agent.prompt('go')) {
      events.push(event);
      if (event.type !== 'text-delta' || size > 0) continue;
      await agent.close();
      size = statSync(agent.sessionFile).size;
    }
    expect(size).toBeGreaterThan(0);
    expect(statSync(agent.sessionFile).size).toBe(size);
    expect(endOf(events)?.stopReason).toBe('cancelled');
  });

  it('writes the session log as it goes, for the owner only', async () => {
    await start([read(workspace.path('a.txt')), { text: 'ok' }]);
    await prompt('go');
    const { events, problems } = loadSessionLog(agent.sessionFile);
    expect(problems).toEqual([]);
    expect(events.map((line) => line.event.type)).toEqual([
      'session-start',
      'user-message',
      'turn-start',
      'assistant-message',
      'tool-call-start',
      'tool-call-end',
      'turn-end',
      'turn-start',
      'assistant-message',
      'turn-end',
      'prompt-end',
    ]);
    expect(statSync(agent.sessionFile).mode & 0o077).toBe(0);
  });

  it('bounds what a command prints, keeps all of it in a file, and lets the model open that file (S65)', async () => {
    let spilled = '';
    await start([
      { toolCalls: [{ name: 'run_shell_command', arguments: { command: 'seq 1 200000' } }] },
      (request) => {
        spilled = /(\/\S+\.(?:txt|log))/.exec(JSON.stringify(request.body.messages.at(-1)))?.[1] ?? '';
        return { toolCalls: [{ name: 'read_file', arguments: { absolute_path: spilled, offset: 99_999, limit: 1 } }] };
      },
      { text: 'ok' },
    ]);
    const events = await prompt('go');
    const [first, second] = events.filter((event) => event.type === 'tool-call-end');
    expect(JSON.stringify(first?.content).length).toBeLessThan(60_000);
    expect(readFileSync(spilled, 'utf8').trimEnd().split('\n')).toHaveLength(200_000);
    expect(JSON.stringify(second?.content)).toContain('100000');
  });

  it('enforces plan mode by effects: reads run, changes do not, whatever the tool (S125)', async () => {
    await start(
      [
        {
          toolCalls: [
            { name: 'read_file', arguments: { absolute_path: workspace.path('a.txt') } },
            { name: 'write_file', arguments: { file_path: workspace.path('b.txt'), content: 'x' } },
            { name: 'run_shell_command', arguments: { command: 'touch c.txt' } },
          ],
        },
        { text: 'ok' },
      ],
      { approvalMode: ApprovalMode.PLAN },
    );
    const events = await prompt('go');
    const statuses = events.flatMap((event) =>
      event.type === 'tool-call-end' ? [`${event.toolName} ${event.status}`] : [],
    );
    expect(statuses.toSorted()).toEqual(['read_file success', 'run_shell_command denied', 'write_file denied']);
    expect(readdirSync(workspace.root)).toEqual(['a.txt']);
  });

  it('reads the files that a prompt names with @ before it asks the model (S118)', async () => {
    await workspace.write({ 'src/b.ts': 'export const b = 2;\n', secret: 'hidden', '.qwenignore': 'secret\n' });
    await start([{ text: 'ok' }]);
    const events: AgentEvent[] = [];
    const attach = ['a.txt', 'src/*.ts', 'missing.txt', 'secret', '../outside'];
    for await (const event of agent.prompt('compare @a.txt', undefined, { attach })) events.push(event);
    const sent = JSON.stringify(model.requests[0]?.body.messages.at(-1));
    expect(sent).toContain('compare @a.txt');
    expect(sent).toContain('one\\ntwo');
    expect(sent).toContain('export const b = 2;');
    expect(sent).not.toContain('hidden');
    expect(sent).toContain('@missing.txt was not sent: there is no such file.');
    expect(sent).toContain('@secret was not sent: .qwenignore names it.');
    expect(sent).toMatch(/@\.\.\/outside was not sent: Path must be within workspace: \S+ Give one in \S+[^.]\.\\n/);
    const types = events.map((event) => event.type);
    expect(types.indexOf('tool-call-end')).toBeLessThan(types.indexOf('turn-start'));
    expect(events.find((event) => event.type === 'tool-call-end')).toMatchObject({ status: 'success' });
  });

  it('reads the lines of a file that a prompt names, and the whole file whose name looks like it', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}.`).join('\n');
    await workspace.write({ 'long.txt': lines, 'named#L1': 'whole file' });
    await start([{ text: 'ok' }]);
    const attach = ['long.txt#L10-12', workspace.path('long.txt#L20'), 'named#L1', 'lnog.txt#L2'];
    for await (const event of agent.prompt('look', undefined, { attach })) void event;
    const sent = JSON.stringify(model.requests[0]?.body.messages.at(-1));
    expect(sent).toContain('Lines 10 to 12 of long.txt, named with @:');
    const shown = Array.from(sent.matchAll(/line (\d+)\./g), ([, number]) => number);
    expect(shown).toEqual(['10', '11', '12', '20']);
    expect(sent).toContain('whole file');
    expect(sent).toContain('@lnog.txt#L2 was not sent: there is no such file. Did you mean @long.txt?');
  });

  it('refuses a second prompt while it works', async () => {
    await start([{ text: 'slow', delayMs: 200 }]);
    const first = prompt('go');
    await expect(prompt('again')).rejects.toThrow('working on a prompt');
    await first;
  });
});
