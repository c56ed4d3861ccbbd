import type { CreateElicitationRequest } from '@agentclientprotocol/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { createAcpBench, type AcpBench, type AcpBenchOptions } from './testing/acp-bench.js';

let bench: AcpBench | undefined;
afterEach(async () => bench?.end());

async function start(turns: Parameters<typeof createAcpBench>[0], options?: AcpBenchOptions): Promise<AcpBench> {
  bench = await createAcpBench(turns, options);
  return bench;
}

const call = (name: string, args: Readonly<Record<string, unknown>>) => ({ toolCalls: [{ name, arguments: args }] });
const ask = call('ask_user', {
  questions: [
    {
      question: 'Which database?',
      header: 'Database',
      options: [{ label: 'SQLite', description: 'one file' }, { label: 'Postgres' }],
    },
    { question: 'Which parts?', options: [{ label: 'a' }, { label: 'b' }], multi_select: true },
  ],
});
const done = { text: 'done' };
const sent = (): string => JSON.stringify(bench?.model.requests.at(-1)?.body.messages.at(-1));

describe('questions of the model in an editor', () => {
  it('come as one form where the editor has forms', async () => {
    const asked: CreateElicitationRequest[] = [];
    const { newSession, prompt, permissions } = await start([ask, done], {
      capabilities: { elicitation: { form: {} } },
      answers: (app) =>
        app.onRequest('elicitation/create', ({ params }) => {
          asked.push(params);
          return { action: 'accept', content: { answer1: 'Postgres', answer2: ['b', 'a'], words2: 'and c' } };
        }),
    });
    const { sessionId } = await newSession();
    expect(await prompt(sessionId, 'go')).toBe('end_turn');
    expect(permissions).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      mode: 'form',
      sessionId,
      requestedSchema: {
        properties: {
          answer1: { type: 'string', title: 'Database', oneOf: [{ const: 'SQLite' }, { const: 'Postgres' }] },
          words1: { type: 'string' },
          answer2: { type: 'array', items: { anyOf: [{ const: 'a' }, { const: 'b' }] } },
        },
      },
    });
    expect(asked[0]?.message).toContain('- SQLite: one file');
    expect(sent()).toContain('1. Which database?\\n   Postgres\\n2. Which parts?\\n   a, b; in their own words: and c');
  });

  it.each(['decline', 'cancel'] as const)('are not answered by a form that ends with %s', async (action) => {
    const { newSession, prompt } = await start([ask, done], {
      capabilities: { elicitation: { form: {} } },
      answers: (app) => app.onRequest('elicitation/create', () => ({ action })),
    });
    const { sessionId } = await newSession();
    expect(await prompt(sessionId, 'go')).toBe('end_turn');
    expect(sent()).toContain('did not want to answer');
  });

  it('come one by one as permissions where it has none', async () => {
    const { newSession, prompt, permissions } = await start([ask, done], {
      permission: ({ options }) => ({ outcome: { outcome: 'selected', optionId: options[1]?.optionId ?? '' } }),
    });
    const { sessionId } = await newSession();
    await prompt(sessionId, 'go');
    expect(permissions.map(({ options }) => options.map(({ name }) => name))).toEqual([
      ['SQLite', 'Postgres', 'No answer'],
      ['a', 'b', 'No answer'],
    ]);
    expect(sent()).toContain('Postgres');
    expect(sent()).toContain('2. Which parts?\\n   b');
  });

  it('end with the prompt that is cancelled, and with a form that fails', async () => {
    const { newSession, prompt, connection } = await start([ask, done, ask], {
      capabilities: { elicitation: { form: {} } },
      answers: (app) => {
        let count = 0;
        return app.onRequest('elicitation/create', () => {
          count += 1;
          if (count === 1) throw new Error('no form after all');
          return new Promise(() => undefined);
        });
      },
    });
    const { sessionId } = await newSession();
    expect(await prompt(sessionId, 'go')).toBe('end_turn');
    expect(sent()).toContain('did not want to answer');
    const pending = prompt(sessionId, 'again');
    await expect.poll(() => bench?.model.requests.length).toBe(3);
    await connection.agent.notify('session/cancel', { sessionId });
    expect(await pending).toBe('cancelled');
  });
});

describe('plans in an editor', () => {
  it('are proposed, shown, and approved by the mode in which they are carried out', async () => {
    const { newSession, prompt, permissions, updates } = await start(
      [call('enter_plan_mode', { reason: 'Much.' }), call('exit_plan_mode', { plan: '# P\n1. x' }), done],
      {
        permission: ({ options }) => ({
          outcome: {
            outcome: 'selected',
            optionId: options.some(({ optionId }) => optionId === 'once') ? 'once' : 'plan-auto_edit',
          },
        }),
      },
    );
    const { sessionId } = await newSession();
    await prompt(sessionId, 'go');
    expect(permissions[1]?.options.map(({ optionId }) => optionId)).toEqual([
      'plan-default',
      'plan-auto_edit',
      'edit',
      'no',
      'no-stop',
    ]);
    expect(JSON.stringify(permissions[1]?.toolCall.content)).toContain('# P');
    expect(updates('current_mode_update').map(({ currentModeId }) => currentModeId)).toEqual(['plan', 'auto_edit']);
    expect(JSON.stringify(updates('tool_call_update').at(-1)?.content)).toContain('Saved: ');
  });

  it('has the task list as the plan of the editor, whole at each change and when a session is loaded', async () => {
    const todos = (status: string) => [{ id: '1', content: 'write', status }];
    const { newSession, prompt, updates, again, workspace } = await start([
      call('todo_write', { todos: todos('in_progress') }),
      call('todo_write', { todos: [...todos('completed'), { id: '2', content: 'test', status: 'pending' }] }),
      done,
    ]);
    const { sessionId } = await newSession();
    await prompt(sessionId, 'go');
    const last = [
      { content: 'write', status: 'completed', priority: 'medium' },
      { content: 'test', status: 'pending', priority: 'medium' },
    ];
    expect(updates('plan').map(({ entries }) => entries)).toEqual([
      [{ content: 'write', status: 'in_progress', priority: 'medium' }],
      last,
    ]);
    await bench?.request('session/close', { sessionId });
    const other = await again();
    await other.request('session/load', { sessionId, cwd: workspace, mcpServers: [] });
    expect(other.updates('plan').at(-1)?.entries).toEqual(last);
  });
});
