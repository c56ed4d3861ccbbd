import {
  count,
  createToolSystem,
  errorMessage,
  type McpClients,
  type McpServer,
  type ServerDefinition,
  type ServerList,
} from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { toolSystemOptions, prepareSession } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeBlock } from '../ui/safe-lines.js';
import { serversNamed, usedServer, useOf, writeLines } from './mcp-servers.js';

/** `tenon mcp status [NAME]`: connects the servers that are used, and says how each is. Exit code 1 when one is not ready. */
export async function serverStatus(
  surroundings: Surroundings,
  options: Options,
  name: string | undefined,
): Promise<ExitCode> {
  return withServers(surroundings, options, { name, isTest: false }, async (clients, signal) => {
    clients.start();
    await clients.settled(signal);
    // How many tools there are is known once they were listed.
    await Promise.all(clients.servers.map(async (server) => listTools(server, signal)));
    const rows = clients.servers.map(statusOf);
    if (options.json) await surroundings.out.writeData(jsonText(rows));
    else if (rows.length === 0) await writeLines(surroundings, ['No server is used. `tenon mcp list` says why.']);
    else for (const row of rows) await writeBlock(surroundings, statusText(row));
    return rows.every(({ state }) => state === 'ready' || state === 'disabled') ? ExitCode.OK : ExitCode.UNEXPECTED;
  });
}

async function listTools(server: McpServer, signal: AbortSignal): Promise<void> {
  if (server.status().state !== 'ready' || server.features()?.tools !== true) return;
  // What went wrong is in its status.
  await server.listTools(signal).catch(() => undefined);
  signal.throwIfAborted();
}

interface StatusRow {
  readonly name: string;
  readonly state: string;
  /** How its requests are authorised, as far as the settings say. */
  readonly authorization: string | null;
  readonly reason: string | null;
  readonly stderr: string | null;
  readonly protocol: string | null;
  readonly server: string | null;
  readonly tools: number | null;
  readonly startedInMs: number | null;
}

function statusOf(server: McpServer): StatusRow {
  const { definition } = server;
  const { state, reason, lastStderr, protocolVersion, server: info, tools, startedInMs } = server.status();
  return {
    name: definition.alias,
    state,
    authorization: authorizationOf(definition) ?? null,
    reason: reason ?? null,
    stderr: lastStderr ?? null,
    protocol: protocolVersion ?? null,
    server: info === undefined ? null : `${info.name} ${info.version}`,
    tools: tools ?? null,
    startedInMs: startedInMs ?? null,
  };
}

function authorizationOf({ transport }: ServerDefinition): string | undefined {
  if (transport.kind === 'stdio') return undefined;
  if (Object.keys(transport.headers).some((name) => name.toLowerCase() === 'authorization')) return 'headers';
  if (transport.oauth?.grant !== undefined) return 'client credentials';
  return transport.headersHelper === undefined ? undefined : 'headersHelper';
}

function statusText({
  name,
  state,
  authorization,
  reason,
  stderr,
  protocol,
  server,
  tools,
  startedInMs,
}: StatusRow): string {
  const facts = [
    ...(tools === null ? [] : [count(tools, 'tool')]),
    ...(tools === null && state === 'ready' ? ['no tools listed'] : []),
    ...(server === null ? [] : [server]),
    ...(protocol === null ? [] : [`protocol ${protocol}`]),
    ...(authorization === null ? [] : [`authorised by ${authorization}`]),
    ...(startedInMs === null ? [] : [`${Math.round(startedInMs)} ms`]),
  ];
  const isWell = state === 'ready' || state === 'disabled';
  return [
    [state.padEnd(13), name, ...(facts.length === 0 ? [] : [`(${facts.join(', ')})`])].join(' '),
    ...indented(reason),
    ...(stderr === null || stderr === '' || isWell ? [] : ['    it wrote:', ...indented(stderr)]),
    ...(state === 'needs-sign-in' ? indented(`\`tenon mcp login ${name}\` signs in.`) : []),
  ].join('\n');
}

function indented(text: string | null): string[] {
  return text === null
    ? []
    : text
        .trimEnd()
        .split(/\r\n|\r|\n/)
        .map((line) => `    ${line}`);
}

interface TestedList {
  readonly what: string;
  readonly ms: number;
  readonly names: readonly string[];
  readonly problems: readonly string[];
  readonly failure?: string;
}

/** `tenon mcp test NAME`: connects it and asks it for everything that it offers, with times. Exit code 1 when something failed. */
export async function testServer(surroundings: Surroundings, options: Options, name: string): Promise<ExitCode> {
  return withServers(surroundings, options, { name, isTest: true }, async ({ servers }, signal) => {
    const [server] = servers;
    if (server === undefined)
      throw new ExitFailure(ExitCode.USAGE, `The server "${name}" is not used. \`tenon mcp list\` says why.`);
    const began = performance.now();
    const failure = await server.connect(signal).then(
      () => undefined,
      (thrown: unknown) => (signal.aborted ? undefined : errorMessage(thrown)),
    );
    signal.throwIfAborted();
    const connectMs = Math.round(performance.now() - began);
    const lists = failure === undefined ? await testLists(server, signal) : [];
    const status = statusOf(server);
    // The failure itself says to run this very command; its reason stands in the status.
    const told = failure === undefined ? null : (status.reason ?? failure);
    if (options.json) await surroundings.out.writeData(jsonText({ ...status, connectMs, failure: told, lists }));
    else {
      await writeBlock(surroundings, statusText(status));
      if (told !== null && status.reason === null) await writeBlock(surroundings, indented(told).join('\n'));
      if (told !== null && status.state !== 'needs-sign-in')
        await writeBlock(surroundings, indented(`\`tenon mcp get ${name}\` shows its definition.`).join('\n'));
      for (const list of lists) await writeBlock(surroundings, listText(list));
    }
    return failure === undefined && lists.every((list) => list.failure === undefined)
      ? ExitCode.OK
      : ExitCode.UNEXPECTED;
  });
}

async function testLists(server: McpServer, signal: AbortSignal): Promise<TestedList[]> {
  const features = server.features();
  const asked: readonly (readonly [string, boolean, string, (signal: AbortSignal) => Promise<ServerList>])[] = [
    ['tools', features?.tools === true, 'name', (each) => server.listTools(each)],
    ['prompts', features?.prompts === true, 'name', (each) => server.listPrompts(each)],
    ['resources', features?.resources === true, 'uri', (each) => server.listResources(each)],
    ['resource templates', features?.resources === true, 'uriTemplate', (each) => server.listResourceTemplates(each)],
  ];
  const lists: TestedList[] = [];
  for (const [what, isOffered, key, list] of asked) if (isOffered) lists.push(await testList(what, key, list, signal));
  return lists;
}

async function testList(
  what: string,
  key: string,
  list: (signal: AbortSignal) => Promise<ServerList>,
  signal: AbortSignal,
): Promise<TestedList> {
  const began = performance.now();
  const ms = (): number => Math.round(performance.now() - began);
  try {
    const { entries, problems } = await list(signal);
    const names = entries.map((entry) => (typeof entry[key] === 'string' ? entry[key] : '(without a name)'));
    return { what, ms: ms(), names, problems };
  } catch (thrown) {
    signal.throwIfAborted();
    return { what, ms: ms(), names: [], problems: [], failure: errorMessage(thrown) };
  }
}

function listText({ what, ms, names, problems, failure }: TestedList): string {
  if (failure !== undefined) return `${what}: failed after ${ms} ms\n${indented(failure).join('\n')}`;
  return [
    `${what}: ${names.length} in ${ms} ms`,
    ...names.map((each) => `    ${each}`),
    ...problems.map((each) => `  ! ${each}`),
  ].join('\n');
}

async function writeBlock({ out }: Surroundings, text: string): Promise<void> {
  await out.write(safeBlock(`${text}\n`));
}

/** The connections as a session would have them, but for the one that is named alone. Ended whatever happens. */
async function withServers(
  surroundings: Surroundings,
  options: Options,
  { name, isTest }: { readonly name: string | undefined; readonly isTest: boolean },
  act: (clients: Pick<McpClients, 'servers' | 'start' | 'settled'>, signal: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const preparation = await prepareSession(surroundings, options);
  const configured = preparation.settings.extensions.servers;
  // What is switched off has a status, and nothing to test.
  const mayBeOff = name !== undefined && !isTest && useOf(serversNamed(configured, name)[0]) === 'off';
  if (name !== undefined && !mayBeOff) usedServer(configured, name);
  const given = toolSystemOptions(surroundings, preparation);
  const { mcp, lsp: _lsp, discovery: _discovery, customTools: _tools, ...system } = given;
  const isWanted = ({ alias }: ServerDefinition): boolean => name === undefined || alias === name;
  const servers = (mcp?.servers ?? []).filter(isWanted);
  const tools = await createToolSystem({ ...system, mcp: { ...mcp, servers } });
  surroundings.exits.register(() => tools.endCommands());
  const armed = surroundings.interrupts.arm();
  try {
    return await act(
      tools.servers ?? { servers: [], start: () => undefined, settled: async () => undefined },
      armed.signal,
    );
  } catch (thrown) {
    if (armed.signal.aborted) return ExitCode.INTERRUPTED;
    throw thrown;
  } finally {
    armed.release();
    await tools.close();
  }
}
