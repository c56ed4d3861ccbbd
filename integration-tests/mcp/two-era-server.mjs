// A small server on the official SDK that speaks both eras: over pipes, or with `--http` over Streamable HTTP (both eras,
// sessions for the older). Writes `listening PORT` to stderr over HTTP.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import {
  createMcpHandler,
  inputRequired,
  inputResponse,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const OBJECT = { type: 'object' };
const TOOLS = ['echo', 'ask', 'slow', 'changed', 'seen'];
const text = (said) => ({ content: [{ type: 'text', text: said }] });
const seen = { aborted: 0 };
let notifyAll = () => undefined;

function makeServer({ era }) {
  const capabilities = { tools: { listChanged: true }, logging: {} };
  const server = new Server({ name: 'two-eras', version: '1.0.0' }, { capabilities, instructions: `Era: ${era}.` });
  server.setRequestHandler('tools/list', async () => ({
    tools: TOOLS.map((name) => ({ name, description: `The tool ${name}.`, inputSchema: OBJECT })),
  }));
  const calls = {
    echo: async (args) => text(args.text ?? ''),
    ask: async (_args, context) => {
      const answer = inputResponse(context.mcpReq.inputResponses, 'one');
      if (answer.kind !== 'missing') return text(JSON.stringify(answer.content ?? {}));
      const requestedSchema = { type: 'object', properties: { yes: { type: 'boolean', default: true } } };
      return inputRequired({ inputRequests: { one: inputRequired.elicit({ message: 'Really?', requestedSchema }) } });
    },
    slow: async (_args, { mcpReq }, progressToken) => {
      for (let step = 1; step <= 20 && !mcpReq.signal.aborted; step++) {
        if (progressToken !== undefined) {
          const params = { progressToken, progress: step, total: 20 };
          await mcpReq.notify({ method: 'notifications/progress', params });
        }
        await mcpReq.log('info', `step ${step}`, 'slow');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      if (mcpReq.signal.aborted) seen.aborted++;
      return text('slow done');
    },
    changed: async () => {
      await server.sendToolListChanged().catch(() => undefined);
      notifyAll();
      return text('told');
    },
    seen: async () => text(JSON.stringify(seen)),
  };
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const call = calls[params.name];
    if (call === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    return call(params.arguments ?? {}, context, params._meta?.progressToken ?? context.mcpReq._meta?.progressToken);
  });
  return server;
}

function serveHttp() {
  const handler = createMcpHandler(makeServer, { legacy: 'reject' });
  notifyAll = () => handler.notify.toolsChanged();
  const newer = toNodeHandler(handler);
  const sessions = new Map();
  const answer = async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const session = request.headers['mcp-session-id'];
    const isPost = request.method === 'POST';
    if (session === undefined && isPost && !(await isLegacyRequest(await toWebRequest(request, body), body))) {
      await newer(request, response, body);
      return;
    }
    let transport = sessions.get(session);
    if (transport === undefined) {
      if (session !== undefined || !isPost) {
        response.writeHead(session === undefined ? 405 : 404).end();
        return;
      }
      transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => sessions.set(id, transport),
        onsessionclosed: (id) => sessions.delete(id),
      });
      await makeServer({ era: 'legacy' }).connect(transport);
    }
    await transport.handleRequest(request, response, body);
  };
  const http = createServer((request, response) => void answer(request, response));
  http.listen(0, '127.0.0.1', () => process.stderr.write(`listening ${http.address().port}\n`));
}

if (process.argv.includes('--http')) serveHttp();
else serveStdio(makeServer, { legacy: 'serve' });
