import { isDeepStrictEqual } from 'node:util';
import { matchesNameGlob } from '../mcp/catalog/name-glob.js';
import { readDefinition, type DefinitionContext } from '../mcp/read-definitions.js';
import type { ServerDefinition, ServerOrigin } from '../mcp/server-definition.js';
import { errorMessage } from '../util/failure.js';
import { splitWords } from '../util/split-words.js';
import type { ServerEntry } from './server-layers.js';

export type ServerPlaceKey = 'mcpServers' | 'servers' | 'mcp.serverCommand' | 'extension';

/** Servers of one place, as they are written. */
export interface ServerSource {
  readonly origin: ServerOrigin;
  /** For people: a file, with line and column where they are known. */
  readonly place: string;
  /** Under which key of the file. */
  readonly key: ServerPlaceKey;
  /** False: nobody agreed to it, so it is only told of. */
  readonly isTrusted: boolean;
  readonly servers: Readonly<Record<string, unknown>>;
  /** Of the extension that brings them; then `key` is `extension`. */
  readonly extension?: string;
}

/** One server that some place names, whether it is used or not. */
export interface ConfiguredServer {
  readonly alias: string;
  readonly origin: ServerOrigin;
  readonly place: string;
  /** Under which key of the file its alias stands; the command has none. */
  readonly key: ServerPlaceKey;
  /** As it is written: it may hold secrets. */
  readonly raw: unknown;
  /** There where it is sound, whether used or not. */
  readonly definition?: ServerDefinition;
  /** Of the extension that brings it. */
  readonly extension?: string;
  /** Why it is not used: a sentence. One that is switched off by its own definition has none. */
  readonly unused?: string;
}

/** Which aliases may be used at all. */
export interface ServerLimits {
  /** Of each place that says so: an alias must be in all of them. */
  readonly allowed: readonly NameList[];
  readonly excluded: readonly NameList[];
}

interface NameList {
  readonly place: string;
  /** Globs. */
  readonly names: readonly string[];
}

export interface GatheredServers {
  readonly servers: readonly ConfiguredServer[];
  /** A line each. */
  readonly warnings: readonly string[];
  /** Why servers are not used, where the person should hear it: `servers` says it as well. */
  readonly refusals: readonly string[];
}

/** The alias of the server of `mcp.serverCommand`. */
const COMMAND_ALIAS = 'server';

/**
 * All servers of all places, the highest first: whoever names an alias first has it, whether the definition is sound or not,
 * so that a project never takes the place of a server that the person meant. Pure.
 */
export function gatherServers(
  sources: readonly ServerSource[],
  limits: ServerLimits,
  context: Omit<DefinitionContext, 'origin'>,
): GatheredServers {
  const servers: ConfiguredServer[] = [];
  const warnings: string[] = [];
  const refusals: string[] = [];
  const claimed = new Map<string, ConfiguredServer>();
  for (const source of sources) {
    const { origin, place, key, isTrusted } = source;
    for (const [alias, raw] of Object.entries(source.servers)) {
      const read = readDefinition(alias, raw, { ...context, origin });
      const told: ConfiguredServer = {
        alias,
        origin,
        place,
        key,
        raw,
        ...(read.definition && { definition: read.definition }),
        ...(source.extension !== undefined && { extension: source.extension }),
      };
      const held = claimed.get(alias);
      const said = (text: string): string => `${place}: the server ${JSON.stringify(alias)}: ${text}`;
      if (!isTrusted) {
        servers.push({ ...told, unused: 'The folder is not trusted with it: `tenon trust` shows what it would do.' });
        continue;
      }
      if (held !== undefined) {
        const unused = `The one of the same name in ${held.place} counts.`;
        servers.push({ ...told, unused });
        if (!isDeepStrictEqual(held.raw, raw)) refusals.push(said(`is not used. ${unused}`));
        continue;
      }
      const unused = limitOf(alias, limits) ?? read.unused;
      const server = { ...told, ...(unused !== undefined && { unused }) };
      claimed.set(alias, server);
      servers.push(server);
      warnings.push(...read.warnings.map(said));
      if (read.unused !== undefined) refusals.push(said(`is not used. ${read.unused}`));
    }
  }
  return { servers, warnings, refusals };
}

/** What settings files say of servers, apart: `extra` goes between the administrator's and the person's. */
export function sourcesOf(
  entries: readonly ServerEntry[],
  extra: readonly ServerSource[],
): { readonly sources: readonly ServerSource[]; readonly limits: ServerLimits; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const of = (layer: ServerEntry['layer']): ServerSource[] =>
    entries.flatMap((entry): ServerSource[] => {
      if (entry.layer !== layer) return [];
      const servers = serversOf(entry);
      if (typeof servers === 'string') warnings.push(servers);
      if (servers === undefined || typeof servers === 'string') return [];
      const key = entry.key === 'mcpServers' ? entry.key : 'mcp.serverCommand';
      return [{ origin: layer, place: entry.place, key, isTrusted: entry.isTrusted, servers }];
    });
  const lists = (key: ServerEntry['key']): NameList[] =>
    entries.flatMap(({ key: own, value, place }) =>
      own === key && Array.isArray(value) ? [{ place, names: value.map(String) }] : [],
    );
  return {
    sources: [
      ...of('managed'),
      ...extra.filter(isHost),
      ...of('user'),
      ...extra.filter(({ origin }) => origin === 'user'),
      ...of('project'),
      ...extra.filter((one) => !isHost(one) && one.origin !== 'user'),
    ],
    limits: { allowed: lists('mcp.allowed'), excluded: lists('mcp.excluded') },
    warnings,
  };
}

function isHost({ origin }: ServerSource): boolean {
  return origin === 'host';
}

/** Undefined for an entry about something else; a text: what is wrong. */
function serversOf({ key, value, place }: ServerEntry): Readonly<Record<string, unknown>> | string | undefined {
  if (key === 'mcpServers') return value as Readonly<Record<string, unknown>>;
  if (key !== 'mcp.serverCommand' || typeof value !== 'string') return undefined;
  try {
    const [command, ...args] = splitWords(value);
    return { [COMMAND_ALIAS]: { command, args } };
  } catch (thrown) {
    return `${place}: "mcp.serverCommand" is not used: ${errorMessage(thrown)}`;
  }
}

function limitOf(alias: string, { allowed, excluded }: ServerLimits): string | undefined {
  const refusing = excluded.find(({ names }) => names.some((glob) => matchesNameGlob(glob, alias)));
  if (refusing !== undefined) return `"mcp.excluded" of the ${refusing.place} names it.`;
  const missing = allowed.find(({ names }) => !names.some((glob) => matchesNameGlob(glob, alias)));
  return missing === undefined ? undefined : `"mcp.allowed" of the ${missing.place} does not name it.`;
}
