import { randomBytes } from 'node:crypto';
import type { Report, ServedTools } from './served-tools.js';
import type { RoundState, Serving } from './serving.js';

/** How long a question may lie with a client before its answer counts no more. */
const STATE_TTL_S = 3_600;

/** Loads the SDK and what all connections share. The key lives as long as the process: states of another are refused. */
export async function openServing(tools: ServedTools, report: Report): Promise<Serving> {
  const sdk = await import('@modelcontextprotocol/server');
  const codec = sdk.createRequestStateCodec<RoundState>({
    key: randomBytes(32),
    ttlSeconds: STATE_TTL_S,
    bind: (context) => context.mcpReq.method,
  });
  return { sdk, tools, codec, report, running: new Set() };
}
