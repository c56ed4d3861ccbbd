import { join, relative, sep } from 'node:path';
import type { Rule } from '../../policy/rule.js';
import type { FolderTrust, TrustEntry } from '../../trust/folder-trust.js';
import { findProjectTools, listToolFiles, type FoundToolFolders, type ToolFolder } from '../../trust/tool-files.js';
import { canonicalPath } from '../../util/real-path.js';
import type { ServerSource } from '../gather-servers.js';
import type { SettingsLayer } from '../merge-layers.js';
import type { SettingsProblem } from '../parse-settings-text.js';
import { hooksTrustEntry, serversTrustEntry, type TrustContext } from '../settings-trust.js';
import { readToolLists } from '../tool-lists.js';
import type { Extension, ExtensionState, FoundExtension } from './extension-types.js';

interface OpenOptions {
  readonly tenonHome: string;
  readonly layers: readonly SettingsLayer[];
  readonly context: TrustContext;
}

/** Hooks of one extension, as `gatherHooks` takes them. */
interface BroughtHooks {
  readonly file: string;
  readonly id: string | undefined;
  readonly dialect: 'claude' | 'qwen';
  readonly layer: 'user' | 'project';
  readonly hooks: unknown;
  readonly digest: string;
  readonly isTrusted: boolean;
}

/** What extensions come to, once it is known what was agreed to. */
export interface BroughtByExtensions {
  readonly bundles: readonly Extension[];
  readonly servers: readonly ServerSource[];
  readonly hooks: readonly BroughtHooks[];
  readonly toolFolders: readonly ToolFolder[];
  readonly rules: readonly Rule[];
  /** Wire names of tools that are not offered. */
  readonly without: readonly string[];
  readonly problems: readonly SettingsProblem[];
}

export interface OpenedExtensions {
  readonly asking: readonly TrustEntry[];
  readonly judged: (trust: Pick<FolderTrust, 'entries' | 'decision' | 'isOpen'>) => BroughtByExtensions;
}

const NOTHING: BroughtByExtensions = {
  bundles: [],
  servers: [],
  hooks: [],
  toolFolders: [],
  rules: [],
  without: [],
  problems: [],
};

/** An extension, and where it stands among the settings. */
interface Placed {
  readonly found: FoundExtension;
  readonly state: Exclude<ExtensionState, 'withheld'>;
  readonly why?: string;
  /** A project switched it off: what protects the person stays. */
  readonly keepsGuards: boolean;
  /** Names of its files below the project, with `/`; undefined for the person's own. */
  readonly idOf: ((file: string) => string) | undefined;
  readonly tools: FoundToolFolders;
}

/** Reads the extensions of the person and of the project; nothing of them is run. Never throws. */
export async function openExtensions({ tenonHome, layers, context }: OpenOptions): Promise<OpenedExtensions> {
  const places = { root: context.root, tenonHome, userHome: context.home };
  if (!isAnywhere(places)) return { asking: [], judged: () => NOTHING };
  const { findExtensions } = await import('./find-extensions.js');
  const { found, problems } = await findExtensions(places);
  const placed = await Promise.all(statesOf(found, layers).map(async (one) => withTools(one, context.root)));
  const asking = await Promise.all(placed.map(async (one) => askingOf(one, context)));
  return {
    asking: asking.flat(),
    judged: (trust) => {
      const isOpen = trust.decision === 'trusted' && !trust.isOpen;
      const brought = placed.map((one) => broughtBy(one, trust, isOpen));
      return {
        bundles: brought.flatMap(({ bundles }) => bundles),
        servers: brought.flatMap(({ servers }) => servers),
        hooks: brought.flatMap(({ hooks }) => hooks),
        toolFolders: brought.flatMap(({ toolFolders }) => toolFolders),
        rules: brought.flatMap(({ rules }) => rules),
        without: brought.flatMap(({ without }) => without),
        problems: [...problems.map(warning), ...brought.flatMap((each) => each.problems)],
      };
    },
  };
}

function isAnywhere({ root, tenonHome, userHome }: { root: string; tenonHome: string; userHome: string }): boolean {
  const bases = [
    tenonHome,
    ...[userHome, root].flatMap((base) => ['.tenon', '.qwen', '.gemini'].map((each) => join(base, each))),
  ];
  return bases.some((base) => canonicalPath(join(base, 'extensions')) !== undefined);
}

type Stated = Omit<Placed, 'tools' | 'idOf'>;

/** Of several with one name the first counts. Pure. */
function statesOf(found: readonly FoundExtension[], layers: readonly SettingsLayer[]): Stated[] {
  const named = new Map<string, FoundExtension>();
  return found.map((one): Stated => {
    const key = one.name.toLowerCase();
    const first = named.get(key);
    named.set(key, first ?? one);
    if (first !== undefined)
      return {
        found: one,
        state: 'shadowed',
        why: `The one of that name in ${first.folder} counts.`,
        keepsGuards: false,
      };
    const layer = layers.find(({ entries }) =>
      entries.some(({ key: setting, value }) => setting === 'extensions.disabled' && names(value).includes(key)),
    );
    if (layer === undefined) return { found: one, state: 'used', keepsGuards: false };
    const why = `"extensions.disabled" in ${layer.file} names it.`;
    return { found: one, state: 'off', why, keepsGuards: layer.layer === 'project' && one.home.origin === 'user' };
  });
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((each) => String(each).toLowerCase()) : [];
}

async function withTools(one: Stated, root: string): Promise<Placed> {
  const { found, state } = one;
  const base = relative(root, found.real).split(sep).join('/');
  const idOf = found.home.origin === 'project' ? (file: string): string => `${base}/${file}` : undefined;
  const { tools: folder } = found.parts;
  const nothing: FoundToolFolders = { asking: [], judged: () => ({ folders: [], problems: [] }) };
  if (folder === undefined || state !== 'used' || !found.home.runsCode) return { ...one, idOf, tools: nothing };
  if (idOf !== undefined) {
    const toolsId = relative(root, folder).split(sep).join('/');
    return { ...one, idOf, tools: await findProjectTools(folder, toolsId) };
  }
  const isThere = (await listToolFiles(folder)).length > 0;
  const folders: ToolFolder[] = isThere ? [{ origin: 'user', folder }] : [];
  return { ...one, idOf, tools: { asking: [], judged: () => ({ folders, problems: [] }) } };
}

/** What of a project's extension would run code, for the person to agree to. */
async function askingOf({ found, state, idOf, tools }: Placed, context: TrustContext): Promise<readonly TrustEntry[]> {
  if (idOf === undefined || state !== 'used' || !found.home.runsCode) return [];
  const { mcpServers: servers, digest, hooks } = found;
  return [
    ...(await serversTrustEntry(idOf(found.manifest), { servers, digest }, context)),
    ...(hooks === undefined
      ? []
      : await hooksTrustEntry(idOf('hooks/hooks.json'), { hooks: hooks.value, digest: hooks.digest }, context)),
    ...tools.asking,
  ];
}

function broughtBy(placed: Placed, { entries }: Pick<FolderTrust, 'entries'>, isTrusted: boolean): BroughtByExtensions {
  const { found, state, why, keepsGuards, idOf, tools } = placed;
  const { home, name } = found;
  const isWithheld = state === 'used' && home.origin === 'project' && !isTrusted;
  const isUsed = state === 'used' && !isWithheld;
  const label = `extension ${name}`;
  const agreed = (file: string): boolean =>
    idOf === undefined || entries.some(({ id, state: one }) => id === idOf(file) && one === 'trusted');
  const excluded =
    isUsed || keepsGuards
      ? readToolLists([
          {
            key: 'tools.exclude',
            items: found.excludeTools.map((text) => ({ text, origin: `${label} (${found.folder})` })),
          },
        ])
      : undefined;
  const runs = home.runsCode && state === 'used';
  const mayLoad = tools.judged(entries);
  const servers: ServerSource[] =
    runs && Object.keys(found.mcpServers).length > 0
      ? [
          {
            origin: home.origin,
            place: `${label} (${join(found.folder, found.manifest)})`,
            key: 'extension',
            isTrusted: agreed(found.manifest),
            servers: found.mcpServers,
            extension: name,
          },
        ]
      : [];
  const hasHooks = found.hooks !== undefined && home.runsCode && (state === 'used' || keepsGuards);
  return {
    bundles: [bundleOf(placed, isWithheld ? 'withheld' : state, why)],
    servers,
    hooks: hasHooks
      ? [
          {
            file: `${label} (${join(found.folder, 'hooks', 'hooks.json')})`,
            id: idOf?.('hooks/hooks.json'),
            dialect: found.kind === 'tenon' ? 'claude' : 'qwen',
            layer: home.origin,
            hooks: found.hooks.value,
            digest: found.hooks.digest,
            isTrusted: agreed('hooks/hooks.json'),
          },
        ]
      : [],
    toolFolders: mayLoad.folders.map((folder) => ({ ...folder, extension: name })),
    rules: excluded?.rules ?? [],
    without: excluded?.offered.without ?? [],
    problems: [...mayLoad.problems, ...(excluded?.warnings ?? [])].map(warning),
  };
}

function bundleOf({ found }: Placed, state: ExtensionState, why: string | undefined): Extension {
  const { name, version, description, home, folder, real, manifest, parts, hooks, mcpServers } = found;
  const said =
    why ?? (state === 'withheld' ? 'It came with this folder, which is not trusted: `tenon trust`.' : undefined);
  const runs = [
    ...(Object.keys(mcpServers).length > 0 ? ['servers'] : []),
    ...(hooks === undefined ? [] : ['hooks']),
    ...(parts.tools === undefined ? [] : ['tools']),
  ];
  const waits =
    home.runsCode || state === 'shadowed' || runs.length === 0
      ? []
      : [`Its ${runs.join(' and ')} count only once it is Tenon\u2019s: \`tenon extensions install ${folder}\`.`];
  return {
    name,
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    origin: home.origin,
    folder,
    real,
    manifest,
    state,
    ...(said !== undefined && { why: said }),
    brings: {
      ...parts,
      hooks: hooks !== undefined,
      servers: Object.keys(mcpServers),
      contextFiles: found.contextFiles,
      excludeTools: found.excludeTools,
    },
    notes: [...found.notes, ...waits],
  };
}

function warning(message: string): SettingsProblem {
  return { severity: 'warning', message };
}
