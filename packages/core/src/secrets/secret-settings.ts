import type { KnownSecret } from './known-secret.js';

/** What the person wants of secrets. */
export interface SecretSettings {
  /** False: nothing is hidden. Default true. */
  readonly enabled?: boolean;
  /** Variables that hold secrets, whatever their names look like; `*` stands for anything. */
  readonly names?: readonly string[];
  /** Variables that hold none. */
  readonly ignore?: readonly string[];
  /** Those that the program knows of itself. */
  readonly known?: readonly KnownSecret[];
}
