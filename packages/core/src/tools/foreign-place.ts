import type { ForeignEffect } from '../effects/effect.js';
import type { ServerDefinition } from '../mcp/server-definition.js';

/** Where a server is reached, for rules on hosts; undefined for a program on this machine. */
export function foreignPlace({ transport }: ServerDefinition): ForeignEffect['at'] {
  if (transport.kind === 'stdio') return undefined;
  if (!URL.canParse(transport.url)) return { host: transport.url, url: transport.url };
  // Without what may be a secret.
  const { hostname, origin, pathname } = new URL(transport.url);
  return { host: hostname, url: `${origin}${pathname}` };
}
