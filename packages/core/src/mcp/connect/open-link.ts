import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type { PipedProcess, StartPiped } from '../../process/piped-process.js';
import type { ServerAuth } from '../mcp-types.js';
import type { RemoteServer, ServerDefinition, StdioServer } from '../server-definition.js';
import type { Connection, Link, Sdk } from './connection.js';
import { GuardedPipes, GuardedTransport } from './guarded-transport.js';
import type { HelperHeaders } from './headers-helper.js';
import { HttpTransport } from './http-transport.js';
import { megabytes, tooLongText } from './limit-answer.js';
import type { ClientLimits } from './limits.js';
import { PipeTransport } from './pipe-transport.js';
import { serverFetch } from './server-fetch.js';

export interface LinkParts {
  readonly definition: ServerDefinition;
  readonly limits: ClientLimits;
  readonly log: (level: string, text: string) => void;
}

/** @throws Failure `program_not_started` */
export function startServer(
  server: StdioServer,
  env: Readonly<Record<string, string>>,
  start: StartPiped,
): Promise<PipedProcess> {
  return start({ argv: [server.command, ...server.args], cwd: server.cwd, env });
}

export function pipeLink(piped: PipedProcess, { limits, log }: LinkParts, connection: Connection): Link {
  const inner = new PipeTransport(piped, {
    mostBytes: limits.messageBytes,
    graceMs: limits.graceMs,
    log,
    tooLong: (id, bytes) => {
      if (transport.refuse(id, tooLongText(bytes, limits.messageBytes))) return true;
      if (bytes !== undefined) log('stdout', `a message of ${megabytes(bytes)} was left out`);
      return false;
    },
  });
  const transport = new GuardedPipes(piped.pid, inner, connection, connection.raw);
  return { transport, end: () => inner.end, stderr: () => inner.stderr.text };
}

const RECONNECTION = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 10_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 4,
};

export interface RemoteParts extends LinkParts {
  readonly kind: 'http' | 'sse';
  readonly server: RemoteServer;
  readonly auth: ServerAuth | undefined;
  readonly helper: HelperHeaders | undefined;
  readonly fetch: typeof fetch;
}

export function remoteLink(sdk: Sdk, parts: RemoteParts, connection: Connection): Link {
  const { kind, server, auth, definition, helper, limits, log } = parts;
  const base = auth?.fetch ?? parts.fetch;
  const options = {
    fetch: serverFetch({
      base: helper?.around(base, auth === undefined) ?? base,
      answeredWhole: (id) => transport.answeredWhole(id),
      mostWaitMs: Math.min(definition.startupMs, definition.timeoutMs),
      limit: {
        mostBytes: limits.messageBytes,
        refuseOnly: (message) => transport.refuse(undefined, message),
        log: (text) => log('debug', text),
      },
    }),
    requestInit: { headers: { ...server.headers } },
    // `mcp/auth` makes it in one of the two forms that the SDK takes.
    ...(auth === undefined ? {} : { authProvider: auth.provider as OAuthClientProvider }),
  };
  const url = new URL(server.url);
  const inner = new HttpTransport(
    kind === 'sse'
      ? new sdk.SSEClientTransport(url, options)
      : new sdk.StreamableHTTPClientTransport(url, { ...options, reconnectionOptions: RECONNECTION }),
  );
  const transport = new GuardedTransport(inner, connection, connection.raw);
  return { transport, end: () => inner.end, stderr: () => '' };
}
