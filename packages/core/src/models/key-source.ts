import { ModelError } from './model-error.js';

/** Keys that are not known beforehand, because a program prints them. */
export interface KeySource {
  /** The newest key; asked for with the first request. @throws ModelError `auth`; the signal's reason */
  get(signal: AbortSignal): Promise<string>;
  /** In place of one that was refused; the same one where there is no other. @throws ModelError `auth`; the signal's reason */
  insteadOf(refused: string, signal: AbortSignal): Promise<string>;
  /** Every key so far, to be hidden; the very same list until there is another. */
  held(): readonly string[];
  /** The last try brought no key. */
  hasFailed(): boolean;
}

/** What asks for the key of a choice; undefined where no command prints it. @throws ModelError `auth` */
export function keysOf({
  apiKeyCommand,
  keys,
}: {
  readonly apiKeyCommand?: unknown;
  readonly keys?: KeySource;
}): KeySource | undefined {
  if (apiKeyCommand === undefined || keys !== undefined) return keys;
  throw new ModelError('A command prints the key of the model: hand the choice to withKeyCommand first.', {
    kind: 'auth',
  });
}
