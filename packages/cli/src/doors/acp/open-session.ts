import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { RequestError, type McpServer } from '@agentclientprotocol/sdk';
import { createAgent, type Agent, type AgentOptions } from '@tenon/core';
import type { Options } from '../../arguments/parse-arguments.js';
import { modelOptions } from '../../agent-limits.js';
import { openEndpoint, type ModelEndpoint } from '../../choose-model.js';
import { prepareSession, toolSystemOptions, type Preparation } from '../../prepare-session.js';
import { switchModel } from '../../slash/switch-model.js';
import { loadUserCommands } from '../../slash/user/load-user-commands.js';
import type { Surroundings } from '../../surroundings.js';
import { clientFiles } from './client-files.js';
import { clientSession, showsNotices, type AcpClient, type ClientSession } from './client.js';
import { clientPaths, type ClientPaths } from './client-paths.js';
import { createAcpAsker } from './elicitation.js';
import { EventUpdates } from './event-updates.js';
import { mcpConfigOf } from './mcp-servers.js';
import { callKey } from './call-updates.js';
import { createAcpApprover } from './permission.js';
import type { EditorTerminals } from './terminals/editor-terminals.js';
import { AcpSession } from './session.js';
import { OWN_NAMES } from './slash-commands.js';
import { ToldCalls } from './told-calls.js';

/** An editor waits for a new session, and for the names of models not longer than this. In milliseconds. */
const LIST_MS = 1_500;

export interface DoorServices {
  readonly surroundings: Surroundings;
  /** Of the command line: what holds for every session. */
  readonly options: Options;
}

/** What a client says of a session, new or earlier. */
export interface SessionRequest {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly mcpServers?: readonly McpServer[] | undefined;
  /** The log of an earlier session. */
  readonly file?: string;
  /** True if the session begins as a copy of this one, which stays as it is. */
  readonly isFork?: boolean;
}

/** @throws RequestError, ExitFailure `NO_MODEL`, `WORKSPACE`, `SETTINGS`, `MODEL_FAILED`, and what `createAgent` throws */
export async function openSession(
  services: DoorServices,
  client: AcpClient,
  request: SessionRequest,
): Promise<AcpSession> {
  const { surroundings } = services;
  checkFolders(request);
  const preparation = await prepareSession({ ...surroundings, cwd: request.cwd }, optionsOf(services.options, request));
  const endpoint = await openEndpoint(surroundings, preparation, undefined);
  const names = namesOf(endpoint);
  const paths = await pathsOf(request, surroundings, preparation.roots);
  const session = new LateSession(client);
  const told = new ToldCalls();
  const lastCalls = new Set<string>();
  const updates = new EventUpdates(paths, showsNotices(client));
  const terminals = await terminalsOf({ session, updates, surroundings, cwd: request.cwd });
  const agent = await createAgent({
    ...toolSystemOptions(surroundings, preparation),
    ...connections({ session, paths, told, updates, lastCalls, surroundings }),
    ...(terminals !== undefined && { commandViewer: terminals.viewer }),
    ...modelOptions(preparation, endpoint),
    version: surroundings.version,
    ...sourceOf(request),
  });
  session.sessionId = agent.sessionId;
  const { commands, problems } = await loadUserCommands({ preparation, surroundings, taken: OWN_NAMES, agent });
  const context = { agent, preparation, endpoint };
  return new AcpSession({
    client: clientSession(client, agent.sessionId),
    agent,
    cwd: request.cwd,
    paths,
    told,
    lastCalls,
    updates,
    models: { names: await names, choose: (name) => switchModel(name, context) },
    project: { roots: preparation.roots, tenonHome: surroundings.tenonHome },
    user: {
      commands,
      fill: async (file, words, more) => {
        const { runUserCommand } = await import('../../slash/user/run-user-command.js');
        return runUserCommand(file, words, { ...context, ...more });
      },
    },
    notices: [...noticesOf(preparation, agent), ...problems],
    terminalsSettled: async () => terminals?.settled(),
    takeOff: surroundings.exits.register(agent.endCommands),
  });
}

function sourceOf({ file, isFork = false }: SessionRequest): Pick<AgentOptions, 'session'> {
  return file === undefined ? {} : { session: { file, fork: isFork } };
}

/** @throws RequestError -32602 */
export function checkFolders({ cwd, additionalDirectories = [] }: SessionRequest): void {
  for (const folder of [cwd, ...additionalDirectories]) {
    if (path.isAbsolute(folder)) continue;
    throw RequestError.invalidParams(undefined, `${JSON.stringify(folder)} is no absolute path.`);
  }
}

function optionsOf(options: Options, { cwd, additionalDirectories = [], mcpServers = [] }: SessionRequest): Options {
  const servers = mcpConfigOf(mcpServers);
  const mcpConfigs = [...(options.mcpConfigs ?? []), ...(servers === undefined ? [] : [servers])];
  return {
    ...options,
    cwd,
    addDirs: [...new Set([...options.addDirs, ...additionalDirectories])],
    ...(mcpConfigs.length > 0 && { mcpConfigs }),
  };
}

export async function pathsOf(
  { cwd, additionalDirectories = [] }: SessionRequest,
  { userHome }: Pick<Surroundings, 'userHome'>,
  roots: readonly string[] = [],
): Promise<ClientPaths> {
  const named = await Promise.all(
    [cwd, ...additionalDirectories, ...roots].map(async (folder) => ({
      given: path.resolve(folder),
      canonical: await realpath(folder),
    })),
  );
  return clientPaths(named, userHome);
}

/** The id is known once the agent is there; what it asks the client comes later. */
class LateSession implements ClientSession {
  readonly context: ClientSession['context'];
  readonly capabilities: ClientSession['capabilities'];
  sessionId = '';

  constructor(client: AcpClient) {
    this.context = client.context;
    this.capabilities = client.capabilities;
  }

  readonly update: ClientSession['update'] = (change) => clientSession(this, this.sessionId).update(change);
}

interface Wiring {
  readonly session: ClientSession;
  readonly paths: ClientPaths;
  readonly told: ToldCalls;
  readonly updates: EventUpdates;
  readonly lastCalls: Set<string>;
  readonly surroundings: Surroundings;
}

/** How the agent reaches the person and their editor. */
function connections({
  session,
  paths,
  told,
  updates,
  lastCalls,
  surroundings,
}: Wiring): Pick<AgentOptions, 'approver' | 'asker' | 'hostFiles'> {
  const approver = createAcpApprover({
    session,
    paths,
    tempFolder: surroundings.tempFolder,
    exits: surroundings.exits,
    stopAfter: (request) => lastCalls.add(callKey(request)),
    toldOf: async (request, signal) => {
      const key = callKey(request);
      return (await told.wait(key, signal)) ? (updates.idOf(key) ?? request.callId) : undefined;
    },
  });
  const asker = createAcpAsker(session);
  const hostFiles = clientFiles({
    session,
    paths,
    report: (text) => void session.update(updates.notice(text, 'warning')),
  });
  return { approver, ...(asker !== undefined && { asker }), ...(hostFiles !== undefined && { hostFiles }) };
}

/** Undefined for a client without terminals, and where this is no program of its own that could follow. */
async function terminalsOf({
  session,
  updates,
  surroundings,
  cwd,
}: Pick<Wiring, 'session' | 'updates' | 'surroundings'> & {
  readonly cwd: string;
}): Promise<EditorTerminals | undefined> {
  const { nodePath, programFile, tempFolder } = surroundings;
  if (session.capabilities.terminal !== true || programFile === undefined) return undefined;
  const { EditorTerminals } = await import('./terminals/editor-terminals.js');
  return new EditorTerminals({
    session,
    follower: [nodePath, programFile, 'follow-output'],
    cwd,
    tempFolder,
    isTold: (callId) => updates.isOpen(callId),
    show: async (callId, terminalId) => {
      const shown = updates.showTerminal(callId, terminalId);
      for (const update of shown ?? []) await session.update(update);
      return shown !== undefined;
    },
    report: (text) => void session.update(updates.notice(text, 'warning')),
  });
}

/** Nobody is asked whether to trust a folder here: it is done without, and said. */
function noticesOf({ settings, warnings }: Preparation, agent: Agent): string[] {
  const { trust, problems } = settings;
  const isTold = problems.some(({ message }) => message.includes('tenon trust'));
  const untrusted =
    trust.isOpen && !isTold
      ? [
          `${trust.root} has settings that count only in a folder that you trust, and is used without them. Run \`tenon trust\` in a terminal there to look at them.`,
        ]
      : [];
  return [
    ...untrusted,
    ...problems.map(({ message }) => message),
    ...warnings,
    ...agent.notices,
    ...agent.sessionProblems,
  ];
}

/** What the endpoint has; nothing when it does not tell at once. Never rejects. */
async function namesOf({ list }: ModelEndpoint): Promise<readonly string[]> {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), LIST_MS);
  try {
    return await list(end.signal);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
