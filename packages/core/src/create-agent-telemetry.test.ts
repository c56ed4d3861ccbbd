import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { createToolSystem } from './create-tool-system.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { startCollector, type Collector, type SentSpan } from './testing/collector-server.js';
import { createFakeApprover } from './testing/fake-approver.js';
import { page, startPageServer } from './testing/page-server.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn } from './testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';
import { ToolConfirmationOutcome } from './tools/confirmation.js';

const MARK = 'XYZZY-PLUGH';

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agent: Agent | undefined;
let collector: Collector | undefined;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({ [`${MARK}.txt`]: `${MARK}\n` });
});
afterEach(async () => {
  await agent?.close();
  agent = undefined;
  await collector?.close();
  collector = undefined;
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

async function start(turns: readonly ScriptedTurn[], options: Partial<AgentOptions> = {}): Promise<Agent> {
  model = await startScriptedModel(turns);
  agent = await createAgent({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: { PATH: process.env['PATH'] },
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: '1.2.3',
    ...options,
  });
  return agent;
}

async function run(
  turns: readonly ScriptedTurn[],
  options: Partial<AgentOptions> & { readonly content?: boolean } = {},
): Promise<AgentEvent[]> {
  collector = await startCollector();
  const { content, ...rest } = options;
  const telemetry = { endpoint: collector.endpoint, ...(content !== undefined && { content }) };
  const started = await start(turns, { telemetry, ...rest });
  const events = await prompt(started, `say ${MARK}`);
  await started.close();
  return events;
}

async function prompt(of: Agent, text: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of of.prompt(text)) events.push(event);
  return events;
}

const read = (): ScriptedTurn => ({
  toolCalls: [{ name: 'read_file', arguments: { absolute_path: workspace.path(`${MARK}.txt`) } }],
});
const span = (name: string): SentSpan => {
  const found = collector?.spans().find((each) => each.name === name);
  if (found === undefined) throw new Error(`no span ${name}`);
  return found;
};
const point = (name: string, attributes: object) =>
  collector?.points().find((each) => {
    return each.name === name && Object.entries(attributes).every(([key, value]) => each.attributes[key] === value);
  });

describe('telemetry of a prompt', () => {
  it('is one trace: the prompt, and below it each request and each call, by the conventions for generative AI', async () => {
    await run([{ ...read(), usage: { inputTokens: 11, outputTokens: 7 } }, { text: 'done' }]);
    const spans = collector?.spans() ?? [];
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const root = span('invoke_agent tenon');
    expect(root.parentSpanId).toBeUndefined();
    const others = spans.filter(({ spanId }) => spanId !== root.spanId);
    expect(others.map(({ name }) => name).toSorted()).toEqual([
      'chat scripted',
      'chat scripted',
      'execute_tool read_file',
    ]);
    for (const other of others) {
      expect(other.parentSpanId).toBe(root.spanId);
      expect(BigInt(other.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root.startTimeUnixNano));
      expect(BigInt(other.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(root.endTimeUnixNano));
    }
    expect(root.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'tenon',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'scripted',
      'tenon.stop_reason': 'completed',
      'tenon.turns': 2,
      'tenon.tool_calls': 1,
    });
    const chat = span('chat scripted');
    expect(chat.kind).toBe(3);
    expect(chat.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.input_tokens': 11,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.response.finish_reasons': ['tool_call'],
    });
    expect(span('execute_tool read_file').attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'read_file',
      'gen_ai.tool.call.id': 'call_1_1',
      'tenon.tool.status': 'success',
      'tenon.policy.decision': 'allow',
    });
  });

  it('has its numbers as metrics, and says what sent them', async () => {
    await run([{ ...read(), usage: { inputTokens: 11, outputTokens: 7 } }, { text: 'done' }]);
    const input = { 'gen_ai.token.type': 'input', 'gen_ai.request.model': 'scripted' };
    expect(point('gen_ai.client.token.usage', input)?.sum).toBeGreaterThanOrEqual(11);
    expect(point('gen_ai.client.operation.duration', { 'gen_ai.operation.name': 'chat' })?.value).toBe(2);
    const call = { 'gen_ai.tool.name': 'read_file', 'tenon.tool.status': 'success' };
    expect(point('tenon.tool.calls', call)?.value).toBe(1);
    expect(point('tenon.tool.call.duration', call)?.value).toBe(1);
    expect(point('tenon.prompts', { 'tenon.stop_reason': 'completed' })?.value).toBe(1);
    expect(
      collector?.requests.every(({ body }) => body.includes('"service.version","value":{"stringValue":"1.2.3"}')),
    ).toBe(true);
  });

  it('tells of approvals by outcome, of refusals as no failure, and of failures by their type', async () => {
    const write = { name: 'write_file', arguments: { file_path: workspace.path('new.txt'), content: 'x' } };
    const missing = { name: 'read_file', arguments: { absolute_path: workspace.path('gone.txt') } };
    const { approver } = createFakeApprover([ToolConfirmationOutcome.Cancel]);
    await run([{ toolCalls: [write] }, { toolCalls: [missing] }, { text: 'done' }], {
      approvalMode: ApprovalMode.DEFAULT,
      approver,
    });
    const denied = span('execute_tool write_file');
    expect(denied.attributes).toMatchObject({ 'tenon.tool.status': 'denied', 'tenon.policy.decision': 'ask' });
    expect(denied.status.code).toBe(0);
    expect(denied.events).toMatchObject([
      { name: 'tenon.approval', attributes: { 'tenon.approval.outcome': 'cancel', 'tenon.approval.by': 'person' } },
    ]);
    const failed = span('execute_tool read_file');
    expect(failed.attributes['error.type']).toBe('file_not_found');
    expect(failed.status).toEqual({ code: 2 });
    expect(point('tenon.approvals', { 'tenon.approval.outcome': 'cancel' })?.value).toBe(1);
  });

  it('holds no word of prompts, answers, arguments, results, paths or failures, nor a name that a model made up (S137)', async () => {
    const strange = { name: `${MARK} rm -rf /`, arguments: { [MARK]: MARK } };
    const broken = { name: 'read_file', arguments: `{"absolute_path": "${MARK}` };
    const gone = { name: 'read_file', arguments: { absolute_path: workspace.path(`${MARK}-gone`) } };
    const shell = { name: 'run_shell_command', arguments: { command: `echo ${MARK}` } };
    await run([{ toolCalls: [strange, broken, gone, shell] }, read(), { text: `here: ${MARK}` }]);
    expect(collector?.spans().length).toBe(9);
    expect(span('execute_tool unknown').attributes['error.type']).toBe('tool_not_registered');
    const sent = collector?.requests.map(({ body }) => body).join('\n') ?? '';
    expect(sent).not.toContain(MARK);
    expect(sent).not.toContain(workspace.root);
    expect(sent).not.toContain(home);
  });

  it('has them where the person wants it', async () => {
    await run([read(), { text: `here: ${MARK}` }], { content: true });
    expect(span('invoke_agent tenon').attributes['gen_ai.input.messages']).toContain(`say ${MARK}`);
    expect(span('execute_tool read_file').attributes['gen_ai.tool.call.arguments']).toContain(MARK);
    expect(span('execute_tool read_file').attributes['gen_ai.tool.call.result']).toContain(MARK);
    const said = collector?.spans().map(({ attributes }) => attributes['gen_ai.output.messages'] ?? '');
    expect(said?.join('')).toContain(`here: ${MARK}`);
  });

  it('tells of a model that cannot be asked, try by try', async () => {
    await run([{ error: { status: 400, message: MARK } }]);
    const chat = span('chat scripted');
    expect(chat.attributes['error.type']).toBe('model_error');
    expect(chat.status.code).toBe(2);
    expect(span('invoke_agent tenon').attributes).toMatchObject({
      'tenon.stop_reason': 'model-error',
      'error.type': 'model_error',
    });
    expect(collector?.requests.map(({ body }) => body).join('')).not.toContain(MARK);
  });

  it('has the work of a subagent below the call that handed it on', async () => {
    const task = { description: 'look', prompt: `find ${MARK}`, subagent_type: 'explore' };
    await run([{ toolCalls: [{ name: 'task', arguments: task }] }, read(), { text: 'found' }, { text: 'done' }]);
    const [root, call, below] = ['invoke_agent tenon', 'execute_tool task', 'invoke_agent explore'].map(span);
    expect(call?.parentSpanId).toBe(root?.spanId);
    expect(below?.parentSpanId).toBe(call?.spanId);
    expect(span('execute_tool read_file').parentSpanId).toBe(below?.spanId);
    const chats = collector?.spans().filter(({ name }) => name === 'chat scripted') ?? [];
    const parents = chats.map(({ parentSpanId }) => parentSpanId);
    expect(parents.filter((parent) => parent === root?.spanId)).toHaveLength(2);
    expect(parents.filter((parent) => parent === below?.spanId)).toHaveLength(2);
    expect(collector?.requests.map(({ body }) => body).join('')).not.toContain(MARK);
  });

  it('ends where the reader stops', async () => {
    collector = await startCollector();
    const started = await start([read(), { text: 'done' }], { telemetry: { endpoint: collector.endpoint } });
    for await (const event of started.prompt('go')) if (event.type === 'tool-call-start') break;
    await started.close();
    expect(span('invoke_agent tenon').attributes['tenon.stop_reason']).toBe('cancelled');
    expect(span('execute_tool read_file').attributes['error.type']).toBe('cancelled');
  });
});

describe('telemetry of calls without a model', () => {
  it('is a trace for each', async () => {
    model = await startScriptedModel([]);
    collector = await startCollector();
    const system = await createToolSystem({
      roots: [workspace.root],
      tenonHome: home,
      userHome: home,
      approvalMode: ApprovalMode.YOLO,
      rules: [],
      environment: {},
      telemetry: { endpoint: collector.endpoint, headers: { 'x-key': 'k' } },
    });
    const argumentsText = JSON.stringify({ absolute_path: workspace.path(`${MARK}.txt`) });
    const call = { callId: 'one', toolName: 'read_file', argumentsText };
    for await (const event of system.runCalls([call], new AbortController().signal))
      expect(event.type).toMatch(/^tool-call/);
    await system.close();
    expect(span('execute_tool read_file').parentSpanId).toBeUndefined();
    expect(collector.requests.every(({ headers }) => headers['x-key'] === 'k')).toBe(true);
  });
});

describe('telemetry that cannot be sent', () => {
  const faults: readonly [string, () => Promise<{ endpoint: string; close: () => Promise<void> }>][] = [
    ['refuses connections', async () => ({ endpoint: await closedEndpoint(), close: async () => undefined })],
    ['answers 500 for ever', async () => startCollector((response) => response.writeHead(500).end('no'))],
    ['answers 503 for ever', async () => startCollector((response) => response.writeHead(503).end('no'))],
    ['never answers', async () => startCollector(() => undefined)],
    ['answers a byte a second', async () => startCollector(dribble)],
    [
      'takes connections and says nothing',
      async () =>
        withServer(
          createServer(() => undefined),
          'http',
        ),
    ],
    [
      'speaks no TLS',
      async () =>
        withServer(
          createServer((socket) => socket.end('hello')),
          'https',
        ),
    ],
    ['has no certificate', async () => withServer(createTlsServer(), 'https')],
    [
      'sends elsewhere',
      async () => startCollector((response) => response.writeHead(307, { location: model.baseUrl }).end()),
    ],
  ];

  it.each(faults)(
    'a collector that %s costs a prompt nothing, and the end two seconds at most',
    async (_name, open) => {
      const fault = await open();
      try {
        const started = await start([read(), { text: 'done' }], { telemetry: { endpoint: fault.endpoint } });
        const events = await prompt(started, 'go');
        expect(events.at(-1)).toMatchObject({ type: 'prompt-end', stopReason: 'completed', text: 'done' });
        const began = performance.now();
        await started.close();
        expect(performance.now() - began).toBeLessThan(2600);
        // Nothing but the two requests of the prompt.
        expect(model.requests.length).toBe(2);
      } finally {
        await fault.close();
      }
    },
  );

  it('is told to the person once, with the next prompt', async () => {
    const endpoint = await closedEndpoint();
    const started = await start([{ text: 'one' }, { text: 'two' }, { text: 'three' }], {
      telemetry: { endpoint, metricsIntervalSeconds: 1 },
    });
    await prompt(started, 'go');
    await new Promise((resolve) => setTimeout(resolve, 2600));
    const notices = [...(await prompt(started, 'on')), ...(await prompt(started, 'on'))].filter(
      ({ type }) => type === 'notice',
    );
    expect(notices).toMatchObject([
      { level: 'warning', text: `Telemetry could not be sent to ${endpoint}: ECONNREFUSED.` },
    ]);
  });
});

describe('requests beside the conversation', () => {
  it('are spans of the prompt that is worked on, with their tokens', async () => {
    const server = await startPageServer({ '/': page(`<h1>${MARK}</h1>`) });
    try {
      const fetching = { url: `${server.origin}/`, prompt: 'What is the heading?' };
      await run(
        [
          { toolCalls: [{ name: 'web_fetch', arguments: fetching }] },
          { text: `It is ${MARK}.`, usage: { inputTokens: 101, outputTokens: 7 } },
          { text: 'done' },
        ],
        { web: { allowPrivateHosts: [`localhost:${server.port}`] } },
      );
    } finally {
      await server.close();
    }
    const chats = collector?.spans().filter(({ name }) => name === 'chat scripted') ?? [];
    expect(chats).toHaveLength(3);
    const aside = chats.filter(({ attributes }) => attributes['tenon.request.purpose'] === 'page');
    expect(aside).toMatchObject([
      {
        parentSpanId: span('invoke_agent tenon').spanId,
        attributes: { 'gen_ai.usage.input_tokens': 101, 'gen_ai.response.finish_reasons': ['stop'] },
      },
    ]);
    expect(point('gen_ai.client.token.usage', { 'gen_ai.token.type': 'output' })?.value).toBe(3);
    expect(JSON.stringify(collector?.requests)).not.toContain(MARK);
  });
});

describe('without telemetry', () => {
  it('a session opens no connection but to the model, whatever the variables of OpenTelemetry say', async () => {
    collector = await startCollector();
    const hosts = await connectionsDuring(async () => {
      const started = await start([read(), { text: 'done' }], {
        environment: {
          OTEL_EXPORTER_OTLP_ENDPOINT: collector?.endpoint,
          OTEL_TRACES_EXPORTER: 'otlp',
          OTEL_METRICS_EXPORTER: 'otlp',
        },
      });
      await prompt(started, 'go');
      await started.close();
    });
    expect(collector.requests).toEqual([]);
    expect(hosts).toEqual([new URL(model.baseUrl).port]);
  });
});

/** The ports of all connections that this process opens meanwhile. */
async function connectionsDuring(work: () => Promise<void>): Promise<string[]> {
  const ports = new Set<string>();
  const note = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.on('connect', () => ports.add(String(socket.remotePort)));
  };
  subscribe('net.client.socket', note);
  try {
    await work();
  } finally {
    unsubscribe('net.client.socket', note);
  }
  return [...ports];
}

async function closedEndpoint(): Promise<string> {
  const { endpoint, close } = await withServer(createServer(), 'http');
  await close();
  return endpoint;
}

function dribble(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 1000);
  response.on('close', () => clearInterval(timer));
}

async function withServer(server: Server, protocol: string): Promise<{ endpoint: string; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { endpoint: `${protocol}://127.0.0.1:${port}`, close };
}
