import path from 'node:path';
import { mcpServerPart, type LoadedSettings, type SettingsPlaces, type ToolSystemOptions } from '@tenon/core';
import type { Options } from './arguments/parse-arguments.js';
import type { Surroundings } from './surroundings.js';

type Extensions = Pick<ToolSystemOptions, 'mcp' | 'discovery' | 'lsp' | 'memory' | 'boundCommands'>;

/** What the settings come to for programs that bring tools or know a language. Pure. */
export function extensionOptions({
  values,
  extensions,
  trust,
}: Pick<LoadedSettings, 'values' | 'extensions' | 'trust'>): Extensions {
  const servers = extensions.servers.flatMap(({ definition, unused }) =>
    definition === undefined || unused !== undefined ? [] : [definition],
  );
  const toolBudget = values['mcp.toolBudget']?.value;
  const discoveryCommand = values['tools.discoveryCommand']?.value;
  const callCommand = values['tools.callCommand']?.value;
  const timeoutMs = values['tools.discoveryTimeout']?.value;
  const enabled = values['lsp.enabled']?.value;
  const diagnostics = values['lsp.diagnostics']?.value;
  const fileNames = values['context.fileNames']?.value;
  const maxBytes = values['context.maxMemoryBytes']?.value;
  const idleMinutes = values['lsp.idleMinutes']?.value;
  const languages = Object.entries(extensions.languageServers).map(
    ([language, { value }]) => [language, value] as const,
  );
  return {
    boundCommands: trust.entries.flatMap(({ state, commands = [] }) => (state === 'trusted' ? commands : [])),
    ...(extensions.hooks.length > 0 && {
      hooks: { list: extensions.hooks, mayAllow: values['hooks.mayAllow']?.value === true },
    }),
    ...(servers.length > 0 && { mcp: { servers, ...(toolBudget !== undefined && { toolBudget }) } }),
    ...(discoveryCommand !== undefined && {
      discovery: {
        discoveryCommand,
        ...(callCommand !== undefined && { callCommand }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      },
    }),
    memory: {
      ...(fileNames !== undefined && { fileNames }),
      ...(maxBytes !== undefined && { maxBytes }),
      isTrusted: trust.decision === 'trusted' && !trust.isOpen,
    },
    lsp: {
      ...(enabled !== undefined && { enabled }),
      isTrusted: trust.decision === 'trusted' && !trust.isOpen,
      ...(diagnostics !== undefined && { diagnostics }),
      servers: Object.fromEntries(languages),
      ...(idleMinutes !== undefined && { idleMs: idleMinutes * 60_000 }),
    },
  };
}

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
