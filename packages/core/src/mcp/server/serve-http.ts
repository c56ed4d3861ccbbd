import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorMessage, Failure } from '../../util/failure.js';
import { createServer } from './create-server.js';
import { answerError, hasToken, KEEP_ALIVE_MS, LARGEST_BODY, readBody, refuseToken } from './http-gate.js';
import { HttpSessions } from './http-sessions.js';
import { openServing } from './open-serving.js';
import type { Report, ServedTools } from './served-tools.js';
import type { NodeSdk, Serving } from './serving.js';

/** Nobody but programs of this machine reaches it. */
const HOST = '127.0.0.1';
const PATH = '/mcp';
const MOST_CONNECTIONS = 256;
const OWNER = 'http';

export interface HttpServing {
  /** Where clients go. */
  readonly url: string;
  /** Ends every session, with all that runs in it. */
  close(): Promise<void>;
}

export interface HttpOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** What every request must carry. */
  readonly token: string;
  readonly report: Report;
  /** How long a session may be left alone. In milliseconds. */
  readonly idleMs?: number;
}

type Received = IncomingMessage & { method: string; url: string };

/** Serves any number of clients by Streamable HTTP, in both eras. @throws Failure `mcp_port` when it cannot listen */
export async function serveHttp(tools: ServedTools, options: HttpOptions): Promise<HttpServing> {
  const { port, report } = options;
  const [serving, node] = await Promise.all([openServing(tools, report), import('@modelcontextprotocol/node')]);
  const sessions = new HttpSessions(serving, node, options.idleMs);
  const stateless = serving.sdk.createMcpHandler(
    ({ era }) => createServer(serving, { owner: OWNER, isLasting: false }, era),
    {
      legacy: 'reject',
      maxRequestBodySize: LARGEST_BODY,
      keepAliveMs: KEEP_ALIVE_MS,
      onerror: (error) => report(error.message),
    },
  );
  const modern = node.toNodeHandler(stateless, {
    maxRequestBodySize: LARGEST_BODY,
    onerror: (error) => report(error.message),
  });
  const isOfHost = node.localhostHostValidation();
  const isOfOrigin = node.localhostOriginValidation();
  const handle = async (request: Received, response: ServerResponse): Promise<void> => {
    // Each of the two answers what it refuses. Before the token: a page of the web must not even try tokens.
    if (!isOfHost(request, response) || !isOfOrigin(request, response)) return;
    if (!hasToken(request, options.token)) return refuseToken(response);
    if (pathOf(request) !== PATH) return answerError(response, 404, `There is nothing but ${PATH}.`);
    const body = request.method === 'POST' ? await readBody(request) : { value: undefined };
    if ('status' in body) return answerError(response, body.status, body.message, -32_700);
    if (await isModern(request, body.value, serving, node)) return modern(request, response, body.value);
    return sessions.handle(request, response, body.value);
  };
  const server = createHttpServer((request, response) => {
    // A server's messages always have both.
    handle(request as Received, response).catch((thrown: unknown) => {
      report(errorMessage(thrown));
      answerError(response, 500, 'The server failed; its own output tells why.', -32_603);
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  const url = await listen(server, port);
  return {
    url,
    async close() {
      server.close();
      await stateless.close();
      await sessions.close();
      await tools.release(OWNER);
      server.closeAllConnections();
    },
  };
}

/** What names a session, and what is no POST, is of clients with a handshake. */
async function isModern(
  request: Received,
  body: unknown,
  { sdk }: Serving,
  { toWebRequest }: NodeSdk,
): Promise<boolean> {
  if (request.method !== 'POST' || request.headers['mcp-session-id'] !== undefined) return false;
  return !(await sdk.isLegacyRequest(await toWebRequest(request, body), body));
}

function pathOf({ url }: Received): string {
  return url.split('?', 1)[0] ?? url;
}

async function listen(server: ReturnType<typeof createHttpServer>, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new Failure('mcp_port', `The port ${port} cannot be listened on (${errorMessage(error)}). Choose another.`, {
          cause: error,
        }),
      );
    });
    server.listen(port, HOST, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return `http://${HOST}:${chosen}${PATH}`;
}
