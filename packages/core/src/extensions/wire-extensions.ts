import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../config/config.js';
import { createServerAuth } from '../mcp/auth/server-auth.js';
import { createTokenStore } from '../mcp/auth/token-store.js';
import { createMcpClients } from '../mcp/mcp-client.js';
import { askPerson, type Asker } from '../mcp/questions/asker.js';
import type { McpClients, McpHost } from '../mcp/mcp-types.js';
import type { ServerDefinition } from '../mcp/server-definition.js';
import { foreignEnvironment } from '../process/foreign-environment.js';
import type { StartPiped } from '../process/piped-process.js';
import type { Approver } from '../scheduler/approval.js';
import { discoverTools } from '../tools/discovery/discover-tools.js';
import { Extensions } from './open-extensions.js';
import { ServerLogs } from './server-log.js';

export interface WireExtensionsOptions {
  readonly config: Config;
  /** The project's own folder: pins and logs. */
  readonly folder: string;
  readonly tenonHome: string;
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
export function wireExtensions(options: WireExtensionsOptions): WiredExtensions {
  const { config, folder, servers, discovery, connect, approver } = options;
  const logs = new ServerLogs(join(folder, 'logs'));
  const clients =
    servers.length === 0
      ? undefined
      : createMcpClients(servers, {
          connect,
          environment: ({ transport }) =>
            foreignEnvironment(config.getChildEnvironment(), transport.kind === 'stdio' ? transport.env : {}),
          host: hostOf(options, logs),
          limits: { graceMs: GRACE_MS },
        });
  const registry = config.getToolRegistry();
  const extensions = new Extensions({
    clients,
    registry,
    runtime: config,
    folder,
    approver,
    logFile: (alias) => logs.file(alias),
    ...(discovery !== undefined && {
      discover: (signal: AbortSignal) =>
        discoverTools(
          {
            ...discovery,
            connect,
            environment: config.getChildEnvironment(),
            folder: config.getTargetDir(),
            taken: (name) => registry.getTool(name) !== undefined,
          },
          signal,
        ),
    }),
  });
  const close = async (): Promise<void> => {
    await extensions.close();
    await logs.close();
  };
  return { extensions, clients, close };
}

function hostOf({ config, tenonHome, version, asker, sample }: WireExtensionsOptions, logs: ServerLogs): McpHost {
  const store = createTokenStore(tenonHome);
  const log = (alias: string, level: string, text: string): void => logs.add(alias, level, text);
  return {
    ...(asker !== undefined && { ask: askPerson(asker, log) }),
    ...(sample !== undefined && { sample }),
    client: { name: 'tenon', version },
    roots: () =>
      config
        .getWorkspaceContext()
        .getDirectories()
        .map((path) => ({ uri: pathToFileURL(path).href, name: path })),
    log,
    authFor: (definition) => createServerAuth(definition, { store }),
  };
}
