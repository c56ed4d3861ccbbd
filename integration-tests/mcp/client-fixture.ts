import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { ClientLimits } from '../../packages/core/src/mcp/connect/limits.js';
import { createMcpClients } from '../../packages/core/src/mcp/mcp-client.js';
import type { McpClients, McpHost, McpServer } from '../../packages/core/src/mcp/mcp-types.js';
import type { RemoteServer, ServerDefinition, StdioServer } from '../../packages/core/src/mcp/server-definition.js';
import { createFetch } from '../../packages/core/src/network/create-fetch.js';
import { CommandSupervisor } from '../../packages/core/src/process/command-supervisor.js';

export { isAlive } from '../is-alive.js';

export const SCRIPTED_SERVER = fileURLToPath(new URL('scripted-server.mjs', import.meta.url));
export const SCRIPTED_HTTP_SERVER = fileURLToPath(new URL('scripted-http-server.mjs', import.meta.url));
export const NEVER: AbortSignal = new AbortController().signal;

/** The clients of a test and all that they started; `close` ends both. */
export interface ClientFixture {
  readonly supervisor: CommandSupervisor;
  /** What servers wrote and logged: `alias level text`. */
  readonly log: string[];
  clients(
    definitions: readonly ServerDefinition[],
    host?: Partial<McpHost>,
    limits?: Partial<ClientLimits>,
  ): McpClients;
  /** The client of one scripted server, with these words. */
  scripted(words: readonly string[], more?: ScriptedOptions): McpServer;
  close(): Promise<void>;
}

export interface ScriptedOptions {
  readonly definition?: Partial<ServerDefinition>;
  readonly host?: Partial<McpHost>;
  readonly limits?: Partial<ClientLimits>;
}

/** Short, so that no test waits long. */
const LIMITS: Partial<ClientLimits> = {
  graceMs: 300,
  backOffMs: [0, 5, 10],
  quietMs: 30,
  listenAgainMs: 20,
  pollMs: 20,
};

export function createClientFixture(): ClientFixture {
  const supervisor = new CommandSupervisor();
  const network = createFetch({ environment: {} });
  const log: string[] = [];
  const all: McpClients[] = [];
  const fixture: ClientFixture = {
    supervisor,
    log,
    clients: (definitions, host = {}, limits = {}) => {
      const clients = createMcpClients(definitions, {
        connect: supervisor.connect,
        environment: ({ transport }) => ({
          PATH: process.env['PATH'] ?? '',
          ...(transport.kind === 'stdio' ? transport.env : {}),
        }),
        fetch: network.fetch,
        host: {
          client: { name: 'tenon', version: '0' },
          roots: () => [{ uri: 'file:///workspace', name: 'workspace' }],
          log: (alias, level, text) => log.push(`${alias} ${level} ${text}`),
          ...host,
        },
        limits: { ...LIMITS, ...limits },
      });
      all.push(clients);
      return clients;
    },
    scripted: (words, { definition = {}, host, limits } = {}) => {
      const clients = fixture.clients([stdioDefinition(SCRIPTED_SERVER, words, definition)], host, limits);
      const [server] = clients.servers;
      if (server === undefined) throw new Error('no server');
      return server;
    },
    close: async () => {
      await Promise.all(all.map((clients) => clients.close()));
      await network.close();
      supervisor.endAll();
    },
  };
  return fixture;
}

/** Of a server that is a script for Node. */
export function stdioDefinition(
  script: string,
  args: readonly string[] = [],
  more: Partial<ServerDefinition> = {},
): ServerDefinition {
  const transport: StdioServer = {
    kind: 'stdio',
    command: process.execPath,
    args: [script, ...args],
    cwd: process.cwd(),
    env: {},
  };
  return { ...plainDefinition(transport), negotiation: 'legacy', ...more };
}

export function remoteDefinition(
  url: string,
  kind: RemoteServer['kind'] = 'auto',
  more: Partial<ServerDefinition> = {},
): ServerDefinition {
  return { ...plainDefinition({ kind, url, headers: {} }), ...more };
}

function plainDefinition(transport: ServerDefinition['transport']): ServerDefinition {
  return {
    alias: 'test',
    origin: 'user',
    transport,
    timeoutMs: 20_000,
    startupMs: 20_000,
    trust: false,
    excludeTools: [],
    sampling: false,
    negotiation: 'auto',
    disabled: false,
  };
}

/** The text of a result's first block. */
export function textOf(result: unknown): string {
  return (result as { content: { text: string }[] }).content[0]?.text ?? '';
}

/** Calls a tool without options. */
export function call(
  server: McpServer,
  name: string,
  args: object = {},
  signal: AbortSignal = NEVER,
): Promise<unknown> {
  return server.callTool(name, args, { signal });
}

export async function until(holds: () => boolean, ms = 10_000): Promise<void> {
  for (let waited = 0; !holds() && waited < ms; waited += 10) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(holds()).toBe(true);
}

/** The code and message of what a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<{ code?: string; message: string }> {
  try {
    await promise;
  } catch (error) {
    return error as { code?: string; message: string };
  }
  throw new Error('it did not fail');
}
