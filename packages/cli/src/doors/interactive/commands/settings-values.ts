import {
  ApprovalMode,
  checkSettingValue,
  nearestName,
  REASONING_EFFORTS,
  SETTINGS,
  SEARCH_PROVIDERS,
} from '@tenon/core';

export type Setting = (typeof SETTINGS)[number];
type ValueType = Setting['type'];

/** The words that a value may be, for the kinds that are one of a few. */
const WORDS: { readonly [K in ValueType]?: readonly string[] } = {
  'yes-no': ['true', 'false'],
  'approval-mode': Object.values(ApprovalMode),
  provider: ['openai', 'anthropic', 'gemini'],
  'shell-program': ['bash', 'powershell', 'pwsh', 'cmd'],
  'time-limit': ['background', 'end'],
  'sandbox-mode': ['off', 'auto', 'required'],
  'sandbox-network': ['off', 'on'],
  diagnostics: ['running', 'always', 'off'],
  'search-provider-name': SEARCH_PROVIDERS,
  'search-provider': SEARCH_PROVIDERS,
  'reasoning-effort': REASONING_EFFORTS,
  theme: ['auto', 'dark', 'light', 'high-contrast', 'no-colour'],
  images: ['auto', 'off'],
  'diff-layout': ['auto', 'unified', 'side-by-side'],
};

export function valueWords({ type }: Pick<Setting, 'type'>): readonly string[] {
  return WORDS[type] ?? [];
}

/** By key or alias, however the letters are written. */
export function settingNamed(name: string): Setting | undefined {
  const wanted = name.toLowerCase();
  return SETTINGS.find(
    ({ key, aliases = [] }) => key.toLowerCase() === wanted || aliases.some((alias) => alias.toLowerCase() === wanted),
  );
}

export function unknownSetting(name: string): string {
  const meant = nearestName(
    name,
    SETTINGS.map(({ key }) => key),
  );
  return `There is no setting "${name}". ${meant === undefined ? '/settings lists them.' : `Did you mean ${meant}?`}`;
}

export type TypedValue = { readonly value: unknown } | { readonly problem: string };

/**
 * What a person typed as the value of a setting: JSON where it is some (`[…]`, `{…}`, `"…"`, numbers, true and false), else
 * the text itself; a list may be one word for each item. Pure.
 */
export function readValue({ key, type }: Setting, typed: string): TypedValue {
  const candidates = [jsonOf(typed), typed, type === 'texts' || type === 'hosts' ? typed.split(/[\s,]+/) : undefined];
  let problem: string | undefined;
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    const checked = checkSettingValue(type, candidate);
    if (checked.ok) return { value: checked.value };
    problem ??= checked.expected;
  }
  return { problem: `${key} must be ${problem ?? 'something else'}.` };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
