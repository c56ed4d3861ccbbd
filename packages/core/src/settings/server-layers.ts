/** The settings about servers whose values of all layers are put together by `gatherServers`, name by name. */
export type ServerKey = 'mcpServers' | 'mcp.serverCommand' | 'mcp.allowed' | 'mcp.excluded' | 'lsp.servers';

const KEYS: readonly string[] = ['mcpServers', 'mcp.serverCommand', 'mcp.allowed', 'mcp.excluded', 'lsp.servers'];

export function isServerKey(key: string): key is ServerKey {
  return KEYS.includes(key);
}

/** One of these values as one file has it. */
export interface ServerEntry {
  readonly key: ServerKey;
  readonly value: unknown;
  readonly layer: 'managed' | 'user' | 'project';
  /** Where it stands, for people. */
  readonly place: string;
  /** False for a project's that nobody agreed to: it is only told of. */
  readonly isTrusted: boolean;
}
