import type { HookDefinition } from '../hooks/hook-types.js';
import type { ConfiguredServer } from './gather-servers.js';

/** What the settings say of programs that bring tools or know a language. Those of a project count only as far as it is trusted. */
export interface ExtensionSettings {
  /** All that some place names, the highest place first; see `usedServers`. */
  readonly servers: readonly ConfiguredServer[];
  /** By name, as they are written. */
  readonly languageServers: Readonly<Record<string, LanguageServerSetting>>;
  /** In the order in which their words count. */
  readonly hooks: readonly HookDefinition[];
}

export interface LanguageServerSetting {
  readonly value: unknown;
  /** Where it stands, for people. */
  readonly place: string;
}
