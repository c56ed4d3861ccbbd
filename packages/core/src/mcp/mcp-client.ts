import type { StartPiped } from '../process/piped-process.js';
import { abortable } from '../util/abort.js';
import { DEFAULT_LIMITS, type ClientLimits } from './connect/limits.js';
import { ServerClient } from './connect/server-client.js';
import type { McpClients, McpHost } from './mcp-types.js';
import type { ServerDefinition } from './server-definition.js';

export interface McpClientOptions {
  readonly connect: StartPiped;
  /** All that a server's program gets as environment. */
  readonly environment: (definition: ServerDefinition) => Readonly<Record<string, string>>;
  /** For servers that are reached over HTTP (`createFetch`); the one who made it closes it after the clients. */
  readonly fetch: typeof fetch;
  readonly host: McpHost;
  readonly limits?: Partial<ClientLimits>;
}

/** A client for each definition. Nothing is started before `start`, or the first use of a server. */
export function createMcpClients(definitions: readonly ServerDefinition[], options: McpClientOptions): McpClients {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { connect: start, environment, fetch, host } = options;
  const servers = definitions.map(
    (definition) => new ServerClient({ definition, start, environment, fetch, host, limits }),
  );
  const byAlias = new Map(servers.map((server) => [server.definition.alias, server]));
  const never = new AbortController().signal;
  let starting: readonly Promise<void>[] = [];
  return {
    servers,
    server: (alias) => byAlias.get(alias),
    start: () => {
      // Why one failed is told by its status.
      starting = servers
        .filter(({ definition }) => !definition.disabled)
        .map((server) => server.connect(never).catch(() => undefined));
    },
    settled: async (signal) => {
      await abortable(Promise.all(starting), signal);
    },
    rootsChanged: () => {
      for (const server of servers) server.rootsChanged();
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
