import type { ModelProvider } from '../models/model-settings.js';
import type { ReasoningEffort } from '../models/reasoning-effort.js';
import type { TokenPrices } from '../models/token-prices.js';
import type { ApprovalMode } from '../policy/approval-mode.js';
import type { ShellOptions } from '../process/shell-options.js';
import type { ShellProgram } from '../process/shell-program.js';
import type { SandboxMode, SandboxNetwork } from '../sandbox/sandbox-types.js';
import type { SearchProviderName } from '../web/search/provider-table.js';
import { AGENT_SETTINGS } from './agents-table.js';
import { EXTENSION_SETTINGS } from './extension-table.js';
import { HOOK_SETTINGS } from './hooks-table.js';
import { MEMORY_SETTINGS } from './memory-table.js';
import type { SearchProviderSetting } from './check-search.js';
import { SECRET_SETTINGS } from './secrets-table.js';
import { WEB_SETTINGS } from './web-table.js';
import { WEB_SEARCH_SETTINGS } from './web-search-table.js';
import type { HookEventKey } from './server-layers.js';
import { SESSION_SETTINGS } from './session-table.js';
import { SKILL_SETTINGS } from './skills-table.js';
import { TELEMETRY_SETTINGS } from './telemetry-table.js';
import { SHELL_TOOL } from '../policy/tool-aliases.js';

/** A rule as it is written in a settings file: its text, or with examples that are tried when it is read. */
export type RuleSetting =
  | string
  | {
      readonly rule: string;
      /** Command lines, paths or addresses that it must match. */
      readonly match?: readonly string[];
      readonly not_match?: readonly string[];
    };

/** Keys by action, as a person writes them; which actions and keys there are, the terminal knows. */
export type KeyBindings = Readonly<Record<string, string | readonly string[]>>;

/** Every setting there is, by its dotted key, and the type of its value. */
export interface SettingTypes extends Readonly<Record<HookEventKey, readonly unknown[]>> {
  'hooks.importFrom': readonly string[];
  'hooks.mayAllow': boolean;
  'hooks.disableAll': boolean;
  'model.provider': ModelProvider;
  'model.name': string;
  'model.baseUrl': string;
  'model.apiKeyEnv': string;
  'model.apiKeyCommand': string | readonly string[];
  'model.headers': Readonly<Record<string, string>>;
  'model.contextWindow': number;
  'model.maxOutputTokens': number;
  'model.idleTimeout': number;
  'model.reasoningEffort': ReasoningEffort;
  'model.extraBody': Readonly<Record<string, unknown>>;
  'model.callsInText': boolean;
  'model.prices': TokenPrices;
  'permissions.allow': readonly RuleSetting[];
  'permissions.ask': readonly RuleSetting[];
  'permissions.deny': readonly RuleSetting[];
  'permissions.grantDays': number;
  'tools.core': readonly string[];
  'tools.allowed': readonly string[];
  'tools.exclude': readonly string[];
  approvalMode: ApprovalMode;
  'limits.maxTurns': number;
  'limits.maxToolCalls': number;
  'limits.maxSeconds': number;
  'limits.maxCost': number;
  'context.compactAt': number;
  'agents.maxTurns': number;
  'agents.maxSeconds': number;
  'agents.maxParallel': number;
  'agents.maxDepth': number;
  'files.readGitIgnored': boolean;
  'shell.program': ShellProgram;
  'shell.onTimeout': ShellOptions['onTimeout'];
  'shell.persistent': boolean;
  sandbox: SandboxMode;
  sandboxNetwork: SandboxNetwork;
  sandboxHosts: readonly string[];
  mcpServers: Readonly<Record<string, unknown>>;
  'mcp.serverCommand': string;
  'mcp.allowed': readonly string[];
  'mcp.excluded': readonly string[];
  'mcp.toolBudget': number;
  'mcp.startupTimeout': number;
  'mcp.callTimeout': number;
  'mcp.maxCallTimeout': number;
  'tools.discoveryCommand': string;
  'tools.callCommand': string;
  'tools.discoveryTimeout': number;
  'context.fileNames': readonly string[];
  'context.maxMemoryBytes': number;
  'lsp.enabled': boolean;
  'lsp.servers': Readonly<Record<string, unknown>>;
  'extensions.disabled': readonly string[];
  'lsp.diagnostics': 'running' | 'always' | 'off';
  'lsp.idleMinutes': number;
  'secrets.enabled': boolean;
  'secrets.names': readonly string[];
  'secrets.ignore': readonly string[];
  'web.allowPrivateHosts': readonly string[];
  'web.askAfterUntrusted': boolean;
  'web.upgradeHttp': boolean;
  'web.maxMegabytes': number;
  'web.timeout': number;
  'skills.directories': readonly string[];
  'webSearch.provider': SearchProviderSetting;
  'webSearch.default': SearchProviderName;
  'webSearch.providers': Readonly<Record<string, unknown>>;
  'webSearch.askAfterUntrusted': boolean;
  'plans.directory': string;
  'telemetry.enabled': boolean;
  'telemetry.endpoint': string;
  'telemetry.headers': Readonly<Record<string, string>>;
  'telemetry.content': boolean;
  'telemetry.metricsIntervalSeconds': number;
  'ui.theme': string;
  'ui.screenReader': boolean;
  'ui.keys': KeyBindings;
  'ui.images': 'auto' | 'off';
  'ui.diff': 'auto' | 'unified' | 'side-by-side';
  'ui.editor': string;
  'ui.bell': boolean;
  'ui.welcomeBack': boolean;
}
export type SettingKey = keyof SettingTypes;

/** Values that are one of a few words. */
export type SettingChoice =
  | 'shell-program'
  | 'time-limit'
  | 'sandbox-mode'
  | 'sandbox-network'
  | 'diagnostics'
  | 'search-provider-name'
  | 'reasoning-effort'
  | 'images'
  | 'diff-layout';

/** How a value is checked. */
export type SettingValueType =
  | 'text'
  | 'url'
  | 'texts'
  | 'hosts'
  | 'rules'
  | 'header-map'
  /** An object whose values are looked at one by one later, so that a wrong one costs only itself. */
  | 'named-objects'
  /** An object with any content. */
  | 'json-object'
  /** A list of groups of hooks, looked at one by one later. */
  | 'hook-groups'
  | 'positive-number'
  /** Any number above 0. */
  | 'positive-amount'
  /** From 0 to 1. */
  | 'share'
  | 'prices'
  /** A name of letters, digits, `_` and `-`. */
  | 'theme'
  /** A list of words, or a text that is split without a shell. */
  | 'command'
  | 'key-bindings'
  | 'yes-no'
  | 'provider'
  | 'approval-mode'
  | 'search-provider'
  | 'search-providers'
  | SettingChoice;

/** What the value counts for in a file that came with the project, which nobody has vouched for. */
export type ProjectRight =
  /** Counts. */
  | 'free'
  /** Counts where it is stricter than what the user has. */
  | 'stricter'
  /** Counts once the person trusts the folder with this very file. */
  | 'trusted'
  /** Never counts: it would let a cloned folder loosen what nobody sees, or redirect what is sent, keys included. */
  | 'ignored';

export interface SettingDefinition {
  readonly key: SettingKey;
  readonly type: SettingValueType;
  /** One sentence for people; the reference page is made of these. */
  readonly sentence: string;
  readonly default?: SettingTypes[SettingKey];
  /** True when losing the value could permit, send or show something that it forbade: then the run stops. */
  readonly securityRelevant: boolean;
  readonly project: ProjectRight;
  /** Other keys under which it is accepted. */
  readonly aliases?: readonly string[];
}

export const SETTINGS: readonly SettingDefinition[] = [
  {
    key: 'model.provider',
    type: 'provider',
    sentence: 'The kind of endpoint that serves the model: openai (and everything compatible), anthropic or gemini.',
    securityRelevant: true,
    project: 'trusted',
  },
  {
    key: 'model.name',
    type: 'text',
    sentence: 'The name of the model, as the endpoint knows it.',
    securityRelevant: false,
    project: 'trusted',
  },
  {
    key: 'model.baseUrl',
    type: 'url',
    sentence: 'The address of the endpoint, up to and including its version part, such as http://127.0.0.1:11434/v1.',
    securityRelevant: true,
    project: 'ignored',
  },
  {
    key: 'model.apiKeyEnv',
    type: 'text',
    sentence: 'The name of the environment variable that holds the key; the key itself never stands in a file.',
    securityRelevant: true,
    project: 'ignored',
  },
  {
    key: 'model.apiKeyCommand',
    type: 'command',
    sentence:
      'A command that prints the key, as a list of words or a text that needs no shell: run with the first request, and again when the key is refused.',
    securityRelevant: true,
    project: 'ignored',
  },
  {
    key: 'model.headers',
    type: 'header-map',
    sentence: 'Headers that are sent with every request to the model.',
    securityRelevant: false,
    project: 'ignored',
  },
  {
    key: 'permissions.allow',
    type: 'rules',
    sentence: 'Rules for calls that run without a question.',
    securityRelevant: true,
    project: 'trusted',
  },
  {
    key: 'permissions.ask',
    type: 'rules',
    sentence: 'Rules for calls that are asked about every time.',
    securityRelevant: true,
    project: 'free',
  },
  {
    key: 'permissions.deny',
    type: 'rules',
    sentence: 'Rules for calls that never run.',
    securityRelevant: true,
    project: 'free',
  },
  {
    key: 'permissions.grantDays',
    type: 'positive-number',
    sentence: 'For how many days a call stays allowed in a project with "always"; without it, until it is revoked.',
    securityRelevant: true,
    project: 'stricter',
  },
  {
    key: 'tools.core',
    type: 'texts',
    sentence: `The only built-in tools that are offered, by name; \`${SHELL_TOOL}(git)\` offers the shell for commands that begin so.`,
    securityRelevant: true,
    project: 'free',
    aliases: ['coreTools'],
  },
  {
    key: 'tools.allowed',
    type: 'texts',
    sentence: 'Tools and commands that run without a question, as in other agents; better: `permissions.allow`.',
    securityRelevant: true,
    project: 'trusted',
    aliases: ['allowedTools'],
  },
  {
    key: 'tools.exclude',
    type: 'texts',
    sentence:
      'Tools that are not offered, and commands that never run, as in other agents; better: `permissions.deny`.',
    securityRelevant: true,
    project: 'free',
    aliases: ['excludeTools'],
  },
  {
    key: 'approvalMode',
    type: 'approval-mode',
    sentence: 'How much may be done without a question: plan, default, auto_edit or yolo.',
    default: 'default',
    securityRelevant: true,
    project: 'stricter',
    aliases: ['tools.approvalMode'],
  },
  {
    key: 'limits.maxTurns',
    type: 'positive-number',
    sentence: 'Requests to the model that one prompt may take; without it, any number.',
    securityRelevant: false,
    project: 'stricter',
  },
  {
    key: 'limits.maxToolCalls',
    type: 'positive-number',
    sentence: 'Tool calls that one prompt may make; without it, any number.',
    securityRelevant: false,
    project: 'stricter',
  },
  {
    key: 'files.readGitIgnored',
    type: 'yes-no',
    sentence: 'Whether tools may show what is in files that git ignores, where these are named or asked for.',
    default: true,
    securityRelevant: true,
    project: 'stricter',
  },
  {
    key: 'shell.program',
    type: 'shell-program',
    sentence:
      'The shell that runs commands: bash (the default, but where Windows has none), pwsh, powershell or cmd; only what bash runs is analysed.',
    securityRelevant: false,
    project: 'trusted',
  },
  {
    key: 'shell.onTimeout',
    type: 'time-limit',
    sentence: 'What becomes of a command at its time limit: background (it goes on as a job) or end.',
    default: 'background',
    securityRelevant: false,
    project: 'ignored',
  },
  {
    key: 'shell.persistent',
    type: 'yes-no',
    sentence: 'Whether the working directory and exported variables of one command are those of the next.',
    default: false,
    securityRelevant: false,
    project: 'ignored',
  },
  {
    key: 'sandbox',
    type: 'sandbox-mode',
    sentence: 'Whether commands run in a sandbox: off, auto (where one is proven to hold) or required.',
    default: 'off',
    securityRelevant: true,
    project: 'ignored',
  },
  {
    key: 'sandboxNetwork',
    type: 'sandbox-network',
    sentence: 'Whether commands in the sandbox reach the network: off or on.',
    default: 'off',
    securityRelevant: true,
    project: 'ignored',
  },
  {
    key: 'sandboxHosts',
    type: 'hosts',
    sentence:
      'Hosts that commands in the sandbox reach while its network is off: `registry.npmjs.org`, `*.github.com`, `localhost:5432`.',
    securityRelevant: true,
    project: 'stricter',
  },
  ...MEMORY_SETTINGS,
  ...SESSION_SETTINGS,
  ...AGENT_SETTINGS,
  ...EXTENSION_SETTINGS,
  ...HOOK_SETTINGS,
  ...SECRET_SETTINGS,
  ...WEB_SETTINGS,
  ...WEB_SEARCH_SETTINGS,
  ...SKILL_SETTINGS,
  ...TELEMETRY_SETTINGS,
];

/** The setting of that key or alias. */
export function findSetting(key: string): SettingDefinition | undefined {
  return SETTINGS.find((setting) => setting.key === key || setting.aliases?.includes(key) === true);
}

/** True for `model`, `permissions`, …: the objects that hold settings. */
export function isSettingGroup(key: string): boolean {
  return allSettingKeys().some((name) => name.startsWith(`${key}.`));
}

/** Keys and aliases. */
export function allSettingKeys(): string[] {
  return SETTINGS.flatMap((setting) => [setting.key, ...(setting.aliases ?? [])]);
}
