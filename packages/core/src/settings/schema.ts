import type { ModelProvider } from '../models/model-settings.js';
import type { ApprovalMode } from '../policy/approval-mode.js';

/** Every setting there is, by its dotted key, and the type of its value. */
export interface SettingTypes {
  'model.provider': ModelProvider;
  'model.name': string;
  'model.baseUrl': string;
  'model.apiKeyEnv': string;
  'model.headers': Readonly<Record<string, string>>;
  'permissions.allow': readonly string[];
  'permissions.ask': readonly string[];
  'permissions.deny': readonly string[];
  approvalMode: ApprovalMode;
  'limits.maxTurns': number;
  'limits.maxToolCalls': number;
  'files.readGitIgnored': boolean;
}
export type SettingKey = keyof SettingTypes;

/** How a value is checked. */
export type SettingValueType =
  'text' | 'url' | 'texts' | 'header-map' | 'positive-number' | 'yes-no' | 'provider' | 'approval-mode';

/** What the value counts for in a file that came with the project, which nobody has vouched for. */
export type ProjectRight =
  /** Counts. */
  | 'free'
  /** Counts where it is stricter than what the user has. */
  | 'stricter'
  /** Never counts: it would let a cloned folder loosen the rules or redirect what is sent. */
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
    project: 'free',
  },
  {
    key: 'model.name',
    type: 'text',
    sentence: 'The name of the model, as the endpoint knows it.',
    securityRelevant: false,
    project: 'free',
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
    key: 'model.headers',
    type: 'header-map',
    sentence: 'Headers that are sent with every request to the model.',
    securityRelevant: false,
    project: 'ignored',
  },
  {
    key: 'permissions.allow',
    type: 'texts',
    sentence: 'Rules for calls that run without a question.',
    securityRelevant: true,
    project: 'ignored',
  },
  {
    key: 'permissions.ask',
    type: 'texts',
    sentence: 'Rules for calls that are asked about every time.',
    securityRelevant: true,
    project: 'free',
  },
  {
    key: 'permissions.deny',
    type: 'texts',
    sentence: 'Rules for calls that never run.',
    securityRelevant: true,
    project: 'free',
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
    sentence: 'Requests to the model that one prompt may take.',
    default: 100,
    securityRelevant: false,
    project: 'stricter',
  },
  {
    key: 'limits.maxToolCalls',
    type: 'positive-number',
    sentence: 'Tool calls that one prompt may make.',
    default: 500,
    securityRelevant: false,
    project: 'stricter',
  },
  {
    key: 'files.readGitIgnored',
    type: 'yes-no',
    sentence: 'Whether a file that git ignores may be read when it is named.',
    default: true,
    securityRelevant: true,
    project: 'stricter',
  },
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
