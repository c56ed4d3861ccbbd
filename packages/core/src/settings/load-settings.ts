import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { SERVER_COMMANDS } from '../lsp/known-servers.js';
import type { Variables } from '../mcp/expand-variables.js';
import type { ExtensionSettings } from './extension-settings.js';
import { openExtensions } from './extensions/open-extensions.js';
import { managedPlace, type ManagedPlace } from './managed-place.js';
import type { ManagedValues } from './managed-values.js';
import { mergeLayers, type SettingsLayer, type SettingValues } from './merge-layers.js';
import type { SettingsProblem } from './parse-settings-text.js';
import { readSettingsFile } from './read-settings-file.js';
import { openFolderTrust, type FolderTrust, type TrustEntry } from '../trust/folder-trust.js';
import { languagePrograms } from '../trust/language-programs.js';
import { findToolFolders } from '../trust/tool-files.js';
import { canonicalFolder, TrustStore } from '../trust/trust-store.js';
import type { Rule } from '../policy/rule.js';
import {
  extensionsOf,
  readFolderServers,
  readHostServers,
  untrustedServers,
  type HostServers,
} from './load-servers.js';
import type { ForeignSettings } from './foreign-places.js';
import { readForeignSettings } from './foreign-settings.js';
import { gatherHooks, readImportedHooks } from './gather-hooks.js';
import { hooksTrustEntry, settingsTrustEntry, type TrustContext } from './settings-trust.js';
import type { OfferedTools } from './tool-lists.js';

export interface SettingsPlaces {
  /** Tenon's own folder; its `settings.json` is the user's. */
  readonly tenonHome: string;
  /** The first workspace root; its `.tenon/settings.json` is the project's. */
  readonly projectRoot: string;
  /** Another place for the administrator's file than the system's own. */
  readonly managed?: ManagedPlace;
  /** What definitions of servers may name as `${NAME}`. Default: nothing. */
  readonly variables?: Variables;
  /** The person's home. Default: the folder that holds `tenonHome`. */
  readonly userHome?: string;
  /** Servers beside those of the files. */
  readonly hostServers?: HostServers;
}

export interface SettingsFile {
  readonly layer: SettingsLayer['layer'] | '.mcp.json';
  readonly file: string;
  readonly found: boolean;
}

export interface LoadedSettings {
  readonly values: SettingValues;
  /** What the administrator says of settings with one value: nothing else may be looser. See `managedRefusal`. */
  readonly managed: ManagedValues;
  readonly rules: readonly Rule[];
  readonly offered: OfferedTools;
  readonly extensions: ExtensionSettings;
  readonly files: readonly SettingsFile[];
  /** The settings that the project and the user's home have for other agents. Their deny and ask rules are among `rules`. */
  readonly foreign: readonly ForeignSettings[];
  /** Whether the project's folder is trusted, and what would count if it were. */
  readonly trust: FolderTrust;
  /** With a `fatal` one the caller must not go on: something security-relevant may be missing above. */
  readonly problems: readonly SettingsProblem[];
}

const PROJECT_FILE = '.tenon/settings.json';
const SERVERS_FILE = '.mcp.json';
/** What holds where nobody says anything; the reference page has them of `SETTINGS`. */
const CALL_MS = 300_000;
const STARTUP_MS = 30_000;

/** Reads the administrator's, the user's and the project's settings. A file that is not there is no problem; never throws. */
export async function loadSettings(places: SettingsPlaces): Promise<LoadedSettings> {
  const root = canonicalRoot(places.projectRoot);
  const home = places.userHome ?? path.dirname(places.tenonHome);
  const context = { variables: places.variables ?? {}, root, home, timeoutMs: CALL_MS, startupMs: STARTUP_MS };
  const read = await readLayers(places, context);
  const folder = await readFolderServers(path.join(places.projectRoot, SERVERS_FILE), SERVERS_FILE, context);
  const host = await readHostServers(places.hostServers?.given ?? []);
  const imports = await readImportedHooks(read.layers, { root, home });
  const foreign = await readForeignSettings({ root, home });
  const tools = await findToolFolders(root, places.tenonHome);
  const bundled = await openExtensions({ tenonHome: places.tenonHome, layers: read.layers, context });
  const languages = await languagePrograms(root, SERVER_COMMANDS);
  const ofParts = [read, folder, tools, bundled].flatMap((part) => part.asking);
  const asking = [...ofParts, ...(await hooksToTrust(imports.files, root)), ...[languages ?? []].flat()];
  const trust = openFolderTrust(new TrustStore(places.tenonHome), root, asking);
  // Each file by itself: what nobody agreed to in one of them takes nothing away from the other.
  const isTrusted = (id: string): boolean =>
    trust.entries.some((entry) => entry.id === id && entry.state === 'trusted');
  const merged = mergeLayers(
    read.layers.map((each) => ({ ...each, ...(each.layer === 'project' && { isTrusted: isTrusted(PROJECT_FILE) }) })),
  );
  const ofFolder = folder.source?.(isTrusted(SERVERS_FILE));
  const brought = bundled.judged(trust);
  const { extensions, problems: ofServers } = extensionsOf({
    entries: merged.servers,
    extra: [...host.sources, ...(ofFolder === undefined ? [] : [ofFolder]), ...brought.servers],
    only: places.hostServers?.only === true,
    context: {
      ...context,
      timeoutMs: merged.values['mcp.callTimeout']?.value ?? CALL_MS,
      longestMs: merged.values['mcp.maxCallTimeout']?.value,
      startupMs: merged.values['mcp.startupTimeout']?.value ?? STARTUP_MS,
    },
  });
  const { hooks, problems: ofHooks } = await gatherHooks({
    entries: merged.servers,
    imported: [
      ...imports.files.map((file) => ({ ...file, isTrusted: file.id === undefined || isTrusted(file.id) })),
      ...brought.hooks,
    ],
    disableAll: merged.values['hooks.disableAll']?.value === true,
    bound: trust.entries.flatMap((entry) => entry.hooks ?? []),
    root,
  });
  const { folders: toolFolders, problems: ofTools } = tools.judged(trust.entries);
  const ofTrust: SettingsProblem[] =
    trust.problem === undefined ? [] : [{ severity: 'warning', message: trust.problem }];
  return {
    values: merged.values,
    managed: merged.managed,
    rules: [...merged.rules, ...brought.rules, ...foreign.flatMap(({ rules }) => rules)],
    offered: {
      ...merged.offered,
      without: [...merged.offered.without, ...brought.without, ...foreign.flatMap(({ without }) => without)],
    },
    extensions: {
      ...extensions,
      hooks,
      toolFolders: [...toolFolders, ...brought.toolFolders],
      bundles: brought.bundles,
    },
    foreign: foreign.map((each) => withoutImported(each, imports.files)),
    files: [...read.files, ...(folder.source === undefined ? [] : [folder.file])],
    trust,
    problems: [
      ...read.problems,
      ...folder.problems,
      ...ofTrust,
      ...merged.problems,
      ...(ofFolder === undefined ? [] : untrustedServers(ofFolder)),
      ...imports.problems,
      ...ofHooks,
      ...brought.problems,
      ...brought.servers.filter(({ isTrusted: isAgreed }) => !isAgreed).flatMap(untrustedServers),
      ...ofTools.map((message) => ({ severity: 'warning', message }) as const),
      ...host.problems,
      ...ofServers,
    ],
  };
}

type ImportedFiles = Awaited<ReturnType<typeof readImportedHooks>>['files'];

async function hooksToTrust(files: ImportedFiles, root: string): Promise<readonly TrustEntry[]> {
  const entries = files.map(async (file) => (file.id === undefined ? [] : hooksTrustEntry(file.id, file, { root })));
  return (await Promise.all(entries)).flat();
}

/** Removes imported hooks from the entries that do not count. */
function withoutImported(settings: ForeignSettings, imported: readonly { readonly file: string }[]): ForeignSettings {
  if (!imported.some(({ file }) => file === settings.file)) return settings;
  return { ...settings, others: settings.others.filter(({ kind }) => kind !== 'hook') };
}

interface ReadLayers {
  readonly layers: readonly SettingsLayer[];
  readonly asking: readonly TrustEntry[];
  readonly files: readonly SettingsFile[];
  readonly problems: readonly SettingsProblem[];
}

async function readLayers(places: SettingsPlaces, context: TrustContext): Promise<ReadLayers> {
  const userFile = path.join(places.tenonHome, 'settings.json');
  const projectFile = path.join(places.projectRoot, PROJECT_FILE);
  const { file: managedFile, owner } = places.managed ?? managedPlace();
  const candidates: { readonly layer: SettingsLayer['layer']; readonly file: string }[] = [
    { layer: 'managed', file: managedFile },
    { layer: 'user', file: userFile },
  ];
  // Started in the home folder, both names mean one file: it is the user's, and counts once.
  if (!(await isSameFile(userFile, projectFile))) candidates.push({ layer: 'project', file: projectFile });
  const layers: SettingsLayer[] = [];
  const asking: TrustEntry[] = [];
  const files: SettingsFile[] = [];
  const problems: SettingsProblem[] = [];
  for (const { layer, file } of candidates) {
    const isManaged = layer === 'managed';
    const read = await readSettingsFile(file, isManaged ? { owner } : undefined);
    files.push({ layer, file, found: read !== undefined });
    if (read === undefined) continue;
    layers.push({ layer, file, entries: read.entries, ...(isManaged && { isProven: owner !== undefined }) });
    problems.push(...read.problems);
    if (layer === 'project') asking.push(...(await settingsTrustEntry(PROJECT_FILE, read, context)));
  }
  return { layers, asking, files, problems };
}

function canonicalRoot(folder: string): string {
  try {
    return canonicalFolder(folder);
  } catch {
    return path.resolve(folder);
  }
}

async function isSameFile(left: string, right: string): Promise<boolean> {
  if (path.resolve(left) === path.resolve(right)) return true;
  try {
    return (await realpath(left)) === (await realpath(right));
  } catch {
    return false;
  }
}
