import { SEARCH_PROVIDERS, type SearchProviderName } from '../web/search/provider-table.js';
import { referredVariable } from '../web/search/read-providers.js';
import { isObject } from '../util/is-object.js';

/** The value of `webSearch.provider`: a name, or Qwen Code's list of objects with a `type`. */
export type SearchProviderSetting = SearchProviderName | readonly Readonly<Record<string, unknown>>[];

/** What stands in place of a secret: whoever reads it says that it is not read from a file. */
const LEFT_OUT = '';

type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly expected: string };

/** A list, in place of a name. */
export function checkSearchProvider(value: unknown): Checked<SearchProviderSetting> {
  if (Array.isArray(value) && value.every(isObject)) return { ok: true, value: value.map(withoutSecrets) };
  return { ok: false, expected: `one of ${SEARCH_PROVIDERS.join(', ')}, or a list of objects with a "type"` };
}

export function checkSearchProviders(value: unknown): Checked<Readonly<Record<string, unknown>>> {
  if (!isObject(value)) return { ok: false, expected: 'an object with one object for each provider' };
  const entries = Object.entries(value).map(([name, each]) => [name, isObject(each) ? withoutSecrets(each) : each]);
  return { ok: true, value: Object.fromEntries(entries) as Readonly<Record<string, unknown>> };
}

/** Keys and passwords stand in variables; one that was written down all the same goes no further than here. */
function withoutSecrets(entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { apiKey, baseUrl } = entry;
  const isKey = apiKey !== undefined && !(typeof apiKey === 'string' && referredVariable(apiKey) !== undefined);
  return { ...entry, ...(isKey && { apiKey: LEFT_OUT }), ...(mayHoldSecret(baseUrl) && { baseUrl: LEFT_OUT }) };
}

function mayHoldSecret(address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const { username, password, search } = new URL(address);
  return username !== '' || password !== '' || search !== '';
}
