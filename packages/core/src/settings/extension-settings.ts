import type { HookDefinition } from '../hooks/hook-types.js';
import type { ToolFolder } from '../trust/tool-files.js';
import type { Extension } from './extensions/extension-types.js';
import type { ConfiguredServer } from './gather-servers.js';

/** What the settings say of programs that bring tools or know a language. Those of a project count only as far as it is trusted. */
export interface ExtensionSettings {
  /** All that some place names, the highest place first; see `usedServers`. */
  readonly servers: readonly ConfiguredServer[];
  /** By name, as they are written. */
  readonly languageServers: Readonly<Record<string, LanguageServerSetting>>;
  /** In the order in which their words count. */
  readonly hooks: readonly HookDefinition[];
  /** Folders of tools, with what of them may be loaded. */
  readonly toolFolders: readonly ToolFolder[];
  /** Folders that bring several of these together, in the order in which they count; those that are not used too. */
  readonly bundles: readonly Extension[];
}

export interface LanguageServerSetting {
  readonly value: unknown;
  /** Where it stands, for people. */
  readonly place: string;
}
