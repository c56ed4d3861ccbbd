import type { Fetcher } from '../../network/create-fetch.js';
import { count } from '../../util/count.js';
import { Failure } from '../../util/failure.js';
import { PROVIDER_FACTS, SEARCH_PROVIDERS, type SearchProviderName } from './provider-table.js';
import {
  missingHint,
  readProviders,
  type ReadProviders,
  type SearchSettings,
  type Variables,
} from './read-providers.js';
import type { SearchLimits } from './send-search.js';
import type { ProviderAccess, SearchAnswer } from './search-types.js';

export interface WebSearchOptions {
  readonly settings?: SearchSettings;
  /** Tenon's own: where keys, addresses and proxies are named. */
  readonly environment: Variables;
  /** Default: `SEARCH_LIMITS`. */
  readonly limits?: Partial<SearchLimits>;
}

/** How the web is searched: the providers that are set up. Nothing is loaded or opened before the first search. */
export class WebSearch {
  readonly #read: ReadProviders;
  readonly #asksAfterUntrusted: boolean;
  readonly #environment: Variables;
  #fetcher: Promise<Fetcher> | undefined;
  readonly #limits: Partial<SearchLimits>;

  constructor({ settings = {}, environment, limits = {} }: WebSearchOptions) {
    this.#read = readProviders(settings, environment);
    this.#environment = environment;
    this.#asksAfterUntrusted = settings.askAfterUntrusted === true;
    this.#limits = limits;
  }

  /** What is wrong in the settings, for the person. */
  get notices(): readonly string[] {
    return this.#read.notices;
  }

  /** That are set up, in the order in which they are looked at. */
  get names(): readonly SearchProviderName[] {
    return this.#read.providers.map(({ name }) => name);
  }

  /** Where queries are sent without a further question, whatever came in before: the providers that the person set up. */
  get ownAddresses(): readonly string[] {
    return this.#asksAfterUntrusted ? [] : this.#read.providers.map(({ baseUrl }) => new URL(baseUrl).href);
  }

  /** The one that is asked where a call names none; undefined: no call without a name can be answered. */
  get usual(): ProviderAccess | undefined {
    return this.#read.usual;
  }

  /** Undefined where it is not set up. */
  find(name: SearchProviderName | undefined): ProviderAccess | undefined {
    return name === undefined ? this.usual : this.#read.providers.find((each) => each.name === name);
  }

  /** Why there is no such provider, and how one is set up. */
  whyMissing(name: SearchProviderName | undefined): Failure {
    if (name === undefined && this.names.length > 0) {
      const what = 'The search provider that the settings choose cannot be used.';
      return new Failure('search_not_set_up', `${what} Name another one: ${this.names.join(', ')}.`);
    }
    if (name === undefined) return new Failure('search_not_set_up', HOW_TO_SET_UP);
    const why = this.#read.unusable.get(name) ?? missingHint(name);
    const others = this.names.length === 0 ? '' : ` Set up are: ${this.names.join(', ')}.`;
    return new Failure('search_not_set_up', `The search provider ${name} is not set up. ${capital(why)}${others}`);
  }

  /**
   * @param limit results at most; default: as in the settings, else 5
   * @throws Failure whose code and message tell a wrong key, a used-up plan, haste and an unreachable server apart; the
   *   signal's reason when it is aborted
   */
  async search(
    query: string,
    access: ProviderAccess,
    limit: number | undefined,
    signal: AbortSignal,
  ): Promise<SearchAnswer> {
    const [{ loadProvider }, { sendSearch, SEARCH_LIMITS }, { cleanHits, plainLine }, { troubleFailure }] =
      await Promise.all([
        import('./load-provider.js'),
        import('./send-search.js'),
        import('./clean-hits.js'),
        import('./search-failure.js'),
      ]);
    const { name, label } = access;
    const { mostResults } = PROVIDER_FACTS[name];
    const wanted = limit ?? access.usualResults ?? USUAL_RESULTS;
    const asked = { query, limit: Math.min(wanted, mostResults) };
    const mapping = await loadProvider(name);
    const limits = { ...SEARCH_LIMITS, ...this.#limits };
    this.#fetcher ??= this.#openFetcher();
    const { fetch } = await this.#fetcher;
    const body = await sendSearch({ asked, access, mapping, fetch, signal, limits });
    const answer = mapping.read(body);
    if (answer === undefined)
      throw new Failure('search_unreadable_answer', `${label} answered with something that is no list of results.`);
    if ('trouble' in answer) throw troubleFailure(answer.trouble, access, { status: 200, body });
    const { hits, withoutAddress } = cleanHits(answer.hits, asked.limit);
    const notes = (answer.notes ?? []).map((note) => plainLine(note).slice(0, LONGEST_NOTE));
    if (wanted > mostResults) notes.push(`${label} gives at most ${mostResults} results at once.`);
    if (withoutAddress > 0) notes.push(`${count(withoutAddress, 'result')} without an address of the web left out.`);
    return { provider: name, label, hits, notes };
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await (await this.#fetcher)?.close();
  }

  async #openFetcher(): Promise<Fetcher> {
    const { createFetch } = await import('../../network/create-fetch.js');
    return createFetch({ environment: this.#environment });
  }
}

const USUAL_RESULTS = 5;
const LONGEST_NOTE = 600;

/** For the person: the one without a key first. */
export const HOW_TO_SET_UP =
  'No search provider is set up. Without a key: a SearXNG server of your own, whose address stands in SEARXNG_URL. ' +
  `With a key in a variable: ${SEARCH_PROVIDERS.filter((name) => name !== 'searxng')
    .map((name) => `${PROVIDER_FACTS[name].label} (${keysOf(name)})`)
    .join(', ')}. The settings "webSearch.provider" and "webSearch.providers" choose and adjust.`;

function keysOf(name: SearchProviderName): string {
  const { keyVariables, engineVariables = [] } = PROVIDER_FACTS[name];
  return [...keyVariables.slice(0, 1), ...engineVariables.slice(0, 1)].join(' and ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
