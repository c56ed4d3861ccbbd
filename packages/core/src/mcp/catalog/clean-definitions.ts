import type { ServerDefinition } from '../server-definition.js';
import { cleanDefinition, type CleanDefinition, type UnusableTool } from './clean-definition.js';
import { matchesNameGlob } from './name-glob.js';

export interface CleanList {
  readonly tools: readonly CleanDefinition[];
  /** Those that the settings leave out. */
  readonly excluded: readonly CleanDefinition[];
  readonly unusable: readonly UnusableTool[];
}

type Chooser = Pick<ServerDefinition, 'alias' | 'transport' | 'includeTools' | 'excludeTools'>;

/** The tools of one server, in its own order. Of two with one name the first counts. Never throws. */
export function cleanDefinitions(
  entries: readonly Readonly<Record<string, unknown>>[],
  { alias, transport, includeTools, excludeTools }: Chooser,
): CleanList {
  const tools = new Map<string, CleanDefinition>();
  const excluded = new Map<string, CleanDefinition>();
  const unusable: UnusableTool[] = [];
  const isWanted = (name: string): boolean =>
    includeTools?.some((glob) => matchesNameGlob(glob, name)) !== false &&
    !excludeTools.some((glob) => matchesNameGlob(glob, name));
  for (const entry of entries) {
    const { name } = entry;
    const clean = cleanDefinition(entry, { alias, isRemote: transport.kind !== 'stdio' });
    if (typeof name === 'string' && !isWanted(name)) {
      if (!('unusable' in clean) && !excluded.has(name)) excluded.set(name, clean);
    } else if ('unusable' in clean) unusable.push(clean);
    else if (tools.has(clean.serverName))
      unusable.push({ serverName: clean.title, unusable: 'it stands in the list twice; the first one counts' });
    else tools.set(clean.serverName, clean);
  }
  return { tools: [...tools.values()], excluded: [...excluded.values()], unusable };
}
