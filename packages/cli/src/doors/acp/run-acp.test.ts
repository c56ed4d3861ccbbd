import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createAcpBench, type AcpBench, type AcpBenchOptions } from './testing/acp-bench.js';

let bench: AcpBench | undefined;
afterEach(async () => bench?.end());

async function start(turns: Parameters<typeof createAcpBench>[0], options?: AcpBenchOptions): Promise<AcpBench> {
  bench = await createAcpBench(turns, options);
  return bench;
}

describe('tenon acp', () => {
  it('answers with the version it speaks, its name, and what it can do', async () => {
    const { initialized, request } = await start([]);
    expect(initialized).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'tenon', version: '0' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
      },
    });
    expect(await request('initialize', { protocolVersion: 99 })).toMatchObject({ protocolVersion: 1 });
  });

  it('streams an answer, all of it before the prompt is answered, and nothing but the protocol on standard output', async () => {
    const { newSession, prompt, answer, updates, lines } = await start([{ thinking: 'Hm.', text: 'Hello there.' }]);
    const { sessionId, modes, configOptions } = await newSession();
    expect(modes).toMatchObject({ currentModeId: 'default' });
    expect(configOptions?.map(({ id, category }) => [id, category])).toEqual([
      ['mode', 'mode'],
      ['model', 'model'],
    ]);
    expect(await prompt(sessionId, 'Greet me')).toBe('end_turn');
    expect(answer()).toBe('Hello there.');
    expect(updates('session_info_update')[0]).toMatchObject({ title: 'Greet me' });
    expect(updates('usage_update').length).toBeGreaterThan(0);
    expect(new Set(updates('agent_message_chunk').map(({ messageId }) => messageId)).size).toBe(1);
    for (const line of lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  it('tells of a call before it asks for permission, with a diff that has both texts and an absolute path', async () => {
    const { workspace, newSession, prompt, updates, permissions, told } = await start(
      (() => {
        const file = () => path.join(bench?.workspace ?? '', 'a.txt');
        return [
          () => ({ toolCalls: [{ name: 'write_file', arguments: { file_path: file(), content: 'new\n' } }] }),
          { text: 'Done.' },
        ];
      })(),
    );
    const { sessionId } = await newSession();
    expect(await prompt(sessionId, 'Write it')).toBe('end_turn');
    const file = path.join(workspace, 'a.txt');
    expect(updates('tool_call')).toMatchObject([
      { kind: 'edit', status: 'pending', locations: [{ path: file }], name: 'write_file' },
    ]);
    expect(permissions[0]?.toolCall).toMatchObject({
      toolCallId: updates('tool_call')[0]?.toolCallId,
      content: [{ type: 'diff', path: file, oldText: null, newText: 'new\n' }, { type: 'content' }],
    });
    expect(permissions[0]?.options.map(({ optionId, kind }) => [optionId, kind])).toEqual(
      expect.arrayContaining([
        ['once', 'allow_once'],
        ['session', 'allow_always'],
        ['project', 'allow_always'],
        ['no', 'reject_once'],
      ]),
    );
    expect(updates('tool_call_update').map(({ status }) => status)).toEqual(['in_progress', 'completed']);
    expect(told.findIndex(({ update }) => update.sessionUpdate === 'tool_call')).toBeGreaterThanOrEqual(0);
  });
});
