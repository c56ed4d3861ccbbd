import { isDeepStrictEqual } from 'node:util';
import { isLooser, isOrdered, type SingleKey } from './looseness.js';
import { findSetting, type SettingTypes } from './schema.js';

/** A value and where it was written, for people: `user settings (/home/u/.tenon/settings.json:3:5)`. */
export interface Sourced<T> {
  readonly value: T;
  readonly origin: string;
}

/** The single values that the administrator of the machine wrote down. */
export type ManagedValues = { readonly [K in SingleKey]?: Sourced<SettingTypes[K]> };

/** They say one thing: where the key of the model comes from. */
const KEY_PLACES: readonly SingleKey[] = ['model.apiKeyEnv', 'model.apiKeyCommand'];

/**
 * Why a value of a later layer, or of the command line, does not count beside the administrator's: a clause. Undefined where
 * it may stand. Pure.
 */
export function managedRefusal(key: SingleKey, value: unknown, managed: ManagedValues): string | undefined {
  const other = KEY_PLACES.includes(key) ? KEY_PLACES.find((each) => managed[each] !== undefined) : undefined;
  const held = managed[key] ?? (other === undefined ? undefined : managed[other]);
  if (held === undefined || isDeepStrictEqual(held.value, value)) return undefined;
  if (!isOrdered(key))
    return `it is fixed by the ${held.origin}, which only the administrator of this machine changes.`;
  if (!isLooser(key, value, held.value)) return undefined;
  const said = JSON.stringify(held.value);
  return `it may be stricter than in the ${held.origin}, which say ${said}, never looser.`;
}

/**
 * The values with what follows of them: no network and no list of hosts means no host, whoever lists some later; a list of
 * hosts alone means no other host, whoever opens the whole network.
 */
export function withImplied(managed: ManagedValues): ManagedValues {
  const { sandboxNetwork, sandboxHosts } = managed;
  if (sandboxNetwork === undefined && sandboxHosts !== undefined)
    return { ...managed, sandboxNetwork: { value: 'off', origin: sandboxHosts.origin } };
  if (sandboxNetwork?.value === 'off' && sandboxHosts === undefined)
    return { ...managed, sandboxHosts: { value: [], origin: sandboxNetwork.origin } };
  return managed;
}

/** Where nobody else says anything, a managed value counts, unless the setting's own default is stricter. */
export function isInForceAlone(key: SingleKey, value: unknown): boolean {
  const byDefault = findSetting(key)?.default;
  return byDefault === undefined || !isLooser(key, value, byDefault);
}
