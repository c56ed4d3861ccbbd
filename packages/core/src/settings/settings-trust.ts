import { aliasText, describeForConsent } from '../mcp/describe-definition.js';
import { readDefinition, type DefinitionContext } from '../mcp/read-definitions.js';
import type { RemoteServer, StdioServer } from '../mcp/server-definition.js';
import { digestOf, type TrustEntry } from '../trust/folder-trust.js';
import { splitWords } from '../util/split-words.js';
import { needsTrust } from './merge-layers.js';
import type { SettingEntry } from './parse-settings-text.js';
import type { BoundCommand } from '../trust/bound-commands.js';
import { projectScripts } from '../trust/project-scripts.js';
import { toldOfHooks, toldOfImport, type Told } from './hooks-trust.js';
import { isHookEventKey } from './server-layers.js';
import { isObject } from '../util/is-object.js';

/** `root`: canonical. */
export type TrustContext = Omit<DefinitionContext, 'origin'>;

/**
 * What a project's settings file would be obeyed in if its folder were trusted; nothing for a file that only
 * tightens. The whole file is bound: what was agreed to stands in it together with the rest. So are the scripts of the folder
 * that its commands run.
 */
export async function settingsTrustEntry(
  id: string,
  { entries, digest }: { readonly entries: readonly SettingEntry[]; readonly digest: string },
  context: TrustContext,
): Promise<TrustEntry[]> {
  const told = await Promise.all(entries.filter(needsTrust).map(async (entry) => toldOf(entry, context)));
  return entryOf(id, digest, told.flat());
}

/** The same of a file that holds servers alone. */
export async function serversTrustEntry(
  id: string,
  { servers, digest }: { readonly servers: Readonly<Record<string, unknown>>; readonly digest: string },
  context: TrustContext,
): Promise<TrustEntry[]> {
  return entryOf(id, digest, await toldOfServers('', servers, context));
}

/** The same of another agent's file, for its hooks alone. */
export async function hooksTrustEntry(
  id: string,
  { hooks, digest }: { readonly hooks: unknown; readonly digest: string },
  context: Pick<TrustContext, 'root'>,
): Promise<TrustEntry[]> {
  return entryOf(id, digest, await toldOfImport(hooks, context));
}

function entryOf(id: string, digest: string, told: readonly Told[]): TrustEntry[] {
  if (told.length === 0) return [];
  const lines = told.flatMap(({ line, command, hook }) => [
    line,
    ...[...(command?.scripts ?? []), ...(hook?.scripts ?? [])].map(
      (script) => `  which runs ${script.path} of this folder (content ${script.digest.slice(0, 12)})`,
    ),
  ]);
  const commands = told.flatMap(({ command }) => command ?? []);
  const hooks = told.flatMap(({ hook }) => hook ?? []);
  const scripts = [...commands, ...hooks].flatMap((each) =>
    each.scripts.map((script) => `${script.digest} ${script.path}`),
  );
  const whole = scripts.length === 0 ? digest : digestOf([digest, ...scripts].join('\n'));
  return [{ id, digest: whole, lines, commands, ...(hooks.length > 0 && { hooks }) }];
}

async function toldOf({ key, value }: SettingEntry, context: TrustContext): Promise<Told[]> {
  if (key === 'mcpServers' && isObject(value)) return toldOfServers('mcpServers.', value, context);
  if (isHookEventKey(key)) return toldOfHooks(key, value, context);
  if (key === 'lsp.servers' && isObject(value)) return toldOfLanguages(value, context);
  const command = isCommand(key) && typeof value === 'string' ? await bound(wordsOf(value), context) : undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => ({ line: `${key}: ${itemText(item)}`, command }));
}

async function toldOfServers(
  prefix: string,
  servers: Readonly<Record<string, unknown>>,
  context: TrustContext,
): Promise<Told[]> {
  const told = Object.entries(servers).map(async ([alias, raw]): Promise<Told> => {
    const transport = readDefinition(alias, raw, { ...context, origin: 'project' }).definition?.transport;
    return {
      line: `${prefix}${aliasText(alias)} ${describeForConsent(raw)}`,
      command: await boundIn(transport, context),
    };
  });
  return Promise.all(told);
}

/** What a server's definition has run: itself, or what prints its headers. */
async function boundIn(
  transport: StdioServer | RemoteServer | undefined,
  context: TrustContext,
): Promise<BoundCommand | undefined> {
  if (transport === undefined) return undefined;
  if (transport.kind === 'stdio') return bound([transport.command, ...transport.args], context, transport);
  const { headersHelper: helper } = transport;
  return helper === undefined ? undefined : bound(helper.argv, context, { cwd: helper.cwd });
}

async function toldOfLanguages(servers: Readonly<Record<string, unknown>>, context: TrustContext): Promise<Told[]> {
  const told = Object.entries(servers).map(async ([language, raw]): Promise<Told> => {
    if (!isObject(raw) || typeof raw['command'] !== 'string')
      return { line: `lsp.servers.${aliasText(language)}: ${itemText(raw)}` };
    const { command, args, env, cwd: _cwd, ...more } = raw;
    const words = Array.isArray(args) ? args.map(String) : [];
    // What it is told may name programs and plugins as well.
    const rest = Object.keys(more).length === 0 ? '' : ` (with ${JSON.stringify(more)})`;
    return {
      line: `lsp.servers.${aliasText(language)} ${describeForConsent({ command, args, env })}${rest}`,
      command: await bound([command, ...words], context),
    };
  });
  return Promise.all(told);
}

async function bound(
  argv: readonly string[],
  { root }: TrustContext,
  { cwd = root, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<BoundCommand> {
  return { argv, cwd, env, root, scripts: await projectScripts(argv, { cwd, root, env }) };
}

function isCommand(key: string): boolean {
  return key === 'mcp.serverCommand' || key === 'tools.discoveryCommand' || key === 'tools.callCommand';
}

function wordsOf(text: string): readonly string[] {
  try {
    return splitWords(text);
  } catch {
    // It is refused as well when it is to be run.
    return [];
  }
}

function itemText(item: unknown): string {
  if (typeof item === 'string') return item;
  if (typeof item === 'object' && item !== null && 'rule' in item && typeof item.rule === 'string') return item.rule;
  return JSON.stringify(item);
}
