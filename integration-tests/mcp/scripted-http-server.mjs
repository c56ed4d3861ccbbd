// A server over HTTP that misbehaves on request, without any library: `node scripted-http-server.mjs WORD…`. Writes
// `listening PORT` once it does. Streamable HTTP of 2025-11-25 at /mcp with sessions, and the older transport.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createScriptedTools } from './scripted-tools.mjs';

/** What each word changes. */
const WORDS = {
  port: 'where it listens; default: any',
  hang: 'takes requests and never answers',
  'hang-calls': 'takes calls and never answers',
  status: 'answers each POST with that status',
  html: 'answers each POST with a page',
  'sign-in': 'answers each request with 401',
  busy: 'so many POSTs are answered with 429 first',
  'busy-calls': 'so many calls are answered with 429 first',
  json: 'answers in JSON, not in a stream',
  'old-404': 'an unknown session is a 400 as of older servers',
  'only-sse': 'speaks the older transport only, at /mcp',
  'many-tools': 'so many more tools',
  'page-size': 'tools on a page',
};

const words = new Map(process.argv.slice(2).map((word) => [word.split('=')[0], word.slice(word.indexOf('=') + 1)]));
for (const word of words.keys()) if (!(word in WORDS)) throw new Error(`no scenario ${word}`);
const has = (word) => words.has(word);
const numberOf = (word, otherwise) => (has(word) ? Number(words.get(word)) : otherwise);

/** Where what is sent while a request is handled goes to. */
const current = new AsyncLocalStorage();
const sessions = new Set();
const streams = new Map();
const pending = new Map();
const state = {
  lists: 0,
  calls: 0,
  written: 0,
  cancelled: [],
  notes: [],
  deleted: 0,
  posts: 0,
  headers: [],
  asked: [],
  subscribed: [],
};
let busy = numberOf('busy', 0);
let busyCalls = numberOf('busy-calls', 0);

const send = (...messages) => {
  for (const message of messages) current.getStore()?.(message);
};
let nextId = 1;
const ask = (method, params) => {
  const id = `scripted-${nextId++}`;
  send({ jsonrpc: '2.0', id, method, params });
  return new Promise((resolve) => pending.set(id, resolve));
};
const tools = createScriptedTools({ has, numberOf, send, writeRaw: () => undefined, ask, state });

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'scripted-http', version: '1.0.0' },
  }),
  ping: () => ({}),
  ...tools.methods,
};

async function answer(message) {
  const method = METHODS[message.method];
  const head = { jsonrpc: '2.0', id: message.id };
  if (method === undefined) return { ...head, error: { code: -32601, message: `no ${message.method}` } };
  try {
    const result = await method(message.params ?? {}, message.id, false);
    return result === undefined ? undefined : { ...head, result };
  } catch (error) {
    return { ...head, error: { code: error.code ?? -32603, message: error.message } };
  }
}

function noted(message) {
  if (message.method === undefined) pending.get(message.id)?.(message);
  else state.notes.push(message.method);
  if (message.method === 'notifications/cancelled') state.cancelled.push(message.params);
}

const event = (message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
const refuse = (response, status, text, headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message: text }, id: null }));
};

const MUCH = 'x'.repeat(64 * 1024);
/** As fast as it is read, until nobody does any more. */
const writeOn = (response) => {
  response.on('error', () => undefined);
  response.write(MUCH, () => {
    state.written += MUCH.length;
    if (!response.destroyed) setImmediate(writeOn, response);
  });
};

/** What the tools of this transport do that is wrong; true when that was all. */
function misbehaves(message, request, response) {
  const name = message.method === 'tools/call' ? message.params.name : undefined;
  if (has('hang-calls') && name !== undefined) return true;
  const stream = { 'content-type': 'text/event-stream' };
  switch (name) {
    case 'cut':
      response.writeHead(200, stream);
      response.end(': nothing comes\n\n');
      return true;
    case 'broken':
      response.writeHead(200, stream);
      response.write(': soon\n\n', () => request.socket.destroy());
      return true;
    case 'garbage':
      response.writeHead(200, stream);
      response.write('data: {"half": \n\ndata: 42\n\nretry: x\nevent: strange\ndata: {}\n\n');
      response.end(
        event({ jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'after garbage' }] } }),
      );
      return true;
    case 'empty':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('[]');
      return true;
    case 'endless_event':
      response.writeHead(200, stream);
      response.write(`data: {"jsonrpc":"2.0","id":${message.id},"result":{"text":"`);
      writeOn(response);
      return true;
    case 'endless_json':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`{"jsonrpc":"2.0","id":${message.id},"result":{"text":"`);
      writeOn(response);
      return true;
    case 'endless_error':
      response.writeHead(500, { 'content-type': 'text/plain' });
      writeOn(response);
      return true;
    case 'declared':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '3000000000' });
      response.write('{');
      return true;
    case 'long_note':
      response.writeHead(200, stream);
      response.write(
        event({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'n'.repeat(2_000_000) } }),
      );
      response.end(
        event({ jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'after the note' }] } }),
      );
      return true;
    case 'http_500':
      refuse(response, 500, 'the disk\nis full');
      return true;
    case 'forget':
      sessions.clear();
      return false;
    default:
      return false;
  }
}

/** Answers that are wrong whatever was asked, and refusals; true when that was all. */
function refuses(request, response, body) {
  if (has('hang')) return true;
  if (has('status')) {
    refuse(response, numberOf('status', 500), 'always so');
    return true;
  }
  if (has('html')) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
    return true;
  }
  if (busy > 0 || (busyCalls > 0 && body.method === 'tools/call')) {
    if (busy > 0) busy--;
    else busyCalls--;
    refuse(response, 429, 'busy', { 'retry-after': '0' });
    return true;
  }
  if (body.method === 'initialize' || sessions.has(request.headers['mcp-session-id'])) return false;
  if (has('old-404')) refuse(response, 400, 'Server not initialized');
  else refuse(response, 404, 'Session not found');
  return true;
}

async function post(request, response, body) {
  state.posts++;
  state.headers.push(request.headers);
  if (refuses(request, response, body)) return;
  if (body.id === undefined || body.method === undefined) {
    noted(body);
    response.writeHead(202).end();
    return;
  }
  if (misbehaves(body, request, response)) return;
  const headers = {};
  if (body.method === 'initialize') {
    headers['mcp-session-id'] = randomUUID();
    sessions.add(headers['mcp-session-id']);
  }
  if (has('json')) {
    const said = await current.run(undefined, () => answer(body));
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(said));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  const said = await current.run(
    (message) => response.write(event(message)),
    () => answer(body),
  );
  if (said !== undefined) response.end(event(said));
}

/** The transport of 2024-11-05: answers come on a stream of their own. */
function openStream(response, path) {
  const id = randomUUID();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`event: endpoint\ndata: ${path}?stream=${id}\n\n`);
  streams.set(id, response);
}

async function postToStream(response, body, id) {
  const stream = streams.get(id);
  if (stream === undefined) {
    refuse(response, 404, 'no such stream');
    return;
  }
  response.writeHead(202).end('Accepted');
  if (body.id === undefined || body.method === undefined) {
    noted(body);
    return;
  }
  if (body.params?.name === 'drop') {
    streams.delete(id);
    stream.destroy();
    return;
  }
  const write = (message) => stream.write(event(message));
  const said = await current.run(write, () => answer(body));
  if (said !== undefined) write(said);
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => void handle(request, response, Buffer.concat(chunks).toString('utf8')));
});

async function handle(request, response, text) {
  const url = new URL(request.url, 'http://127.0.0.1');
  const stream = url.searchParams.get('stream');
  if (has('sign-in')) refuse(response, 401, 'who are you', { 'www-authenticate': 'Bearer' });
  else if (request.method === 'POST' && stream !== null) await postToStream(response, JSON.parse(text), stream);
  else if (request.method === 'GET' && (has('only-sse') || url.pathname === '/sse')) openStream(response, url.pathname);
  else if (has('only-sse')) response.writeHead(404).end('Cannot POST /mcp');
  else if (request.method === 'DELETE') {
    state.deleted++;
    sessions.delete(request.headers['mcp-session-id']);
    response.writeHead(200).end();
  } else if (request.method === 'GET' && url.pathname === '/state') response.end(JSON.stringify(state));
  else if (request.method === 'POST') await post(request, response, JSON.parse(text));
  else response.writeHead(405).end();
}

server.listen(numberOf('port', 0), '127.0.0.1', () => process.stdout.write(`listening ${server.address().port}\n`));
