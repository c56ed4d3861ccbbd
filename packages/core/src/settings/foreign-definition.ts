import { isDeepStrictEqual } from 'node:util';
import type { RawServer } from '../mcp/read-fields.js';
import { isObject } from '../util/is-object.js';
import { transportKindOf } from '../mcp/transport-kind.js';
import { Failure } from '../util/failure.js';
import type { TextCarrier } from './foreign-variables.js';

/** How a tool writes the definition of a server. */
export type DefinitionForm = 'common' | 'codex' | 'opencode';

/** A definition in Tenon's own words, texts not carried over yet. */
interface Taken {
  readonly definition: Record<string, unknown>;
  /** A sentence each. */
  readonly notes: readonly string[];
}

const CARRIED: readonly string[] = [
  'type',
  'transport',
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'httpUrl',
  'headers',
  'headersHelper',
  'description',
  'startupTimeout',
  'includeTools',
  'excludeTools',
  'disabled',
  'enabled',
  'versionNegotiation',
];
const RENAMED: Readonly<Record<string, string>> = {
  environment: 'env',
  serverUrl: 'url',
  disabledTools: 'excludeTools',
  enabledTools: 'includeTools',
  allowedTools: 'includeTools',
  tools: 'includeTools',
};
/** What the person agreed to in another tool, they did not agree to here. */
const APPROVALS: readonly string[] = ['trust', 'autoApprove', 'alwaysAllow', 'autoApprovedTools', 'sampling'];
/** For people, or for the tool itself. */
const OF_NO_EFFECT: readonly string[] = ['name', 'displayName', 'icon', 'gallery', 'version', 'extensionName'];
const CODEX: Readonly<Record<string, string>> = {
  command: 'command',
  args: 'args',
  env: 'env',
  cwd: 'cwd',
  url: 'url',
  http_headers: 'headers',
  enabled: 'enabled',
  enabled_tools: 'includeTools',
  disabled_tools: 'excludeTools',
};
const CODEX_APPROVALS: readonly string[] = ['default_tools_approval_mode', 'tools'];
const CODEX_READ: readonly string[] = [
  'env_vars',
  'bearer_token_env_var',
  'env_http_headers',
  'startup_timeout_sec',
  'startup_timeout_ms',
  'tool_timeout_sec',
  'scopes',
  'oauth',
  'name',
  'type',
];

/** @throws Failure `mcp_import` where nothing of use is left */
export function takeDefinition(raw: unknown, form: DefinitionForm, timeoutUnitMs: number): Taken {
  if (!isObject(raw)) throw refusal('It is no object.');
  if (form === 'codex') return fromCodex(raw);
  if (form === 'opencode') return fromOpencode(raw);
  return fromCommon(raw, timeoutUnitMs);
}

function fromCommon(raw: RawServer, timeoutUnitMs: number): Taken {
  const definition: Record<string, unknown> = {};
  const left: string[] = [];
  const approvals: string[] = [];
  for (const [key, value] of Object.entries(raw)) {
    if (value === null || key.startsWith('$') || key.startsWith('_') || OF_NO_EFFECT.includes(key)) continue;
    const ours = Object.hasOwn(RENAMED, key) ? RENAMED[key] : key;
    if (APPROVALS.includes(key)) {
      if (value !== false && !(Array.isArray(value) && value.length === 0)) approvals.push(key);
    } else if (key === 'timeout') setTime(definition, key, value, timeoutUnitMs, left);
    else if (key === 'oauth' || key === 'auth') takeOAuth(definition, key, value, left);
    else if (ours !== undefined && CARRIED.includes(ours)) definition[ours] ??= value;
    else left.push(key);
  }
  return { definition: withoutNulls(definition, left), notes: notesOf(left, approvals) };
}

function fromCodex(raw: RawServer): Taken {
  const definition: Record<string, unknown> = {};
  const left: string[] = [];
  const approvals: string[] = [];
  for (const [key, value] of Object.entries(raw)) {
    const ours = Object.hasOwn(CODEX, key) ? CODEX[key] : undefined;
    if (ours !== undefined) definition[ours] = value;
    else if (CODEX_APPROVALS.includes(key)) approvals.push(key);
    else if (!CODEX_READ.includes(key)) left.push(key);
  }
  const env = codexVariables(raw['env_vars'], left);
  if (Object.keys(env).length > 0) definition['env'] = { ...env, ...objectOf(raw['env']) };
  const headers = codexHeaders(raw);
  if (Object.keys(headers).length > 0) definition['headers'] = { ...objectOf(raw['http_headers']), ...headers };
  if (raw['url'] !== undefined) definition['type'] = 'http';
  setTime(definition, 'startupTimeout', raw['startup_timeout_sec'], 1000, left);
  if (definition['startupTimeout'] === undefined)
    setTime(definition, 'startupTimeout', raw['startup_timeout_ms'], 1, left);
  setTime(definition, 'timeout', raw['tool_timeout_sec'], 1000, left);
  takeOAuth(definition, 'oauth', { ...objectOf(raw['oauth']), scopes: raw['scopes'] ?? null }, left);
  return { definition, notes: notesOf(left, approvals) };
}

/** Names of variables that the server gets as they are. */
function codexVariables(written: unknown, left: string[]): Record<string, string> {
  const names = (Array.isArray(written) ? written : []).flatMap((each: unknown) => {
    if (typeof each === 'string') return [each];
    if (isObject(each) && typeof each['name'] === 'string' && each['source'] !== 'remote') return [each['name']];
    left.push('env_vars');
    return [];
  });
  return Object.fromEntries(names.map((name) => [name, `\${env:${name}}`]));
}

function codexHeaders(raw: RawServer): Record<string, string> {
  const token = raw['bearer_token_env_var'];
  const named = Object.entries(objectOf(raw['env_http_headers'])).map(([header, name]): [string, string] => [
    header,
    `\${env:${String(name)}}`,
  ]);
  return {
    ...Object.fromEntries(named),
    ...(typeof token === 'string' && { Authorization: `Bearer \${env:${token}}` }),
  };
}

function fromOpencode(raw: RawServer): Taken {
  const { type, command, args, ...rest } = raw;
  if (type === undefined && command === undefined && raw['url'] === undefined)
    throw refusal('It only switches a server that is named elsewhere.');
  const words = Array.isArray(command) ? command : command === undefined ? [] : [command];
  const more = Array.isArray(args) ? args : [];
  const [program, ...others] = [...words, ...more];
  return fromCommon(
    {
      ...(type !== undefined && { type }),
      ...(program !== undefined && { command: program, args: others }),
      ...rest,
    },
    1,
  );
}

function takeOAuth(definition: Record<string, unknown>, key: string, value: unknown, left: string[]): void {
  if (!isObject(value)) return;
  const spelled = Object.entries(value).map(([name, one]): [string, unknown, string] => [ourOAuthKey(name), one, name]);
  const taken = spelled.filter(
    ([name, one]) => OAUTH.includes(name) && one !== null && one !== '' && !(Array.isArray(one) && one.length === 0),
  );
  for (const [name, one, written] of spelled)
    if (!OAUTH.includes(name) && name !== 'enabled' && one !== null) left.push(`${key}.${written}`);
  if (taken.length > 0) definition['oauth'] = Object.fromEntries(taken);
}

const OAUTH: readonly string[] = ['clientId', 'clientSecret', 'scopes', 'callbackPort'];

/** `CLIENT_ID`, `client_id` and `scope` are met as well. */
function ourOAuthKey(key: string): string {
  const plain = key.toLowerCase().replaceAll('_', '');
  return OAUTH.find((each) => each.toLowerCase() === plain) ?? (plain === 'scope' ? 'scopes' : key);
}

function setTime(
  definition: Record<string, unknown>,
  key: 'timeout' | 'startupTimeout',
  value: unknown,
  unitMs: number,
  left: string[],
): void {
  if (value === undefined || value === null) return;
  const ms = typeof value === 'number' ? Math.round(value * unitMs) : Number.NaN;
  if (ms >= 1 && ms <= 2_147_483_647) definition[key] = ms;
  else left.push(key);
}

/** Editors take a variable away by null; here none is there in the first place. */
function withoutNulls(definition: Record<string, unknown>, left: string[]): Record<string, unknown> {
  const env = definition['env'];
  if (!isObject(env)) return definition;
  const kept = Object.entries(env).filter(([, value]) => value !== null);
  if (kept.length < Object.keys(env).length) left.push('env: null');
  return { ...definition, env: Object.fromEntries(kept) };
}

function notesOf(left: readonly string[], approvals: readonly string[]): string[] {
  const quoted = (keys: readonly string[]): string => [...new Set(keys)].map((key) => JSON.stringify(key)).join(', ');
  return [
    ...(approvals.length === 0 ? [] : [`Approvals stay where they were given (${quoted(approvals)}): its calls ask.`]),
    ...(left.includes('envFile')
      ? ['The file of "envFile" is not read: set what it holds in the environment, or write it under "env".']
      : []),
    ...(left.some((key) => key !== 'envFile')
      ? [`Left out, for Tenon has nothing like it: ${quoted(left.filter((key) => key !== 'envFile'))}.`]
      : []),
  ];
}

/** All texts in which variables count. @throws Failure `mcp_import` */
export function carryTexts(definition: RawServer, { carry }: TextCarrier): Record<string, unknown> {
  const text = (value: unknown): unknown => (typeof value === 'string' ? carry(value) : value);
  const map = (value: unknown): unknown =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, text(one)])) : value;
  return Object.fromEntries(
    Object.entries(definition).map(([key, value]) => {
      if (['command', 'cwd', 'url', 'httpUrl'].includes(key)) return [key, text(value)];
      if (key === 'args' || key === 'headersHelper') return [key, Array.isArray(value) ? value.map(text) : text(value)];
      return [key, ['env', 'headers', 'oauth'].includes(key) ? map(value) : value];
    }),
  );
}

/** The same definition in one spelling: what says nothing is left out, keys stand in one order. */
export function plainDefinition(raw: unknown): Record<string, unknown> {
  if (!isObject(raw)) return {};
  const { type: _type, transport: _transport, httpUrl, url, serverUrl, disabled, enabled, ...rest } = raw;
  const address = httpUrl ?? url ?? serverUrl;
  const kept = Object.entries(rest).filter(
    ([key, value]) =>
      value !== undefined && value !== null && !(['args', 'env', 'headers', 'oauth'].includes(key) && isEmpty(value)),
  );
  const kind = kindOf(raw, address !== undefined && rest['command'] === undefined);
  return {
    ...(kind !== undefined && { type: kind }),
    ...(address !== undefined && { url: address }),
    ...Object.fromEntries(kept),
    ...((disabled === true || enabled === false) && { disabled: true }),
  };
}

/** Two definitions mean one server; whether it is switched off does not matter. */
export function isSameServer(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((raw): unknown => {
    const { disabled: _, description: _text, ...rest } = plainDefinition(raw);
    return JSON.parse(JSON.stringify(rest));
  });
  return isDeepStrictEqual(first, second);
}

/** Undefined where the rest says it. What is none of ours stays, for whoever reads the definition to refuse. */
function kindOf(raw: RawServer, isRemote: boolean): unknown {
  const written = raw['type'] ?? raw['transport'];
  try {
    const kind = transportKindOf(raw) ?? (raw['httpUrl'] !== undefined && isRemote ? 'http' : undefined);
    if (kind === 'auto' || (kind === 'stdio' && !isRemote)) return undefined;
    return kind;
  } catch {
    return written;
  }
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function objectOf(value: unknown): RawServer {
  return isObject(value) ? value : {};
}

function refusal(message: string): Failure {
  return new Failure('mcp_import', message);
}
