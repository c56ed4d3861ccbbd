import { aliasText, describeServer, redactServer, type ConfiguredServer } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { ExitCode } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { serversNamed, useOf, viewServers, writeLines } from './mcp-servers.js';

/** `tenon mcp list`: every server that some place names, whether it is used, and why not. Nothing is started. */
export async function listServers(surroundings: Surroundings, options: Options): Promise<ExitCode> {
  const { servers } = await viewServers(surroundings, options);
  if (options.json) {
    await surroundings.out.writeData(jsonText(servers.map(serverJson)));
    return ExitCode.OK;
  }
  const width = Math.max(0, ...servers.map(({ alias }) => aliasText(alias).length));
  const lines = servers.flatMap((server) => {
    const { alias, raw, unused } = server;
    const origin = server.extension === undefined ? server.origin : `extension ${server.extension}`;
    const head = `${useOf(server).padEnd(8)}  ${aliasText(alias).padEnd(width)}  ${describeServer(raw)}  (${origin})`;
    return unused === undefined ? [head] : [head, `          ${unused}`];
  });
  const none = ['There are no servers. `tenon mcp add NAME -- COMMAND` or `tenon mcp add NAME URL` adds one.'];
  await writeLines(surroundings, lines.length === 0 ? none : lines);
  return ExitCode.OK;
}

/** `tenon mcp get NAME`: what is written of it, wherever it stands, but for what may be secret. */
export async function showServer(surroundings: Surroundings, options: Options, name: string): Promise<ExitCode> {
  const { servers } = await viewServers(surroundings, options);
  const named = serversNamed(servers, name);
  if (options.json) {
    await surroundings.out.writeData(jsonText(named.map(serverJson)));
    return ExitCode.OK;
  }
  const lines = named.flatMap((server) => [
    `${aliasText(server.alias)}: ${useOf(server)}`,
    `  stands in  ${server.place}`,
    ...(server.unused === undefined ? [] : [`  because    ${server.unused}`]),
    ...(JSON.stringify(redactServer(server.raw), null, 2) ?? '').split('\n').map((line) => `  ${line}`),
  ]);
  await writeLines(surroundings, lines);
  return ExitCode.OK;
}

function serverJson(server: ConfiguredServer): object {
  const { alias, origin, place, raw, unused, extension } = server;
  const state = { used: 'used', off: 'disabled', 'not used': 'unused' }[useOf(server)];
  return {
    name: alias,
    origin,
    ...(extension !== undefined && { extension }),
    place,
    state,
    reason: unused ?? null,
    definition: redactServer(raw),
  };
}
