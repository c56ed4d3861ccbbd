import {
  createModel,
  findLocalServers,
  listModels,
  ModelError,
  modelSettingsOf,
  requestOptionsOf,
  resolveModelChoice,
  withKeyCommand,
  type AgentOptions,
  type LocalServer,
  type ModelChoice,
  type ModelPort,
  type ModelSettings,
  type ReasoningEffort,
  type SettingValues,
} from '@tenon/core';
import { ExitCode, ExitFailure } from './exit-codes.js';
import type { Surroundings } from './surroundings.js';

/** What the settings and `--model` say about the model, in the words of the library. Pure. */
export function modelSettings(values: SettingValues, modelName: string | undefined): ModelSettings {
  return { ...modelSettingsOf(values), ...(modelName !== undefined && { model: modelName }) };
}

/** The choice that settings, command line and environment come to; undefined when no model is configured. */
export function configuredChoice(
  surroundings: Surroundings,
  values: SettingValues,
  modelName: string | undefined,
): ModelChoice | undefined {
  return resolveModelChoice({ settings: modelSettings(values, modelName), environment: surroundings.env });
}

/** The same choice, able to run the command that prints its key; all that is made of it shares what was printed. */
export async function usableChoice(
  choice: ModelChoice,
  { env, userHome }: Surroundings,
  roots: readonly string[],
): Promise<ModelChoice> {
  return withKeyCommand(choice, { environment: env, userHome, roots });
}

/** Lets a person choose among what local servers offer; absent when nobody can be asked. */
export type OfferLocal = (servers: readonly LocalServer[], signal: AbortSignal) => Promise<ModelChoice | undefined>;

/** What the settings say of a model beside its name. */
export type ModelFacts = Pick<AgentOptions, 'contextWindow' | 'prices'>;

/** The reasoning effort from the next request on, for the main model and all models that are named beside it. */
export interface EffortSwitch {
  /** Undefined: the models' own default. */
  now: ReasoningEffort | undefined;
}

/** The model to talk to, and what else is where it is. */
export interface ModelEndpoint {
  readonly model: ModelPort;
  readonly facts: ModelFacts;
  readonly effort: EffortSwitch;
  /** The names of its models. @throws ModelError, or the signal's reason */
  readonly list: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Whether the command that should print the key brought none the last time. */
  readonly lacksKey: () => boolean;
  /** Another model of it; whether there is one of that name shows with its first request. */
  readonly named: (name: string) => Promise<{ readonly model: ModelPort; readonly facts: ModelFacts }>;
}

/** What a preparation says of the model; `roots`: canonical. */
export interface EndpointSources {
  readonly settings: { readonly values: SettingValues };
  readonly modelName?: string | undefined;
  readonly effort?: { readonly value: ReasoningEffort } | undefined;
  readonly roots: readonly string[];
}

/**
 * The endpoint that is configured, or chosen by the person, with the model to begin with.
 * @throws ExitFailure `NO_MODEL` when none is configured, `MODEL_FAILED` when it cannot be reached
 */
export async function openEndpoint(
  surroundings: Surroundings,
  { settings: { values }, modelName, effort: wanted, roots }: EndpointSources,
  offerLocal: OfferLocal | undefined,
): Promise<ModelEndpoint> {
  const chosen =
    configuredChoice(surroundings, values, modelName) ??
    (await localChoice(surroundings, values, modelName, offerLocal));
  const effort: EffortSwitch = { now: wanted?.value ?? values['model.reasoningEffort']?.value };
  const options = { ...requestOptionsOf(values), reasoningEffort: () => effort.now, environment: surroundings.env };
  try {
    const choice = await usableChoice(chosen, surroundings, roots);
    const model = await createModel(choice, options);
    return {
      model,
      facts: modelFacts(values, model.model),
      effort,
      list: (signal) => listModels(choice, signal, surroundings.env),
      lacksKey: () => choice.keys?.hasFailed() === true,
      named: async (name) => ({
        model: await createModel({ ...choice, model: { value: name, origin: 'the person' } }, options),
        facts: modelFacts(values, name),
      }),
    };
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown;
    const unset = thrown.info.kind === 'auth' || thrown.info.kind === 'bad-request';
    throw new ExitFailure(unset ? ExitCode.NO_MODEL : ExitCode.MODEL_FAILED, thrown.message, { cause: thrown });
  }
}

/** Where the settings name a model, what they say of its window and prices is of no other. Pure. */
export function modelFacts(values: SettingValues, model: string): ModelFacts {
  const named = values['model.name']?.value;
  if (named !== undefined && named !== model) return {};
  const contextWindow = values['model.contextWindow']?.value;
  const prices = values['model.prices']?.value;
  return { ...(contextWindow !== undefined && { contextWindow }), ...(prices !== undefined && { prices }) };
}

async function localChoice(
  surroundings: Surroundings,
  values: SettingValues,
  modelName: string | undefined,
  offerLocal: OfferLocal | undefined,
): Promise<ModelChoice> {
  const armed = surroundings.interrupts.arm();
  try {
    const servers = await findLocalServers({ signal: armed.signal });
    const chosen = servers.length === 0 ? undefined : await offerLocal?.(servers, armed.signal);
    if (chosen !== undefined) return chosen;
    throw new ExitFailure(
      ExitCode.NO_MODEL,
      noModelMessage(surroundings.tenonHome, servers, modelName, missingForModel(values, modelName, surroundings.env)),
    );
  } finally {
    armed.release();
  }
}

/** A choice of one model of one local server. */
export function localModelChoice(server: LocalServer, model: string | undefined): ModelChoice {
  return {
    provider: { value: 'openai', origin: server.name },
    baseUrl: { value: server.baseUrl, origin: server.name },
    ...(model === undefined ? {} : { model: { value: model, origin: server.name } }),
    auth: 'bearer',
  };
}

/** What is set about a model, in the environment and the settings, and what is missing beside it; a sentence each. Pure. */
export function missingForModel(
  values: SettingValues,
  modelName: string | undefined,
  env: Surroundings['env'],
): readonly string[] {
  const isSet = (name: string): boolean => (env[name] ?? '').trim() !== '';
  const keyVariable = values['model.apiKeyEnv']?.value;
  const named = modelName === undefined ? values['model.name'] && 'the setting model.name' : '--model';
  const openAi = 'OPENAI_BASE_URL (any OpenAI-compatible endpoint) or OPENAI_API_KEY';
  const sentences = [
    ...(isSet('OPENAI_MODEL') ? [`OPENAI_MODEL is set, but ${openAi} is missing.`] : []),
    ...(['ANTHROPIC', 'GEMINI'] as const).flatMap((vendor) =>
      [`${vendor}_MODEL`, `${vendor}_BASE_URL`]
        .filter(isSet)
        .map((name) => `${name} is set, but ${vendor}_API_KEY is missing.`),
    ),
    ...(keyVariable === undefined || isSet(keyVariable)
      ? []
      : [`the setting model.apiKeyEnv names ${keyVariable}, but that variable is not set.`]),
  ];
  if (sentences.length > 0 || named === undefined) return sentences;
  return [`${named} names a model, but not where it is: model.baseUrl, ${openAi}, or a key of its vendor is missing.`];
}

/** The three ways to get a model, and the exact words for a local server that answers. Pure. */
export function noModelMessage(
  tenonHome: string,
  servers: readonly LocalServer[],
  modelName: string | undefined,
  missing: readonly string[] = [],
): string {
  const found = servers.map((server) => {
    const model = modelName ?? server.models[0];
    const variables = [
      `OPENAI_BASE_URL=${server.baseUrl}`,
      ...(model === undefined ? [] : [`OPENAI_MODEL=${quoted(model)}`]),
    ];
    return `${server.name} answers on this machine. To use it: ${variables.join(' ')} tenon …`;
  });
  return [
    ...missing.map((sentence) => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`),
    'No model is configured. There are three ways to get one:',
    '  1. The environment: OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL for any OpenAI-compatible endpoint;',
    '     ANTHROPIC_API_KEY or GEMINI_API_KEY for those.',
    `  2. The settings in ${tenonHome}/settings.json:`,
    '     {"model": {"baseUrl": "https://…/v1", "name": "…", "apiKeyEnv": "NAME_OF_THE_VARIABLE_WITH_THE_KEY"}};',
    '     "apiKeyCommand": "pass show …" in place of "apiKeyEnv" asks a password manager.',
    '  3. A server on this machine: start Ollama, LM Studio, llama.cpp or vLLM, and it is offered here.',
    ...found,
    '`tenon demo` needs no model.',
  ].join('\n');
}

/** For a shell: server and model say their own names. */
function quoted(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
