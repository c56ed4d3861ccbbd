import { ApprovalMode } from '../policy/approval-mode.js';
import type { RuleList } from '../policy/rule.js';
import type { SettingKey } from './schema.js';
import type { ServerKey } from './server-layers.js';
import type { ToolListKey } from './tool-lists.js';

/** The settings that have one value; of the others, the lists, all layers count together. */
export type SingleKey = Exclude<SettingKey, `permissions.${RuleList}` | ToolListKey | ServerKey>;

/**
 * `unordered`: no value is stricter than another. `amount`: the smaller, the stricter, and none at all permits most.
 * `subset`: a list that has no item more is stricter; `superset`: one that lacks none. A list: its values, strictest first.
 */
type Order = 'unordered' | 'amount' | 'subset' | 'superset' | readonly unknown[];

const ORDERS: Readonly<Record<SingleKey, Order>> = {
  'model.provider': 'unordered',
  'model.name': 'unordered',
  'model.baseUrl': 'unordered',
  'model.apiKeyEnv': 'unordered',
  'model.apiKeyCommand': 'unordered',
  'model.headers': 'unordered',
  'model.contextWindow': 'unordered',
  'model.maxOutputTokens': 'unordered',
  'model.idleTimeout': 'unordered',
  'model.reasoningEffort': 'unordered',
  'model.extraBody': 'unordered',
  'model.callsInText': 'unordered',
  'model.prices': 'unordered',
  'permissions.grantDays': 'amount',
  approvalMode: Object.values(ApprovalMode),
  'limits.maxTurns': 'amount',
  'limits.maxToolCalls': 'amount',
  'limits.maxSeconds': 'amount',
  'limits.maxCost': 'amount',
  'context.compactAt': 'unordered',
  'agents.maxTurns': 'amount',
  'agents.maxSeconds': 'amount',
  'agents.maxParallel': 'amount',
  'agents.maxDepth': 'amount',
  'files.readGitIgnored': [false, true],
  'shell.program': 'unordered',
  'shell.onTimeout': 'unordered',
  'shell.persistent': 'unordered',
  sandbox: ['required', 'auto', 'off'],
  sandboxNetwork: ['off', 'on'],
  sandboxHosts: 'subset',
  'mcp.toolBudget': 'amount',
  'mcp.startupTimeout': 'unordered',
  'mcp.callTimeout': 'unordered',
  'mcp.maxCallTimeout': 'unordered',
  'tools.discoveryCommand': 'unordered',
  'tools.callCommand': 'unordered',
  'tools.discoveryTimeout': 'unordered',
  'context.fileNames': 'unordered',
  'context.maxMemoryBytes': 'amount',
  'lsp.enabled': [false, true],
  'lsp.diagnostics': 'unordered',
  'lsp.idleMinutes': 'unordered',
  'hooks.mayAllow': [false, true],
  'hooks.disableAll': [false, true],
  'secrets.enabled': [true, false],
  'secrets.names': 'superset',
  'secrets.ignore': 'subset',
  'web.allowPrivateHosts': 'subset',
  'web.askAfterUntrusted': [true, false],
  'web.upgradeHttp': [true, false],
  'web.maxMegabytes': 'amount',
  'web.timeout': 'unordered',
  'skills.directories': 'subset',
  'webSearch.provider': 'unordered',
  'webSearch.default': 'unordered',
  'webSearch.providers': 'unordered',
  'webSearch.askAfterUntrusted': [true, false],
  'plans.directory': 'unordered',
  'telemetry.enabled': [false, true],
  'telemetry.endpoint': 'unordered',
  'telemetry.headers': 'unordered',
  'telemetry.content': [false, true],
  'telemetry.metricsIntervalSeconds': 'unordered',
  'ui.theme': 'unordered',
  'ui.screenReader': 'unordered',
  'ui.keys': 'unordered',
  'ui.images': ['off', 'auto'],
  'ui.diff': 'unordered',
  'ui.editor': 'unordered',
  'ui.bell': 'unordered',
  'ui.welcomeBack': 'unordered',
};

/** Whether some values of the setting are stricter than others. */
export function isOrdered(key: SingleKey): boolean {
  return ORDERS[key] !== 'unordered';
}

/** Whether a value permits what the other does not; `than` undefined: none at all. Only for ordered settings. */
export function isLooser(key: SingleKey, value: unknown, than: unknown): boolean {
  const order = ORDERS[key];
  if (order === 'unordered') return false;
  if (order === 'subset') return !itemsOf(value).every((item) => itemsOf(than).includes(item));
  if (order === 'superset') return !itemsOf(than).every((item) => itemsOf(value).includes(item));
  return placeIn(order, value) > placeIn(order, than);
}

function placeIn(order: 'amount' | readonly unknown[], value: unknown): number {
  if (order === 'amount') return typeof value === 'number' ? value : Number.POSITIVE_INFINITY;
  const place = order.indexOf(value);
  return place === -1 ? Number.POSITIVE_INFINITY : place;
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
