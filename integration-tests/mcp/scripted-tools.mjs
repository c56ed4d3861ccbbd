// The tools of the scripted servers, over standard input and output and over HTTP. What each does wrong is told at TOOLS.
import { existsSync, writeFileSync } from 'node:fs';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const text = (said) => ({ content: [{ type: 'text', text: typeof said === 'string' ? said : JSON.stringify(said) }] });

const OBJECT = { type: 'object' };
const TOOLS = {
  echo: 'Gives back `text`.',
  add: 'Adds `a` and `b`; structured.',
  fail: 'An error as result.',
  error: 'An error of the protocol.',
  invalid_error: 'An error without a message.',
  invalid_result: 'A result that is a text.',
  odd_blocks: 'A good block among bad ones.',
  slow: 'Answers after `ms`.',
  never: 'Never answers.',
  progress: 'Tells progress `steps` times, `ms` apart, then answers.',
  progress_and_result: 'Progress and result in one write.',
  progress_forever: 'Tells progress each 20 ms and never answers.',
  late_answer: 'Answers `ms` after it was cancelled.',
  die: 'Exits at once.',
  die_once: 'Exits unless the file `flag` exists, which it makes; then it answers.',
  big: 'A text of `bytes`.',
  endless_line: 'Writes `bytes` without an end of line, then the end.',
  no_end: 'Writes a line that never ends: of an answer, or, with `of`, of that.',
  storm: 'Tells `count` times that the tools changed.',
  log: 'Sends log messages.',
  env: 'Its environment.',
  state: 'What it saw.',
  ask: 'Asks the person by a form.',
  ask_url: 'Asks the person to open a page.',
  page: 'Must be preceded by a page.',
  sample: 'Asks for the help of the model.',
  roots: 'Asks for the roots.',
  task: 'Must be run as a task.',
};

const BAD_TOOLS = [
  { name: 'no_schema' },
  { name: 'text_schema', inputSchema: 'nope' },
  { name: 'array_schema', inputSchema: { type: 'array' } },
  { name: 'bad_pattern', inputSchema: { ...OBJECT, properties: { a: { type: 'string', pattern: '(' } } } },
  { name: 'slow_pattern', inputSchema: { ...OBJECT, properties: { a: { type: 'string', pattern: '^(a+)+$' } } } },
  { name: 'remote_ref', inputSchema: { ...OBJECT, properties: { a: { $ref: 'https://example.invalid/s.json' } } } },
  { name: 'old_dialect', inputSchema: { $schema: 'http://json-schema.org/draft-04/schema#', ...OBJECT } },
  { name: '', inputSchema: OBJECT },
  { inputSchema: OBJECT },
  { name: 42, inputSchema: OBJECT },
  { name: 'odd_description', description: 7, inputSchema: OBJECT },
  { name: 'odd annotations', annotations: 'all', inputSchema: OBJECT },
  { name: 'hidden', description: 'Fine.\u200b\u{e0041}\u202e\u001b[2J', inputSchema: OBJECT },
  { name: 'näme/with.signs', inputSchema: OBJECT },
  'no object',
  null,
];

/** The methods `tools/*` and `tasks/*`, and `changed`, which tells of a change. */
export function createScriptedTools(parts) {
  const { has, numberOf, send, state } = parts;
  const note = (method, params = {}) => ({ jsonrpc: '2.0', method, params: { ...params, ...listenMeta(state) } });
  const changed = () => send(note('notifications/tools/list_changed'));
  const tasks = new Map();
  const more = { ...parts, note, changed, tasks };
  const calls = {
    ...plainCalls(more),
    ...slowCalls(more),
    ...wireCalls(more),
    ...askingCalls(more),
    ...taskCalls(more),
  };

  const methods = {
    'tools/list': ({ cursor }) => {
      if (has('die-on-list')) process.exit(6);
      state.lists += cursor === undefined ? 1 : 0;
      state.pages = (state.pages ?? 0) + 1;
      if (has('list-error') || (has('page-error') && cursor !== undefined)) throw new Error('the list is broken');
      return { ...pageAt(Number(cursor ?? 0), parts), ttlMs: numberOf('ttl', 0), cacheScope: 'private' };
    },
    'tools/call': async (params, id, modern) => {
      state.calls++;
      const call = calls[params.name];
      if (call === undefined) throw Object.assign(new Error(`Unknown tool: ${params.name}`), { code: -32602 });
      return call(params.arguments ?? {}, params, id, modern);
    },
    ...taskMethods(more),
  };
  return { methods, changed };
}

function pageAt(from, { has, numberOf, state }) {
  const all = definitions({ has, numberOf, state });
  if (has('same-cursor')) return { tools: all.slice(0, 2), nextCursor: '1' };
  const to = from + numberOf('page-size', 100);
  if (has('endless-pages')) return { tools: all.slice(0, 2), nextCursor: String(to) };
  return { tools: all.slice(from, to), ...(to < all.length ? { nextCursor: String(to) } : {}) };
}

function definitions({ has, numberOf, state }) {
  const later = has('changed-after') && state.lists > numberOf('changed-after', 0);
  const own = Object.entries(TOOLS).map(([name, description]) => ({
    name,
    description: later ? `${description} Now with more power.` : description,
    inputSchema: OBJECT,
    ...(name === 'task' ? { execution: { taskSupport: 'required' } } : {}),
    ...(name === 'echo' ? { annotations: { readOnlyHint: true } } : {}),
  }));
  const more = Array.from({ length: numberOf('many-tools', 0) }, (_, index) => ({
    name: `tool_${index}`,
    description: `Tool number ${index}.`,
    inputSchema: OBJECT,
  }));
  const doubled = has('duplicate-names') ? [{ ...own[0], description: 'The other echo.' }] : [];
  return [...own, ...doubled, ...(has('bad-tools') ? BAD_TOOLS : []), ...more];
}

function plainCalls({ state }) {
  return {
    echo: ({ text: said }) => text(said ?? ''),
    add: ({ a, b }) => ({ ...text({ sum: a + b }), structuredContent: { sum: a + b } }),
    fail: () => ({ ...text('it failed'), isError: true }),
    error: () => {
      throw Object.assign(new Error('out of\npaper'), { code: -32000, data: { tray: 2 } });
    },
    odd_blocks: () => ({
      content: [
        { type: 'text', text: 'good' },
        { type: 'hologram', x: 1 },
        { type: 'image', data: '%%%', mimeType: 'image/png' },
        null,
        7,
      ],
      structuredContent: 'a text',
    }),
    big: ({ bytes }) => text('x'.repeat(bytes)),
    env: () => text(process.env),
    state: () => text({ ...state, arguments: process.argv.slice(2), pid: process.pid, cwd: process.cwd() }),
    die: () => process.exit(5),
    die_once: ({ flag }) => {
      if (existsSync(flag)) return text('alive');
      writeFileSync(flag, '');
      return process.exit(5);
    },
  };
}

function progressOf(params, told) {
  const progressToken = params._meta?.progressToken;
  return { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, ...told } };
}

function slowCalls({ send, state }) {
  return {
    slow: async ({ ms }) => {
      await wait(ms);
      return text('slow done');
    },
    never: () => undefined,
    progress: async ({ steps = 3, ms = 10 }, params) => {
      for (let step = 1; step <= steps; step++) {
        send(progressOf(params, { progress: step, total: steps, message: `step ${step}` }));
        await wait(ms);
      }
      return text('progress done');
    },
    progress_forever: (_args, params) => {
      setInterval(() => send(progressOf(params, { progress: 1 })), 20).unref();
      return undefined;
    },
    late_answer: async ({ ms = 50 }) => {
      const seen = state.cancelled.length;
      while (state.cancelled.length === seen) await wait(10);
      await wait(ms);
      return text('too late');
    },
  };
}

function wireCalls({ send, writeRaw, note, changed }) {
  return {
    invalid_error: (_args, _params, id) => send({ jsonrpc: '2.0', id, error: { code: 'x' } }),
    invalid_result: () => 'just a text',
    progress_and_result: (_args, params, id) => {
      const result = { resultType: 'complete', ...text('together') };
      send(progressOf(params, { progress: 1, total: 1, message: 'last' }), { jsonrpc: '2.0', id, result });
    },
    endless_line: async ({ bytes }, _params, id) => {
      writeRaw(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
      for (let left = bytes; left > 0; left -= 1 << 20) writeRaw('y'.repeat(Math.min(left, 1 << 20)));
      writeRaw('"}]}}\n');
    },
    no_end: async ({ of }, _params, id) => {
      writeRaw(of ?? `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
      for (;;) {
        writeRaw('z'.repeat(1 << 20));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    storm: ({ count }) => {
      for (let told = 0; told < count; told++) changed();
      return text('told');
    },
    log: () => {
      send(note('notifications/message', { level: 'warning', logger: 'paper', data: { tray: 2 } }));
      send(note('notifications/message', { level: 'info', data: 'plain' }));
      return text('logged');
    },
  };
}

function askingCalls({ ask, send, note, state }) {
  /** In 2026-07-28 the call is answered with the question, and comes again with the answer. */
  async function question(request, params, modern) {
    if (!modern) {
      const reply = await ask(request.method, request.params);
      return text(reply.result ?? { error: reply.error });
    }
    const given = params.inputResponses?.one;
    if (given !== undefined) return text(given);
    return { resultType: 'input_required', inputRequests: { one: request }, requestState: 'opaque' };
  }
  return {
    ask: (_args, params, _id, modern) => {
      const colour = { type: 'string', default: 'red' };
      const requestedSchema = { type: 'object', properties: { colour }, required: ['colour'] };
      const about = { message: 'Which colour?', requestedSchema };
      return question({ method: 'elicitation/create', params: about }, params, modern);
    },
    ask_url: (_args, params, _id, modern) => {
      const url = 'https://example.invalid/pay?x=1';
      const about = { mode: 'url', message: 'Please pay.', url, elicitationId: 'pay-1' };
      return question({ method: 'elicitation/create', params: about }, params, modern);
    },
    page: () => {
      if (state.isPaid) return text('paid');
      setTimeout(() => {
        state.isPaid = true;
        send(note('notifications/elicitation/complete', { elicitationId: 'pay-2' }));
      }, 100);
      const about = { mode: 'url', message: 'Please pay.', url: 'https://example.invalid/pay', elicitationId: 'pay-2' };
      throw Object.assign(new Error('pay first'), { code: -32042, data: { elicitations: [about] } });
    },
    sample: (_args, params, _id, modern) => {
      const messages = [{ role: 'user', content: { type: 'text', text: 'Say yes.' } }];
      return question({ method: 'sampling/createMessage', params: { messages, maxTokens: 10 } }, params, modern);
    },
    roots: (_args, params, _id, modern) => question({ method: 'roots/list', params: {} }, params, modern),
  };
}

const shownTask = ({ taskId, status, createdAt, pollInterval }) => ({
  taskId,
  status,
  createdAt,
  ttl: null,
  pollInterval,
  statusMessage: 'busy',
});

function taskCalls({ tasks }) {
  return {
    task: (args, params, _id, modern) => {
      if (!modern && params.task === undefined) throw Object.assign(new Error('requires a task'), { code: -32601 });
      const taskId = `task-${tasks.size + 1}`;
      const createdAt = new Date().toISOString();
      const task = { taskId, status: 'working', createdAt, pollInterval: 20, polls: 0, args };
      tasks.set(taskId, task);
      return modern ? { resultType: 'task', taskId, status: 'working', pollIntervalMs: 20 } : { task: shownTask(task) };
    },
  };
}

function taskMethods({ tasks, state }) {
  return {
    'tasks/get': ({ taskId }, _id, modern) => {
      const task = tasks.get(taskId);
      task.polls++;
      if (task.status === 'working' && task.args.forever !== true && task.polls >= 3) {
        task.status = task.args.fails === true ? 'failed' : 'completed';
      }
      if (!modern) return shownTask(task);
      const { status } = task;
      const ended = {
        completed: { result: text('task done') },
        failed: { error: { code: -32000, message: 'task broke' } },
      };
      return { taskId, status, pollIntervalMs: 20, ...ended[status] };
    },
    'tasks/result': () => text('task done'),
    'tasks/cancel': ({ taskId }) => {
      tasks.get(taskId).status = 'cancelled';
      state.cancelled.push({ taskId });
      return shownTask(tasks.get(taskId));
    },
  };
}

function listenMeta({ listen }) {
  return listen === undefined ? {} : { _meta: listen.meta };
}
