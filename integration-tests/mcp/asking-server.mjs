// A server over standard input and output that asks: `node asking-server.mjs COUNT` pings so often at once when it is initialized,
// and `0` goes on for ever. It tells on stderr how many were answered.
const count = Number(process.argv[2]);
let [answered, asked, read] = [0, 0, ''];

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const ping = () => say({ id: `ping-${asked++}`, method: 'ping' });

function storm() {
  for (let each = 0; each < 100; each++) ping();
  // As fast as it is read, so that its own memory does not fill.
  if (process.stdout.writableNeedDrain) process.stdout.once('drain', storm);
  else setImmediate(storm);
}

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'asking', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name: 'late', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'here' }] }),
};

function handle({ id, method, params, result }) {
  if (result !== undefined) {
    answered += 1;
    if (answered % 100 === 0) process.stderr.write(`answered ${answered}\n`);
  } else if (id !== undefined) say({ id, result: METHODS[method]?.(params) ?? {} });
  else if (method === 'notifications/initialized') {
    if (count === 0) storm();
    else for (let each = 0; each < count; each++) ping();
  }
}

process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (read + chunk).split('\n');
  read = lines.pop();
  for (const line of lines) handle(JSON.parse(line));
});
process.stdin.on('end', () => process.exit(0));
