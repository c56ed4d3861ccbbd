// A server of tools (MCP) for the garden, as small as one can be: two tools, one resource.
import { createInterface } from 'node:readline';

const TOOLS = [
  {
    name: 'next_frost',
    description: 'The date of the next frost.',
    inputSchema: { type: 'object', properties: { place: { type: 'string', description: 'A town.' } } },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'water_bed',
    description: 'Opens the tap of one bed.',
    inputSchema: {
      type: 'object',
      properties: { bed: { type: 'string' }, litres: { type: 'integer' } },
      required: ['bed'],
    },
  },
];
const CALENDAR = {
  uri: 'garden://calendar',
  name: 'calendar',
  description: 'What to sow when.',
  mimeType: 'text/plain',
};

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'garden', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': ({ name }) => ({
    content: [{ type: 'text', text: name === 'next_frost' ? '12 October' : 'The tap is open.' }],
  }),
  'resources/list': () => ({ resources: [CALENDAR] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'March: carrots\nMay: beans' }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = ANSWERS[method];
  const said =
    answer === undefined
      ? { error: { code: -32601, message: `no method ${method}` } }
      : { result: answer(params ?? {}) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`);
});
