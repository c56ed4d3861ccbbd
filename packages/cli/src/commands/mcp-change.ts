import path from 'node:path';
import { Failure, writeSetting, type ConfiguredServer } from '@tenon/core';
import type { McpWords, Options } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { serversNamed, viewServers, writeLines, type ServerView } from './mcp-servers.js';

export type Scope = NonNullable<McpWords['scope']>;

const SCOPES: Readonly<Partial<Record<ConfiguredServer['origin'], Scope>>> = {
  user: 'user',
  project: 'project',
  '.mcp.json': 'mcp.json',
};

/** The file in which servers of a scope stand. */
export function fileOf({ tenonHome }: Surroundings, root: string, scope: Scope): string {
  if (scope === 'user') return path.join(tenonHome, 'settings.json');
  return scope === 'project' ? path.join(root, '.tenon', 'settings.json') : path.join(root, '.mcp.json');
}

/** `tenon mcp remove NAME [--scope S]` */
export async function removeServer(surroundings: Surroundings, options: Options, name: string): Promise<ExitCode> {
  const view = await viewServers(surroundings, options);
  const { scope, server } = chosen(view, name, options.mcp?.scope);
  await change(surroundings, view.root, { scope, at: [server.key, name], value: undefined });
  await tellChange(surroundings, { text: `Removed ${name} from`, scope, root: view.root });
  return ExitCode.OK;
}

/** `tenon mcp enable|disable NAME [--scope S]` */
export async function switchServer(
  surroundings: Surroundings,
  options: Options,
  { name, isOn }: { readonly name: string; readonly isOn: boolean },
): Promise<ExitCode> {
  const view = await viewServers(surroundings, options);
  const { scope, server } = chosen(view, name, options.mcp?.scope);
  const { raw } = server;
  const isWrittenOff = typeof raw === 'object' && raw !== null && 'enabled' in raw;
  const [key, value] = isWrittenOff ? ['enabled', isOn] : ['disabled', isOn ? undefined : true];
  await change(surroundings, view.root, { scope, at: [server.key, name, key], value });
  // Both may stand there.
  if (isWrittenOff && isOn)
    await change(surroundings, view.root, { scope, at: [server.key, name, 'disabled'], value: undefined });
  await tellChange(surroundings, { text: `Switched ${name} ${isOn ? 'on' : 'off'} in`, scope, root: view.root });
  return ExitCode.OK;
}

export interface ScopedChange {
  readonly scope: Scope;
  readonly at: readonly [string, ...string[]];
  readonly value: unknown;
}

/** @throws ExitFailure that says what to do */
export async function change(
  surroundings: Surroundings,
  root: string,
  { scope, at, value }: ScopedChange,
): Promise<void> {
  const file = fileOf(surroundings, root, scope);
  const place = scope === 'user' ? {} : { projectRoot: root };
  try {
    await writeSetting({ file, at, value, ...place, environment: surroundings.env });
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const code = thrown.code === 'needs_person' ? ExitCode.USAGE : ExitCode.SETTINGS;
    throw new ExitFailure(code, thrown.message, { cause: thrown });
  }
}

/** What was done, and that the trust of the folder ends with its content. */
export async function tellChange(
  surroundings: Surroundings,
  { text, scope, root }: { readonly text: string; readonly scope: Scope; readonly root: string },
): Promise<void> {
  const lines = [`${text} ${fileOf(surroundings, root, scope)}.`];
  if (scope !== 'user')
    lines.push('Trust is bound to the content of that file: `tenon trust` shows it, `tenon trust --yes` agrees to it.');
  await writeLines(surroundings, lines);
}

/** The one that is meant. @throws ExitFailure `USAGE` where there are several, or none that this command changes */
function chosen(view: ServerView, name: string, wanted: Scope | undefined): { scope: Scope; server: ConfiguredServer } {
  const named = serversNamed(view.servers, name);
  const found = named.flatMap((server) => {
    const scope = SCOPES[server.origin];
    return scope === undefined || server.key === 'extension' ? [] : [{ scope, server }];
  });
  const fitting = found.filter(({ scope }) => wanted === undefined || scope === wanted);
  const [first, second] = fitting;
  if (first === undefined) {
    const places = named.map(({ place }) => place).join(', ');
    throw usage(`The server "${name}" stands in ${places}, which this does not change.`);
  }
  if (second !== undefined) {
    const scopes = fitting.map(({ scope }) => `--scope ${scope}`).join(' or ');
    throw usage(`The server "${name}" stands in several places. Say which: ${scopes}.`);
  }
  if (first.server.key === 'mcp.serverCommand')
    throw usage(`The server "${name}" comes of the command in ${first.server.place}. Take it out there.`);
  return first;
}

function usage(message: string): ExitFailure {
  return new ExitFailure(ExitCode.USAGE, message);
}
