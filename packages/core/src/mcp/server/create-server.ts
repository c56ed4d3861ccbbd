import { fileURLToPath } from 'node:url';
import type { McpServerFactory, Server, ServerContext } from '@modelcontextprotocol/server';
import { Failure } from '../../util/failure.js';
import { answerRequest, type Connection } from './answer-request.js';
import { legacyFolders, modernFolders } from './client-folders.js';
import { contentBlocks } from './content-blocks.js';
import type { ServedPart, ServedTool } from './served-tools.js';
import type { ClientConnection, Serving } from './serving.js';

/** The tools never change while they are served. */
const TOOLS_TTL_MS = 300_000;
const FILES_TTL_MS = 5_000;
/** A person may take their time to answer. */
const ANSWER_TIMEOUT_MS = 3_600_000;

type Era = Parameters<McpServerFactory>[0]['era'];

/** One server for a client, in both eras: the same handlers, whatever the transport. */
export function createServer(serving: Serving, client: ClientConnection, era: Era): Server {
  const { sdk, tools, codec } = serving;
  const server = new sdk.Server(
    { ...tools.info },
    {
      capabilities: { tools: {}, resources: {}, logging: {} },
      instructions: tools.instructions,
      cacheHints: {
        'server/discover': { ttlMs: TOOLS_TTL_MS, cacheScope: 'private' },
        'tools/list': { ttlMs: TOOLS_TTL_MS, cacheScope: 'private' },
        'resources/list': { ttlMs: FILES_TTL_MS, cacheScope: 'private' },
        'resources/templates/list': { ttlMs: TOOLS_TTL_MS, cacheScope: 'private' },
        'resources/read': { ttlMs: 0, cacheScope: 'private' },
      },
      inputRequired: { roundTimeoutMs: ANSWER_TIMEOUT_MS },
      requestState: { verify: async (state, context) => codec.verify(state, context) },
    },
  );
  server.onerror = (error) => serving.report(error.message);
  const folders = era === 'legacy' ? legacyFolders(server, serving) : modernFolders(server, serving);
  const connection: Connection = { serving, client, server, folders };
  handleTools(connection);
  handleResources(connection);
  return server;
}

function handleTools(connection: Connection): void {
  const { server, serving } = connection;
  const { ProtocolError, ProtocolErrorCode } = serving.sdk;
  server.setRequestHandler('tools/list', async () => ({ tools: (await serving.tools.list()).map(declaration) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: args = {} } = params;
    const tool = (await serving.tools.list()).find((each) => each.name === name);
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${JSON.stringify(name.slice(0, 100))}`);
    }
    const answer = await answerRequest(connection, context, async (workspace, surroundings) =>
      workspace.call({ name, args, ...surroundings }),
    );
    if ('asking' in answer) return answer.asking;
    const { parts, structured, isError } = answer.result;
    return {
      content: contentBlocks(parts),
      ...(structured !== undefined && { structuredContent: structured }),
      ...(isError && { isError }),
    };
  });
}

/** `tools/list` takes JSON schemas as they are. */
function declaration(tool: ServedTool) {
  const { name, title, description, inputSchema, outputSchema, hints } = tool;
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, type: 'object' as const },
    ...(outputSchema !== undefined && { outputSchema: { ...outputSchema, type: 'object' as const } }),
    annotations: { title, ...hints },
  };
}

function handleResources(connection: Connection): void {
  const { server, serving } = connection;
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: 'file:///{+path}',
        name: 'workspace-file',
        title: 'File of the workspace',
        description: 'Any file of the workspace, by its absolute path, as far as the rules let it be read.',
      },
    ],
  }));
  server.setRequestHandler('resources/list', async (_request, context) => {
    // The newer revision lets no list ask the client: where its folders are not known, it gets what those of the start hold.
    const roots = await connection.folders.known(context);
    const { owner } = connection.client;
    try {
      const workspace = await serving.tools.open({ owner, ...(roots !== undefined && { roots }) });
      return { resources: (await serving.tools.resources(workspace)).map((resource) => ({ ...resource })) };
    } catch (thrown) {
      if (thrown instanceof Failure) return { resources: [] };
      throw thrown;
    }
  });
  server.setRequestHandler('resources/read', async ({ params }, context) =>
    readResource(connection, params.uri, context),
  );
}

async function readResource(connection: Connection, uri: string, context: ServerContext) {
  const { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } = connection.serving.sdk;
  const path = pathOf(uri);
  if (path === undefined) throw new ResourceNotFoundError(uri);
  const answer = await answerRequest(connection, context, async (workspace, surroundings) =>
    workspace.read(path, surroundings),
  );
  if ('asking' in answer) return answer.asking;
  const { parts, isError } = answer.result;
  if (isError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, textOf(parts), { uri });
  const contents = parts.map((part) =>
    'text' in part
      ? { uri, mimeType: 'text/plain', text: part.text }
      : { uri, mimeType: part.inlineData.mimeType, blob: part.inlineData.data },
  );
  return { contents };
}

function textOf(parts: readonly ServedPart[]): string {
  return parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}

/** Only addresses of files on this machine, spelled as they are told. */
function pathOf(uri: string): string | undefined {
  try {
    const path = fileURLToPath(uri);
    return path.includes('\0') || new URL(uri).protocol !== 'file:' ? undefined : path;
  } catch {
    return undefined;
  }
}
