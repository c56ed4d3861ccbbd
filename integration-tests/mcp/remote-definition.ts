import type { RemoteServer, ServerDefinition } from '../../packages/core/src/mcp/server-definition.js';

export function remoteDefinition(url: string, changes: Partial<RemoteServer> = {}): ServerDefinition {
  return {
    alias: 'signed',
    origin: 'user',
    transport: { kind: 'http', url, headers: {}, ...changes },
    timeoutMs: 10_000,
    startupMs: 10_000,
    trust: false,
    excludeTools: [],
    sampling: false,
    negotiation: 'legacy',
    disabled: false,
  };
}
