import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cleanDefinition, type CleanDefinition } from '../mcp/catalog/clean-definition.js';
import type { McpServer, ServerCallOptions } from '../mcp/mcp-types.js';
import type { RemoteServer, ServerDefinition, StdioServer } from '../mcp/server-definition.js';
import { createTempConfig, type TempConfig } from '../testing/temp-config.js';
import { Failure } from '../util/failure.js';
import { McpResourceTool, type McpResourceToolParams } from './mcp-resource.js';
import { DiscoveredMCPTool } from './mcp-tool.js';
import { toParts, type ToolResult } from './tools.js';

const STDIO: StdioServer = { kind: 'stdio', command: 'x', args: [], cwd: '/', env: {} };
const REMOTE: RemoteServer = { kind: 'http', url: 'https://u:p@api.example.com/mcp?key=secret', headers: {} };
const signal = new AbortController().signal;

let temp: TempConfig;
beforeEach(async () => (temp = await createTempConfig()));
afterEach(async () => temp.remove());

function serverOf(
  answer: (options: ServerCallOptions) => unknown,
  definition: Partial<ServerDefinition> = {},
): McpServer {
  const refuse = (): never => {
    throw new Failure('mcp_error', 'not here');
  };
  return {
    definition: {
      alias: 'srv',
      origin: 'user',
      transport: STDIO,
      timeoutMs: 1,
      startupMs: 1,
      trust: false,
      excludeTools: [],
      sampling: false,
      negotiation: 'legacy',
      disabled: false,
      ...definition,
    },
    status: () => ({ state: 'ready' }),
    features: () => ({
      tools: true,
      resources: true,
      subscribe: false,
      prompts: false,
      completions: false,
      logging: false,
    }),
    instructions: () => undefined,
    connect: async () => undefined,
    listTools: refuse,
    callTool: async (_name, _args, options) => answer(options),
    listResources: async () => ({
      entries: [{ uri: 'doc://1', name: 'one', description: 'a\nb' }, {}],
      problems: ['page 2 is broken'],
    }),
    listResourceTemplates: async () => ({ entries: [], problems: [] }),
    readResource: async (uri) => ({ contents: [{ uri, text: 'inside' }] }),
    subscribe: refuse,
    unsubscribe: refuse,
    listPrompts: refuse,
    getPrompt: refuse,
    complete: refuse,
    onChange: () => () => undefined,
    disconnect: async () => undefined,
  };
}

function definitionOf(annotations?: object, more: object = {}): CleanDefinition {
  const inputSchema = { type: 'object', properties: { a: { type: 'string' } } };
  const entry = { name: 'do it', title: 'Do it', description: 'Does.', inputSchema, annotations, ...more };
  const made = cleanDefinition(entry, { alias: 'srv', isRemote: false });
  if ('unusable' in made) throw new Error(made.unusable);
  return made;
}

function toolOf(server: McpServer, definition = definitionOf()): DiscoveredMCPTool {
  return new DiscoveredMCPTool({ server, definition, runtime: temp.config });
}

const texts = ({ llmContent }: ToolResult): string =>
  toParts(llmContent)
    .map((part) => ('text' in part ? part.text : part.inlineData.mimeType))
    .join('\n');

it('is called as models can, and says whose it is (S132, S134)', () => {
  const tool = toolOf(serverOf(() => ({})));
  expect(tool.name).toMatch(/^srv__do_it_[0-9a-f]{12}$/);
  expect(tool).toMatchObject({ displayName: 'Do it (srv)', description: 'Does.', from: 'srv' });
  expect(tool.build({ a: 'x' }).getDescription()).toBe('Do it of srv {"a":"x"}');
  expect(tool.validateToolParams({ a: 1 })).toContain('must be a string');
});

it.each([
  [false, undefined, 'unknown'],
  [false, { readOnlyHint: true }, 'unknown'],
  [false, { destructiveHint: true }, 'destroys'],
  [false, { destructiveHint: false }, 'unknown'],
  [true, undefined, 'destroys'],
  [true, { readOnlyHint: true }, 'reads'],
  [true, { destructiveHint: false }, 'changes'],
])('trusted %s, with the word %j it is taken for one that %s', async (trust, annotations, does) => {
  const invocation = toolOf(
    serverOf(() => ({}), { trust }),
    definitionOf(annotations),
  ).build({});
  const hash = definitionOf(annotations).hash;
  expect(await invocation.effects?.()).toMatchObject([
    { kind: 'foreign', from: 'srv', tool: 'do it', does, definition: hash },
  ]);
});

it('says where a remote server is, without what may be secret', async () => {
  const [effect] =
    (await toolOf(serverOf(() => ({}), { transport: REMOTE }))
      .build({})
      .effects?.()) ?? [];
  expect(effect).toMatchObject({ at: { host: 'api.example.com', url: 'https://api.example.com/mcp' } });
});

it('shows server, tool and arguments to the person who is asked', async () => {
  const details = await toolOf(serverOf(() => ({})))
    .build({ a: 'x' })
    .confirmationDetails?.(signal);
  expect(details).toMatchObject({ type: 'mcp', serverName: 'srv', toolName: 'do it' });
  expect(details?.type === 'mcp' && details.prompt).toBe('Do it\nArguments: {\n  "a": "x"\n}');
});

it('tells progress, and repeats only what a trusted server calls harmless', async () => {
  const seen: unknown[] = [];
  const options: ServerCallOptions[] = [];
  const answer = (given: ServerCallOptions): unknown => {
    options.push(given);
    given.onProgress?.({ progress: 1, total: 4, message: 'a quarter' });
    given.onProgress?.({ progress: 7 });
    return { content: [{ type: 'text', text: 'done' }] };
  };
  const result = await toolOf(serverOf(answer))
    .build({})
    .execute(signal, (output) => seen.push(output));
  expect(seen).toEqual([{ status: 'a quarter', progress: 0.25 }, { status: '7' }]);
  expect(result.returnDisplay).toBe('done');
  await toolOf(serverOf(answer, { trust: true }), definitionOf({ idempotentHint: true }))
    .build({})
    .execute(signal);
  expect(options.map(({ mayRepeat }) => mayRepeat)).toEqual([false, true]);
});

it('makes an error of what the server calls one, with its words, and of what cannot be had', async () => {
  const failing = serverOf(() => ({ isError: true, content: [{ type: 'text', text: 'no such row' }] }));
  const failed = await toolOf(failing).build({}).execute(signal);
  expect(failed.error?.message).toBe('do it of the server "srv" reported an error: no such row');
  expect(texts(failed)).toContain('no such row');
  const gone = serverOf(() => {
    throw new Failure('mcp_unavailable', 'The server "srv" ended. Look at its log.');
  });
  expect((await toolOf(gone).build({}).execute(signal)).error).toEqual({
    type: 'mcp_unavailable',
    message: 'The server "srv" ended. Look at its log.',
  });
});

it('gives images as they are, by what they are, and saves what cannot be shown', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const content = [
    { type: 'image', data: png, mimeType: 'image/jpeg' },
    { type: 'image', data: btoa('nonsense'), mimeType: 'image/tiff' },
    { type: 'resource_link', uri: 'doc://1', name: 'one' },
  ];
  const result = await toolOf(serverOf(() => ({ content })))
    .build({})
    .execute(signal);
  expect(texts(result)).toContain('image/png');
  const [, file = ''] = /is in (\S+\.tiff);/.exec(texts(result)) ?? [];
  expect(await readFile(file, 'utf8')).toBe('nonsense');
  expect(texts(result)).toContain('Resource link: doc://1 "one" (mcp_resource reads it)');
});

it('lists and reads resources, and says what cannot be done', async () => {
  const tool = new McpResourceTool({ servers: () => [serverOf(() => ({}))], runtime: temp.config });
  const run = (params: McpResourceToolParams): Promise<ToolResult> => tool.build(params).execute(signal);
  expect(texts(await run({ operation: 'list', server: 'srv' }))).toContain('doc://1 one - a b\n');
  expect(texts(await run({ operation: 'list', server: 'srv' }))).toContain('[page 2 is broken]');
  expect(texts(await run({ operation: 'templates', server: 'srv' }))).toContain('There are none.');
  expect(texts(await run({ operation: 'read', server: 'srv', uri: 'doc://1' }))).toContain('Resource doc://1:\ninside');
  expect((await run({ operation: 'subscribe', server: 'srv', uri: 'doc://1' })).error?.message).toContain(
    'does not tell of changes',
  );
  expect((await run({ operation: 'read', server: 'srw', uri: 'x' })).error?.message).toContain('Did you mean srv?');
  expect(tool.validateToolParams({ operation: 'read', server: 'srv' })).toContain('`uri` is required');
  expect(await tool.build({ operation: 'read', server: 'srv', uri: 'x' }).effects?.()).toMatchObject([
    { does: 'unknown' },
  ]);
  expect(await tool.build({ operation: 'list', server: 'srv' }).effects?.()).toMatchObject([{ does: 'reads' }]);
});
