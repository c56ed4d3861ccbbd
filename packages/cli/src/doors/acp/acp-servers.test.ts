import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CreateElicitationRequest, NewSessionResponse } from '@agentclientprotocol/sdk';
import { readDefinition } from '@tenon/core';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { mcpConfigOf } from './mcp-servers.js';
import { createAcpBench, type AcpBench, type AcpBenchOptions } from './testing/acp-bench.js';

/** A server with one tool that asks the person for a colour and a prompt, and tells its environment. */
const SERVER = `
let read = '';
let call;
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const METHODS = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {}, prompts: {} }, serverInfo: { name: 's', version: '1' } }),
  'tools/list': () => ({ tools: ['ask', 'pay'].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
  'prompts/list': () => ({ prompts: [{ name: 'greet', description: 'Greets somebody', arguments: [{ name: 'whom', required: true }] }] }),
  'prompts/get': ({ arguments: { whom } }) => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Say hello to ' + whom } }] }),
};
function handle({ id, method, params, result, error }) {
  if (method === 'tools/call' && params.name === 'pay') {
    call = id;
    say({ id: 'p', method: 'elicitation/create', params: { mode: 'url', message: 'Pay.', url: 'https://shop.example/', elicitationId: 'bill' } });
  } else if (id === 'p') {
    say({ method: 'notifications/elicitation/complete', params: { elicitationId: 'bill' } });
    say({ id: call, result: { content: [{ type: 'text', text: 'paid' }] } });
  } else if (method === 'tools/call') {
    call = id;
    const requestedSchema = { type: 'object', properties: { colour: { type: 'string', title: 'Colour' } }, required: ['colour'] };
    say({ id: 'q', method: 'elicitation/create', params: { message: 'Which colour?', requestedSchema } });
  } else if (id === 'q') {
    const text = JSON.stringify(result ?? error) + ' ' + process.env.SPELLED;
    say({ id: call, result: { content: [{ type: 'text', text }] } });
  } else if (id !== undefined && method !== undefined) say({ id, result: METHODS[method]?.(params) ?? {} });
}
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (read + chunk).split('\\n');
  read = lines.pop();
  for (const line of lines) if (line !== '') handle(JSON.parse(line));
});
process.stdin.on('end', () => process.exit(0));
`;

let bench: AcpBench | undefined;
afterEach(async () => bench?.end());

async function open(turns: Parameters<typeof createAcpBench>[0], options?: AcpBenchOptions): Promise<string> {
  bench = await createAcpBench(turns, options);
  const file = path.join(bench.folder, 'server.mjs');
  await writeFile(file, SERVER);
  const env = [{ name: 'SPELLED', value: 'as ${it} is' }];
  const mcpServers = [{ name: 'asking', command: process.execPath, args: [file], env }];
  const { sessionId }: NewSessionResponse = await bench.request('session/new', { cwd: bench.workspace, mcpServers });
  await bench.request('session/set_mode', { sessionId, modeId: 'yolo' });
  return sessionId;
}

const ask = { toolCalls: [{ name: 'asking__ask', arguments: {} }] };

describe('servers that an editor hands over', () => {
  it('are used in the session, with their values as they are; their questions are asked by the editor', async () => {
    const questions: CreateElicitationRequest[] = [];
    const sessionId = await open([ask, { text: 'ok' }], {
      capabilities: { elicitation: { form: {} } },
      answers: (app) =>
        app.onRequest('elicitation/create', ({ params }) => {
          questions.push(params);
          return { action: 'accept', content: { colour: 'green' } };
        }),
    });
    await bench?.prompt(sessionId, 'Ask');
    expect(questions).toMatchObject([
      {
        mode: 'form',
        sessionId,
        requestedSchema: { properties: { colour: { type: 'string', title: 'Colour' } }, required: ['colour'] },
      },
    ]);
    const told = JSON.stringify(bench?.model.requests.at(-1)?.body.messages);
    expect(told).toContain('green');
    expect(told).toContain('as ${it} is');
  });

  it('are told that nobody can be asked where the editor asks nothing, and an empty capability is nothing', async () => {
    const asked: string[] = [];
    const sessionId = await open([ask, { text: 'ok' }], {
      capabilities: { elicitation: {} },
      answers: (app) =>
        app.onRequest('*', ({ method }) => {
          asked.push(method);
          return {};
        }),
    });
    await bench?.prompt(sessionId, 'Ask');
    expect(asked).toEqual([]);
    expect(bench?.updates('tool_call_update').at(-1)?.status).toBe('completed');
  });

  it('say when a page is done that the editor showed', async () => {
    const shown: CreateElicitationRequest[] = [];
    const done: string[] = [];
    const sessionId = await open([{ toolCalls: [{ name: 'asking__pay', arguments: {} }] }, { text: 'ok' }], {
      capabilities: { elicitation: { url: {} } },
      answers: (app) =>
        app
          .onRequest('elicitation/create', ({ params }) => {
            shown.push(params);
            return { action: 'accept' };
          })
          .onNotification('elicitation/complete', ({ params }) => void done.push(params.elicitationId)),
    });
    await bench?.prompt(sessionId, 'Pay');
    expect(shown).toMatchObject([{ mode: 'url', url: 'https://shop.example/' }]);
    await expect.poll(() => done).toEqual(shown.map((one) => (one.mode === 'url' ? one.elicitationId : '')));
  });

  it('have their prompts among the commands', async () => {
    const sessionId = await open([{ text: 'first' }, { text: 'Hello Ada' }]);
    await bench?.prompt(sessionId, 'Hi');
    expect(bench?.updates('available_commands_update').at(-1)?.availableCommands.at(-1)).toEqual({
      name: 'asking:greet',
      description: 'Greets somebody',
      input: { hint: 'whom=…' },
    });
    await bench?.prompt(sessionId, '/asking:greet Ada');
    expect(JSON.stringify(bench?.model.requests.at(-1)?.body.messages)).toContain('Say hello to Ada');
  });

  it('keep every value as the editor gave it, whatever looks like a variable in it', () => {
    const context = {
      origin: 'host',
      variables: { HOME: '/home' },
      root: '/',
      home: '/',
      timeoutMs: 1,
      startupMs: 1,
    } as const;
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom('$', '{', '}', ':-', 'HOME', 'a', '\\'), { maxLength: 12 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, text, (arg, value) => {
        const config = mcpConfigOf([{ name: 's', command: 'x', args: [arg], env: [{ name: 'V', value }] }]) ?? '';
        const { mcpServers } = JSON.parse(config) as { mcpServers: Readonly<Record<string, unknown>> };
        const { definition } = readDefinition('s', mcpServers['s'], context);
        expect(definition?.transport).toMatchObject({ args: [arg], env: { V: value } });
      }),
    );
  });
});
