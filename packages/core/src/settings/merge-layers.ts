import { ApprovalMode } from '../policy/approval-mode.js';
import type { Rule, RuleList } from '../policy/rule.js';
import type { Position, SettingEntry, SettingsProblem } from './parse-settings-text.js';
import { findSetting, type SettingKey, type SettingTypes } from './schema.js';

export interface SettingsLayer {
  readonly layer: 'user' | 'project';
  readonly file: string;
  readonly entries: readonly SettingEntry[];
}

/** A value and where it was written, for people: `user settings (/home/u/.tenon/settings.json:3:5)`. */
export interface Sourced<T> {
  readonly value: T;
  readonly origin: string;
}

/** The settings that some file gives; permission rules are listed apart. */
export type SettingValues = {
  readonly [K in Exclude<SettingKey, `permissions.${RuleList}`>]?: Sourced<SettingTypes[K]>;
};

export interface MergedSettings {
  readonly values: SettingValues;
  /** The rules of all layers, each with its origin. */
  readonly rules: readonly Rule[];
  readonly problems: readonly SettingsProblem[];
}

// From the strictest to the most permissive.
const MODES: readonly ApprovalMode[] = Object.values(ApprovalMode);

/** One view of all layers, the user's first. What a project may not say is left out with a warning. Pure. */
export function mergeLayers(layers: readonly SettingsLayer[]): MergedSettings {
  const values = new Map<SettingKey, Sourced<unknown>>();
  const rules: Rule[] = [];
  const problems: SettingsProblem[] = [];
  for (const layer of layers) {
    for (const entry of layer.entries) {
      const refusal = layer.layer === 'project' ? projectRefusal(entry, values.get(entry.key)?.value) : undefined;
      if (refusal !== undefined) {
        const message = `${layer.file}:${entry.at}: "${entry.key}" is ignored here: ${refusal}`;
        problems.push({ severity: 'warning', message });
        continue;
      }
      const list = ruleListOf(entry.key);
      if (list === undefined) values.set(entry.key, { value: entry.value, origin: originOf(layer, entry.at) });
      else rules.push(...rulesOf(entry, list, layer));
    }
  }
  return { values: Object.fromEntries(values), rules, problems };
}

function originOf(layer: SettingsLayer, at: Position): string {
  return `${layer.layer} settings (${layer.file}:${at})`;
}

/** Why a project's value does not count, or undefined when it does. */
function projectRefusal(entry: SettingEntry, current: unknown): string | undefined {
  const definition = findSetting(entry.key);
  if (definition?.project === 'ignored') {
    return 'a project may tighten, not loosen. Put it into your own settings if you want it.';
  }
  if (definition?.project !== 'stricter') return undefined;
  const limit = current ?? definition.default;
  if (strictness(entry.value) <= strictness(limit)) return undefined;
  return `a project may tighten, not loosen, and ${JSON.stringify(limit)} is stricter.`;
}

/** Smaller is stricter. */
function strictness(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value);
  const place = MODES.findIndex((mode) => mode === value);
  return place === -1 ? Number.POSITIVE_INFINITY : place;
}

/** The list that an entry adds rules to; undefined for other settings. */
function ruleListOf(key: SettingKey): RuleList | undefined {
  return (['allow', 'ask', 'deny'] as const).find((list) => key === `permissions.${list}`);
}

function rulesOf(entry: SettingEntry, list: RuleList, layer: SettingsLayer): Rule[] {
  if (!Array.isArray(entry.value)) return [];
  return entry.value.map((text, index) => ({
    list,
    text: String(text),
    origin: originOf(layer, entry.itemsAt?.[index] ?? entry.at),
  }));
}
