// The client that the conformance suite starts: its last argument is the server's address. It goes through Tenon's own
// clients, as a session does. Scenarios that sign in have a client of their own: conformance-auth-client.ts.
import { createFetch } from '../../packages/core/src/network/create-fetch.js';
import { CommandSupervisor } from '../../packages/core/src/process/command-supervisor.js';
import { findParamHeaders, paramHeaderValues } from '../../packages/core/src/mcp/catalog/param-headers.js';
import { createMcpClients } from '../../packages/core/src/mcp/mcp-client.js';
import type { McpServer } from '../../packages/core/src/mcp/mcp-types.js';
import type { ServerDefinition } from '../../packages/core/src/mcp/server-definition.js';

type Schema = Readonly<Record<string, unknown>>;

/** Wants to hear how the schema of the other tool came. */
const ECHO = 'json_schema_echo';
const FOCAL = 'json_schema_2020_12_tool';

const url = process.argv.at(-1) ?? '';
const isNewer = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] === '2026-07-28';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments?: Schema }[];
};

const definition: ServerDefinition = {
  alias: 'tested',
  origin: 'user',
  transport: { kind: 'http', url, headers: {} },
  timeoutMs: 10_000,
  startupMs: 10_000,
  trust: false,
  excludeTools: [],
  sampling: false,
  negotiation: isNewer ? 'auto' : 'legacy',
  disabled: false,
};

/** Something of the right kind for each property. */
function argumentsFor(schema: Schema): Schema {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const values: Readonly<Record<string, unknown>> = { number: 2, integer: 2, boolean: true };
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, values[String(type)] ?? 'x']));
}

async function main(): Promise<void> {
  const clients = createMcpClients([definition], {
    connect: new CommandSupervisor().connect,
    environment: () => ({}),
    fetch: createFetch({ environment: {} }).fetch,
    host: {
      client: { name: 'tenon-conformance', version: '0' },
      roots: () => [],
      ask: async () => ({ action: 'accept', content: {} }),
      log: (_alias, level, text) => process.stderr.write(`${level} ${text}\n`),
    },
  });
  const [server] = clients.servers;
  if (server === undefined) throw new Error('no client');
  const { signal } = new AbortController();
  const { entries } = await server.listTools(signal);
  const schemaOf = (name: string): Schema =>
    (entries.find((entry) => entry['name'] === name)?.['inputSchema'] ?? {}) as Schema;
  const planned = context.toolCalls ?? entries.map(({ name }) => ({ name: String(name), arguments: undefined }));
  for (const { name, arguments: given } of planned) {
    const schema = schemaOf(name);
    const args = given ?? (name === ECHO ? { schema: schemaOf(FOCAL) } : argumentsFor(schema));
    const { headers: wanted, problem } = findParamHeaders(schema);
    // A session leaves such a tool out.
    if (problem !== undefined) continue;
    const headers = paramHeaderValues(wanted, args);
    await server.callTool(name, args, { signal, headers }).catch((thrown: unknown) => {
      process.stderr.write(`${name}: ${String(thrown)}\n`);
    });
  }
  await useTheRest(server, signal);
  await clients.close();
}

/** Prompts and resources, where there are any. */
async function useTheRest(server: McpServer, signal: AbortSignal): Promise<void> {
  const prompts = await server.listPrompts(signal);
  for (const { name } of prompts.entries) await server.getPrompt(String(name), {}, signal);
  const resources = await server.listResources(signal);
  for (const { uri } of resources.entries) await server.readResource(String(uri), signal);
}

await main();
