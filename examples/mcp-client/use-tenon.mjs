// Uses Tenon's tools from the official MCP client. `node use-tenon.mjs COMMAND ARGS…`, such as: node use-tenon.mjs tenon mcp serve
import { createInterface } from 'node:readline/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command, ...args] = process.argv.slice(2);
const client = new Client(
  { name: 'use-tenon', version: '1.0.0' },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
);

// What the person's rules do not decide is asked here.
client.setRequestHandler('elicitation/create', async ({ params }) => {
  const choices = params.requestedSchema.properties.decision.enum;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${params.message}\n(${choices.join(', ')}) › `);
  terminal.close();
  return choices.includes(answer) ? { action: 'accept', content: { decision: answer } } : { action: 'decline' };
});

await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: 'inherit' }));
const call = async (name, input) => {
  const { content, isError } = await client.callTool({ name, arguments: input });
  console.log(`${name}${isError ? ' (failed)' : ''}: ${content.map((block) => block.text ?? block.type).join('\n')}`);
};
await call('list_directory', { path: process.cwd() });
await call('write_file', { file_path: `${process.cwd()}/hello.txt`, content: 'Hello from another client.\n' });
await client.close();
