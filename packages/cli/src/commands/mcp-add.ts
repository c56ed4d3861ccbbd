import { describeServer, readDefinition } from '@tenon/core';
import type { McpWords, Options } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { warn } from '../ui/say.js';
import { change, tellChange, type Scope } from './mcp-change.js';
import { viewServers, writeLines } from './mcp-servers.js';

const ORIGINS = { user: 'user', project: 'project', 'mcp.json': '.mcp.json' } as const;

/** `tenon mcp add NAME [OPTIONS] -- COMMAND …` and `tenon mcp add NAME URL`. */
export async function addServer(
  surroundings: Surroundings,
  options: Options,
  { name, words }: { readonly name: string; readonly words: readonly string[] },
): Promise<ExitCode> {
  return put(surroundings, options, name, definitionOf(words, options.mcp ?? { env: [], headers: [], tools: [] }));
}

/** `tenon mcp add-json NAME JSON` */
export async function addServerJson(
  surroundings: Surroundings,
  options: Options,
  { name, json }: { readonly name: string; readonly json: string },
): Promise<ExitCode> {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    throw usage(
      `That is not JSON. Put it in single quotes: tenon mcp add-json ${name} '{"command": "npx", "args": ["-y", "…"]}'`,
    );
  }
  return put(surroundings, options, name, raw);
}

/** What the words and options come to as one writes it in a file. @throws ExitFailure `USAGE` */
export function definitionOf(words: readonly string[], given: McpWords): object {
  const [first = '', ...rest] = words;
  const { transport } = given;
  const isAddress = /^https?:\/\//i.test(first);
  const isRemote = transport === undefined ? isAddress : transport !== 'stdio';
  if (isRemote && (!isAddress || rest.length > 0))
    throw usage(`--transport ${transport ?? 'http'} takes one address, which begins with http:// or https://.`);
  if (isRemote && given.env.length > 0) throw usage('--env goes with a command; an address takes --header.');
  if (!isRemote && given.headers.length > 0) throw usage('--header goes with an address; a command takes --env.');
  const env = pairs(given.env, '=', '--env KEY=value');
  const headers = pairs(given.headers, ':', "--header 'Name: value'");
  const trust = given.trust === true && { trust: true };
  if (!isRemote) {
    return { command: first, ...(rest.length > 0 && { args: rest }), ...(given.env.length > 0 && { env }), ...trust };
  }
  return {
    ...(transport !== undefined && { type: transport }),
    url: first,
    ...(given.headers.length > 0 && { headers }),
    ...trust,
  };
}

function pairs(texts: readonly string[], separator: string, form: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const place = text.indexOf(separator);
      if (place < 1) throw usage(`Write ${form}.`);
      const value = text.slice(place + 1);
      return [text.slice(0, place).trim(), separator === ':' ? value.trim() : value];
    }),
  );
}

async function put(surroundings: Surroundings, options: Options, name: string, raw: unknown): Promise<ExitCode> {
  const scope: Scope = options.mcp?.scope ?? 'user';
  const view = await viewServers(surroundings, options);
  const { root } = view;
  const origin = ORIGINS[scope];
  const held = view.servers.find((server) => server.alias === name && server.origin === origin);
  if (held !== undefined)
    throw usage(
      `There is a server "${name}" in ${held.place} already. \`tenon mcp remove ${name} --scope ${scope}\` first, or choose another name.`,
    );
  const read = readDefinition(name, raw, {
    origin,
    variables: surroundings.env,
    root,
    home: surroundings.userHome,
    timeoutMs: 1,
    startupMs: 1,
  });
  if (read.unused !== undefined && read.lacksVariable !== true) throw usage(`The server "${name}": ${read.unused}`);
  const inFile = view.servers.find((server) => server.origin === origin && server.key === 'servers');
  await change(surroundings, root, { scope, at: [inFile?.key ?? 'mcpServers', name], value: raw });
  await warn(surroundings.err, [...read.warnings, ...(read.unused === undefined ? [] : [read.unused])]);
  if (scope !== 'user' && holdsLiteral(raw)) await warn(surroundings.err, [LITERAL]);
  await tellChange(surroundings, { text: `Added ${name} to`, scope, root });
  const other = view.servers.find((server) => server.alias === name && server.origin !== origin);
  const next =
    other === undefined
      ? `\`tenon mcp test ${name}\` tries it.`
      : `There is one of the same name in ${other.place}: \`tenon mcp list\` says which counts.`;
  // A command may well end in a full stop of its own.
  await writeLines(surroundings, [`It ${describeServer(raw)}`, next]);
  return ExitCode.OK;
}

/** What to say where a literal goes to a file of the project. */
export const LITERAL =
  'What stands there under "env" or "headers" is read by everybody who has the project. Write ${NAME} for a variable of the environment instead, where it is secret.';

/** A variable or a header with a value that names no variable. */
export function holdsLiteral(raw: unknown): boolean {
  if (typeof raw !== 'object' || raw === null) return false;
  const { env, headers }: { env?: unknown; headers?: unknown } = raw;
  return [env, headers].some(
    (map) =>
      typeof map === 'object' && map !== null && Object.values(map).some((value) => !String(value).includes('${')),
  );
}

function usage(message: string): ExitFailure {
  return new ExitFailure(ExitCode.USAGE, message);
}
