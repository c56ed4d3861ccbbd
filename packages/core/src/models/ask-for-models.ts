import type { Environment } from '../network/choose-proxy.js';
import { environmentTransport } from './environment-transport.js';
import { readText } from './http-transport.js';
import { keyAdvice } from './key-advice.js';
import { keysOf } from './key-source.js';
import { modelIds } from './local-servers.js';
import { ModelError } from './model-error.js';
import type { ModelChoice, ModelProvider } from './model-settings.js';
import { providerError } from './provider-error.js';
import { endpointUrl, shownUrl } from './provider-url.js';
import { timeLimit } from '../util/abort.js';
import { asArray, asText, at, parseJson } from './wire-json.js';

const TIME_LIMIT_MS = 5_000;
const LIST_BYTES = 4 * 1024 * 1024;
/** Gateways have many hundreds. */
const MODEL_LIMIT = 2000;
const NAME_LIMIT = 200;

interface Listing {
  readonly ownUrl: string;
  readonly version: string;
  /** Of the address; the vendors give a page of some only, if not asked for more. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: (key: string | undefined, auth: ModelChoice['auth']) => Readonly<Record<string, string>>;
  /** Undefined for what is no list. */
  readonly names: (body: string) => readonly string[] | undefined;
}

const bearer = (key: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${key}` });

const LISTINGS: Readonly<Record<ModelProvider, Listing>> = {
  openai: {
    ownUrl: 'https://api.openai.com/v1',
    version: 'v1',
    query: {},
    headers: (key) => (key === undefined ? {} : bearer(key)),
    names: (body) => modelIds(body, MODEL_LIMIT),
  },
  anthropic: {
    ownUrl: 'https://api.anthropic.com',
    version: 'v1',
    query: { limit: '1000' },
    headers: (key, auth) => ({
      'anthropic-version': '2023-06-01',
      ...(key === undefined ? {} : auth === 'bearer' ? bearer(key) : { 'x-api-key': key }),
    }),
    names: (body) => modelIds(body, MODEL_LIMIT),
  },
  gemini: {
    ownUrl: 'https://generativelanguage.googleapis.com',
    version: 'v1beta',
    query: { pageSize: '1000' },
    headers: (key) => (key === undefined ? {} : { 'x-goog-api-key': key }),
    names: geminiNames,
  },
};

/** See `listModels`. */
export async function askForModels(
  choice: ModelChoice,
  signal: AbortSignal,
  environment: Environment,
): Promise<readonly string[]> {
  const keys = keysOf(choice);
  const list = (key: string | undefined): Promise<readonly string[]> => listWith(choice, key, { signal, environment });
  if (keys === undefined) return list(choice.apiKey?.value.trim());
  const { withKey } = await import('./keyed-model.js');
  return withKey(keys, signal, list);
}

async function listWith(
  choice: ModelChoice,
  key: string | undefined,
  { signal, environment }: { readonly signal: AbortSignal; readonly environment: Environment },
): Promise<readonly string[]> {
  const { provider, baseUrl, headers, auth } = choice;
  const listing = LISTINGS[provider.value];
  const url = new URL(endpointUrl(baseUrl?.value ?? listing.ownUrl, { version: listing.version, path: 'models' }));
  for (const [name, value] of Object.entries(listing.query)) url.searchParams.set(name, value);
  const shown = shownUrl(url.href);
  const sent = lowerCase({
    accept: 'application/json',
    ...listing.headers(key, auth),
    ...headers?.value,
  });
  let status: number;
  let body: string;
  let through: string | undefined;
  try {
    const limited = AbortSignal.any([signal, timeLimit(TIME_LIMIT_MS)]);
    const answer = await environmentTransport(environment)({
      method: 'GET',
      url: url.href,
      headers: sent,
      signal: limited,
    });
    ({ status, through } = answer);
    body = await readText(answer.body, LIST_BYTES);
    limited.throwIfAborted();
  } catch (thrown) {
    signal.throwIfAborted();
    throw (await import('./transport-error.js')).listingError(thrown, shown);
  }
  if (status !== 200) {
    const secrets = Object.values(sent);
    throw providerError({ status, body, url: shown, secrets, keyAdvice: keyAdvice(choice), through });
  }
  const names = listing.names(body);
  if (names !== undefined) return names;
  throw new ModelError(`${shown} answered with something that is no list of models.`, { kind: 'bad-request' });
}

/** So that a header of the settings replaces and never doubles one. */
function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Those that answer; others make vectors or pictures only. */
function geminiNames(body: string): readonly string[] | undefined {
  const models = at(parseJson(body), 'models');
  if (!Array.isArray(models)) return undefined;
  return asArray(models)
    .filter((model) => {
      const methods = at(model, 'supportedGenerationMethods');
      return !Array.isArray(methods) || methods.includes('generateContent');
    })
    .flatMap((model) => asText(at(model, 'name'))?.replace(/^models\//, '') ?? [])
    .filter((name) => name.length <= NAME_LIMIT)
    .slice(0, MODEL_LIMIT);
}
