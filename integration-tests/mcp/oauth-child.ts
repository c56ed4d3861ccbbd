// Asks for a token as a connection does: `oauth-child TENON_HOME SERVER_URL`, and prints what the server answered.
import { createServerAuth } from '../../packages/core/src/mcp/auth/server-auth.js';
import { createTokenStore } from '../../packages/core/src/mcp/auth/token-store.js';
import { remoteDefinition } from './remote-definition.js';

const [tenonHome = '', url = ''] = process.argv.slice(2);
const auth = createServerAuth(remoteDefinition(url), { store: createTokenStore(tenonHome) });
const provider = auth?.provider as { token(): Promise<string | undefined> };
const token = await provider.token();
const response = await auth?.fetch?.(url, {
  method: 'POST',
  headers: { authorization: `Bearer ${token ?? ''}`, 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
});
process.stdout.write(`${response?.status ?? 'none'}\n`);
