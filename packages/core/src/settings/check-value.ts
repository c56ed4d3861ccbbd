import type { ModelProvider } from '../models/model-settings.js';
import { REASONING_EFFORTS } from '../models/reasoning-effort.js';
import type { TokenPrices } from '../models/token-prices.js';
import { ApprovalMode, parseApprovalMode } from '../policy/approval-mode.js';
import { SHELL_PROGRAMS } from '../process/shell-program.js';
import { parseAllowedHost } from '../sandbox/network/allowed-hosts.js';
import { isPlainCommand } from '../mcp/command-words.js';
import { nearestName } from '../util/nearest-names.js';
import { SEARCH_PROVIDERS } from '../web/search/provider-table.js';
import { checkSearchProvider, checkSearchProviders } from './check-search.js';
import type { KeyBindings, RuleSetting, SettingKey, SettingTypes, SettingValueType } from './schema.js';

export type CheckedValue =
  | { readonly ok: true; readonly value: SettingTypes[SettingKey] }
  /** What was expected, and what came; `item` is the index of the one that is wrong in a list. */
  | { readonly ok: false; readonly expected: string; readonly item?: number };

const MODES: readonly string[] = Object.values(ApprovalMode);
const PROVIDERS: readonly ModelProvider[] = ['openai', 'anthropic', 'gemini'];
// RFC 9110 5.6.2 (token) and 5.5 (field value): anything else could smuggle a second header in.
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a value of a settings file is what its setting wants, and the value to use. */
export function checkValue(type: SettingValueType, value: unknown): CheckedValue {
  return CHECKS[type](value);
}

const CHECKS: Readonly<Record<SettingValueType, (value: unknown) => CheckedValue>> = {
  text: (value) => {
    if (typeof value === 'string' && value.trim() !== '') return { ok: true, value };
    return refuse('a text that is not empty', value);
  },
  url: (value) => {
    if (typeof value === 'string' && isHttpUrl(value)) return { ok: true, value };
    return refuse('an address that begins with http:// or https://', value);
  },
  texts: (value) => {
    if (isTextList(value)) return { ok: true, value };
    if (!Array.isArray(value)) return refuse('a list of texts', value);
    const item = value.findIndex((each) => !isFilledText(each));
    return {
      ok: false,
      expected: `a list of texts that are not empty, but this item is ${describe(value[item])}`,
      item,
    };
  },
  hosts: (value) => {
    if (!isTextList(value)) return CHECKS.texts(value);
    const problems = value
      .map((text) => parseAllowedHost(text))
      .map((each) => ('problem' in each ? each.problem : undefined));
    const item = problems.findIndex((problem) => problem !== undefined);
    return item === -1
      ? { ok: true, value }
      : { ok: false, expected: `a list of hosts: ${problems[item] ?? ''}`, item };
  },
  rules: (value) => {
    if (isRuleList(value)) return { ok: true, value };
    if (!Array.isArray(value)) return refuse('a list of rules', value);
    const item = value.findIndex((each) => !isRule(each));
    const form = '"Tool(specifier)" or {"rule": "Tool(specifier)", "match": ["…"], "not_match": ["…"]}';
    return { ok: false, expected: `a list of rules, each ${form}; ${ruleProblem(value[item])}`, item };
  },
  'header-map': (value) => {
    if (isHeaderMap(value)) return { ok: true, value };
    return { ok: false, expected: 'an object of header names and texts without line breaks' };
  },
  'named-objects': (value) => {
    if (isNamedObjects(value)) return { ok: true, value };
    return refuse('an object with one object for each name', value);
  },
  'json-object': (value) => (isNamedObjects(value) ? { ok: true, value } : refuse('an object of JSON', value)),
  'hook-groups': (value) => (Array.isArray(value) ? { ok: true, value } : refuse('a list of groups of hooks', value)),
  'positive-number': (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return { ok: true, value };
    return refuse('a whole number above 0', value);
  },
  'positive-amount': (value) =>
    isAmount(value) && value > 0 ? { ok: true, value } : refuse('a number above 0', value),
  command: (value) => {
    const isCommand = typeof value === 'string' || isTextList(value);
    if (isCommand && isPlainCommand(value)) return { ok: true, value };
    return refuse('a command: a list of words, or a text that needs no shell', value);
  },
  share: (value) => (isAmount(value) && value <= 1 ? { ok: true, value } : refuse('a number from 0 to 1', value)),
  prices: (value) => {
    if (isPrices(value)) return { ok: true, value };
    const form =
      'an object of prices for a million tokens: "input", "output" and, if you like, "cachedInput" and "cacheWrite"';
    return { ok: false, expected: `${form}; ${pricesProblem(value)}` };
  },
  'key-bindings': (value) => {
    if (isKeyBindings(value)) return { ok: true, value };
    return {
      ok: false,
      expected: `an object of actions and keys, each a text or a list of texts; ${keysProblem(value)}`,
    };
  },
  'yes-no': (value) => (typeof value === 'boolean' ? { ok: true, value } : refuse('true or false', value)),
  provider: (value) => {
    const provider = PROVIDERS.find((name) => name === value);
    return provider === undefined ? refuseChoice(PROVIDERS, value) : { ok: true, value: provider };
  },
  'shell-program': choice(SHELL_PROGRAMS),
  'time-limit': choice(['background', 'end']),
  'sandbox-mode': choice(['off', 'auto', 'required']),
  'sandbox-network': choice(['off', 'on']),
  diagnostics: choice(['running', 'always', 'off']),
  'search-provider-name': choice(SEARCH_PROVIDERS),
  'reasoning-effort': choice(REASONING_EFFORTS),
  'search-provider': (value) =>
    typeof value === 'string' ? CHECKS['search-provider-name'](value) : checkSearchProvider(value),
  'search-providers': checkSearchProviders,
  theme: (value) => {
    const isName = typeof value === 'string' && /^[a-z\d][\w-]{0,63}$/i.test(value);
    return isName
      ? { ok: true, value }
      : refuse('the name of a theme, such as auto, dark, light or one of your own', value);
  },
  images: choice(['auto', 'off']),
  'diff-layout': choice(['auto', 'unified', 'side-by-side']),
  'approval-mode': (value) => {
    const mode = typeof value === 'string' ? parseApprovalMode(value) : undefined;
    return mode === undefined ? refuseChoice(MODES, value) : { ok: true, value: mode };
  },
};

type ChoiceWord = SettingTypes[
  | 'shell.program'
  | 'shell.onTimeout'
  | 'sandbox'
  | 'sandboxNetwork'
  | 'lsp.diagnostics'
  | 'webSearch.default'
  | 'model.reasoningEffort'
  | 'ui.images'
  | 'ui.diff'];

function choice(words: readonly ChoiceWord[]): (value: unknown) => CheckedValue {
  return (value) => {
    const word = words.find((each) => each === value);
    return word === undefined ? refuseChoice(words, value) : { ok: true, value: word };
  };
}

function refuseChoice(choices: readonly string[], value: unknown): CheckedValue {
  const meant = typeof value === 'string' ? nearestName(value, choices) : undefined;
  return refuse(`one of ${choices.join(', ')}`, value, meant);
}

function refuse(expected: string, value: unknown, meant?: string): CheckedValue {
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return { ok: false, expected: `${expected}, not ${describe(value)}${hint}` };
}

/** The kind of a value in a word or two; scalars as they were written, shortened. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value !== null && typeof value === 'object') return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isFilledText);
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

const RULE_KEYS: ReadonlySet<string> = new Set(['rule', 'match', 'not_match']);

function isRuleList(value: unknown): value is RuleSetting[] {
  return Array.isArray(value) && value.every(isRule);
}

function isRule(value: unknown): value is RuleSetting {
  if (isFilledText(value)) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (!Object.keys(value).every((key) => RULE_KEYS.has(key))) return false;
  const isExamples = (examples: unknown): boolean => examples === undefined || isTextList(examples);
  return (
    'rule' in value &&
    isFilledText(value.rule) &&
    isExamples('match' in value ? value.match : undefined) &&
    isExamples('not_match' in value ? value.not_match : undefined)
  );
}

function ruleProblem(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `this one is ${describe(value)}`;
  const strange = Object.keys(value).find((key) => !RULE_KEYS.has(key));
  if (strange === undefined) return 'in this one something is missing or not a text';
  const meant = nearestName(strange, [...RULE_KEYS]);
  return `this one has ${JSON.stringify(strange)}${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

const PRICE_NAMES: readonly string[] = ['input', 'output', 'cachedInput', 'cacheWrite'];

function isPrices(value: unknown): value is TokenPrices {
  if (!isNamedObjects(value)) return false;
  const names = Object.keys(value);
  return (
    ['input', 'output'].every((name) => names.includes(name)) &&
    names.every((name) => PRICE_NAMES.includes(name) && isAmount(value[name]))
  );
}

function pricesProblem(value: unknown): string {
  if (!isNamedObjects(value)) return `this is ${describe(value)}`;
  const missing = ['input', 'output'].find((name) => !Object.hasOwn(value, name));
  const strange = Object.keys(value).find((name) => !PRICE_NAMES.includes(name));
  if (strange !== undefined) return `${JSON.stringify(strange)} is none of them`;
  return missing === undefined ? 'each must be a number that is not below 0' : `"${missing}" is missing`;
}

function isKeyBindings(value: unknown): value is KeyBindings {
  return isNamedObjects(value) && Object.values(value).every(isKeys);
}

/** No key at all takes an action's keys away. */
function isKeys(value: unknown): value is string | readonly string[] {
  return isFilledText(value) || isTextList(value);
}

function keysProblem(value: unknown): string {
  if (!isNamedObjects(value)) return `this is ${describe(value)}`;
  const [action, keys] = Object.entries(value).find(([, each]) => !isKeys(each)) ?? [];
  return `${JSON.stringify(action)} has ${Array.isArray(keys) ? 'a list with something else' : describe(keys)}`;
}

function isNamedObjects(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isHeaderMap(value: unknown): value is Record<string, string> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, text]) => HEADER_NAME.test(name) && typeof text === 'string' && HEADER_VALUE.test(text),
  );
}
