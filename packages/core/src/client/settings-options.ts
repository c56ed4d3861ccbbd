import type { AgentOptions, ToolSystemOptions } from '../agent-types.js';
import { SERVER_COMMANDS } from '../lsp/known-servers.js';
import { contextPlacesOf, extensionPlaces } from '../settings/extensions/extension-places.js';
import type { LoadedSettings } from '../settings/load-settings.js';
import { webOptionsOf } from '../settings/web-options.js';
import { LANGUAGE_PROGRAMS, languagePrograms } from '../trust/language-programs.js';
import { secretOptions } from './secret-settings.js';
import { telemetryOption } from './telemetry-settings.js';

type ExtensionOptions = Pick<
  ToolSystemOptions,
  'customTools' | 'mcp' | 'discovery' | 'lsp' | 'boundCommands' | 'hooks'
>;
type SettingsOptions = ExtensionOptions &
  Pick<
    ToolSystemOptions,
    | 'approvalCeiling'
    | 'grantDays'
    | 'offered'
    | 'readGitIgnored'
    | 'shell'
    | 'sandbox'
    | 'web'
    | 'webSearch'
    | 'memory'
    | 'agents'
    | 'skills'
    | 'telemetry'
    | 'plans'
    | 'secrets'
  >;

/** What settings come to for the tools, all but the mode and the rules, which callers add to. Pure. */
export function settingsOptions(settings: LoadedSettings): SettingsOptions {
  const { values, managed } = settings;
  const readGitIgnored = values['files.readGitIgnored']?.value;
  const program = values['shell.program']?.value;
  const onTimeout = values['shell.onTimeout']?.value;
  const persistent = values['shell.persistent']?.value;
  const mode = values.sandbox?.value;
  const network = values.sandboxNetwork?.value;
  const hosts = values.sandboxHosts?.value;
  const grantDays = values['permissions.grantDays']?.value;
  const directory = values['plans.directory']?.value;
  const ceiling = managed.approvalMode;
  return {
    ...(ceiling !== undefined && { approvalCeiling: { mode: ceiling.value, origin: ceiling.origin } }),
    ...(grantDays !== undefined && { grantDays }),
    offered: settings.offered,
    ...extensionOptions(settings),
    web: webOptionsOf(values),
    webSearch: searchOptions(values),
    memory: memoryOptions(settings),
    agents: agentOptions(settings),
    skills: skillOptions(settings),
    ...telemetryOption(settings),
    secrets: secretOptions(settings),
    ...(directory !== undefined && { plans: { directory } }),
    ...(readGitIgnored !== undefined && { readGitIgnored }),
    shell: {
      ...(program !== undefined && { program }),
      ...(onTimeout !== undefined && { onTimeout }),
      ...(persistent !== undefined && { persistent }),
    },
    ...(mode !== undefined && {
      sandbox: {
        mode,
        ...(network !== undefined && { network }),
        ...(hosts !== undefined && { hosts }),
        mayLeave: managed.sandbox?.value !== 'required',
      },
    }),
  };
}

/** What settings come to for the conversation with the model. Pure. */
export function conversationOptions({
  values,
}: LoadedSettings): Pick<AgentOptions, 'prices' | 'contextWindow' | 'compactAt'> {
  const prices = values['model.prices']?.value;
  const contextWindow = values['model.contextWindow']?.value;
  const compactAt = values['context.compactAt']?.value;
  return {
    ...(prices !== undefined && { prices }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(compactAt !== undefined && { compactAt }),
  };
}

/** Pure. */
function searchOptions(values: LoadedSettings['values']): NonNullable<ToolSystemOptions['webSearch']> {
  const provider = values['webSearch.provider']?.value;
  const usual = values['webSearch.default']?.value;
  const providers = values['webSearch.providers']?.value;
  const asks = values['webSearch.askAfterUntrusted']?.value;
  return {
    ...(provider !== undefined && { provider }),
    ...(usual !== undefined && { default: usual }),
    ...(providers !== undefined && { providers }),
    ...(asks !== undefined && { askAfterUntrusted: asks }),
  };
}

/** Pure. */
function memoryOptions({ values, trust, extensions }: LoadedSettings): NonNullable<ToolSystemOptions['memory']> {
  const fileNames = values['context.fileNames']?.value;
  const maxBytes = values['context.maxMemoryBytes']?.value;
  return {
    ...(fileNames !== undefined && { fileNames }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...brought(contextPlacesOf(extensions.bundles)),
    isTrusted: trust.decision === 'trusted' && !trust.isOpen,
  };
}

/** Pure. */
function agentOptions({ values, trust, extensions }: LoadedSettings): NonNullable<ToolSystemOptions['agents']> {
  const maxTurns = values['agents.maxTurns']?.value;
  const maxSeconds = values['agents.maxSeconds']?.value;
  const maxParallel = values['agents.maxParallel']?.value;
  const maxDepth = values['agents.maxDepth']?.value;
  return {
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxSeconds !== undefined && { maxSeconds }),
    ...(maxParallel !== undefined && { maxParallel }),
    ...(maxDepth !== undefined && { maxDepth }),
    ...brought(extensionPlaces(extensions.bundles, 'agents')),
    isTrusted: trust.decision === 'trusted' && !trust.isOpen,
  };
}

/** Pure. */
function skillOptions({ values, trust, extensions }: LoadedSettings): NonNullable<ToolSystemOptions['skills']> {
  const directories = values['skills.directories']?.value;
  return {
    ...(directories !== undefined && { directories }),
    ...brought(extensionPlaces(extensions.bundles, 'skills')),
    isTrusted: trust.decision === 'trusted' && !trust.isOpen,
  };
}

function brought<T>(extensions: readonly T[]): { readonly extensions?: readonly T[] } {
  return extensions.length === 0 ? {} : { extensions };
}

/** Returns a check: is the folder's code that language servers run still the code that was trusted? */
function languagesAgreed({ root, entries }: LoadedSettings['trust']): () => Promise<boolean> {
  const agreed = entries.find(({ id, state }) => id === LANGUAGE_PROGRAMS && state === 'trusted');
  return async () => (await languagePrograms(root, SERVER_COMMANDS))?.digest === agreed?.digest;
}

/** For programs that bring tools or know a language. Pure. */
function extensionOptions({ values, extensions, trust }: LoadedSettings): ExtensionOptions {
  const servers = extensions.servers.flatMap(({ definition, unused }) =>
    definition === undefined || unused !== undefined ? [] : [definition],
  );
  const toolBudget = values['mcp.toolBudget']?.value;
  const discoveryCommand = values['tools.discoveryCommand']?.value;
  const callCommand = values['tools.callCommand']?.value;
  const timeoutMs = values['tools.discoveryTimeout']?.value;
  const enabled = values['lsp.enabled']?.value;
  const diagnostics = values['lsp.diagnostics']?.value;
  const idleMinutes = values['lsp.idleMinutes']?.value;
  const languages = Object.entries(extensions.languageServers).map(
    ([language, { value }]) => [language, value] as const,
  );
  return {
    boundCommands: trust.entries.flatMap(({ state, commands = [] }) => (state === 'trusted' ? commands : [])),
    ...(extensions.hooks.length > 0 && {
      hooks: { list: extensions.hooks, mayAllow: values['hooks.mayAllow']?.value === true },
    }),
    ...(extensions.toolFolders.length > 0 && { customTools: { folders: extensions.toolFolders } }),
    ...(servers.length > 0 && { mcp: { servers, ...(toolBudget !== undefined && { toolBudget }) } }),
    ...(discoveryCommand !== undefined && {
      discovery: {
        discoveryCommand,
        ...(callCommand !== undefined && { callCommand }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      },
    }),
    lsp: {
      ...(enabled !== undefined && { enabled }),
      isTrusted: trust.decision === 'trusted' && !trust.isOpen,
      isAgreed: languagesAgreed(trust),
      ...(diagnostics !== undefined && { diagnostics }),
      servers: Object.fromEntries(languages),
      ...(idleMinutes !== undefined && { idleMs: idleMinutes * 60_000 }),
    },
  };
}
