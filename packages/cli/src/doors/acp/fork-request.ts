import { RequestError, type McpServer } from '@agentclientprotocol/sdk';
import { isObject } from '../../is-object.js';
import type { SessionRequest } from './open-session.js';

/** The stable protocol does not have `session/fork` yet, so the library knows neither its method nor its parameters. */
export const FORK_METHOD = 'session/fork';

export interface ForkRequest extends SessionRequest {
  /** The session that is copied. */
  readonly sessionId: string;
}

/** @throws RequestError -32602 */
export function parseForkRequest(params: unknown): ForkRequest {
  const { sessionId, cwd, additionalDirectories = [], mcpServers = [] } = isObject(params) ? params : {};
  if (
    typeof sessionId !== 'string' ||
    typeof cwd !== 'string' ||
    !isListOf(additionalDirectories, (folder) => typeof folder === 'string') ||
    !isListOf(mcpServers, isServer)
  )
    throw RequestError.invalidParams(
      undefined,
      `${FORK_METHOD} takes sessionId and cwd, and the folders and servers that session/new takes.`,
    );
  return { sessionId, cwd, additionalDirectories, mcpServers };
}

function isListOf<T>(value: unknown, isOne: (each: unknown) => each is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isOne);
}

function isServer(value: unknown): value is McpServer {
  if (!isObject(value) || typeof value['name'] !== 'string') return false;
  return typeof value['command'] === 'string'
    ? Array.isArray(value['args']) && Array.isArray(value['env'])
    : typeof value['url'] === 'string' && Array.isArray(value['headers']);
}
