import { nodeTransport, readText } from './http-transport.js';
import { modelIds } from './local-servers.js';
import { ModelError } from './model-error.js';
import type { ModelChoice, ModelProvider } from './model-settings.js';
import type { ModelPort } from './model.js';
import { providerError } from './provider-error.js';
import { endpointUrl, shownUrl } from './provider-url.js';
import { timeLimit } from '../util/abort.js';

const LIST_TIME_LIMIT_MS = 5_000;
const LIST_BYTES = 4 * 1024 * 1024;
const NAMES_SHOWN = 12;

/**
 * The adapter for a choice; only its own code is loaded. An OpenAI-compatible server is asked for
 * its models when the choice names none.
 *
 * @throws ModelError: `auth` without a key where one is needed, `bad-request` when a model must be
 *   named and for a bad base URL, `network` and the rest when the server cannot be asked
 */
export async function createModel(choice: ModelChoice): Promise<ModelPort> {
  const { provider, baseUrl, apiKey, headers, auth } = choice;
  // At an address of its own a gateway may add the key; the providers' own addresses always want one.
  if (apiKey === undefined && baseUrl === undefined && headers === undefined) throw missingKey(provider.value);
  const options = {
    model: choice.model?.value ?? (await onlyModel(choice)),
    ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.value }),
    ...(apiKey === undefined ? {} : { apiKey: apiKey.value }),
    ...(headers === undefined ? {} : { headers: headers.value }),
  };
  if (provider.value === 'anthropic') {
    return (await import('./anthropic-messages.js')).createAnthropicMessagesModel({ ...options, auth });
  }
  if (provider.value === 'gemini') return (await import('./gemini.js')).createGeminiModel(options);
  return (await import('./openai-chat.js')).createOpenAiChatModel(options);
}

function missingKey(provider: ModelProvider): ModelError {
  const message = `No API key for ${provider}. Set ${provider.toUpperCase()}_API_KEY or the setting model.apiKeyEnv.`;
  return new ModelError(message, { kind: 'auth' });
}

/** The one model of a server that has just one, as llama.cpp and vLLM mostly do. */
async function onlyModel({ baseUrl, apiKey, headers }: ModelChoice): Promise<string> {
  const url = endpointUrl(baseUrl?.value ?? 'https://api.openai.com/v1', { version: 'v1', path: 'models' });
  const shown = shownUrl(url);
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey.value}` };
  let status: number;
  let body: string;
  try {
    const signal = timeLimit(LIST_TIME_LIMIT_MS);
    const answer = await nodeTransport({
      method: 'GET',
      url,
      headers: { ...authorization, ...headers?.value },
      signal,
    });
    status = answer.status;
    body = await readText(answer.body, LIST_BYTES);
  } catch {
    // No cause: it may hold the key.
    throw new ModelError(`No model is named, and ${shown} cannot be asked for its models. Start it or name a model.`, {
      kind: 'network',
    });
  }
  const secrets = [apiKey?.value ?? '', ...Object.values(headers?.value ?? {})];
  if (status !== 200) throw providerError({ status, body, url: shown, secrets });
  const names = modelIds(body) ?? [];
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  const known = names.length === 0 ? '' : ` It has ${names.slice(0, NAMES_SHOWN).join(', ')}${more}.`;
  throw new ModelError(`No model is named for ${shown}.${known} Set OPENAI_MODEL or the setting model.name.`, {
    kind: 'bad-request',
  });
}
