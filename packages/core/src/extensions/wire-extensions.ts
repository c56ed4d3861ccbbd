import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../config/config.js';
import type { Asker } from '../mcp/questions/asker.js';
import type { McpClients, McpHost } from '../mcp/mcp-types.js';
import type { ServerDefinition } from '../mcp/server-definition.js';
import type { Environment } from '../network/choose-proxy.js';
import type { Fetcher } from '../network/create-fetch.js';
import { foreignEnvironment } from '../process/foreign-environment.js';
import type { StartPiped } from '../process/piped-process.js';
import type { Approver } from '../scheduler/approval.js';
import { Extensions } from './open-extensions.js';
import { PageWatch } from './page-watch.js';
import { ServerLogs } from './server-log.js';

export interface WireExtensionsOptions {
  readonly config: Config;
  /** The project's own folder: pins and logs. */
  readonly folder: string;
  readonly tenonHome: string;
  /** Tenon's own: where the proxies are named that remote servers are reached through. */
  readonly environment: Environment;
  readonly version: string;
  readonly connect: StartPiped;
  readonly approver: Approver | undefined;
  readonly servers: readonly ServerDefinition[];
  readonly discovery:
    { readonly discoveryCommand: string; readonly callCommand?: string; readonly timeoutMs?: number } | undefined;
  /** Absent when nobody can be asked: servers are told so. */
  readonly asker: Asker | undefined;
  /** Absent without a model. */
  readonly sample: McpHost['sample'] | undefined;
  /** What logs hold passes through it. */
  readonly hide?: ((text: string) => string) | undefined;
}

export interface WiredExtensions {
  readonly extensions: Extensions;
  /** Undefined where no server is configured. */
  readonly clients: McpClients | undefined;
  readonly close: () => Promise<void>;
}

/** Servers seldom end when their input does; whoever waits for the end of a run waits for each of them so long. */
const GRACE_MS = 300;

/** Servers and discovered tools, none of them started. */
export async function wireExtensions(options: WireExtensionsOptions): Promise<WiredExtensions> {
  const { config, folder, servers, discovery, connect, approver } = options;
  const logs = new ServerLogs(join(folder, 'logs'), options.hide);
  const network = servers.length === 0 ? undefined : await networkOf(options);
  const pages = new PageWatch(() => extensions.news);
  const clients = network === undefined ? undefined : await clientsOf(options, { logs, pages, send: network.fetch });
  const registry = config.getToolRegistry();
  const extensions: Extensions = new Extensions({
    clients,
    registry,
    runtime: config,
    folder,
    approver,
    logFile: (alias) => logs.file(alias),
    ...(discovery !== undefined && {
      discover: async (signal: AbortSignal) => {
        const { discoverTools } = await import('../tools/discovery/discover-tools.js');
        return discoverTools(
          {
            ...discovery,
            connect,
            runtime: config,
            environment: config.getChildEnvironment(),
            folder: config.getTargetDir(),
            taken: (name) => registry.getTool(name) !== undefined,
          },
          signal,
        );
      },
    }),
  });
  const close = async (): Promise<void> => {
    await extensions.close();
    await network?.close();
    await logs.close();
  };
  return { extensions, clients, close };
}

async function networkOf({ environment }: WireExtensionsOptions): Promise<Fetcher> {
  const { createFetch } = await import('../network/create-fetch.js');
  return createFetch({ environment });
}

interface HostParts {
  readonly logs: ServerLogs;
  readonly pages: PageWatch;
  readonly send: typeof fetch;
}

async function clientsOf(options: WireExtensionsOptions, parts: HostParts): Promise<McpClients> {
  const { config, servers, connect } = options;
  const { createMcpClients } = await import('../mcp/mcp-client.js');
  return createMcpClients(servers, {
    connect,
    environment: ({ transport }) =>
      foreignEnvironment(config.getChildEnvironment(), transport.kind === 'stdio' ? transport.env : {}),
    fetch: parts.send,
    host: await hostOf(options, parts),
    limits: { graceMs: GRACE_MS },
  });
}

async function hostOf(
  { config, tenonHome, version, asker, sample }: WireExtensionsOptions,
  { logs, pages, send }: HostParts,
): Promise<McpHost> {
  const [{ createServerAuth }, { createTokenStore }, { askPerson }] = await Promise.all([
    import('../mcp/auth/server-auth.js'),
    import('../mcp/auth/token-store.js'),
    import('../mcp/questions/asker.js'),
  ]);
  const store = createTokenStore(tenonHome);
  const log = (alias: string, level: string, text: string): void => logs.add(alias, level, text);
  return {
    ...(asker !== undefined && { ask: pages.watching(askPerson(asker, log)), asked: pages.done }),
    ...(sample !== undefined && { sample }),
    client: { name: 'tenon', version },
    roots: () =>
      config
        .getWorkspaceContext()
        .getDirectories()
        .map((path) => ({ uri: pathToFileURL(path).href, name: path })),
    log,
    authFor: (definition) => createServerAuth(definition, { store, fetch: send }),
  };
}
