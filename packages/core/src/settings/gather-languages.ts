import { isDeepStrictEqual } from 'node:util';
import type { LanguageServerSetting } from './extension-settings.js';
import type { ServerEntry } from './server-layers.js';

const ORDER: readonly ServerEntry['layer'][] = ['managed', 'user', 'project'];

/** The language servers of all layers: of the same name the one of the highest counts, and nothing that needs trust and has none. Pure. */
export function gatherLanguages(entries: readonly ServerEntry[]): {
  readonly servers: Readonly<Record<string, LanguageServerSetting>>;
  readonly warnings: readonly string[];
} {
  const servers = new Map<string, LanguageServerSetting>();
  const warnings: string[] = [];
  const counting = entries.filter(({ key, isTrusted }) => key === 'lsp.servers' && isTrusted);
  for (const layer of ORDER) {
    for (const { value, place } of counting.filter((entry) => entry.layer === layer)) {
      for (const [name, each] of Object.entries(value as Readonly<Record<string, unknown>>)) {
        const held = servers.get(name);
        if (held === undefined) servers.set(name, { value: each, place });
        else if (!isDeepStrictEqual(held.value, each))
          warnings.push(
            `${place}: the language server ${JSON.stringify(name)}: is not used. That of the ${held.place} counts.`,
          );
      }
    }
  }
  return { servers: Object.fromEntries(servers), warnings };
}
