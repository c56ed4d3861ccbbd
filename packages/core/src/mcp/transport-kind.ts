import { Failure } from '../util/failure.js';
import { nearestName } from '../util/nearest-names.js';
import type { RawServer } from './read-fields.js';
import type { RemoteServer } from './server-definition.js';

const TRANSPORTS: Readonly<Record<string, 'stdio' | RemoteServer['kind']>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  streamable_http: 'http',
  sse: 'sse',
  remote: 'auto',
  auto: 'auto',
};

/** What a definition says of how its server is reached; undefined where it does not say. @throws Failure `mcp_definition` */
export function transportKindOf(raw: RawServer): 'stdio' | RemoteServer['kind'] | undefined {
  const written = raw['type'] ?? raw['transport'] ?? undefined;
  if (written === undefined) return undefined;
  const kind = typeof written === 'string' && Object.hasOwn(TRANSPORTS, written) ? TRANSPORTS[written] : undefined;
  if (kind !== undefined) return kind;
  const meant = typeof written === 'string' ? nearestName(written, Object.keys(TRANSPORTS)) : undefined;
  throw new Failure(
    'mcp_definition',
    `"type" must be stdio, http or sse.${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
  );
}
