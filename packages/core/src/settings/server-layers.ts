import type { HookEventName } from '../hooks/hook-types.js';

/** The lists of hooks; those of all layers run. */
export type HookEventKey = `hooks.${HookEventName}`;

/** The settings about servers and hooks whose values of all layers are put together by `gatherServers`, name by name. */
export type ServerKey =
  | 'mcpServers'
  | 'mcp.serverCommand'
  | 'mcp.allowed'
  | 'mcp.excluded'
  | 'lsp.servers'
  | 'extensions.disabled'
  | 'hooks.importFrom'
  | HookEventKey;

const KEYS: readonly string[] = [
  'mcpServers',
  'mcp.serverCommand',
  'mcp.allowed',
  'mcp.excluded',
  'lsp.servers',
  'extensions.disabled',
];

export function isServerKey(key: string): key is ServerKey {
  return KEYS.includes(key) || key === 'hooks.importFrom' || isHookEventKey(key);
}

const NOT_EVENTS: readonly string[] = ['hooks.importFrom', 'hooks.mayAllow', 'hooks.disableAll'];

/** Of the keys of settings, those that list hooks. */
export function isHookEventKey(key: string): key is HookEventKey {
  return key.startsWith('hooks.') && !NOT_EVENTS.includes(key);
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
