import { isRandom } from '../memory/secret-patterns.js';
import type { EnvFileValue } from './env-files.js';
import type { KnownSecret } from './known-secret.js';
import { placeholderName } from './placeholder.js';
import { isSecretName, passwordsIn, secretPartsOf, SHORTEST_VALUE } from './secret-value.js';

/** What the person says about which variables are secrets. A `*` in a name stands for anything. */
export interface SecretChoice {
  /** Secrets whatever their names look like. */
  readonly names?: readonly string[];
  /** None, whatever they look like. */
  readonly ignore?: readonly string[];
}

export interface SecretSources extends SecretChoice {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Those of Tenon and its servers. */
  readonly known?: readonly KnownSecret[];
  readonly files?: readonly EnvFileValue[];
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
  readonly from: string;
  readonly isFile?: boolean;
}

/** Every secret there is, each value once; of a name with several values the first one has the bare name. */
export function gatherSecrets(sources: SecretSources): readonly KnownSecret[] {
  const { environment, known = [], files = [] } = sources;
  const variables = Object.entries(environment)
    .filter(([name]) => !isAmong(name, sources.ignore))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value = '']): NamedValue => ({ name, value, from: `the environment variable ${name}` }));
  const readable = files.filter(({ name }) => !isAmong(name, sources.ignore));
  const inFiles = readable.map(({ name, value, file }): NamedValue => ({
    name,
    value,
    from: `${name} in ${file}`,
    isFile: true,
  }));
  const chosen = [...variables, ...inFiles].flatMap((each): KnownSecret[] => {
    const values = valuesOf(each, isAmong(each.name, sources.names));
    // Of a value of several lines each is one by itself, and none of them is the value.
    const other = values.length > 1 ? { isOther: true as const } : {};
    return values.map((value) => ({ name: placeholderName(each.name), value, from: each.from, ...other }));
  });
  const all = [...chosen, ...known.map((each) => ({ ...each, name: placeholderName(each.name) }))];
  const found = new Map<string, KnownSecret>();
  const taken = new Set<string>();
  for (const each of all) {
    if (found.has(each.value) || isAmong(each.name, sources.ignore)) continue;
    const isOther = each.isOther === true || taken.has(each.name);
    found.set(each.value, isOther ? { ...each, isOther: true } : each);
    if (!isOther) taken.add(each.name);
  }
  return [...found.values()];
}

function valuesOf({ name, value, isFile = false }: NamedValue, isChosen: boolean): readonly string[] {
  const trimmed = value.trim();
  if (isChosen) {
    const parts = secretPartsOf(trimmed);
    return parts.length > 0 || trimmed.length < SHORTEST_VALUE ? parts : [trimmed];
  }
  if (isSecretName(name)) return secretPartsOf(trimmed);
  // The password of an address is one whatever the variable is called.
  const passwords = passwordsIn(trimmed);
  if (passwords.length > 0) return passwords;
  return isFile && isRandom(trimmed) && !/^[0-9a-f]{40}$/.test(trimmed) && !isUnlikely(name)
    ? secretPartsOf(trimmed)
    : [];
}

/** Random as well, and no secret. */
function isUnlikely(name: string): boolean {
  return /(?:^|_)(?:ID|HASH|SHA|COMMIT|REVISION|VERSION|UUID|GUID|DIGEST|CHECKSUM|PUBLIC)(?:_|$)/i.test(name);
}

export function isAmong(name: string, patterns: readonly string[] = []): boolean {
  return patterns.some((pattern) => {
    if (!pattern.includes('*')) return pattern === name;
    const pieces = pattern.split('*').map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    return new RegExp(`^${pieces.join('.*')}$`, 's').test(name);
  });
}

/** The secrets in data of any shape, by the names of its fields: settings of servers, and of search. */
export function secretsWithin(value: unknown, from: string, prefix = ''): readonly KnownSecret[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, item]: [string, unknown]): readonly KnownSecret[] => {
    const name = prefix === '' ? field : `${prefix}-${field}`;
    if (typeof item !== 'string') return secretsWithin(item, from, Array.isArray(value) ? prefix : name);
    if (
      !isSecretName(field.replaceAll(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_')) &&
      !/^authorization$/i.test(field)
    )
      return [];
    const plain = item.replace(/^(?:bearer|basic|token)\s+/i, '');
    return secretPartsOf(plain).map((part) => ({ name: placeholderName(name), value: part, from }));
  });
}
