import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { createAcpBench, type AcpBench, type AcpBenchOptions } from './testing/acp-bench.js';

let bench: AcpBench | undefined;
afterEach(async () => bench?.end());

async function start(turns: Parameters<typeof createAcpBench>[0], options?: AcpBenchOptions): Promise<AcpBench> {
  bench = await createAcpBench(turns, options);
  return bench;
}

const place = (name: string): string => path.join(bench?.workspace ?? '', name);
const call = (name: string, args: object) => () => ({ toolCalls: [{ name, arguments: { ...args } }] });
const write = () => ({
  toolCalls: [{ name: 'write_file', arguments: { file_path: place('a.txt'), content: 'new\n' } }],
});
const shell = (command: string) => call('run_shell_command', { command, description: 'x' });

function statuses(updates: readonly ToolCallUpdate[]): (string | null | undefined)[] {
  return updates.map(({ status }) => status).filter((status) => status !== undefined);
}

describe('a prompt of an editor', () => {
  it('tells of a call that needs no permission as pending first, then running, then completed', async () => {
    const { newSession, prompt, told } = await start(
      [() => call('read_file', { absolute_path: place('a.txt') })(), { text: 'x' }],
      {
        files: { 'a.txt': 'hi\n' },
      },
    );
    const { sessionId } = await newSession();
    await prompt(sessionId, 'Read');
    const ofCalls = told
      .map(({ update }) => update)
      .filter(({ sessionUpdate }) => sessionUpdate.startsWith('tool_call')) as Extract<
      SessionUpdate,
      { toolCallId: string }
    >[];
    expect(ofCalls.map((update) => [update.sessionUpdate, update.status])).toEqual([
      ['tool_call', 'pending'],
      ['tool_call_update', 'in_progress'],
      ['tool_call_update', 'completed'],
    ]);
    expect(ofCalls[0]).toMatchObject({ kind: 'read', rawInput: { absolute_path: place('a.txt') } });
  });

  it('ends a call that was declined as failed, with the reason, and never as running', async () => {
    const { newSession, prompt, updates } = await start([write, { text: 'Then not.' }], {
      permission: () => ({ outcome: { outcome: 'selected', optionId: 'no' } }),
    });
    const { sessionId } = await newSession();
    expect(await prompt(sessionId, 'Write')).toBe('end_turn');
    expect(statuses(updates('tool_call_update'))).toEqual(['failed']);
    expect(JSON.stringify(updates('tool_call_update').at(-1)?.content)).toContain('declined');
    await expect(readFile(place('a.txt'))).rejects.toThrow('ENOENT');
  });

  it('takes words for the model with a no, where the client can ask for them', async () => {
    const { newSession, prompt, permissions } = await start([write, { text: 'ok' }], {
      capabilities: { elicitation: { form: {} } },
      permission: () => ({ outcome: { outcome: 'selected', optionId: 'no-because' } }),
      answers: (app) =>
        app.onRequest('elicitation/create', () => ({ action: 'accept', content: { feedback: 'Use b.txt.' } })),
    });
    const { sessionId } = await newSession();
    await prompt(sessionId, 'Write');
    expect(permissions[0]?.options.map(({ optionId }) => optionId)).toContain('no-because');
    expect(JSON.stringify(bench?.model.requests.at(-1)?.body.messages)).toContain('Use b.txt.');
  });

  it('asks no second time for what was allowed for the session, and shows the rule', async () => {
    const { newSession, prompt, permissions } = await start([shell('touch x'), shell('touch x'), { text: 'ok' }], {
      permission: () => ({ outcome: { outcome: 'selected', optionId: 'session' } }),
    });
    const { sessionId } = await newSession();
    await prompt(sessionId, 'Go');
    expect(permissions).toHaveLength(1);
    expect(permissions[0]?.options.find(({ optionId }) => optionId === 'session')).toMatchObject({
      kind: 'allow_always',
      name: expect.stringContaining('touch x') as string,
      _meta: { tenon: { rules: expect.any(Array) as unknown[] } },
    });
    expect(JSON.stringify(permissions[0]?.toolCall.content)).toContain('touch x');
  });

  it('is answered as cancelled when it is cancelled while it asks; the question comes back, nothing runs', async () => {
    let asked: (() => void) | undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const { newSession, prompt, connection, updates } = await start([write], {
      permission: (_request, signal) => {
        asked?.();
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ outcome: { outcome: 'cancelled' } }), { once: true });
        });
      },
    });
    const { sessionId } = await newSession();
    const answer = prompt(sessionId, 'Write');
    await isAsked;
    await connection.agent.notify('session/cancel', { sessionId });
    expect(await answer).toBe('cancelled');
    expect(statuses(updates('tool_call_update')).at(-1)).toBe('failed');
    await expect(readFile(place('a.txt'))).rejects.toThrow('ENOENT');
  });

  it('is answered as cancelled when its request is cancelled, not with an error', async () => {
    const { newSession, connection } = await start([{ text: 'never', hangAfterChunks: 0 }]);
    const { sessionId } = await newSession();
    const end = new AbortController();
    const prompt = [{ type: 'text' as const, text: 'Go' }];
    const answer = connection.agent.request(
      'session/prompt',
      { sessionId, prompt },
      { cancellationSignal: end.signal },
    );
    await expect.poll(() => bench?.model.requests.length).toBe(1);
    end.abort();
    expect(await answer).toMatchObject({ stopReason: 'cancelled' });
  });

  it('waits for the one before it, which goes on as if nothing had come', async () => {
    const { newSession, prompt, answer } = await start([{ text: 'First.', delayMs: 100 }, { text: 'Second.' }]);
    const { sessionId } = await newSession();
    const [first, second] = [prompt(sessionId, 'one'), prompt(sessionId, 'two')];
    expect(await first).toBe('end_turn');
    expect(answer()).toBe('First.');
    expect(await second).toBe('end_turn');
    expect(answer()).toBe('First.Second.');
  });

  it('says why it stopped in the words of the protocol', async () => {
    const { newSession, prompt } = await start(
      [{ text: 'cut', finish: 'length' }, { text: 'no', finish: 'content_filter' }, shell('true'), shell('true')],
      { args: ['--max-turns', '1'] },
    );
    const { sessionId } = await newSession();
    expect(await prompt(sessionId, 'a')).toBe('max_tokens');
    expect(await prompt(sessionId, 'b')).toBe('refusal');
    expect(await prompt(sessionId, 'c')).toBe('max_turn_requests');
  });

  it('fails with the words of the model’s endpoint when that refuses it, and the session goes on', async () => {
    const { newSession, prompt } = await start([{ error: { status: 400, message: 'No such thing' } }, { text: 'ok' }]);
    const { sessionId } = await newSession();
    await expect(prompt(sessionId, 'a')).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('No such thing') as string,
    });
    expect(await prompt(sessionId, 'b')).toBe('end_turn');
  });

  it('may hold pictures, links to files and texts of buffers; sound is refused as a bad parameter', async () => {
    const { newSession, request } = await start([{ text: 'ok' }], { files: { 'a.txt': 'on the disk\n' } });
    const { sessionId } = await newSession();
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await request('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'Look at' },
        { type: 'resource_link', uri: `file://${place('a.txt')}`, name: 'a.txt' },
        { type: 'resource', resource: { uri: `file://${place('b.txt')}`, text: 'only in the buffer' } },
        { type: 'image', data, mimeType: 'image/png' },
      ],
    });
    const sent = JSON.stringify(bench?.model.requests[0]?.body.messages);
    expect(sent).toContain('on the disk');
    expect(sent).toContain('only in the buffer');
    expect(sent).toContain(data);
    const sound = request('session/prompt', {
      sessionId,
      prompt: [{ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }],
    });
    await expect(sound).rejects.toMatchObject({ code: -32602 });
  });

  it('shows what a command prints while it runs, in pieces that are not too many', async () => {
    const { newSession, prompt, request, updates } = await start([
      shell('for i in 1 2 3 4 5 6 7 8 9; do echo line $i; sleep 0.1; done'),
      { text: 'ok' },
    ]);
    const { sessionId } = await newSession();
    await request('session/set_mode', { sessionId, modeId: 'yolo' });
    await prompt(sessionId, 'Go');
    const live = updates('tool_call_update').filter(
      ({ status, content }) => status === undefined && content !== undefined,
    );
    expect(live.length).toBeGreaterThan(0);
    expect(live.length).toBeLessThan(9);
    expect(JSON.stringify(updates('tool_call_update').at(-1)?.content)).toContain('line 9');
  });

  it('beginning with a slash is a command: told what there is, done without the model, answered in words', async () => {
    const { newSession, prompt, updates, request } = await start([write, { text: 'Done.' }, { text: 'I see.' }]);
    const { sessionId } = await newSession();
    await expect.poll(() => updates('available_commands_update').length).toBeGreaterThan(0);
    const names = updates('available_commands_update')[0]?.availableCommands.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['compact', 'context', 'cost', 'mode', 'model', 'diff', 'undo', 'redo', 'tools']),
    );
    await prompt(sessionId, 'Write');
    expect(await prompt(sessionId, '/diff')).toBe('end_turn');
    expect(JSON.stringify(updates('agent_message_chunk').at(-1))).toContain('+new');
    await prompt(sessionId, '/undo');
    await expect(readFile(place('a.txt'))).rejects.toThrow('ENOENT');
    await prompt(sessionId, '/mode plan');
    expect(updates('current_mode_update').at(-1)).toMatchObject({ currentModeId: 'plan' });
    await prompt(sessionId, '/mode nonsense');
    expect(JSON.stringify(updates('agent_message_chunk').at(-1))).toContain('There is no mode');
    for (const command of ['/context', '/cost', '/tools', '/model', '/mcp', '/redo'])
      expect(await prompt(sessionId, command)).toBe('end_turn');
    expect(bench?.model.requests).toHaveLength(2);
    await prompt(sessionId, 'What now?');
    expect(JSON.stringify(bench?.model.requests.at(-1)?.body.messages)).toContain('took back changes');
    await request('session/close', { sessionId });
  });
});

describe('the files of an editor', () => {
  const edit = () => ({
    toolCalls: [{ name: 'edit', arguments: { file_path: place('a.txt'), old_string: 'unsaved', new_string: 'mine' } }],
  });

  it('count as it shows them: an edit is made of the unsaved text and given back to it', async () => {
    const written: [string, string][] = [];
    const { newSession, prompt, updates } = await start([edit, { text: 'ok' }], {
      files: { 'a.txt': 'saved\n' },
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
      answers: (app) =>
        app
          .onRequest('fs/read_text_file', ({ params }) => ({
            content: params.path.endsWith('a.txt') ? 'saved\nunsaved\n' : '',
          }))
          .onRequest('fs/write_text_file', ({ params }) => {
            written.push([params.path, params.content]);
            return {};
          }),
    });
    const { sessionId } = await newSession();
    await prompt(sessionId, 'Edit');
    expect(statuses(updates('tool_call_update')).at(-1)).toBe('completed');
    expect(updates('tool_call_update').at(-1)?.content).toEqual([
      { type: 'diff', path: place('a.txt'), oldText: 'saved\nunsaved\n', newText: 'saved\nmine\n' },
    ]);
    expect(updates('tool_call_update').at(-1)?.locations).toEqual([{ path: place('a.txt'), line: 2 }]);
    expect(written).toEqual([[place('a.txt'), 'saved\nmine\n']]);
    expect(await readFile(place('a.txt'), 'utf8')).toBe('saved\nmine\n');
  });

  it('are not asked for when it does not offer them', async () => {
    const asked: string[] = [];
    const { newSession, prompt } = await start(
      [() => call('read_file', { absolute_path: place('a.txt') })(), write, { text: 'ok' }],
      {
        files: { 'a.txt': 'saved\n' },
        answers: (app) =>
          app.onRequest('*', ({ method }) => {
            asked.push(method);
            return {};
          }),
      },
    );
    const { sessionId } = await newSession();
    await prompt(sessionId, 'Go');
    expect(asked).toEqual([]);
  });

  it('are those on the disk when it fails to answer, and the person is told', async () => {
    const { newSession, prompt, updates } = await start(
      [() => call('read_file', { absolute_path: place('a.txt') })(), { text: 'ok' }],
      {
        files: { 'a.txt': 'saved\n' },
        capabilities: { fs: { readTextFile: true } },
        answers: (app) =>
          app.onRequest('fs/read_text_file', () => {
            throw new Error('no');
          }),
      },
    );
    const { sessionId } = await newSession();
    await prompt(sessionId, 'Read');
    expect(JSON.stringify(bench?.model.requests.at(-1)?.body.messages)).toContain('saved');
    expect(JSON.stringify(updates('agent_message_chunk'))).toContain('what is on the disk counts');
  });
});
