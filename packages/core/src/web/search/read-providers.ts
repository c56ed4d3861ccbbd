import { count } from '../../util/count.js';
import { errorMessage } from '../../util/failure.js';
import { nearestName } from '../../util/nearest-names.js';
import { isObject } from '../../util/is-object.js';
import { isSearchProvider, PROVIDER_FACTS, SEARCH_PROVIDERS, type SearchProviderName } from './provider-table.js';
import type { ProviderAccess } from './search-types.js';

/** What the settings say of searching the web, as written there: unchecked. */
export interface SearchSettings {
  /** The one that is used where a call names none; or, as Qwen Code has it, a list of providers with their `type`. */
  readonly provider?: string | readonly unknown[];
  /** As a `provider` that is no list, which wins. */
  readonly default?: string;
  /** By name. */
  readonly providers?: Readonly<Record<string, unknown>>;
  /** True: after content from outside came in, a search is asked about as whatever sends data out. Default false. */
  readonly askAfterUntrusted?: boolean;
}

export type Variables = Readonly<Record<string, string | undefined>>;

export interface ReadProviders {
  /** That can be used: those of the settings in their order, then those that only the environment names. */
  readonly providers: readonly ProviderAccess[];
  /** Undefined without any, and where the chosen one cannot be used: no question goes elsewhere than it was meant to. */
  readonly usual: ProviderAccess | undefined;
  /** Why a provider that is named in the settings cannot be used: a sentence. */
  readonly unusable: ReadonlyMap<SearchProviderName, string>;
  /** What is wrong in the settings, for the person. Without secrets. */
  readonly notices: readonly string[];
}

type Entry = Readonly<Record<string, unknown>>;

const FIELDS = [
  'type',
  'apiKey',
  'apiKeyEnv',
  'baseUrl',
  'searchEngineId',
  'searchDepth',
  'maxResults',
  'disabled',
  'options',
];

/** Which providers there are, by the settings and the variables. Never throws; what is wrong costs only its own provider. Pure. */
export function readProviders(settings: SearchSettings, variables: Variables): ReadProviders {
  const notices: string[] = [];
  const unusable = new Map<SearchProviderName, string>();
  const providers: ProviderAccess[] = [];
  const entries = entriesOf(settings, notices);
  const rest = SEARCH_PROVIDERS.filter((name) => !entries.has(name) && isSetUp(name, variables));
  const all: (readonly [SearchProviderName, Entry])[] = [...entries, ...rest.map((each) => [each, {}] as const)];
  for (const [name, entry] of all) {
    if (entry['disabled'] === true) continue;
    try {
      providers.push(readEntry(name, entry, variables));
    } catch (thrown) {
      unusable.set(name, errorMessage(thrown));
      notices.push(`${PROVIDER_FACTS[name].label} is not used to search the web: ${errorMessage(thrown)}`);
    }
    notices.push(...strangeFields(name, entry));
  }
  const chosen = typeof settings.provider === 'string' ? settings.provider : settings.default;
  const usual = chosen === undefined ? providers[0] : providers.find(({ name }) => name === chosen);
  if (chosen !== undefined && usual === undefined) notices.push(notChosen(chosen, unusable));
  return { providers, usual, unusable, notices };
}

function entriesOf({ provider, providers = {} }: SearchSettings, notices: string[]): Map<SearchProviderName, Entry> {
  const listed = Array.isArray(provider) ? (provider as readonly unknown[]) : [];
  const named = listed.map((each): [unknown, unknown] => [isObject(each) ? each['type'] : undefined, each]);
  const entries = new Map<SearchProviderName, Entry>();
  for (const [name, entry] of [...named, ...Object.entries(providers)]) {
    if (typeof name !== 'string' || !isSearchProvider(name)) notices.push(unknownProvider(name));
    else if (isObject(entry)) entries.set(name, entry);
    else notices.push(`What the settings say of the search provider ${name} is no object.`);
  }
  return entries;
}

function unknownProvider(name: unknown): string {
  if (typeof name !== 'string') return 'A search provider of the settings has no "type".';
  const meant = nearestName(name, SEARCH_PROVIDERS);
  const hint = meant === undefined ? `There are ${SEARCH_PROVIDERS.join(', ')}.` : `Did you mean ${meant}?`;
  return `There is no search provider ${JSON.stringify(name.slice(0, 60))}. ${hint}`;
}

function notChosen(chosen: string, unusable: ReadonlyMap<SearchProviderName, string>): string {
  if (!isSearchProvider(chosen)) return unknownProvider(chosen);
  // Told already why.
  const why = unusable.has(chosen) ? '' : ` ${missingHint(chosen)}`;
  return `The search provider that the settings choose, ${chosen}, cannot be used, so the web is searched only where another one is named.${why}`;
}

/** How a provider is set up: a sentence. */
export function missingHint(name: SearchProviderName): string {
  const { baseUrl, urlVariables = [], keyVariables, engineVariables = [] } = PROVIDER_FACTS[name];
  const first = (list: readonly string[]): string[] => list.slice(0, 1);
  const wanted = [
    ...(baseUrl === undefined ? first(urlVariables) : []),
    ...first(keyVariables),
    ...first(engineVariables),
  ];
  return `It needs ${count(wanted.length, 'variable')}: ${wanted.join(' and ')}.`;
}

function isSetUp(name: SearchProviderName, variables: Variables): boolean {
  const { baseUrl, urlVariables = [], keyVariables, engineVariables } = PROVIDER_FACTS[name];
  const has = (list: readonly string[]): boolean => firstSet(list, variables) !== undefined;
  if (baseUrl === undefined && !has(urlVariables)) return false;
  return (keyVariables.length === 0 || has(keyVariables)) && (engineVariables === undefined || has(engineVariables));
}

/** @throws Error with the reason why it cannot be used */
function readEntry(name: SearchProviderName, entry: Entry, variables: Variables): ProviderAccess {
  const { label, mostResults } = PROVIDER_FACTS[name];
  const key = keyOf(name, entry, variables);
  const usual = entry['maxResults'];
  const isNumber = typeof usual === 'number' && Number.isSafeInteger(usual) && usual > 0;
  const engineId = engineOf(name, entry, variables);
  return {
    name,
    label,
    ...addressOf(name, entry, variables),
    ...(key !== undefined && { apiKey: key.value, keyVariable: key.variable }),
    ...(engineId !== undefined && { engineId }),
    ...(isNumber && { usualResults: Math.min(usual, mostResults) }),
    options: {
      ...(name === 'tavily' && typeof entry['searchDepth'] === 'string' && { search_depth: entry['searchDepth'] }),
      ...(isObject(entry['options']) ? entry['options'] : {}),
    },
  };
}

interface Named {
  readonly variable: string;
  readonly value: string;
}

function keyOf(name: SearchProviderName, entry: Entry, variables: Variables): Named | undefined {
  const { keyVariables } = PROVIDER_FACTS[name];
  if (keyVariables.length === 0) return undefined;
  const own = ownVariable(entry);
  const found = firstSet(own === undefined ? keyVariables : [own], variables);
  const [usual] = keyVariables;
  if (found === undefined) {
    if (own !== undefined)
      throw new Error('the variable that should hold its key, by "apiKeyEnv" or "apiKey", is not set.');
    const isWritten = entry['apiKey'] !== undefined;
    const why = isWritten ? 'a key is not read from a settings file.' : 'it has no key.';
    throw new Error(`${why} Put the key into ${usual}, or name another variable with "apiKeyEnv".`);
  }
  // The network library would repeat the key in its complaint.
  if (!/^[\x21-\x7e]+$/.test(found.value)) throw new Error(`${found.variable} holds what cannot be a key.`);
  return found;
}

/** `apiKeyEnv`, or an `apiKey` that only names a variable. */
function ownVariable({ apiKeyEnv, apiKey }: Entry): string | undefined {
  if (typeof apiKeyEnv === 'string' && apiKeyEnv !== '') return apiKeyEnv;
  return typeof apiKey === 'string' ? referredVariable(apiKey) : undefined;
}

/** The variable that `$NAME` and `${NAME}` mean; undefined for other texts. */
export function referredVariable(text: string): string | undefined {
  const found = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))$/.exec(text);
  return found?.[1] ?? found?.[2];
}

function engineOf(name: SearchProviderName, entry: Entry, variables: Variables): string | undefined {
  const { engineVariables } = PROVIDER_FACTS[name];
  if (engineVariables === undefined) return undefined;
  const written = entry['searchEngineId'];
  const found = typeof written === 'string' && written !== '' ? written : firstSet(engineVariables, variables)?.value;
  if (found === undefined) throw new Error(`it has no search engine: set ${engineVariables[0]}, or "searchEngineId".`);
  return found;
}

const NO_SECRETS =
  'an address with a password or a query is not read from a settings file. Put a SearXNG one into SEARXNG_URL.';

function addressOf(
  name: SearchProviderName,
  entry: Entry,
  variables: Variables,
): Pick<ProviderAccess, 'baseUrl' | 'authorization'> {
  const { baseUrl, urlVariables = [] } = PROVIDER_FACTS[name];
  const written = entry['baseUrl'];
  const named = written === undefined ? firstSet(urlVariables, variables) : undefined;
  const text = written ?? named?.value ?? baseUrl;
  const where = named?.variable ?? '"baseUrl"';
  if (text === undefined) throw new Error(`it has no address: set ${urlVariables[0]}, or "baseUrl".`);
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (text === '') throw new Error(NO_SECRETS);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error(`${where} is no address that begins with http:// or https://.`);
  const hasUser = url.username !== '' || url.password !== '';
  if ((hasUser || url.search !== '') && named === undefined) throw new Error(NO_SECRETS);
  return {
    baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/, ''),
    ...(hasUser && { authorization: basic(url, where) }),
  };
}

function basic({ username, password }: URL, where: string): string {
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  } catch {
    throw new Error(`user and password in ${where} are not percent-encoded.`);
  }
}

function firstSet(names: readonly string[], variables: Variables): Named | undefined {
  for (const variable of names) {
    const value = variables[variable]?.trim();
    if (value !== undefined && value !== '') return { variable, value };
  }
  return undefined;
}

function strangeFields(name: SearchProviderName, entry: Entry): string[] {
  return Object.keys(entry)
    .filter((field) => !FIELDS.includes(field))
    .map((field) => {
      const meant = nearestName(field, FIELDS);
      const hint =
        meant === undefined ? 'Parameters of the provider\'s own stand below "options".' : `Did you mean "${meant}"?`;
      return `The search provider ${name} has no setting ${JSON.stringify(field.slice(0, 60))}. ${hint}`;
    });
}
