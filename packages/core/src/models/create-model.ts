import type { Environment } from '../network/choose-proxy.js';
import { Failure } from '../util/failure.js';
import type { AdapterOptions } from './adapter-options.js';
import { environmentTransport } from './environment-transport.js';
import { howToGiveKey, keyAdvice } from './key-advice.js';
import { keysOf } from './key-source.js';
import { listModels } from './list-models.js';
import { ModelError } from './model-error.js';
import type { ModelChoice } from './model-settings.js';
import type { ModelPort } from './model.js';
import { endpointUrl, shownUrl } from './provider-url.js';

const OPENAI_BASE_URL = 'https://api.openai.com/v1';
const NAMES_SHOWN = 12;

/** Request options of a model; see `AdapterOptions`. */
export interface CreateModelOptions extends Pick<
  AdapterOptions,
  'maxOutputTokens' | 'reasoningEffort' | 'extraBody' | 'idleTimeoutMs' | 'callsInText'
> {
  /** The environment variables that name proxies. Default: no proxy. */
  readonly environment?: Environment;
}

/**
 * Creates the adapter for a choice; only its own code is loaded. If the choice names no model, an OpenAI-compatible server is asked for its
 * models.
 *
 * @throws ModelError: `auth` without a required key, `bad-request` if a model must be named or the base URL is bad, `network` and other
 * kinds if the server cannot be asked
 */
export async function createModel(
  choice: ModelChoice,
  { environment = {}, ...asked }: CreateModelOptions = {},
): Promise<ModelPort> {
  const { baseUrl, apiKey, headers } = choice;
  const keys = keysOf(choice);
  // At an address of its own a gateway may add the key; the providers' own addresses always want one.
  if (apiKey === undefined && keys === undefined && baseUrl === undefined && headers === undefined)
    throw missingKey(choice);
  const options = {
    ...asked,
    model: choice.model?.value ?? (await onlyModel(choice, environment)),
    transport: environmentTransport(environment),
    keyAdvice: keyAdvice(choice),
    // The set belongs to the model, even if its key changes.
    refused: new Set<string>(),
    ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.value }),
    ...(headers === undefined ? {} : { headers: headers.value }),
  };
  const adapter = await adapterOf(choice);
  const make = (key: string | undefined): ModelPort =>
    adapter(key === undefined ? options : { ...options, apiKey: key });
  if (keys === undefined) return make(apiKey?.value);
  return (await import('./keyed-model.js')).modelWithKeys(make, keys);
}

async function adapterOf({ provider, auth }: ModelChoice): Promise<(options: AdapterOptions) => ModelPort> {
  if (provider.value === 'anthropic') {
    const { createAnthropicMessagesModel } = await import('./anthropic-messages.js');
    return (options) => createAnthropicMessagesModel({ ...options, auth });
  }
  if (provider.value === 'gemini') return (await import('./gemini.js')).createGeminiModel;
  return (await import('./openai-chat.js')).createOpenAiChatModel;
}

function missingKey(choice: ModelChoice): ModelError {
  return new ModelError(`No API key for ${choice.provider.value}. ${howToGiveKey(choice)}`, { kind: 'auth' });
}

/** The one model of a server that has just one, as llama.cpp and vLLM mostly do. */
async function onlyModel(choice: ModelChoice, environment: Environment): Promise<string> {
  const shown = shownUrl(endpointUrl(choice.baseUrl?.value ?? OPENAI_BASE_URL, { version: 'v1', path: 'models' }));
  const names = await namesOf(choice, shown, environment);
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  const known = names.length === 0 ? '' : ` It has ${names.slice(0, NAMES_SHOWN).join(', ')}${more}.`;
  throw new ModelError(`No model is named for ${shown}.${known} Set OPENAI_MODEL or the setting model.name.`, {
    kind: 'bad-request',
  });
}

async function namesOf(choice: ModelChoice, shown: string, environment: Environment): Promise<readonly string[]> {
  try {
    return await listModels(choice, new AbortController().signal, environment);
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown;
    const { kind, isLasting = false } = thrown.info;
    if (kind === 'network' && !isLasting && !(thrown.cause instanceof Failure)) {
      const message = `No model is named, and ${shown} cannot be asked for its models. Start it or name a model.`;
      throw new ModelError(message, thrown.info);
    }
    // A server without a list has a name for its model all the same.
    if (thrown.info.status === undefined && kind !== 'auth' && kind !== 'network') return [];
    throw thrown;
  }
}
