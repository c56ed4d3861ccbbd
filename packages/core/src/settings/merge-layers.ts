import type { Rule, RuleList } from '../policy/rule.js';
import { isLooser, isOrdered, type SingleKey } from './looseness.js';
import { isInForceAlone, managedRefusal, withImplied, type ManagedValues, type Sourced } from './managed-values.js';
import type { Position, SettingEntry, SettingsProblem } from './parse-settings-text.js';
import { findSetting, type RuleSetting, type SettingKey, type SettingTypes } from './schema.js';
import { isHookEventKey, isServerKey, type ServerEntry } from './server-layers.js';
import { isToolListKey, readToolLists, type OfferedTools, type ToolList } from './tool-lists.js';

export interface SettingsLayer {
  readonly layer: 'managed' | 'user' | 'project';
  readonly file: string;
  readonly entries: readonly SettingEntry[];
  /** Of a project's: the person trusts the folder with this very file. */
  readonly isTrusted?: boolean;
  /** Of a managed one: nobody but the administrator can have written it. Else only what tightens counts of it. */
  readonly isProven?: boolean;
}

/** The settings that some file gives; permission rules are listed apart. */
export type SettingValues = { readonly [K in SingleKey]?: Sourced<SettingTypes[K]> };

export interface MergedSettings {
  readonly values: SettingValues;
  readonly managed: ManagedValues;
  /** The rules of all layers, each with its origin; those of the administrator first. */
  readonly rules: readonly Rule[];
  /** Which tools are offered, by `tools.core` and `tools.exclude`. */
  readonly offered: OfferedTools;
  /** What the layers say of servers, those without trust too. */
  readonly servers: readonly ServerEntry[];
  readonly problems: readonly SettingsProblem[];
}

type Values = Map<SettingKey, Sourced<unknown>>;

/**
 * One view of all layers: the managed one first, then the user's. What a project may not say, and what would be looser
 * than the managed layer, is left out with a warning. Pure.
 */
export function mergeLayers(layers: readonly SettingsLayer[]): MergedSettings {
  const values: Values = new Map();
  const managed: Values = new Map();
  const rules: Rule[] = [];
  const problems: SettingsProblem[] = [];
  const lists: ToolList[] = [];
  const servers: ServerEntry[] = [];
  for (const layer of layers) {
    problems.push(...untrustedProblem(layer));
    for (const entry of layer.entries) {
      const { key } = entry;
      const isTrusted = !isUntrusted(layer, entry);
      if (!isTrusted && !isServerKey(key)) continue;
      const refusal = ownRefusal(layer, entry, values.get(key)?.value);
      const list = ruleListOf(key);
      if (refusal !== undefined) problems.push(ignored(layer, entry, refusal));
      else if (isServerKey(key)) servers.push(serverEntry({ ...entry, key }, layer, isTrusted));
      else if (isToolListKey(key)) lists.push({ key, items: toolItemsOf(entry, layer), ...mark(layer) });
      else if (list !== undefined) rules.push(...rulesOf(entry, list, layer));
      else if (isSingle(key)) problems.push(...take({ ...entry, key }, layer, { values, managed }));
    }
  }
  const read = readToolLists(lists);
  // Of the administrator's lists nothing is left out: nobody else could tell what was meant.
  const grave = readToolLists(lists.filter(({ isManaged }) => isManaged === true)).warnings;
  const warnings = read.warnings.map((message): SettingsProblem => ({
    severity: grave.includes(message) ? 'fatal' : 'warning',
    message,
  }));
  const all = [...rules, ...read.rules];
  return {
    values: Object.fromEntries(values),
    managed: withImplied(Object.fromEntries(managed)),
    rules: [...all.filter(({ isManaged }) => isManaged === true), ...all.filter(({ isManaged }) => isManaged !== true)],
    offered: read.offered,
    servers,
    problems: [...problems, ...warnings],
  };
}

/** Lets one value count as far as the managed layer lets it. */
function take(
  entry: SettingEntry & { readonly key: SingleKey },
  layer: SettingsLayer,
  { values, managed }: { readonly values: Values; readonly managed: Values },
): SettingsProblem[] {
  const { key, value } = entry;
  const sourced = { value, origin: originOf(layer, entry.at) };
  if (layer.layer === 'managed') {
    managed.set(key, sourced);
    if (isInForceAlone(key, value)) values.set(key, sourced);
    return [];
  }
  const bounds = withImplied(Object.fromEntries(managed));
  const held = bounds[key];
  const refusal = managedRefusal(key, value, bounds);
  if (refusal !== undefined && held === undefined) return [ignored(layer, entry, refusal)];
  // As far as it may go: whoever wants more than is allowed gets what is allowed.
  const isFixed = held !== undefined && !isOrdered(key);
  values.set(key, held !== undefined && (refusal !== undefined || isFixed) ? held : sourced);
  return refusal === undefined ? [] : [ignored(layer, entry, refusal)];
}

function ignored({ file }: SettingsLayer, { key, at }: SettingEntry, why: string): SettingsProblem {
  return { severity: 'warning', message: `${file}:${at}: "${key}" is ignored here: ${why}` };
}

function mark({ layer }: SettingsLayer): { readonly isManaged?: true } {
  return layer === 'managed' ? { isManaged: true } : {};
}

function originOf(layer: SettingsLayer, at: Position): string {
  return `${layer.layer} settings (${layer.file}:${at})`;
}

function serverEntry(
  { key, value, at }: SettingEntry & { readonly key: ServerEntry['key'] },
  layer: SettingsLayer,
  isTrusted: boolean,
): ServerEntry {
  return { key, value, layer: layer.layer, place: originOf(layer, at), isTrusted };
}

/** True for what counts only in a folder that is trusted. */
export function needsTrust({ key }: SettingEntry): boolean {
  return findSetting(key)?.project === 'trusted';
}

function isUntrusted({ layer, isTrusted }: SettingsLayer, entry: SettingEntry): boolean {
  return layer === 'project' && isTrusted !== true && needsTrust(entry);
}

/** One sentence for all that is left out, with what changes it. */
function untrustedProblem(layer: SettingsLayer): SettingsProblem[] {
  const keys = layer.entries.filter((entry) => isUntrusted(layer, entry)).map(({ key }) => `"${key}"`);
  if (keys.length === 0) return [];
  const [does, them, say] = keys.length === 1 ? ['does', 'it', 'it says'] : ['do', 'them', 'they say'];
  const message =
    `${layer.file}: ${keys.join(', ')} ${does} not count, because the folder is not trusted with ${them}.` +
    ` \`tenon trust\` shows what ${say}, \`tenon trust --yes\` lets ${them} count.`;
  return [{ severity: 'warning', message }];
}

/** Why an entry does not count by what its own layer may say, or undefined when it does. */
function ownRefusal(layer: SettingsLayer, entry: SettingEntry, current: unknown): string | undefined {
  if (layer.layer === 'project') return projectRefusal(entry, current);
  if (layer.layer === 'managed' && layer.isProven !== true && mayLoosen(entry.key))
    return 'this system does not tell whether the administrator wrote it, so it may only tighten.';
  return undefined;
}

/** Not deny and ask rules, nor a bound: those only take away. */
function mayLoosen(key: SettingKey): boolean {
  if (isSingle(key)) return !isOrdered(key);
  if (key === 'hooks.importFrom' || isHookEventKey(key)) return true;
  return ['permissions.allow', 'tools.allowed', 'mcpServers', 'mcp.serverCommand', 'lsp.servers'].includes(key);
}

/** Why a project's value does not count, or undefined when it does. */
function projectRefusal(entry: SettingEntry, current: unknown): string | undefined {
  const definition = findSetting(entry.key);
  if (definition?.project === 'ignored') {
    return 'a project may tighten, not loosen. Put it into your own settings if you want it.';
  }
  if (definition?.project !== 'stricter' || !isSingle(entry.key)) return undefined;
  const limit = current ?? definition.default;
  if (!isLooser(entry.key, entry.value, limit)) return undefined;
  return `a project may tighten, not loosen, and ${limit === undefined ? 'none' : JSON.stringify(limit)} is stricter.`;
}

function isSingle(key: SettingKey): key is SingleKey {
  return !isToolListKey(key) && !isServerKey(key) && ruleListOf(key) === undefined;
}

/** The list that an entry adds rules to; undefined for other settings. */
function ruleListOf(key: SettingKey): RuleList | undefined {
  return (['allow', 'ask', 'deny'] as const).find((list) => key === `permissions.${list}`);
}

function rulesOf(entry: SettingEntry, list: RuleList, layer: SettingsLayer): Rule[] {
  if (!Array.isArray(entry.value)) return [];
  return entry.value.map((item: string | RuleSetting, index): Rule => {
    const origin = originOf(layer, entry.itemsAt?.[index] ?? entry.at);
    if (typeof item === 'string') return { list, text: item, origin, ...mark(layer) };
    const { rule, match, not_match: notMatch } = item;
    return {
      list,
      text: rule,
      origin,
      ...mark(layer),
      ...(match !== undefined && { match }),
      ...(notMatch !== undefined && { notMatch }),
    };
  });
}

function toolItemsOf(entry: SettingEntry, layer: SettingsLayer): ToolList['items'] {
  if (!Array.isArray(entry.value)) return [];
  return entry.value.map((text, index) => ({
    text: String(text),
    origin: originOf(layer, entry.itemsAt?.[index] ?? entry.at),
  }));
}
