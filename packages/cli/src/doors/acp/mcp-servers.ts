import type { McpServer } from '@agentclientprotocol/sdk';

/**
 * The servers of a client in the form of `--mcp-config`. Undefined without any. What looks like a variable in a value is
 * the client's own text: a reference that replaces itself by that text stands in its place. Pure.
 */
export function mcpConfigOf(servers: readonly McpServer[]): string | undefined {
  if (servers.length === 0) return undefined;
  const entries = servers.map((server) => [server.name, definitionOf(server)] as const);
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) });
}

function definitionOf(server: McpServer): object {
  if ('command' in server) {
    const env = server.env.map(({ name, value }) => [name, literal(value)] as const);
    return {
      type: 'stdio',
      command: literal(server.command),
      args: server.args.map(literal),
      env: Object.fromEntries(env),
    };
  }
  const headers = server.headers.map(({ name, value }) => [name, literal(value)] as const);
  return { type: server.type, url: literal(server.url), headers: Object.fromEntries(headers) };
}

/** `${TENON_NOT_SET:-$}{` is `${` once it was replaced, and what comes of that is not looked at again. */
function literal(text: string): string {
  return text.replaceAll('${', `\${${UNSET}:-$}{`);
}

const UNSET = 'TENON_NEVER_SET_LITERAL_DOLLAR';
