import type { SecretEffect } from '../effects/effect.js';

/** What a call does with secrets that the model knows by their placeholders. */
export interface CallSecrets {
  /** What needs a rule or an approval. */
  readonly effects: readonly SecretEffect[];
  /** What commands get, by placeholder. */
  readonly lent: ReadonlyMap<string, string>;
  /** For the model. */
  readonly notes: readonly string[];
}
