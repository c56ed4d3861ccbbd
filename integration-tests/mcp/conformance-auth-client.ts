// The client that the conformance suite starts: its last argument is the server's address. Sign-ins go through Tenon's own
// `createServerAuth`; the "browser" is a request that follows the redirect to the loopback address.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport, type AuthProvider } from '@modelcontextprotocol/client';
import { createServerAuth } from '../../packages/core/src/mcp/auth/server-auth.js';
import { createTokenStore } from '../../packages/core/src/mcp/auth/token-store.js';
import { remoteDefinition } from './remote-definition.js';

const url = process.argv.at(-1) ?? '';
const isModern = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] === '2026-07-28';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Record<string, string | undefined>;
const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = context;
const algorithm = context['signing_algorithm'];
// Nobody visits a page in these.
const isProgram = process.env['MCP_CONFORMANCE_SCENARIO']?.startsWith('auth/client-credentials') === true;

const definition = {
  ...remoteDefinition(url, {
    oauth: {
      ...(clientId !== undefined && { clientId }),
      ...(clientSecret !== undefined && { clientSecret }),
      ...(privateKey !== undefined && { key: { privateKey, ...(algorithm !== undefined && { algorithm }) } }),
      ...(isProgram && { grant: 'client_credentials' as const }),
    },
  }),
  alias: 'tested',
};

async function visitPage(address: string): Promise<void> {
  const response = await fetch(address, { redirect: 'manual' });
  const target = response.headers.get('location');
  if (target !== null) await fetch(target);
}

async function main(tenonHome: string): Promise<void> {
  const auth = createServerAuth(definition, {
    store: createTokenStore(tenonHome),
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    openBrowser: visitPage,
  });
  if (auth?.fetch === undefined) throw new Error('no sign-in for this server');
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    authProvider: auth.provider as AuthProvider,
    fetch: auth.fetch,
  });
  const client = new Client(
    { name: 'tenon-conformance', version: '0' },
    { versionNegotiation: { mode: isModern ? 'auto' : 'legacy' } },
  );
  await client.connect(transport);
  const { tools } = await client.listTools();
  for (const tool of tools) {
    const answer = await client.callTool({ name: tool.name, arguments: {} }).catch((thrown: unknown) => thrown);
    if (answer instanceof Error) process.stderr.write(`${tool.name}: ${answer.message}\n`);
  }
  await client.close();
}

const tenonHome = await mkdtemp(path.join(tmpdir(), 'tenon-conformance-'));
try {
  await main(tenonHome);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)}\n`);
  process.exitCode = 1;
} finally {
  await rm(tenonHome, { recursive: true, force: true });
}
