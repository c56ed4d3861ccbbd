import { isAbsolute, join, resolve } from 'node:path';
import { errorMessage, Failure } from '../util/failure.js';
import type { Variables } from './expand-variables.js';
import { checkKeys, fieldsOf, refusal, type Fields, type RawServer } from './read-fields.js';
import { isObject } from '../util/is-object.js';
import { remoteOf } from './read-remote.js';
import { transportKindOf } from './transport-kind.js';
import type { RemoteServer, ServerDefinition, ServerOrigin, StdioServer } from './server-definition.js';

/** Where a definition stands, and what it may name. */
export interface DefinitionContext {
  readonly origin: ServerOrigin;
  readonly variables: Variables;
  /** The first folder of the workspace, absolute: where programs start, and what a project's relative paths are below. */
  readonly root: string;
  /** The person's home, absolute: what their relative paths are below. */
  readonly home: string;
  /** For one call without any sign of life, where the definition says nothing. In milliseconds. */
  readonly timeoutMs: number;
  /** The longest time of one call in total, if the definition sets none. In milliseconds. */
  readonly longestMs?: number | undefined;
  /** Until the first answer, where the definition says nothing. In milliseconds. */
  readonly startupMs: number;
}

/** What came of one definition: it is used, or it is said why not. */
export interface ReadDefinition {
  readonly alias: string;
  readonly definition?: ServerDefinition;
  /** Why there is none: a sentence or two. */
  readonly unused?: string;
  /** It is sound but for a variable that is not set. */
  readonly lacksVariable?: true;
  /** What of it does not count, a sentence each. */
  readonly warnings: readonly string[];
}

/** Losing one of these would give the model more than the person meant. */
const NARROWING: readonly string[] = ['includeTools', 'excludeTools', 'disabled', 'enabled'];
/** The person's own word alone. */
const OF_THE_PERSON: readonly string[] = ['trust', 'sampling'];
const TRANSPORT_KEYS = ['type', 'transport', 'command', 'args', 'env', 'cwd', 'url', 'httpUrl', 'serverUrl', 'headers'];
const KEYS: readonly string[] = TRANSPORT_KEYS.concat(
  ['headersHelper', 'oauth', 'timeout', 'maxTimeout', 'startupTimeout', 'versionNegotiation', 'description'],
  NARROWING,
  OF_THE_PERSON,
);
const MAX_ALIAS = 64;

/**
 * Reads one definition in any of the spellings that are common: `{command, args, env, cwd}`, `{type, url, headers}`,
 * `{httpUrl}`. Whatever is wrong costs that server alone; no message holds a value. Pure.
 */
export function readDefinition(alias: string, raw: unknown, context: DefinitionContext): ReadDefinition {
  const warnings: string[] = [];
  try {
    checkAlias(alias);
    if (!isObject(raw)) throw refusal('It must be an object, such as {"command": "npx", "args": ["-y", "…"]}.');
    warnings.push(...checkKeys(raw, { known: KEYS, narrowing: NARROWING }), ...ownWords(raw, context));
    return { alias, definition: definitionOf(alias, raw, { ...context, warnings }), warnings };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const lacksVariable = thrown.code === 'mcp_variable';
    return { alias, unused: errorMessage(thrown), ...(lacksVariable && { lacksVariable }), warnings };
  }
}

function definitionOf(
  alias: string,
  raw: RawServer,
  context: DefinitionContext & { readonly warnings: string[] },
): ServerDefinition {
  const fields = fieldsOf(raw, { workspaceFolder: context.root, ...context.variables });
  const transport = transportOf(raw, fields, context);
  const includeTools = fields.plainTexts('includeTools');
  const isOwn = !isOfProject(context.origin);
  const longestMs = fields.milliseconds('maxTimeout') ?? context.longestMs;
  return {
    alias,
    origin: context.origin,
    transport,
    timeoutMs: fields.milliseconds('timeout') ?? context.timeoutMs,
    ...(longestMs !== undefined && { longestMs }),
    startupMs: fields.milliseconds('startupTimeout') ?? context.startupMs,
    trust: isOwn && fields.flag('trust') === true,
    ...(includeTools !== undefined && { includeTools }),
    excludeTools: fields.plainTexts('excludeTools') ?? [],
    sampling: isOwn && fields.flag('sampling') === true,
    // A program that does not know the question may end itself over it.
    negotiation: negotiationOf(raw) ?? (transport.kind === 'stdio' ? 'legacy' : 'auto'),
    disabled: fields.flag('disabled') === true || fields.flag('enabled') === false,
  };
}

function isOfProject(origin: ServerOrigin): boolean {
  return origin === 'project' || origin === '.mcp.json';
}

function checkAlias(alias: string): void {
  if (alias.trim() === '') throw refusal('Its name is empty.');
  if (Array.from(alias).length > MAX_ALIAS) throw refusal(`Its name is longer than ${MAX_ALIAS} characters.`);
}

function ownWords(raw: RawServer, { origin }: DefinitionContext): string[] {
  if (!isOfProject(origin)) return [];
  return OF_THE_PERSON.filter((key) => raw[key] === true).map(
    (key) => `"${key}" does not count in a project. Put the server into your own settings if you want it.`,
  );
}

function transportOf(
  raw: RawServer,
  fields: Fields,
  context: DefinitionContext & { readonly warnings: string[] },
): StdioServer | RemoteServer {
  const named = transportKindOf(raw);
  const hasAddress = ['url', 'httpUrl', 'serverUrl'].some((key) => raw[key] !== undefined);
  const hasCommand = raw['command'] !== undefined;
  if (named === undefined && hasAddress && hasCommand)
    throw refusal('It has a command and an address. Keep one of them, or say which counts with "type".');
  if (named === 'stdio' || (named === undefined && hasCommand)) {
    if (!hasCommand) throw refusal('"command" is missing: the program to start.');
    return stdioOf(raw, fields, context);
  }
  if (!hasAddress)
    throw refusal(
      named === undefined ? 'It has neither "command" nor "url".' : '"url" is missing: where it is reached.',
    );
  const { root, home, warnings } = context;
  return remoteOf(raw, fields, { named, warnings, root, home, isOfProject: isOfProject(context.origin) });
}

function stdioOf(raw: RawServer, fields: Fields, { origin, root, home }: DefinitionContext): StdioServer {
  const inHome = (path: string): string => (path.startsWith('~/') ? join(home, path.slice(2)) : path);
  const args = typeof raw['args'] === 'string' ? undefined : (fields.texts('args') ?? []);
  if (args === undefined) throw refusal('"args" must be a list of texts, one for each word.');
  const command = inHome(fields.text('command') ?? '');
  const cwd = inHome(fields.text('cwd') ?? root);
  const env = fields.textMap('env') ?? {};
  const strange = Object.keys(env).find((name) => name === '' || /[=\0]/.test(name));
  if (strange !== undefined) throw refusal(`${JSON.stringify(`env.${strange}`)} cannot be the name of a variable.`);
  if ([command, cwd, ...args, ...Object.values(env)].some((text) => text.includes('\0')))
    throw refusal('A text of it holds the character NUL.');
  return {
    kind: 'stdio',
    command,
    args,
    cwd: isAbsolute(cwd) ? cwd : resolve(isOfProject(origin) ? root : home, cwd),
    env,
  };
}

function negotiationOf(raw: RawServer): ServerDefinition['negotiation'] | undefined {
  const written = raw['versionNegotiation'] ?? undefined;
  if (written === undefined || written === 'legacy' || written === 'auto') return written;
  throw refusal('"versionNegotiation" must be legacy or auto.');
}
