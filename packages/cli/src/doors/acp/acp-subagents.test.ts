import { access } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { RecordedRequest, ScriptedTurn } from '@tenon/core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createAcpBench, type AcpBench, type AcpBenchOptions } from './testing/acp-bench.js';

let bench: AcpBench | undefined;
afterEach(async () => bench?.end());

/** Who asks the model, and how many answers it had. */
type Script = (who: string, said: number) => ScriptedTurn | Promise<ScriptedTurn>;

async function start(script: Script, options?: AcpBenchOptions): Promise<AcpBench> {
  const turn = (request: RecordedRequest): ScriptedTurn | Promise<ScriptedTurn> => {
    const [first] = request.body.messages;
    const who = /You are the subagent \S+ \((a[\d.]+)\)/.exec(JSON.stringify(first?.content ?? ''))?.[1] ?? 'main';
    return script(who, request.body.messages.filter(({ role }) => role === 'assistant').length);
  };
  bench = await createAcpBench(
    Array.from({ length: 60 }, () => turn),
    options,
  );
  return bench;
}

const shell = (command: string): ScriptedTurn => ({
  toolCalls: [{ name: 'run_shell_command', arguments: { command, description: 'x' } }],
});
const task = (more: object = {}) => ({
  name: 'task',
  arguments: { description: 'a task', prompt: 'do it', subagent_type: 'general', ...more },
});

/** Statuses of each call in their order, by its id. */
function livesOf(updates: readonly SessionUpdate[]): Map<string, string[]> {
  const lives = new Map<string, string[]>();
  for (const update of updates) {
    if (update.sessionUpdate === 'tool_call') lives.set(update.toolCallId, ['pending']);
    if (update.sessionUpdate === 'tool_call_update' && typeof update.status === 'string')
      lives.get(update.toolCallId)?.push(update.status);
  }
  return lives;
}

const all = (): SessionUpdate[] => (bench?.told ?? []).map(({ update }) => update);
const calls = () => all().filter((update) => update.sessionUpdate === 'tool_call');

describe('subagents in an editor', () => {
  it('are named where they ask, for the call that the editor knows, and their calls point to the one above', async () => {
    const { newSession, prompt, permissions } = await start(
      (who, said) => {
        if (who === 'main') return said === 0 ? { toolCalls: [task()] } : { text: 'All done.' };
        return said === 0 ? shell('touch made') : { text: 'Made.' };
      },
      { permission: () => ({ outcome: { outcome: 'selected', optionId: 'once' } }) },
    );
    const { sessionId } = await newSession();
    expect(await prompt(sessionId, 'Go')).toBe('end_turn');
    const [above, below] = calls();
    const asked = permissions.find(({ toolCall }) => toolCall.toolCallId === below?.toolCallId);
    expect(asked?.toolCall.title).toMatch(/^general \(a1\): /);
    expect(JSON.stringify(asked?.toolCall.content)).toContain('The subagent general (a1) asks.');
    expect(below).toMatchObject({
      title: expect.stringContaining('general (a1): ') as string,
      _meta: { tenon: { parentToolCallId: above?.toolCallId, agentId: 'a1' } },
    });
    expect([...livesOf(all()).values()]).toEqual([
      ['pending', 'in_progress', 'completed'],
      ['pending', 'in_progress', 'completed'],
    ]);
    await access(path.join(bench?.workspace ?? '', 'made'));
    const words = all().filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    expect(JSON.stringify(words)).toContain('All done.');
    expect(JSON.stringify(words)).not.toContain('Made.');
  });

  it('leave no call open when a prompt is cancelled in the midst of them, twenty or not', async () => {
    const { newSession, prompt, connection } = await start(
      (who, said) => {
        if (who === 'main') return { toolCalls: Array.from({ length: 20 }, () => task({ subagent_type: 'explore' })) };
        return said === 0
          ? { toolCalls: [{ name: 'list_directory', arguments: { path: bench?.workspace } }] }
          : { text: 'never', hangAfterChunks: 0 };
      },
      { permission: () => ({ outcome: { outcome: 'selected', optionId: 'once' } }) },
    );
    const { sessionId } = await newSession();
    const answer = prompt(sessionId, 'Go');
    await expect.poll(() => calls().length, { timeout: 20_000 }).toBeGreaterThan(24);
    await connection.agent.notify('session/cancel', { sessionId });
    expect(await answer).toBe('cancelled');
    for (const life of livesOf(all()).values()) expect(['completed', 'failed']).toContain(life.at(-1));
    expect(new Set(calls().map(({ toolCallId }) => toolCallId)).size).toBe(calls().length);
  });

  it('keep their todos from the plan of the editor', async () => {
    const todos = (content: string): ScriptedTurn => ({
      toolCalls: [{ name: 'todo_write', arguments: { todos: [{ id: '1', content, status: 'pending' }] } }],
    });
    const { newSession, prompt } = await start((who, said) => {
      if (who === 'main') return [todos('mine'), { toolCalls: [task()] }][said] ?? { text: 'ok' };
      return said === 0 ? todos('its') : { text: 'ok' };
    });
    const { sessionId } = await newSession();
    await prompt(sessionId, 'Go');
    const plans = all().filter(({ sessionUpdate }) => sessionUpdate === 'plan');
    expect(JSON.stringify(plans)).toContain('mine');
    expect(JSON.stringify(plans)).not.toContain('its');
  });

  it('in the background are told of by their beginning and their end, and by no call that stays open', async () => {
    const { newSession, prompt } = await start(async (who, said) => {
      if (who === 'main') return said === 0 ? { toolCalls: [task({ run_in_background: true })] } : { text: 'Begun.' };
      await sleep(50);
      return { text: 'Looked.' };
    });
    const { sessionId } = await newSession();
    await prompt(sessionId, 'Go');
    await sleep(300);
    await prompt(sessionId, 'And?');
    const notes = JSON.stringify(all().filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk'));
    expect(notes).toContain('general (a1) works in the background: a task');
    expect(notes).toContain('general (a1) is done after');
    for (const life of livesOf(all()).values()) expect(['completed', 'failed']).toContain(life.at(-1));
  });
});
