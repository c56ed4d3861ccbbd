import type { DefinitionContext } from '../mcp/read-definitions.js';
import type { TrustEntry } from '../trust/folder-trust.js';
import type { ExtensionSettings } from './extension-settings.js';
import { gatherServers, sourcesOf, type ServerSource } from './gather-servers.js';
import { gatherLanguages } from './gather-languages.js';
import type { SettingsProblem } from './parse-settings-text.js';
import type { ServerEntry } from './server-layers.js';
import { serversTrustEntry, type TrustContext } from './settings-trust.js';
import { parseServers, readServersFile } from './servers-file.js';

/** Servers of the command line or of a program that uses the library. */
export interface HostServers {
  /** Absolute paths of files, or JSON that begins with `{`; both as `.mcp.json` has it. */
  readonly given: readonly string[];
  /** True: no others are used, but for what the administrator says of the same aliases. */
  readonly only?: boolean;
}

/** What was asked for by name must be there: its absence is fatal. */
export async function readHostServers(
  given: readonly string[],
): Promise<{ readonly sources: readonly ServerSource[]; readonly problems: readonly SettingsProblem[] }> {
  const sources: ServerSource[] = [];
  const problems: SettingsProblem[] = [];
  for (const each of given) {
    const isText = each.trimStart().startsWith('{');
    const place = isText ? '--mcp-config' : each;
    const read = isText ? await parseServers(each, place) : await readServersFile(each);
    const problem = read === undefined ? `${place}: there is no such file of servers (--mcp-config).` : read.problem;
    if (problem !== undefined) problems.push({ severity: 'fatal', message: problem });
    // What is said last wins, as with other options.
    sources.unshift({
      origin: 'host',
      place,
      key: read?.key ?? 'mcpServers',
      isTrusted: true,
      servers: read?.servers ?? {},
    });
  }
  return { sources, problems };
}

/** `.mcp.json` of a folder. */
interface FolderServers {
  readonly asking: readonly TrustEntry[];
  readonly file: { readonly layer: '.mcp.json'; readonly file: string; readonly found: true };
  readonly problems: readonly SettingsProblem[];
  /** Undefined where there is no such file. */
  readonly source: ((isTrusted: boolean) => ServerSource) | undefined;
}

export async function readFolderServers(file: string, id: string, context: TrustContext): Promise<FolderServers> {
  const read = await readServersFile(file);
  const problem = read?.problem;
  return {
    asking: read === undefined ? [] : await serversTrustEntry(id, read, context),
    file: { layer: '.mcp.json', file, found: true },
    problems: problem === undefined ? [] : [{ severity: 'warning', message: problem }],
    source:
      read && ((isTrusted) => ({ origin: '.mcp.json', place: file, key: read.key, isTrusted, servers: read.servers })),
  };
}

/** One sentence for all that is left out, with what changes it. */
export function untrustedServers({ place, isTrusted, servers }: ServerSource): SettingsProblem[] {
  const names = Object.keys(servers).map((alias) => JSON.stringify(alias));
  if (isTrusted || names.length === 0) return [];
  const message =
    `${place}: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not used, because the folder is not trusted with the file.` +
    ' `tenon trust` shows what it would do, `tenon trust --yes` lets it count.';
  return [{ severity: 'warning', message, isListed: true }];
}

export interface GatherOptions {
  readonly entries: readonly ServerEntry[];
  readonly extra: readonly ServerSource[];
  readonly only: boolean;
  readonly context: Omit<DefinitionContext, 'origin'>;
}

/** Pure. */
export function extensionsOf({ entries, extra, only, context }: GatherOptions): {
  readonly extensions: Pick<ExtensionSettings, 'servers' | 'languageServers'>;
  readonly problems: readonly SettingsProblem[];
} {
  const { sources, limits, warnings } = sourcesOf(entries, extra);
  const gathered = gatherServers(only ? hostsOf(sources) : sources, limits, context);
  const languages = gatherLanguages(entries);
  const problems = [...warnings, ...gathered.warnings, ...languages.warnings];
  return {
    extensions: { servers: gathered.servers, languageServers: languages.servers },
    problems: [
      ...problems.map((message) => ({ severity: 'warning', message }) as const),
      ...gathered.refusals.map((message) => ({ severity: 'warning', message, isListed: true }) as const),
    ],
  };
}

function hostsOf(sources: readonly ServerSource[]): ServerSource[] {
  const named = new Set(
    sources.filter(({ origin }) => origin === 'host').flatMap(({ servers }) => Object.keys(servers)),
  );
  return sources.flatMap((source): ServerSource[] => {
    if (source.origin === 'host') return [source];
    if (source.origin !== 'managed') return [];
    return [
      { ...source, servers: Object.fromEntries(Object.entries(source.servers).filter(([alias]) => named.has(alias))) },
    ];
  });
}
