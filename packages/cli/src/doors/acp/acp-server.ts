import {
  PROTOCOL_VERSION,
  RequestError,
  type AgentCapabilities,
  type AgentContext,
  type ClientCapabilities,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type NewSessionRequest,
  type ResumeSessionRequest,
  type SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk';
import { Failure, loadSessionLog } from '@tenon/core';
import { configuredChoice } from '../../choose-model.js';
import { modelSources } from '../../prepare-session.js';
import { authMethods, checkMethod } from './auth.js';
import { clientSession, showsNotices, type AcpClient } from './client.js';
import { EventUpdates } from './event-updates.js';
import type { ForkRequest } from './fork-request.js';
import { checkFolders, openSession, pathsOf, type DoorServices, type SessionRequest } from './open-session.js';
import { replayed } from './replay.js';
import type { AcpSession } from './session.js';
import { MODE_OPTION, MODEL_OPTION } from './session-options.js';
import { SessionStore } from './session-store.js';

/** `fork` is not in the stable protocol yet. */
const SESSION_CAPABILITIES = { list: {}, delete: {}, additionalDirectories: {}, resume: {}, close: {}, fork: {} };
const CAPABILITIES: AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: true, audio: false, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: SESSION_CAPABILITIES,
  auth: { logout: {} },
};
const IS_OPEN_ELSEWHERE =
  'This session is open in another process, so that it can only be read here. Fork it to go on in a copy, or close it there and load it again.';

/** What one client may ask. Everything here throws what `requestError` makes an answer of. */
export class AcpServer {
  readonly #services: DoorServices;
  readonly #store: SessionStore;
  readonly #sessions = new Map<string, AcpSession>();
  /** Sessions that other processes have open, loaded here for reading. */
  readonly #readable = new Set<string>();
  /** What is being opened or closed: one thing at a time for an id. */
  readonly #changing = new Map<string, Promise<unknown>>();
  #capabilities: ClientCapabilities = {};
  #isSignedOut = false;

  constructor(services: DoorServices) {
    this.#services = services;
    this.#store = new SessionStore(services.surroundings);
  }

  /** The version that was asked for where it is spoken here, else the newest that is. */
  initialize({ clientCapabilities }: InitializeRequest): InitializeResponse {
    this.#capabilities = clientCapabilities ?? {};
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'tenon', title: 'Tenon', version: this.#services.surroundings.version },
      agentCapabilities: CAPABILITIES,
      authMethods: authMethods(this.#capabilities),
    };
  }

  /** Succeeds if a model is configured, in whatever folder the agent was started. No real sign-in happens. */
  async authenticate(methodId: string): Promise<object> {
    checkMethod(methodId, this.#capabilities);
    const { surroundings, options } = this.#services;
    const { settings, modelName } = await modelSources(surroundings, options);
    if (configuredChoice(surroundings, settings.values, modelName) === undefined) {
      throw new RequestError(
        -32000,
        'No model is configured yet. Set its key in the environment of the agent or in the settings, and start the agent anew where the environment changed.',
      );
    }
    this.#isSignedOut = false;
    return {};
  }

  /** Keys are the person's own and stay where they are; until `authenticate` no session begins. */
  logout(): object {
    this.#isSignedOut = true;
    return {};
  }

  async newSession(request: NewSessionRequest, context: AgentContext) {
    this.#refuseSignedOut();
    const session = await openSession(this.#services, this.#client(context), request);
    this.#sessions.set(session.id, session);
    introduceLater(session);
    return { sessionId: session.id, ...session.state() };
  }

  /** Loads a session; one that another process has open can only be read. */
  async loadSession(request: LoadSessionRequest, context: AgentContext) {
    const session = await this.#open(request, context).catch((thrown: unknown) => {
      if (thrown instanceof Failure && thrown.code === 'session_open') return undefined;
      throw thrown;
    });
    if (session === undefined) return this.#read(request, context);
    await session.replay();
    introduceLater(session);
    return session.state();
  }

  async resumeSession(request: ResumeSessionRequest, context: AgentContext) {
    const session = await this.#open(request, context);
    introduceLater(session);
    return session.state();
  }

  /** Starts a new session as a copy of another, which may be open anywhere. */
  async forkSession({ sessionId, ...request }: ForkRequest, context: AgentContext) {
    this.#refuseSignedOut();
    checkFolders(request);
    const file = await this.#fileOf(sessionId);
    const session = await openSession(this.#services, this.#client(context), { ...request, file, isFork: true });
    this.#sessions.set(session.id, session);
    introduceLater(session);
    return { sessionId: session.id, ...session.state() };
  }

  async listSessions({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    if (typeof cwd === 'string') checkFolders({ cwd });
    return this.#store.page(cwd ?? undefined, cursor ?? undefined);
  }

  async closeSession(sessionId: string): Promise<object> {
    if (this.#readable.delete(sessionId)) return {};
    const session = this.session(sessionId);
    this.#sessions.delete(sessionId);
    await this.#alone(sessionId, () => session.close());
    return {};
  }

  /** @throws RequestError also for one that is open: it is closed first */
  async deleteSession(sessionId: string): Promise<object> {
    if (this.#sessions.has(sessionId))
      throw RequestError.invalidRequest({ sessionId }, 'This session is open. Close it, then delete it.');
    await this.#alone(sessionId, () => this.#store.remove(sessionId));
    return {};
  }

  async setMode(sessionId: string, modeId: string): Promise<object> {
    await this.session(sessionId).setMode(modeId);
    return {};
  }

  async setConfigOption({ sessionId, configId, value }: SetSessionConfigOptionRequest) {
    const session = this.session(sessionId);
    if (typeof value !== 'string') throw RequestError.invalidParams(undefined, `The value of ${configId} is a text.`);
    if (configId === MODE_OPTION) await session.setMode(value);
    else if (configId === MODEL_OPTION) await session.setModel(value);
    else throw RequestError.invalidParams(undefined, `There is no option ${JSON.stringify(configId)}.`);
    return { configOptions: session.state().configOptions };
  }

  /** @throws RequestError -32002, or -32600 for a session that can only be read */
  session(sessionId: string): AcpSession {
    const session = this.#sessions.get(sessionId);
    if (this.#readable.has(sessionId)) throw RequestError.invalidRequest({ sessionId }, IS_OPEN_ELSEWHERE);
    if (session === undefined) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  /** A notification: what there is not needs no cancelling. */
  cancel(sessionId: string): void {
    this.#sessions.get(sessionId)?.cancel();
  }

  async close(): Promise<void> {
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled([...open.map((session) => session.close()), ...this.#changing.values()]);
  }

  /** The one that is open already, or one that goes on from its log. */
  async #open(request: SessionRequest & { readonly sessionId: string }, context: AgentContext): Promise<AcpSession> {
    this.#refuseSignedOut();
    checkFolders(request);
    const { sessionId } = request;
    return this.#alone(sessionId, async () => {
      const open = this.#sessions.get(sessionId);
      if (open !== undefined) return open;
      const file = await this.#fileOf(sessionId);
      const session = await openSession(this.#services, this.#client(context), { ...request, file });
      this.#sessions.set(session.id, session);
      this.#readable.delete(sessionId);
      return session;
    });
  }

  async #read(request: LoadSessionRequest, context: AgentContext): Promise<object> {
    const { sessionId } = request;
    const paths = await pathsOf(request, this.#services.surroundings);
    const client = clientSession(this.#client(context), sessionId);
    const { events } = loadSessionLog(await this.#fileOf(sessionId));
    for (const update of replayed(events, paths)) await client.update(update);
    await client.update(new EventUpdates(paths, showsNotices(client)).notice(IS_OPEN_ELSEWHERE, 'warning'));
    this.#readable.add(sessionId);
    return {};
  }

  /** @throws RequestError -32002 */
  async #fileOf(sessionId: string): Promise<string> {
    const file = await this.#store.find(sessionId);
    if (file === undefined) throw RequestError.sessionNotFound(sessionId);
    return file;
  }

  async #alone<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#changing.get(sessionId) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#changing.set(sessionId, mine);
    try {
      return await mine;
    } finally {
      if (this.#changing.get(sessionId) === mine) this.#changing.delete(sessionId);
    }
  }

  #client(context: AgentContext): AcpClient {
    return { context, capabilities: this.#capabilities };
  }

  #refuseSignedOut(): void {
    if (this.#isSignedOut) throw RequestError.authRequired(undefined, 'signed out; call authenticate first');
  }
}

/** After the answer that makes the session known to the client. */
function introduceLater(session: AcpSession): void {
  setImmediate(() => void session.introduce());
}
