// A server over standard input and output that misbehaves on request, without any library: `node scripted-server.mjs WORD…`.
// A word is `name` or `name=value`; they are told at WORDS. What a tool does wrong is in its name; see scripted-tools.mjs.
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createScriptedTools } from './scripted-tools.mjs';

/** What each word changes. */
const WORDS = {
  silent: 'reads and never answers',
  'slow-start': 'milliseconds before the first answer',
  'die-at-start': 'writes to stderr and exits with that code',
  'die-after-initialize': 'exits when told that it is initialized',
  'die-on-unknown': 'exits on a first request that is not initialize',
  'die-on-list': 'exits on tools/list',
  'many-tools': 'so many more tools',
  'page-size': 'tools on a page; default 100',
  'same-cursor': 'each page names the same next one',
  'endless-pages': 'each page names another next one',
  'page-error': 'the second page is an error',
  'list-error': 'tools/list is an error',
  'duplicate-names': 'two tools of one name',
  'bad-tools': 'tools whose definitions are wrong in many ways',
  'changed-after': 'so many lists later the definitions are others',
  storm: 'so many list_changed after the start',
  'storm-after-list': 'a list_changed after each list',
  'stderr-flood': 'so many lines to stderr at the start',
  garbage: 'stray lines on stdout around each message',
  'split-writes': 'each message in pieces of three bytes',
  crlf: 'lines end in CR LF',
  bom: 'a byte order mark before the first message',
  batch: 'each answer in an array',
  'string-ids': 'answers with the id as a text',
  'wrong-ids': 'each answer is preceded by answers to nobody',
  'ignore-end': 'lives on when its input ends and on SIGTERM',
  child: 'starts a child that lives on as well, and tells its id on stderr',
  'requests-at-start': 'asks for roots, a ping and something unknown once initialized; `asked` tells the answers',
  version: 'the protocol version that it answers with',
  'no-info': 'leaves out serverInfo and capabilities',
  modern: 'speaks 2026-07-28 too',
  'modern-only': 'speaks 2026-07-28 only',
  'listen-cut': 'ends each subscriptions/listen at once',
  ttl: 'ttlMs of lists in 2026-07-28',
  instructions: 'text of the instructions',
  name: 'its name',
};

const words = new Map(process.argv.slice(2).map((word) => [word.split('=')[0], word.slice(word.indexOf('=') + 1)]));
for (const word of words.keys()) if (!(word in WORDS)) throw new Error(`no scenario ${word}`);
const has = (word) => words.has(word);
const numberOf = (word, otherwise) => (has(word) ? Number(words.get(word)) : otherwise);

let first = true;
function frame(text) {
  const end = has('crlf') ? '\r\n' : '\n';
  const mark = first && has('bom') ? '\uFEFF' : '';
  first = false;
  return mark + text + end;
}

/** Blocking, so that what was said before an exit is out. */
function writeAll(bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') process.exit(0);
    }
  }
}

function writeRaw(text) {
  const bytes = Buffer.from(text, 'utf8');
  if (!has('split-writes')) return writeAll(bytes);
  for (let at = 0; at < bytes.length; at += 3) writeAll(bytes.subarray(at, at + 3));
}

function send(...messages) {
  if (has('garbage')) writeRaw('listening on nothing\n{"half": \n42\n[]\n"text"\n{"jsonrpc":"2.0"}\n\n');
  writeRaw(messages.map((message) => frame(JSON.stringify(message))).join(''));
  if (has('garbage')) writeRaw('done \u001b[31mred\u001b[0m\n');
}

function answer(id, body) {
  if (has('wrong-ids')) {
    send(
      { jsonrpc: '2.0', id: 99_999, result: {} },
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'x' } },
    );
  }
  const message = { jsonrpc: '2.0', id: has('string-ids') ? String(id) : id, ...body };
  send(has('batch') ? [message] : message);
}

const pending = new Map();
let nextId = 1;
/** Asks the client. Resolves with the whole answer. */
function ask(method, params = {}) {
  const id = `scripted-${nextId++}`;
  send({ jsonrpc: '2.0', id, method, params });
  return new Promise((resolve) => pending.set(id, resolve));
}

const state = { asked: [], lists: 0, calls: 0, cancelled: [], notes: [], capabilities: undefined, subscribed: [] };
const tools = createScriptedTools({ words, has, numberOf, send, writeRaw, ask, state });

const capabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
  tasks: { requests: { tools: { call: {} } }, cancel: {} },
};
const serverInfo = { name: words.get('name') ?? 'scripted', version: '1.0.0' };
const isModern = () => has('modern') || has('modern-only');

const METHODS = {
  initialize: (params) => {
    if (has('modern-only')) {
      throw Object.assign(new Error('unsupported'), { code: -32022, data: { supported: ['2026-07-28'] } });
    }
    state.capabilities = params.capabilities;
    const protocolVersion = words.get('version') ?? params.protocolVersion;
    if (has('no-info')) return { protocolVersion };
    const instructions = words.get('instructions');
    return { protocolVersion, capabilities, serverInfo, ...(instructions === undefined ? {} : { instructions }) };
  },
  'server/discover': () => {
    if (!isModern()) throw Object.assign(new Error('unknown'), { code: -32601 });
    const { tasks: _tasks, ...modern } = capabilities;
    const extensions = { 'io.modelcontextprotocol/tasks': {} };
    return {
      supportedVersions: ['2026-07-28'],
      capabilities: { ...modern, extensions },
      ttlMs: 0,
      cacheScope: 'private',
    };
  },
  ping: () => ({}),
  'logging/setLevel': () => ({}),
  'subscriptions/listen': (params, id) => {
    const meta = { 'io.modelcontextprotocol/subscriptionId': id };
    state.listen = { id, meta };
    state.listens = (state.listens ?? 0) + 1;
    const ack = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged' };
    send({ ...ack, params: { notifications: params.notifications, _meta: meta } });
    return has('listen-cut') ? {} : undefined;
  },
  'resources/list': () => ({ resources: [{ uri: 'scripted://one', name: 'one' }, 'no object'] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'scripted://{id}', name: 'any' }] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: `text of ${uri}` }] }),
  'resources/subscribe': ({ uri }) => {
    state.subscribed.push(uri);
    return {};
  },
  'resources/unsubscribe': ({ uri }) => {
    state.subscribed = state.subscribed.filter((one) => one !== uri);
    return {};
  },
  'prompts/list': () => ({
    prompts: [{ name: 'greet', description: 'Greets.', arguments: [{ name: 'who', required: true }] }],
  }),
  'prompts/get': ({ arguments: args }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${args?.who}.` } }],
  }),
  'completion/complete': ({ argument }) => ({
    completion: { values: ['anna', 'bert', 7].filter((one) => String(one).startsWith(argument.value)) },
  }),
  ...tools.methods,
};

async function handle(message) {
  if (message.method === undefined) pending.get(message.id)?.(message);
  else if (message.id === undefined) notified(message);
  else await request(message);
}

async function request(message) {
  const modern = message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] === '2026-07-28';
  if (message.method !== 'initialize' && !state.isKnown && has('die-on-unknown')) process.exit(3);
  state.isKnown = true;
  const method = modern && !isModern() ? undefined : METHODS[message.method];
  if (method === undefined) {
    answer(message.id, { error: { code: -32601, message: `no ${message.method}` } });
    return;
  }
  try {
    const result = await method(message.params ?? {}, message.id, modern);
    if (result === undefined) return;
    const isBare = typeof result !== 'object' || Array.isArray(result) || !modern;
    answer(message.id, { result: isBare ? result : { resultType: 'complete', ...result } });
    if (message.method === 'tools/list' && has('storm-after-list')) tools.changed();
  } catch (error) {
    answer(message.id, { error: { code: error.code ?? -32603, message: error.message, data: error.data } });
  }
}

function notified({ method, params }) {
  state.notes.push(method);
  if (method === 'notifications/cancelled') state.cancelled.push(params);
  if (method !== 'notifications/initialized') return;
  if (has('die-after-initialize')) process.exit(4);
  for (let count = 0; count < numberOf('storm', 0); count++) tools.changed();
  if (!has('requests-at-start')) return;
  for (const [asked, about] of [['roots/list'], ['ping'], ['strange/request', { a: 1 }]]) {
    void ask(asked, about).then((reply) => state.asked.push({ method: asked, ...reply }));
  }
}

if (has('die-at-start')) {
  writeSync(2, 'cannot find the database\nplease set DATABASE_URL\n');
  process.exit(numberOf('die-at-start', 1));
}
for (let line = 0; line < numberOf('stderr-flood', 0); line++) writeSync(2, `line ${line} ${'x'.repeat(100)}\n`);
if (has('ignore-end')) {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
}
if (has('child')) {
  const stay = 'process.on("SIGTERM",()=>{});process.on("SIGHUP",()=>{});setInterval(()=>{},1000)';
  const child = spawn(process.execPath, ['-e', stay], { stdio: 'ignore', detached: true });
  child.unref();
  writeSync(2, `child ${child.pid}\n`);
}

let read = '';
let ready = Promise.resolve();
const delay = numberOf('slow-start', 0);
if (delay > 0) ready = new Promise((resolve) => setTimeout(resolve, delay));
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  read += chunk;
  const lines = read.split('\n');
  read = lines.pop();
  if (has('silent')) return;
  for (const line of lines) if (line.trim() !== '') void ready.then(() => handle(JSON.parse(line)));
});
process.stdin.on('end', () => {
  if (!has('ignore-end')) process.exit(0);
});
