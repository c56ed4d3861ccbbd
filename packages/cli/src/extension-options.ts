import path from 'node:path';
import { mcpServerPart, type LoadedSettings, type SettingsPlaces } from '@tenon/core';
import type { Options } from './arguments/parse-arguments.js';
import type { Surroundings } from './surroundings.js';

/** What may stand before `__` in the names of tools: all servers, also those that are not used or switched off. */
export function serverNames({ values, extensions }: Pick<LoadedSettings, 'values' | 'extensions'>): readonly string[] {
  // Tools of the discovery command whose names are taken.
  const discovered = values['tools.discoveryCommand'] === undefined ? [] : ['discovered'];
  return [...new Set([...extensions.servers.map(({ alias }) => mcpServerPart(alias)), ...discovered])];
}

/** The servers of `--mcp-config` and `--strict-mcp-config`. */
export function hostServersOf({ cwd }: Surroundings, options: Options): SettingsPlaces['hostServers'] {
  const { mcpConfigs = [], strictMcpConfig } = options;
  if (mcpConfigs.length === 0 && strictMcpConfig !== true) return undefined;
  const given = mcpConfigs.map((each) => (each.trimStart().startsWith('{') ? each : path.resolve(cwd ?? '/', each)));
  return { given, only: strictMcpConfig === true };
}
