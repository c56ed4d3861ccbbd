import { loadSettings, nearestName, safeText, type ConfiguredServer, type LoadedSettings } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { hostServersOf } from '../extension-options.js';
import { settingsPlaces, type Surroundings } from '../surroundings.js';
import { safeLine } from '../ui/safe-lines.js';
import { warn } from '../ui/say.js';
import { workspaceRoots } from '../workspace-roots.js';

export interface ServerView {
  readonly root: string;
  readonly settings: LoadedSettings;
  readonly servers: readonly ConfiguredServer[];
}

/** The servers of all places; nothing is started. Of the problems those are told that the list of servers does not say. */
export async function viewServers(surroundings: Surroundings, options: Options): Promise<ServerView> {
  const [root] = await workspaceRoots(surroundings.cwd, options.cwd, options.addDirs);
  const settings = await loadSettings(settingsPlaces(surroundings, root, hostServersOf(surroundings, options)));
  const fatal = settings.problems.filter(({ severity }) => severity === 'fatal');
  if (fatal.length > 0) throw new ExitFailure(ExitCode.SETTINGS, fatal.map(({ message }) => message).join('\n'));
  await warn(
    surroundings.err,
    settings.problems.flatMap(({ message, isListed }) => (isListed === true ? [] : [message])),
  );
  return { root, settings, servers: settings.extensions.servers };
}

export type Use = 'used' | 'off' | 'not used';

export function useOf({ unused, definition }: ConfiguredServer): Use {
  if (unused !== undefined || definition === undefined) return 'not used';
  return definition.disabled ? 'off' : 'used';
}

/** All of that name, the one that counts first. @throws ExitFailure `USAGE` with the nearest names */
export function serversNamed(
  servers: readonly ConfiguredServer[],
  name: string,
): [ConfiguredServer, ...ConfiguredServer[]] {
  const [first, ...others] = servers.filter(({ alias }) => alias === name);
  if (first !== undefined) return [first, ...others];
  const names = [...new Set(servers.map(({ alias }) => alias))];
  const meant = nearestName(name, names);
  const hint =
    names.length === 0
      ? 'There are no servers yet: `tenon mcp add NAME -- COMMAND` adds one.'
      : meant === undefined
        ? `There are: ${names.join(', ')}.`
        : `Did you mean "${meant}"?`;
  throw new ExitFailure(ExitCode.USAGE, `There is no server "${name}". ${hint}`);
}

/** The one of that name that is used. @throws ExitFailure `USAGE` that says why there is none */
export function usedServer(servers: readonly ConfiguredServer[], name: string): ConfiguredServer {
  const [first, ...others] = serversNamed(servers, name);
  const used = [first, ...others].find((server) => useOf(server) === 'used');
  if (used !== undefined) return used;
  const why = useOf(first) === 'off' ? `It is switched off: \`tenon mcp enable ${name}\`.` : (first.unused ?? '');
  throw new ExitFailure(ExitCode.USAGE, `The server "${name}" of ${first.place} is not used. ${why}`);
}

export async function writeLines({ out }: Surroundings, lines: readonly string[]): Promise<void> {
  for (const line of lines) await out.write(safeText`${safeLine(line)}\n`);
}
