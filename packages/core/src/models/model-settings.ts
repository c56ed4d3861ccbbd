import type { KeySource } from './key-source.js';

/** Which provider to talk to, and where each value of that came from. Pure: no file, no environment of its own. */

export type ModelProvider = 'openai' | 'anthropic' | 'gemini';

/** What a person may set, in settings or on the command line. */
export interface ModelSettings {
  readonly provider?: ModelProvider;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Name of the environment variable that holds the key, so that settings files need not. */
  readonly apiKeyEnv?: string;
  /** A command that prints the key: words, or a text that is split without a shell. Counts where `apiKeyEnv` gives none. */
  readonly apiKeyCommand?: string | readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A value and where it came from: `settings`, `default`, or `environment NAME`. */
export interface Sourced<T> {
  readonly value: T;
  readonly origin: string;
}

export interface ModelChoice {
  readonly provider: Sourced<ModelProvider>;
  /** Absent when nothing names one: an OpenAI-compatible server is then asked what it has. */
  readonly model?: Sourced<string>;
  /** Absent for the provider's own address. */
  readonly baseUrl?: Sourced<string>;
  /** A secret: show its origin, never its value. */
  readonly apiKey?: Sourced<string>;
  /** The variable that `apiKeyEnv` names, where it is not set and nothing else gives a key. */
  readonly unsetKey?: string;
  /** The command that prints it, where `apiKey` is not known; needs `keys` as well. */
  readonly apiKeyCommand?: Sourced<string | readonly string[]>;
  /** Runs that command (`withKeyCommand`). */
  readonly keys?: KeySource;
  /** How the key is sent. `bearer` also for ANTHROPIC_AUTH_TOKEN. */
  readonly auth: 'key' | 'bearer';
  readonly headers?: Sourced<Readonly<Record<string, string>>>;
}

export interface ModelSources {
  readonly settings: ModelSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface ProviderVariables {
  readonly baseUrl: readonly string[];
  readonly apiKey: readonly string[];
  readonly model: readonly string[];
  readonly defaultModel?: string;
  /** Models of this vendor alone. */
  readonly modelNames?: RegExp;
}

/** In the order in which they are looked for. OpenAI has no default model: the address may be any server's. */
const PROVIDERS: Readonly<Record<ModelProvider, ProviderVariables>> = {
  openai: { baseUrl: ['OPENAI_BASE_URL'], apiKey: ['OPENAI_API_KEY'], model: ['OPENAI_MODEL'] },
  anthropic: {
    baseUrl: ['ANTHROPIC_BASE_URL'],
    apiKey: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    model: ['ANTHROPIC_MODEL'],
    defaultModel: 'claude-sonnet-5-5',
    modelNames: /^claude-/,
  },
  gemini: {
    baseUrl: ['GEMINI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'],
    apiKey: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    model: ['GEMINI_MODEL'],
    defaultModel: 'gemini-pro-latest',
    modelNames: /^(models\/)?gemini-/,
  },
};
const BEARER_VARIABLE = 'ANTHROPIC_AUTH_TOKEN';

/**
 * The model to use: settings first, then OPENAI_*, ANTHROPIC_*, GEMINI_* of the environment. Empty
 * values count as absent. Undefined when nothing configures a provider.
 * Values of settings and environment mix, one by one, within the chosen provider.
 */
export function resolveModelChoice(sources: ModelSources): ModelChoice | undefined {
  const provider = chosenProvider(sources);
  if (provider === undefined) return undefined;
  const { settings, environment } = sources;
  const variables = PROVIDERS[provider.value];
  const fallback: Sourced<string> | undefined =
    variables.defaultModel === undefined ? undefined : { value: variables.defaultModel, origin: 'default' };
  const model = fromSettings(settings.model) ?? firstSet(environment, variables.model) ?? fallback;
  const baseUrl = fromSettings(settings.baseUrl) ?? firstSet(environment, variables.baseUrl);
  const apiKey = fromSettings(settings.apiKey) ?? namedKey(sources) ?? environmentKey(sources, variables);
  const command = apiKey === undefined ? settings.apiKeyCommand : undefined;
  const unsetKey = apiKey === undefined && command === undefined ? settings.apiKeyEnv : undefined;
  const headers = settings.headers;
  const isBearer = provider.value === 'openai' || apiKey?.origin === originOf(BEARER_VARIABLE);
  return {
    provider,
    auth: isBearer ? 'bearer' : 'key',
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(unsetKey === undefined ? {} : { unsetKey }),
    ...(command === undefined ? {} : { apiKeyCommand: { value: command, origin: 'settings' } }),
    ...(headers === undefined ? {} : { headers: { value: headers, origin: 'settings' } }),
  };
}

function chosenProvider({ settings, environment }: ModelSources): Sourced<ModelProvider> | undefined {
  if (settings.provider !== undefined) return { value: settings.provider, origin: 'settings' };
  // An address without a provider's name: what nearly every server speaks.
  if (fromSettings(settings.baseUrl) !== undefined) return { value: 'openai', origin: 'default' };
  const configured = (Object.keys(PROVIDERS) as ModelProvider[]).flatMap((provider) => {
    const { apiKey, baseUrl } = PROVIDERS[provider];
    // Local servers want no key; the two vendors always do.
    const names = provider === 'openai' ? [...apiKey, ...baseUrl] : apiKey;
    const found = firstSet(environment, names);
    return found === undefined ? [] : [{ value: provider, origin: found.origin }];
  });
  const ownKey = fromSettings(settings.apiKey) ?? namedKey({ settings, environment }) ?? settings.apiKeyCommand;
  const hasOwnKey = ownKey !== undefined;
  // `--model claude-…` means Anthropic even where an OpenAI key is set; a gateway may serve anything.
  const isGateway = firstSet(environment, PROVIDERS.openai.baseUrl) !== undefined;
  const vendor = isGateway ? undefined : vendorOf(settings.model ?? '');
  const byName = configured.find(({ value }) => value === vendor);
  if (byName !== undefined) return byName;
  if (vendor !== undefined && hasOwnKey) return { value: vendor, origin: 'default' };
  return configured[0] ?? (hasOwnKey ? { value: 'openai', origin: 'default' } : undefined);
}

/** The provider that alone has models of this name. */
function vendorOf(model: string): ModelProvider | undefined {
  const providers = Object.keys(PROVIDERS) as ModelProvider[];
  return providers.find((provider) => PROVIDERS[provider].modelNames?.test(model) === true);
}

function namedKey({ settings, environment }: ModelSources): Sourced<string> | undefined {
  return settings.apiKeyEnv === undefined ? undefined : firstSet(environment, [settings.apiKeyEnv]);
}

/** The provider's usual key variable, unless settings say where the key is: a person who did wants that one or none. */
function environmentKey(
  { settings, environment }: ModelSources,
  variables: ProviderVariables,
): Sourced<string> | undefined {
  if (settings.apiKeyEnv !== undefined || settings.apiKeyCommand !== undefined) return undefined;
  return firstSet(environment, variables.apiKey);
}

function fromSettings(value: string | undefined): Sourced<string> | undefined {
  const text = value?.trim() ?? '';
  return text === '' ? undefined : { value: text, origin: 'settings' };
}

function firstSet(environment: ModelSources['environment'], names: readonly string[]): Sourced<string> | undefined {
  for (const name of names) {
    const text = environment[name]?.trim() ?? '';
    if (text !== '') return { value: text, origin: originOf(name) };
  }
  return undefined;
}

function originOf(variable: string): string {
  return `environment ${variable}`;
}
