import { KEY_PATTERNS, PRIVATE_KEY_PATTERN } from '../memory/secret-patterns.js';
import { isAmong, type SecretChoice } from './gather-secrets.js';
import { isSecretName, passwordsIn, secretPartsOf, SHORTEST_VALUE } from './secret-value.js';
import type { Secrets } from './secrets.js';

/** What is hidden: names and places, never a value. */
export interface SecretsOverview {
  readonly isEnabled: boolean;
  readonly secrets: readonly { readonly name: string; readonly from: string; readonly isOther?: true }[];
  /** Keys that are known by how they look. */
  readonly kinds: readonly string[];
}

export function secretsOverview(secrets: Secrets | undefined): SecretsOverview {
  return {
    isEnabled: secrets !== undefined,
    secrets: (secrets?.list() ?? []).map(({ name, from, isOther }) => ({ name, from, ...(isOther && { isOther }) })),
    kinds: [PRIVATE_KEY_PATTERN, ...KEY_PATTERNS].map(({ id }) => id),
  };
}

/** Why the value of a variable of the environment is hidden, or why it is not: a sentence. Pure. */
export function explainVariable(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  { names, ignore }: SecretChoice = {},
): string {
  const value = environment[name]?.trim();
  if (value === undefined || value === '') return `${name} is not set in the environment.`;
  if (isAmong(name, ignore)) return `${name} is not hidden: the setting secrets.ignore names it.`;
  if (isAmong(name, names)) {
    return value.length < SHORTEST_VALUE
      ? `${name} is not hidden: a value of fewer than ${SHORTEST_VALUE} characters stands in texts by chance.`
      : `${name} is hidden: the setting secrets.names names it.`;
  }
  const hasParts = secretPartsOf(value).length > 0;
  if (!isSecretName(name)) {
    if (passwordsIn(value).length > 0) return `The password in ${name} is hidden, whatever the variable is called.`;
    return `${name} is not hidden: its name does not say that it is a secret. Name it in the setting secrets.names if it is.`;
  }
  return hasParts
    ? `${name} is hidden: its name says that it is a secret.`
    : `${name} is not hidden: its value looks like a word, a path, an address or a number. Name it in the setting secrets.names if it is a secret.`;
}
